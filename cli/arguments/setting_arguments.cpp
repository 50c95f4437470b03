// --horizon, --initial, --discount, --goal, --cost, --adversarial, --goal-ends.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "arguments/arguments.hpp"
#include "console/console.hpp"
#include "quantiplan/model_checkers.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

Error not_expected(const std::string& text, const char* flag, const char* expected) {
  return {ErrorCode::bad_request,
          flag,
          fmt::format("found '{}', expected {}", visible(text), expected)};
}

}  // namespace

void SettingArguments::declare(CLI::App& command) {
  add_text(command, "--horizon", horizon, "number of steps, or infinite, instead of the model's")
      ->type_name("N|infinite");
  add_text(command,
           "--initial",
           initial,
           "name of the initial state, or of several with their probabilities as a:1/2,b:1/2, "
           "instead of the model's")
      ->type_name("STATE[:P,...]");
  add_text(command, "--discount", discount, "discount in (0, 1], instead of the model's")
      ->type_name("G");
  command
      .add_option_function<std::vector<std::string>>(
          "--goal",
          [this](const std::vector<std::string>& lists) { goal = lists; },
          "states at which an episode ends, and which it must reach to count, instead of the "
          "model's: names of states or labels, or a condition as 's=7 & \"done\"'; '' for none")
      ->type_name("STATE|LABEL|EXPR")
      ->allow_extra_args(false);
  command.add_flag(
      "--cost", cost, "rewards are costs: the answer is the least cost, and every total a cost");
  command.add_flag("--adversarial",
                   adversarial,
                   "what is guaranteed whatever is done: the least of all policies, "
                   "not the greatest");
}

void SettingArguments::declare_goal_ends(CLI::App& command) {
  add_text(
      command,
      "--goal-ends",
      goal_ends,
      "yes (the default): an episode ends at its first visit of the goal; no: it may go on and "
      "collect more until a later visit, as model checkers mean F{\"r\"}>=y")
      ->type_name("yes|no");
}

void SettingArguments::apply_goal_ends(Model& model, Setting& setting) const {
  if (!goal_ends || *goal_ends == "yes") return;
  if (*goal_ends != "no") throw not_expected(*goal_ends, "--goal-ends", "yes or no");
  GoingOn going = go_on_at_goals(model, setting);
  model = std::move(going.model);
  setting = std::move(going.setting);
}

namespace {

// The states that a text describes without naming them; of a model with several initial states,
// those among them.
std::optional<std::vector<State>> described_starts(const ReadModel& read, const std::string& text) {
  const Model& model = read.model;
  if (model.find_state(text)) return std::nullopt;
  const bool is_condition = text.find_first_of("=<>&|!\"") != std::string::npos;
  if (!is_condition && model.find_label(text) == nullptr) return std::nullopt;
  if (text.find(':') != std::string::npos) return std::nullopt;
  std::vector<State> states = states_where(read, text, "--initial");
  std::vector<State> among;
  std::ranges::set_intersection(states, model.possible_initial(), std::back_inserter(among));
  if (!among.empty()) states = std::move(among);
  if (states.empty()) throw not_expected(text, "--initial", "what holds in at least one state");
  return states;
}

}  // namespace

std::vector<State> SettingArguments::starts(const ReadModel& read, const Setting& setting) const {
  if (setting.initial) return {};
  if (initial) return described_starts(read, *initial).value_or(std::vector<State>{});
  return read.model.possible_initial();
}

Setting SettingArguments::setting() const {
  Setting setting;
  constexpr const char* kExpected = "a whole number of steps, or infinite";
  if (horizon == "infinite") {
    setting.horizon = kInfiniteHorizon;
  } else if (horizon) {
    setting.horizon = to_whole(*horizon, "--horizon", 0, kExpected);
    // That many steps are not the same as no end.
    if (setting.horizon == kInfiniteHorizon) throw not_expected(*horizon, "--horizon", kExpected);
  }
  if (discount) setting.discount = to_number(*discount, "--discount");
  if (cost) setting.cost = true;
  setting.adversarial = adversarial;
  return setting;
}

void SettingArguments::add_states(const ReadModel& read,
                                  Setting& setting,
                                  bool quiet,
                                  bool may_be_several) const {
  if (initial) {
    const auto described = described_starts(read, *initial);
    if (!described) {
      setting.initial = parse_initial(read.model, *initial);
      const std::string notice = normalise(*setting.initial, read.tolerance);
      if (!quiet && !notice.empty()) print_notices({notice});
    } else if (described->size() == 1) {
      setting.initial = InitialNames(read.model.state_name(described->front()));
    } else if (!may_be_several) {
      throw not_expected(*initial, "--initial", "what holds in one state, here");
    }
  }
  if (!goal) return;
  std::vector<State> states;
  for (const std::string& text : *goal) {
    if (text.empty()) continue;
    const std::vector<State> found = states_where(read, text, "--goal");
    // No state at all would read as no goal at all.
    if (found.empty()) throw not_expected(text, "--goal", "what holds in at least one state");
    states.insert(states.end(), found.begin(), found.end());
  }
  setting.goal.emplace();
  for (const State s : states) setting.goal->emplace_back(read.model.state_name(s));
}

const char* SettingArguments::given() const {
  if (horizon) return "--horizon";
  if (initial) return "--initial";
  if (discount) return "--discount";
  if (goal) return "--goal";
  if (cost) return "--cost";
  return adversarial ? "--adversarial" : nullptr;
}

void refuse_going_on() {
  throw Error(
      ErrorCode::bad_request,
      "--policy-out",
      "found with --goal-ends no, whose policies decide where to stop, which no choice of the "
      "model is; expected one of them");
}

}  // namespace quantiplan::cli
