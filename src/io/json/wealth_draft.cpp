#include "io/json/wealth_draft.hpp"

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "io/json/wealth_settler.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

struct KeysOfKind {
  std::vector<std::string_view> required;
  std::vector<std::string_view> optional;
};

KeysOfKind keys_of(WealthKind kind) {
  switch (kind) {
    case WealthKind::lexicographic:
      return {{"components"}, {}};
    case WealthKind::counts:
      return {{"labels"}, {"first"}};
    case WealthKind::weighted_counts:
      return {{"weights"}, {}};
    case WealthKind::automaton:
      return {{"states", "start", "transitions", "classes"}, {"labels"}};
    case WealthKind::table:
      return {{"classes", "start", "table"}, {"labels"}};
    default:
      return {};
  }
}

}  // namespace

std::optional<Wealth> WealthSettler::settle() {
  const auto kind = wealth_kind(draft_.kind.text);
  if (!kind) {
    unknown_kind();
    return std::nullopt;
  }
  wealth_.kind = *kind;
  check_keys();
  if (!faults_.empty()) return std::nullopt;
  switch (*kind) {
    case WealthKind::lexicographic:
      wealth_.components = draft_.components;
      break;
    case WealthKind::counts:
      settle_counts();
      break;
    case WealthKind::weighted_counts:
      for (const auto& [label, weight] : draft_.weights) {
        wealth_.labels.push_back(label.text);
        wealth_.weights.push_back(weight);
      }
      break;
    case WealthKind::automaton:
    case WealthKind::table:
      settle_automaton();
      break;
    default:
      break;
  }
  if (!faults_.empty()) return std::nullopt;
  if (std::string wrong = wealth_.problem(); !wrong.empty()) {
    problem(draft_.line, std::move(wrong));
    return std::nullopt;
  }
  return std::move(wealth_);
}

void WealthSettler::problem(std::uint64_t line, std::string message) {
  faults_.push_back({line, "wealth: " + std::move(message)});
}

bool WealthSettler::is_enough() const { return faults_.size() > Problems::kMost; }

void WealthSettler::unknown_kind() {
  NearestName nearest(draft_.kind.text);
  std::string list;
  for (int k = 0; k <= static_cast<int>(WealthKind::table); ++k) {
    const std::string_view known = to_text(static_cast<WealthKind>(k));
    nearest.offer(known);
    list.append(list.empty() ? "'" : ", '").append(known).append("'");
  }
  problem(
      draft_.kind.line,
      "found " + in_quotes(draft_.kind.text) + ", must be one of " + list + nearest.suggestion());
}

void WealthSettler::check_keys() {
  const KeysOfKind known = keys_of(wealth_.kind);
  const std::string kind = "'" + std::string(to_text(wealth_.kind)) + "'";
  for (const std::string_view key : known.required) {
    if (!draft_.has(key))
      problem(draft_.line, "missing key '" + std::string(key) + "' of the kind " + kind);
  }
  const auto is_in = [](const std::vector<std::string_view>& keys, std::string_view key) {
    return std::ranges::find(keys, key) != keys.end();
  };
  for (const std::string_view key : draft_.keys) {
    if (key == "kind" || is_in(known.required, key) || is_in(known.optional, key)) continue;
    problem(draft_.line,
            "key '" + std::string(key) + "' is given for the kind " + kind + ", must be left out");
  }
}

void WealthSettler::settle_counts() {
  for (const WealthDraft::Name& label : draft_.labels) wealth_.labels.push_back(label.text);
  if (!draft_.has("first")) return;
  wealth_.best_first = draft_.first.text == "best";
  if (!wealth_.best_first && draft_.first.text != "worst") {
    problem(draft_.first.line,
            "first: found " + in_quotes(draft_.first.text) + ", must be 'worst' or 'best'");
  }
}

}  // namespace quantiplan
