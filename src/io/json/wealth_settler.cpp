// An automaton, or a table, which is an automaton whose nodes are its classes.
#include "io/json/wealth_settler.hpp"

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"

namespace quantiplan {
namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
constexpr std::size_t kMostEntries = 10000000;

std::string joined(const std::vector<WealthDraft::Name>& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : " | ") + name.text;
  return out;
}

}  // namespace

bool WealthSettler::add(const WealthDraft::Name& name,
                        const char* key,
                        std::vector<std::string>& names,
                        Positions& positions) {
  if (!positions.emplace(name.text, static_cast<std::uint32_t>(names.size())).second) {
    problem(name.line,
            std::string(key) + ": " + in_quotes(name.text) + " is given twice, must be given once");
    return false;
  }
  names.push_back(name.text);
  return true;
}

std::optional<std::uint32_t> WealthSettler::find(const WealthDraft::Name& name,
                                                 const std::string& where,
                                                 const char* what,
                                                 const Positions& positions) {
  const auto found = positions.find(name.text);
  if (found != positions.end()) return found->second;
  NearestName nearest(name.text);
  const bool is_label = &positions == &labels_;
  for (const std::string& known : is_label ? wealth_.labels : wealth_.nodes) nearest.offer(known);
  problem(name.line,
          where + "unknown " + what + " " + in_quotes(name.text) + ", must be one of '" +
              (is_label                            ? "labels"
               : wealth_.kind == WealthKind::table ? "classes"
                                                   : "states") +
              "'" + nearest.suggestion());
  return std::nullopt;
}

void WealthSettler::settle_automaton() {
  if (wealth_.kind == WealthKind::table) {
    take_classes_of_table();
  } else {
    for (const auto& state : draft_.states) add(state, "states", wealth_.nodes, nodes_);
    take_classes_of_automaton();
  }
  take_labels();
  take_start();
  if (!faults_.empty() || wealth_.labels.empty() || wealth_.nodes.empty()) return;
  // Before the table is made, which may be far larger than the file.
  if (wealth_.nodes.size() > kMostEntries / wealth_.labels.size()) {
    problem(draft_.line,
            "found " + std::to_string(wealth_.nodes.size()) + " " +
                (wealth_.kind == WealthKind::table ? "classes" : "states") + " times " +
                std::to_string(wealth_.labels.size()) + " labels, must be at most " +
                std::to_string(kMostEntries));
    return;
  }
  take_transitions();
  if (faults_.empty()) fill_other_labels();
}

void WealthSettler::take_classes_of_table() {
  for (const auto& entry : draft_.classes) {
    if (!entry.is_one_name) {
      problem(entry.line, "classes: of a table, a class must be a string");
      continue;
    }
    if (add(entry.states.front(), "classes", wealth_.nodes, nodes_))
      wealth_.class_of.push_back(static_cast<std::uint32_t>(wealth_.class_of.size()));
  }
  wealth_.classes = wealth_.nodes;
}

void WealthSettler::take_classes_of_automaton() {
  wealth_.class_of.assign(wealth_.nodes.size(), kNowhere);
  Positions classes;
  std::vector<WealthDraft::Name> names;  // keeps the texts that `classes` refers to
  names.reserve(draft_.classes.size());
  for (const auto& entry : draft_.classes) {
    const auto position = static_cast<std::uint32_t>(names.size());
    names.push_back({entry.name.value_or(joined(entry.states)), entry.line});
    const std::string place = "class " + in_quotes(names.back().text, 60) + ": ";
    if (entry.states.empty())
      problem(entry.line, place + "the list of states is empty, must name at least one");
    for (const auto& state : entry.states) {
      const auto node = find(state, place, "state", nodes_);
      if (!node) continue;
      if (wealth_.class_of[*node] != kNowhere)
        problem(state.line, place + "state " + in_quotes(state.text) + " is in a class already");
      wealth_.class_of[*node] = position;
    }
    add(names.back(), "classes", wealth_.classes, classes);
    if (is_enough()) return;
  }
  for (std::size_t n = 0; n < wealth_.nodes.size() && !is_enough(); ++n) {
    if (wealth_.class_of[n] == kNowhere)
      problem(draft_.line,
              "state " + in_quotes(wealth_.nodes[n]) + " is in no class, must be in one");
  }
}

void WealthSettler::take_labels() {
  if (draft_.has("labels")) {
    for (const auto& label : draft_.labels) {
      if (!add(label, "labels", wealth_.labels, labels_) && is_enough()) return;
    }
    return;
  }
  for (const auto& transition : draft_.transitions) {
    if (transition.label == kEveryOtherLabel || labels_.contains(transition.label)) continue;
    labels_.emplace(transition.label, static_cast<std::uint32_t>(wealth_.labels.size()));
    wealth_.labels.push_back(transition.label);
  }
}

void WealthSettler::take_start() {
  if (const auto node = find(draft_.start, "start: ", node_word(), nodes_)) wealth_.start = *node;
}

void WealthSettler::take_transitions() {
  wealth_.next.assign(wealth_.nodes.size() * wealth_.labels.size(), kNowhere);
  others_.assign(wealth_.nodes.size(), kNowhere);
  for (const auto& step : draft_.transitions) {
    if (is_enough()) return;
    const std::string place = std::string(node_word()) + " " + in_quotes(step.from) + ", label " +
                              in_quotes(step.label) + ": ";
    const auto from = find({step.from, step.line}, "", node_word(), nodes_);
    const auto to = find({step.to, step.line}, place, node_word(), nodes_);
    if (!from || !to) continue;
    std::uint32_t* entry = &others_[*from];
    if (step.label != kEveryOtherLabel) {
      const auto label = find({step.label, step.line}, "", "label", labels_);
      if (!label) continue;
      entry = &wealth_.next[*from * wealth_.labels.size() + *label];
    }
    if (*entry != kNowhere) problem(step.line, place + "given twice, must be given once");
    *entry = *to;
  }
}

void WealthSettler::fill_other_labels() {
  const std::size_t labels = wealth_.labels.size();
  for (std::size_t i = 0; i < wealth_.next.size() && !is_enough(); ++i) {
    if (wealth_.next[i] != kNowhere) continue;
    wealth_.next[i] = others_[i / labels];
    if (wealth_.next[i] != kNowhere) continue;
    const bool is_table = wealth_.kind == WealthKind::table;
    problem(draft_.line,
            std::string(node_word()) + " " + in_quotes(wealth_.nodes[i / labels]) + ", label " +
                in_quotes(wealth_.labels[i % labels]) +
                (is_table ? ": missing entry, must lead to a class"
                          : ": missing transition, must lead to a state"));
  }
}

}  // namespace quantiplan
