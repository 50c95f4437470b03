#include "finite/shared_rows.hpp"

#include <algorithm>
#include <unordered_map>

namespace quantiplan {
namespace {

bool has_one_reward(const Model& model, Choice c) {
  const auto outcomes = model.outcomes(c);
  return std::ranges::all_of(outcomes,
                             [&](const Outcome& o) { return o.reward == outcomes.front().reward; });
}

bool same_row(const Model& model, Choice a, Choice b) {
  return std::ranges::equal(
      model.outcomes(a), model.outcomes(b), [](const Outcome& x, const Outcome& y) {
        return x.next == y.next && x.probability == y.probability;
      });
}

std::uint64_t hash_of(const Model& model, Choice c) {
  std::uint64_t hash = 0;
  for (const Outcome& o : model.outcomes(c)) {
    hash = (hash ^ (index(o.next) + (static_cast<std::uint64_t>(index(o.probability)) << 32U))) *
           0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

}  // namespace

SharedRows::SharedRows(const Model& model) : row_(model.choice_count(), kNone) {
  // The first choice with each row; rows get a number once a second choice has them.
  std::unordered_multimap<std::uint64_t, Choice> first_with;
  for (std::size_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{static_cast<std::uint32_t>(s)})) {
      // A single outcome is no cheaper shared.
      if (model.outcomes(c).size() < 2 || !has_one_reward(model, c)) continue;
      const std::uint64_t hash = hash_of(model, c);
      const auto [begin, end] = first_with.equal_range(hash);
      const auto known =
          std::find_if(begin, end, [&](const auto& e) { return same_row(model, e.second, c); });
      if (known == end) {
        first_with.emplace(hash, c);
        continue;
      }
      std::uint32_t& row = row_[index(known->second)];
      if (row == kNone) {
        row = static_cast<std::uint32_t>(example_.size());
        example_.push_back(known->second);
      }
      row_[index(c)] = row;
    }
  }
}

}  // namespace quantiplan
