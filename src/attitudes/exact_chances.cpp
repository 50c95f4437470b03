#include "attitudes/exact_chances.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

// A node in its table and a rational of moderate size.
constexpr std::uint64_t kBytesPerChance = NodeTable::kBytesPerNode + 160;
constexpr std::uint64_t kNodesPerTake = 1024;

}  // namespace

ExactChances::ExactChances(const Stages& stages,
                           const ExactNumbers& numbers,
                           const Plays& plays,
                           const std::vector<std::vector<TailWindow>>& windows,
                           Limits& limits)
    : stages_(stages),
      numbers_(numbers),
      plays_(plays),
      windows_(windows),
      limits_(limits),
      known_(stages.horizon() + 1),
      value_(stages.horizon() + 1) {}

ExactChances::~ExactChances() { limits_.give_back(taken_); }

Node ExactChances::child(std::uint64_t time,
                         const Node& node,
                         std::size_t which,
                         const Outcome& o) const {
  return {plays_.next(time, node.slot, which, o), stages_.next_residual(time, node.level, o)};
}

// Enters the children whose value is not plain to see.
void ExactChances::expand(std::uint64_t time, const Node& node, Choice c) {
  std::size_t which = 0;
  for (const Outcome& o : stages_.model().outcomes(c)) {
    const Node next = child(time, node, which++, o);
    const TailWindow& window = windows_[time + 1][next.slot];
    if (next.level > window.sure && next.level <= window.possible) known_[time + 1].insert(next);
  }
}

Rational ExactChances::mixed(std::uint64_t time, const Node& node, Choice c) const {
  Rational sum = 0;
  std::size_t which = 0;
  for (const Outcome& o : stages_.model().outcomes(c)) {
    const Node next = child(time, node, which++, o);
    const TailWindow& window = windows_[time + 1][next.slot];
    if (next.level > window.possible) continue;
    if (next.level <= window.sure) {
      sum += numbers_.probability(o);
    } else {
      sum += numbers_.probability(o) * value_[time + 1][known_[time + 1].find(next)];
    }
  }
  return sum;
}

// Forward: what was never met before. Backward: its values.
void ExactChances::settle(std::uint64_t time, Node node) {
  std::uint64_t last = time;
  known_[time].insert(node);
  for (std::uint64_t t = time; known_[t].size() > value_[t].size(); ++t) {
    for (std::size_t i = value_[t].size(); i < known_[t].size(); ++i) {
      if (++count_ % kNodesPerTake == 1) {
        limits_.take(kNodesPerTake * kBytesPerChance, "comparisons in rationals");
        taken_ += kNodesPerTake * kBytesPerChance;
      }
      if (limits_.ended()) throw WorkEnded();
      const Node met = known_[t].nodes()[i];
      plays_.choices(t, met.slot, choices_);
      for (const Choice c : choices_) expand(t, met, c);
    }
    last = t;
  }
  for (std::uint64_t t = last + 1; t-- > time;) {
    for (std::size_t i = value_[t].size(); i < known_[t].size(); ++i) {
      if (limits_.ended()) throw WorkEnded();
      const Node met = known_[t].nodes()[i];
      plays_.choices(t, met.slot, choices_);
      Rational best = 0;
      for (const Choice c : choices_) best = std::max<Rational>(best, mixed(t, met, c));
      value_[t].push_back(std::move(best));
    }
  }
}

Rational ExactChances::of_choice(std::uint64_t time, std::uint32_t node, Choice c, std::int64_t y) {
  const Node from{node, y};
  std::size_t which = 0;
  for (const Outcome& o : stages_.model().outcomes(c)) {
    const Node next = child(time, from, which++, o);
    const TailWindow& window = windows_[time + 1][next.slot];
    if (next.level > window.sure && next.level <= window.possible) settle(time + 1, next);
  }
  return mixed(time, from, c);
}

}  // namespace quantiplan
