#include "guard_index.hpp"

#include <algorithm>
#include <map>

namespace quantiplan::prism {
namespace {

// The values that a condition asks of single variables, before anything that can fail.
std::vector<FixedValue> fixed_values(const Code& code, Root guard) {
  std::vector<FixedValue> values;
  for (const Root part : code.conjuncts(guard)) {
    if (const auto fixed = code.fixed_value(part)) {
      values.push_back(*fixed);
    } else if (!code.never_fails(part)) {
      break;
    }
  }
  return values;
}

}  // namespace

GuardIndex::GuardIndex(const Code& code, const std::vector<Root>& guards) {
  std::vector<std::vector<FixedValue>> asked;
  std::map<std::uint32_t, std::size_t> count;  // guards by variable
  for (const Root guard : guards) {
    asked.push_back(fixed_values(code, guard));
    for (const FixedValue& fixed : asked.back()) ++count[fixed.variable];
  }
  std::map<std::uint32_t, std::size_t> position;  // in by_variable_
  for (std::uint32_t g = 0; g < guards.size(); ++g) {
    // By the variable that most guards ask for: few tables.
    const auto best = std::ranges::max_element(
        asked[g], {}, [&](const FixedValue& fixed) { return count[fixed.variable]; });
    if (best == asked[g].end()) {
      always_.push_back(g);
      continue;
    }
    const auto [at, is_new] = position.try_emplace(best->variable, by_variable_.size());
    if (is_new) by_variable_.push_back({best->variable, {}});
    by_variable_[at->second].guards[best->value].push_back(g);
  }
}

void GuardIndex::find(Code::Values x, std::vector<std::uint32_t>& found) const {
  found = always_;
  for (const ByVariable& table : by_variable_) {
    const auto at = table.guards.find(x[table.variable]);
    if (at != table.guards.end()) found.insert(found.end(), at->second.begin(), at->second.end());
  }
  if (!by_variable_.empty()) std::sort(found.begin(), found.end());
}

}  // namespace quantiplan::prism
