// States by a text: names and labels with commas between them, or a condition.
#include <algorithm>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "io/explicit/explicit_states.hpp"
#include "io/prism/language/condition.hpp"
#include "io/text/field_lines.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

// What a label holds, the two included that every model has: init and deadlock.
std::optional<std::vector<State>> labelled_states(const Model& model, std::string_view name) {
  if (const StateLabel* label = model.find_label(name)) return label->states;
  std::vector<State> states;
  if (name == kDeadlockLabel) {
    for (std::uint32_t s = 0; s < model.state_count(); ++s)
      if (model.is_terminal(State{s})) states.push_back(State{s});
    return states;
  }
  if (name != kInitLabel) return std::nullopt;
  return model.initial() ? model.initial()->states() : model.possible_initial();
}

// Makes all names, so this is for texts of many parts.
std::size_t most_commas(const Model& model) {
  const auto commas = [](std::string_view name) {
    return static_cast<std::size_t>(std::count(name.begin(), name.end(), ','));
  };
  std::size_t most = 0;
  for (std::uint32_t s = 0; s < model.state_count(); ++s)
    most = std::max(most, commas(model.state_name(State{s})));
  for (const StateLabel& label : model.labels()) most = std::max(most, commas(label.name));
  return most;
}

// The parts of a list; names may contain commas, so a name is one part or several.
class NameList {
 public:
  NameList(const Model& model, const std::string& text) : model_(model) {
    for (std::size_t begin = 0;;) {
      const std::size_t comma = text.find(',', begin);
      parts_.push_back(text.substr(begin, comma - begin));
      if (comma == std::string::npos) break;
      begin = comma + 1;
    }
    constexpr std::size_t kFew =
        32;  // tries of each length of a name cost no more than all names do
    most_parts_ = parts_.size() <= kFew ? parts_.size() : most_commas(model) + 1;
  }

  // What the list says, each a known name or an unknown text up to where a known name begins.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (std::size_t begin = 0; begin < parts_.size();) {
      std::size_t end = name_end(begin);
      if (end == begin)
        while (++end < parts_.size() && name_end(end) == end) continue;
      out.push_back(joined(begin, end));
      begin = end;
    }
    return out;
  }

 private:
  [[nodiscard]] std::string joined(std::size_t begin, std::size_t end) const {
    std::string text = parts_[begin];
    for (std::size_t i = begin + 1; i < end; ++i) text += ',' + parts_[i];
    return std::string(without_blanks(text));
  }
  // The end of the longest name that begins at a part; `begin` if none does.
  [[nodiscard]] std::size_t name_end(std::size_t begin) const {
    std::size_t end = std::min(parts_.size(), begin + most_parts_);
    while (end > begin && !is_known(joined(begin, end))) --end;
    return end;
  }
  [[nodiscard]] bool is_known(const std::string& name) const {
    return model_.find_state(name).has_value() || model_.find_label(name) != nullptr ||
           name == kInitLabel || name == kDeadlockLabel;
  }

  const Model& model_;
  std::size_t most_parts_ = 1;  // of a name
  std::vector<std::string> parts_;
};

bool may_be_condition(const ReadModel& read, const std::string& text) {
  return !read.definitions.empty() ||
         (read.model.state_count() > 0 &&
          !variables_of_name(read.model.state_name(State{0})).empty()) ||
         text.find_first_of("\"=<>&|!?") != std::string::npos;
}

void throw_unknown(const Model& model, const std::vector<std::string>& names, const char* flag) {
  Problems problems;
  for (const std::string& name : names) {
    NearestName nearest(name);
    for (std::uint32_t s = 0; s < model.state_count(); ++s)
      nearest.offer(model.state_name(State{s}));
    for (const StateLabel& label : model.labels()) nearest.offer(label.name);
    problems.add(flag,
                 "unknown state " + in_quotes(name) + ", must be a state " +
                     (model.labels().empty() ? "" : "or a label ") + "of the model" +
                     nearest.suggestion());
  }
  problems.throw_if_any(ErrorCode::bad_request);
}

}  // namespace

std::vector<State> states_where(const ReadModel& read, const std::string& text, const char* flag) {
  const Model& model = read.model;
  std::vector<State> states;
  std::vector<std::string> unknown;
  for (const std::string& name : NameList(model, text).names()) {
    if (const auto state = model.find_state(name)) {
      states.push_back(*state);
    } else if (const auto label = labelled_states(model, name)) {
      states.insert(states.end(), label->begin(), label->end());
    } else {
      unknown.push_back(name);
    }
  }
  if (!unknown.empty() && may_be_condition(read, text))
    return states_satisfying(model, read.definitions, text, flag);
  if (!unknown.empty()) throw_unknown(model, unknown, flag);
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return states;
}

}  // namespace quantiplan
