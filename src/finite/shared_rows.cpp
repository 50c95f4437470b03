#include "finite/shared_rows.hpp"

#include <algorithm>
#include <bit>

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

std::uint64_t hashed(std::uint64_t hash, const Outcome& o) {
  hash = (hash ^ (index(o.next) + (static_cast<std::uint64_t>(index(o.probability)) << 32U))) *
         0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29U);
}

std::uint64_t hash_of(const Model& model, Choice c) {
  std::uint64_t hash = 0;
  for (const Outcome& o : model.outcomes(c)) hash = hashed(hash, o);
  return hash;
}

// Choices whose first two outcomes, and the number of them, are those of another choice: where rows
// differ, that nearly always tells, by one line of the cache instead of the whole row.
std::vector<bool> look_alike(const Model& model) {
  const std::size_t places = std::bit_ceil(2 * model.choice_count() + 2);
  std::vector<std::uint32_t> first_with(places, SharedRows::kNone);
  std::vector<std::uint64_t> outlines(model.choice_count());
  std::vector<bool> alike(model.choice_count(), false);
  for (std::uint32_t c = 0; c < model.choice_count(); ++c) {
    const auto outcomes = model.outcomes(Choice{c});
    // A single outcome is no cheaper shared.
    if (outcomes.size() < 2) continue;
    std::uint64_t outline = outcomes.size();
    for (const Outcome& o : outcomes.first(2)) outline = hashed(outline, o);
    outlines[c] = outline;
    std::size_t place = outline & (places - 1);
    while (first_with[place] != SharedRows::kNone && outlines[first_with[place]] != outline)
      place = (place + 1) & (places - 1);
    if (first_with[place] == SharedRows::kNone) {
      first_with[place] = c;
    } else {
      alike[c] = alike[first_with[place]] = true;
    }
  }
  return alike;
}

}  // namespace

SharedRows::SharedRows(const Model& model) : row_(model.choice_count(), kNone) {
  const std::vector<bool> alike = look_alike(model);
  const auto count = static_cast<std::size_t>(std::ranges::count(alike, true));
  if (count == 0) return;
  // The first choice with each row, in a table that is at most half full; rows get a number once a second choice has them.
  const std::size_t places = std::bit_ceil(2 * count + 2);
  std::vector<std::uint32_t> first_with(places, kNone);
  std::vector<std::uint64_t> hashes(model.choice_count());
  for (std::size_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{static_cast<std::uint32_t>(s)})) {
      if (!alike[index(c)] || !has_one_reward(model, c)) continue;
      const std::uint64_t hash = hashes[index(c)] = hash_of(model, c);
      std::size_t place = hash & (places - 1);
      while (first_with[place] != kNone &&
             (hashes[first_with[place]] != hash || !same_row(model, Choice{first_with[place]}, c)))
        place = (place + 1) & (places - 1);
      if (first_with[place] == kNone) {
        first_with[place] = static_cast<std::uint32_t>(c);
        continue;
      }
      std::uint32_t& row = row_[first_with[place]];
      if (row == kNone) {
        row = static_cast<std::uint32_t>(example_.size());
        example_.push_back(Choice{first_with[place]});
      }
      row_[index(c)] = row;
    }
  }
}

}  // namespace quantiplan
