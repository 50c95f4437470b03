// Writes the format "quantiplan-model/1": one choice a line, so that models can be compared by
// line.
#include <algorithm>

#include "format_words.hpp"
#include "json_text.hpp"
#include "model_formats.hpp"

namespace quantiplan {
namespace {

void append_setting(std::string& out, const Model& model) {
  if (!model.name().empty()) {
    out += ",\n  \"name\": ";
    append_json_string(out, model.name());
  }
  if (model.horizon()) {
    out += ",\n  \"horizon\": ";
    append_json_horizon(out, *model.horizon());
  }
  if (model.discount()) {
    out += ",\n  \"discount\": ";
    append_json_number(out, *model.discount());
  }
  if (model.initial()) {
    out += ",\n  \"initial\": ";
    append_json_string(out, model.state_name(*model.initial()));
  }
  if (!model.goal().empty()) append_json_states(out, "goal", model, model.goal());
  if (model.has_costs()) out.append(",\n  \"rewards\": \"").append(kCost).append("\"");
}

// "state": probability needs one reward for all outcomes, and no state twice.
bool fits_a_map(const Model& model, Choice c) {
  std::vector<State> next;
  for (const Outcome& o : model.outcomes(c)) {
    if (o.reward != model.outcomes(c).begin()->reward) return false;
    next.push_back(o.next);
  }
  std::sort(next.begin(), next.end());
  return std::adjacent_find(next.begin(), next.end()) == next.end();
}

class ChoiceWriter {
 public:
  explicit ChoiceWriter(const Model& model) : model_(model) {
    // Each distinct number is put into text once.
    for (std::uint32_t id = 0; id < model.numbers().size(); ++id) {
      append_json_number(texts_, model.numbers().rational(NumberId{id}));
      ends_.push_back(texts_.size());
    }
  }

  void append(std::string& out, State s, Choice c) const {
    out += "    {\"state\": ";
    append_json_string(out, model_.state_name(s));
    out += ", \"action\": ";
    append_json_string(out, model_.action_name(c));
    if (fits_a_map(model_, c)) {
      append_map(out, c);
    } else {
      append_list(out, c);
    }
  }

 private:
  void append_map(std::string& out, Choice c) const {
    const std::string_view reward = text(model_.outcomes(c).begin()->reward);
    if (reward != "0") out.append(", \"reward\": ").append(reward);
    const char* separator = ", \"next\": {";
    for (const Outcome& o : model_.outcomes(c)) {
      out += separator;
      append_json_string(out, model_.state_name(o.next));
      out.append(": ").append(text(o.probability));
      separator = ", ";
    }
    out += "}}";
  }

  void append_list(std::string& out, Choice c) const {
    const char* separator = ", \"next\": [";
    for (const Outcome& o : model_.outcomes(c)) {
      out.append(separator).append("{\"to\": ");
      append_json_string(out, model_.state_name(o.next));
      out.append(", \"probability\": ").append(text(o.probability));
      if (text(o.reward) != "0") out.append(", \"reward\": ").append(text(o.reward));
      out += "}";
      separator = ", ";
    }
    out += "]}";
  }

  [[nodiscard]] std::string_view text(NumberId id) const {
    const std::size_t begin = index(id) == 0 ? 0 : ends_[index(id) - 1];
    return std::string_view(texts_).substr(begin, ends_[index(id)] - begin);
  }

  const Model& model_;
  std::string texts_;
  std::vector<std::size_t> ends_;
};

}  // namespace

std::string format_json_model(const Model& model) {
  std::string out = "{\n  \"format\": \"quantiplan-model/1\"";
  append_setting(out, model);
  std::vector<State> states;
  states.reserve(model.state_count());
  for (std::uint32_t s = 0; s < model.state_count(); ++s) states.push_back(State{s});
  append_json_states(out, "states", model, states);
  const ChoiceWriter writer(model);
  const char* separator = ",\n  \"choices\": [\n";
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{s})) {
      out += separator;
      writer.append(out, State{s}, c);
      separator = ",\n";
    }
  }
  out += "\n  ]\n}\n";
  return out;
}

}  // namespace quantiplan
