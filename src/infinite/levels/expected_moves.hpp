// A bound of the moves within a level, whatever is done: what a difference in the equations can amount to.
//
//     e(g) >= 1 + max over options o of  f_o sum over inner arcs of p e(g')
//
// Sweeps from below, or policy iteration, guess it; a little more than the guess is proved, with every sum rounded up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/limits.hpp"
#include "infinite/levels/cycle.hpp"
#include "infinite/levels/equations.hpp"

namespace quantiplan {

class ExpectedMoves {
 public:
  ExpectedMoves(const Equations<Real>& equations, const Limits& limits)
      : equations_(equations), limits_(limits), e_(equations.groups(), 0.0) {}

  void add_group(std::uint32_t g) {
    if (!equations_.is_known(g)) e_[g] = most_from(g);
  }
  void add_cycle(const Equations<Real>::Block& block, CycleMemory& memory) {
    constexpr int kFewSweeps = 8;
    constexpr int kMostSweeps = 100'000;
    if (sweep_up(block, kFewSweeps) && is_proved(block)) return;
    if (!improve(block, memory)) sweep_up(block, kMostSweeps);
    if (is_proved(block)) return;
    std::fill(
        e_.begin() + block.first, e_.begin() + block.end, std::numeric_limits<double>::infinity());
  }
  // At least 1.
  [[nodiscard]] double greatest() const {
    double out = 1;
    for (const double bound : e_) out = std::max(out, bound);
    return out;
  }

 private:
  static constexpr double kUnit = 0x1p-53;

  // Rounded up.
  [[nodiscard]] double moves_after(std::uint32_t o) const {
    double sum = 0;
    const auto& option = equations_.option(o);
    for (std::uint64_t i = equations_.first_arc(o); i < option.arc_end; ++i) {
      const auto& arc = equations_.arc(i);
      if (arc.row == 0) sum += arc.p * e_[arc.next];
    }
    const auto arcs = static_cast<double>(option.arc_end - equations_.first_arc(o));
    return sum * option.factor * (1 + (2 * arcs + 8) * 2 * kUnit);
  }
  [[nodiscard]] double most_from(std::uint32_t g) const {
    double most = 0;
    for (std::uint32_t o = equations_.first_option(g); o < equations_.first_option(g + 1); ++o)
      most = std::max(most, moves_after(o));
    return (1 + most) * (1 + 4 * kUnit);
  }
  [[nodiscard]] std::uint32_t slowest(std::uint32_t g) const {
    std::uint32_t best = equations_.first_option(g);
    double most = moves_after(best);
    for (std::uint32_t o = best + 1; o < equations_.first_option(g + 1); ++o) {
      const double moves = moves_after(o);
      if (!(moves > most)) continue;
      most = moves;
      best = o;
    }
    return best;
  }

  // From below until it hardly grows.
  bool sweep_up(const Equations<Real>::Block& block, int most_sweeps) {
    constexpr double kHardly = 1e-3;
    for (int i = 0; i < most_sweeps && !limits_.ended(); ++i) {
      double growth = 0;
      for (std::uint32_t g = block.first; g < block.end; ++g) {
        const double now = most_from(g);
        growth = std::max(growth, now - e_[g]);
        e_[g] = now;
      }
      if (growth <= kHardly) return true;
    }
    return false;
  }

  bool improve(const Equations<Real>::Block& block, CycleMemory& memory) {
    if (!memory.in_doubles) memory.in_doubles = policies_of(equations_, block);
    std::vector<double> constant;
    const std::uint32_t end = equations_.first_option(block.end);
    for (std::uint32_t o = equations_.first_option(block.first); o < end; ++o) {
      const auto& option = equations_.option(o);
      double before = 0;  // arcs to what is known of this level
      for (std::uint64_t i = equations_.first_arc(o); i < option.arc_end; ++i) {
        const auto& arc = equations_.arc(i);
        if (arc.row == 0 && arc.next < block.first) before += arc.p * e_[arc.next];
      }
      constant.push_back(1 + option.factor * before);
    }
    std::vector<std::uint32_t> policy;
    for (std::uint32_t g = block.first; g < block.end; ++g)
      policy.push_back(slowest(g) - equations_.first_option(block.first));
    // With no option better by more than m, e / (1 - m) is a bound.
    constexpr double kMargin = 0.1;
    std::vector<double> x;
    if (!memory.in_doubles->improve(constant, policy, x, kMargin, limits_)) return false;
    std::ranges::copy(x, e_.begin() + block.first);
    return true;
  }

  bool is_proved(const Equations<Real>::Block& block) {
    const std::vector<double> guess(e_.begin() + block.first, e_.begin() + block.end);
    for (double more = 0x1p-9; more < 1e12; more *= 8) {
      for (std::uint32_t g = block.first; g < block.end; ++g)
        e_[g] = guess[g - block.first] * (1 + more);
      bool proved = true;
      for (std::uint32_t g = block.first; g < block.end && proved; ++g)
        proved = most_from(g) <= e_[g];
      if (proved) return true;
    }
    std::ranges::copy(guess, e_.begin() + block.first);
    return false;
  }

  const Equations<Real>& equations_;
  const Limits& limits_;
  std::vector<double> e_;  // by group
};

}  // namespace quantiplan
