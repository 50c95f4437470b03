#include "quantiplan/wealth.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "base/quoted.hpp"

namespace quantiplan {
namespace {

constexpr std::array<std::string_view, 9> kKinds{"sum",
                                                 "max",
                                                 "min",
                                                 "product",
                                                 "lexicographic",
                                                 "counts",
                                                 "weighted counts",
                                                 "automaton",
                                                 "table"};
// A wealth holds a number for each of them.
constexpr std::size_t kMostNumbers = 1000;
// Of a table of nodes and labels.
constexpr std::size_t kMostEntries = 10000000;

std::string at_most(std::size_t found, std::size_t most) {
  return "found " + std::to_string(found) + ", must be at most " + std::to_string(most);
}

// Of a list of names under a key: none is empty, or given twice.
std::string wrong_names(const std::vector<std::string>& names, const std::string& key) {
  if (names.empty()) return key + ": the list is empty, must name at least one";
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.empty()) return key + ": a name is empty, must have at least one character";
    if (name.find('\0') != std::string::npos)
      return key + ": the name " + in_quotes(name) + " contains a NUL character";
    if (!seen.insert(name).second)
      return key + ": " + in_quotes(name) + " is given twice, must be given once";
  }
  return {};
}

std::string wrong_components(const Wealth& wealth) {
  const std::size_t width = wealth.components.size();
  if (width == 0) return "components: the list is empty, must have at least one";
  if (width > kMostNumbers) return "components: " + at_most(width, kMostNumbers);
  std::unordered_set<std::string_view> seen;
  for (const WealthComponent& component : wealth.components) {
    if (component.name.empty()) continue;
    if (component.name.find('\0') != std::string::npos)
      return "components: the name " + in_quotes(component.name) + " contains a NUL character";
    if (!seen.insert(component.name).second)
      return "components: " + in_quotes(component.name) + " is given twice, must be given once";
  }
  for (const auto& vector : wealth.vectors) {
    if (vector.size() != width) {
      return "a vector has " + std::to_string(vector.size()) + " components, must have " +
             std::to_string(width);
    }
  }
  const std::set<std::vector<Rational>> distinct(wealth.vectors.begin(), wealth.vectors.end());
  if (distinct.size() < wealth.vectors.size()) return "a vector is given twice, must be given once";
  return {};
}

std::string wrong_counts(const Wealth& wealth) {
  if (wealth.labels.size() > kMostNumbers)
    return "labels: " + at_most(wealth.labels.size(), kMostNumbers);
  // "1 gold, 1 bronze" must not be the name of one label.
  for (const std::string& label : wealth.labels) {
    if (label.find(", ") != std::string::npos)
      return "labels: " + in_quotes(label) + " contains a comma and a blank, which separate counts";
  }
  return {};
}

// Every class has a node, and every node a class.
std::string wrong_classes(const Wealth& wealth) {
  const std::size_t classes = wealth.classes.size();
  std::vector<bool> is_used(classes, false);
  for (std::size_t n = 0; n < wealth.nodes.size(); ++n) {
    const std::uint32_t of_node = wealth.class_of[n];
    if (of_node >= classes)
      return "states: " + in_quotes(wealth.nodes[n]) + " is in no class, must be in one";
    if (wealth.kind == WealthKind::table && wealth.nodes[n] != wealth.classes[of_node])
      return "table: " + in_quotes(wealth.nodes[n]) + " is no class, must be one";
    is_used[of_node] = true;
  }
  const auto unused = std::find(is_used.begin(), is_used.end(), false);
  if (unused == is_used.end()) return {};
  const auto at = static_cast<std::size_t>(unused - is_used.begin());
  return "classes: " + in_quotes(wealth.classes[at]) + " has no states, must have at least one";
}

std::string wrong_automaton(const Wealth& wealth) {
  const bool is_table = wealth.kind == WealthKind::table;
  const std::size_t nodes = wealth.nodes.size();
  const std::size_t labels = wealth.labels.size();
  for (std::string wrong : {wrong_names(wealth.nodes, is_table ? "classes" : "states"),
                            wrong_names(wealth.classes, "classes")}) {
    if (!wrong.empty()) return wrong;
  }
  if (wealth.find_label("*")) return "labels: '*' stands for every other label, must be no label";
  if (nodes > kMostEntries / labels) {
    return (is_table ? "classes times labels: " : "states times labels: ") +
           at_most(nodes * labels, kMostEntries);
  }
  if (wealth.start >= nodes)
    return "start: must be one of the " + std::string(is_table ? "classes" : "states");
  if (wealth.next.size() != nodes * labels) return "not every state and label has a next state";
  if (std::ranges::any_of(wealth.next, [&](std::uint32_t n) { return n >= nodes; }))
    return "a state and label have an unknown next state";
  if (wealth.class_of.size() != nodes) return "not every state has a class";
  return wrong_classes(wealth);
}

}  // namespace

std::string_view to_text(WealthKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::optional<WealthKind> wealth_kind(std::string_view text) {
  const auto found = std::find(kKinds.begin(), kKinds.end(), text);
  if (found == kKinds.end()) return std::nullopt;
  return static_cast<WealthKind>(found - kKinds.begin());
}

std::string Wealth::written(std::string_view text) const {
  const std::optional<Number> number = is_numeric() ? Number::try_parse(text) : std::nullopt;
  return number ? to_text(number->rational()) : std::string(text);
}

std::optional<std::uint32_t> Wealth::find_label(std::string_view label) const {
  const auto found = std::find(labels.begin(), labels.end(), label);
  if (found == labels.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - labels.begin());
}

std::string Wealth::problem() const {
  if (has_vectors()) return wrong_components(*this);
  if (!has_labels()) return {};
  if (std::string wrong = wrong_names(labels, "labels"); !wrong.empty()) return wrong;
  switch (kind) {
    case WealthKind::counts:
      return wrong_counts(*this);
    case WealthKind::weighted_counts:
      return weights.size() == labels.size() ? "" : "weights: every label must have one";
    default:
      return wrong_automaton(*this);
  }
}

}  // namespace quantiplan
