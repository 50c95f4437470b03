#include "io/prism/guard_index.hpp"

#include <algorithm>
#include <map>

namespace quantiplan::prism {
namespace {

constexpr std::size_t kMostSets = 16;

// The values that a condition asks of variables, before anything that can fail.
using Asked = std::map<std::uint32_t, std::int64_t>;

Asked asked_values(const Code& code, Root guard) {
  Asked values;
  for (const Root part : code.conjuncts(guard)) {
    if (const auto fixed = code.fixed_value(part)) {
      values.try_emplace(fixed->variable, fixed->value);
    } else if (!code.never_fails(part)) {
      break;
    }
  }
  return values;
}

std::vector<std::uint32_t> variables_of(const Asked& asked) {
  std::vector<std::uint32_t> variables;
  for (const auto& [variable, value] : asked) variables.push_back(variable);
  return variables;
}

std::uint64_t mixed(std::uint64_t hash, std::int64_t value) noexcept {
  hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15U;
  return hash ^ hash >> 29U;
}

}  // namespace

GuardIndex::GuardIndex(const Code& code, const std::vector<Root>& guards) {
  std::vector<Asked> asked;
  std::map<std::vector<std::uint32_t>, std::size_t> count;  // guards by set of variables
  std::map<std::uint32_t, std::size_t> count_of_one;        // guards by variable
  for (const Root guard : guards) {
    asked.push_back(asked_values(code, guard));
    ++count[variables_of(asked.back())];
    for (const auto& [variable, value] : asked.back()) ++count_of_one[variable];
  }
  std::vector<std::size_t> sizes;
  sizes.reserve(count.size());
  for (const auto& [variables, size] : count) sizes.push_back(size);
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  const std::size_t least = sizes.size() > kMostSets ? sizes[kMostSets] + 1 : 0;

  std::map<std::vector<std::uint32_t>, std::size_t> position;  // in tables_
  for (std::uint32_t g = 0; g < guards.size(); ++g) {
    if (asked[g].empty()) {
      always_.push_back(g);
      continue;
    }
    std::vector<std::uint32_t> variables = variables_of(asked[g]);
    if (count[variables] < least) {
      variables = {*std::ranges::max_element(
          variables, {}, [&](std::uint32_t v) { return count_of_one[v]; })};
    }
    const auto [at, is_new] = position.try_emplace(variables, tables_.size());
    if (is_new) tables_.push_back({variables, {}});
    std::uint64_t hash = 0;
    for (const std::uint32_t v : variables) hash = mixed(hash, asked[g][v]);
    tables_[at->second].guards[hash].push_back(g);
  }
}

void GuardIndex::find(Code::Values x, std::vector<std::uint32_t>& found) const {
  found = always_;
  for (const Table& table : tables_) {
    std::uint64_t hash = 0;
    for (const std::uint32_t v : table.variables) hash = mixed(hash, x[v]);
    const auto at = table.guards.find(hash);
    if (at != table.guards.end()) found.insert(found.end(), at->second.begin(), at->second.end());
  }
  if (!tables_.empty()) std::sort(found.begin(), found.end());
}

}  // namespace quantiplan::prism
