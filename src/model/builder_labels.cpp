// Labels: names for sets of states, given by name or by position, checked with the whole.
#include <algorithm>
#include <set>

#include "base/quoted.hpp"
#include "model/builder_parts.hpp"

namespace quantiplan {

ModelBuilder& ModelBuilder::label(std::string name, std::uint64_t line) {
  parts_->check_name(name, "a label", line);
  parts_->labels.push_back({std::move(name), line, {}, {}});
  return *this;
}

ModelBuilder& ModelBuilder::labelled(std::string state, std::uint64_t line) {
  if (parts_->labels.empty()) {
    parts_->add_problem(line, "state " + in_quotes(state) + " is labelled before there is a label");
    return *this;
  }
  parts_->labels.back().named.push_back({std::move(state), line});
  return *this;
}

ModelBuilder& ModelBuilder::labelled(State state, std::uint64_t line) {
  if (parts_->labels.empty()) {
    parts_->add_problem(line, "a state is labelled before there is a label");
    return *this;
  }
  parts_->labels.back().ids.push_back(parts_->declared_state(state, line));
  return *this;
}

void ModelBuilder::Parts::check_labels() {
  std::set<std::string_view> names;
  for (LabelDraft& label : labels) {
    if (more_problems) return;
    if (!names.insert(label.name).second) {
      add_problem(label.line,
                  "labels: " + in_quotes(label.name) + " is given twice, must be given once");
    }
    const std::string what = "label " + in_quotes(label.name);
    std::vector<std::uint32_t> ids = label.ids;
    for (const NamedState& state : label.named) {
      if (more_problems) return;
      require_state(state.name, what.c_str(), state.line);
      if (const auto id = states.find(state.name)) ids.push_back(*id);
    }
    std::ranges::sort(ids);
    if (const auto twice = std::ranges::adjacent_find(ids); twice != ids.end()) {
      add_problem(label.line,
                  what + ": state " + in_quotes(states[*twice]) + " is given twice, must be once");
    }
    label.ids = std::move(ids);
  }
}

void ModelBuilder::Parts::fill_labels(Model::Body& body,
                                      const std::vector<std::uint32_t>& positions) {
  for (LabelDraft& label : labels) {
    StateLabel& filled = body.labels.emplace_back();
    filled.name = std::move(label.name);
    filled.states.reserve(label.ids.size());
    for (const std::uint32_t id : label.ids) filled.states.push_back(State{positions[id]});
    std::ranges::sort(filled.states);
  }
}

}  // namespace quantiplan
