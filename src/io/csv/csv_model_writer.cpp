// Writes the CSV exchange form, one outcome a row, and says what it cannot hold.
#include "io/state_order.hpp"
#include "io/text/field_lines.hpp"
#include "io/text/json_text.hpp"
#include "io/text/model_formats.hpp"
#include "io/text/watched_text.hpp"

namespace quantiplan {
namespace {

void append_field(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos && without_blanks(text) == text) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_rows(
    std::string& out, const Model& model, State s, Choice c, const NumberTexts& numbers) {
  for (const Outcome& o : model.outcomes(c)) {
    append_field(out, model.state_name(s));
    out += ',';
    append_field(out, model.action_name(c));
    out += ',';
    append_field(out, model.state_name(o.next));
    out += ',' + numbers.probability(o) + ',' + numbers.reward(o) + '\n';
  }
}

// The states in the order in which the rows name them.
std::vector<State> states_in_rows(const Model& model) {
  std::vector<State> met;
  std::vector<bool> is_met(model.state_count(), false);
  const auto meet = [&](State s) {
    if (!is_met[index(s)]) met.push_back(s);
    is_met[index(s)] = true;
  };
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{s})) {
      for (const Outcome& o : model.outcomes(c)) {
        meet(State{s});
        meet(o.next);
      }
    }
  }
  return met;
}

bool order_is_kept(const Model& model, const std::vector<State>& met) {
  std::vector<std::string_view> names;
  names.reserve(met.size());
  for (const State s : met) names.push_back(model.state_name(s));
  State last{0};
  for (const std::uint32_t i : order_of_ids(names)) {
    if (met[i] < last) return false;
    last = met[i];
  }
  return true;
}

std::vector<std::string> what_is_lost(const Model& model) {
  std::vector<std::string> lost;
  if (!model.name().empty()) lost.emplace_back("the name");
  if (const auto horizon = model.horizon())
    lost.emplace_back(*horizon == kInfiniteHorizon ? "the infinite horizon" : "the horizon");
  if (model.discount()) lost.emplace_back("the discount");
  if (model.initial())
    lost.emplace_back(model.initial()->is_certain() ? "the initial state" : "the initial states");
  if (!model.possible_initial().empty()) lost.emplace_back("the initial states");
  if (model.is_chain()) lost.emplace_back("that it is a Markov chain");
  if (model.reward_names().size() > 1) lost.emplace_back("the other reward structures");
  if (!model.goal().empty()) lost.emplace_back("the goal");
  if (!model.labels().empty()) lost.emplace_back("the labels");
  if (model.has_costs()) lost.emplace_back("the note that rewards are costs");
  if (!model.wealth().is_sum()) lost.emplace_back("the wealth structure");
  const std::vector<State> met = states_in_rows(model);
  if (const std::size_t unused = model.state_count() - met.size(); unused > 0) {
    lost.push_back(std::to_string(unused) + (unused == 1 ? " state" : " states") +
                   " without choices and transitions");
  }
  if (!order_is_kept(model, met)) lost.emplace_back("the order of the states");
  return lost;
}

}  // namespace

std::string format_csv_model(const Model& model, std::vector<std::string>& lost, WorkWatch* watch) {
  require_numbers(model, "a CSV");
  if (model.choice_count() == 0)
    throw Error(ErrorCode::refused,
                "",
                "found a model without choices, which CSV cannot hold; expected one at least");
  const NumberTexts numbers(model);
  std::string out = "idstatefrom,idaction,idstateto,probability,reward\n";
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{s})) {
      append_rows(out, model, State{s}, c, numbers);
      look_at_text(out, watch);
    }
  }
  lost = what_is_lost(model);
  return out;
}

}  // namespace quantiplan
