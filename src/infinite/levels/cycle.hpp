// One cycle of groups in the equations of a level: the ways to solve it, which fixpoint.hpp names.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/limits.hpp"
#include "base/memory.hpp"
#include "infinite/levels/equations.hpp"
#include "infinite/linear/cycle_policies.hpp"
#include "infinite/linear/rational_system.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

inline double in_double(double a) { return a; }
inline double in_double(const Rational& a) { return a.get_d(); }

// The cycle's own arcs, in doubles.
template <class A>
CyclePolicies policies_of(const Equations<A>& equations,
                          const typename Equations<A>::Block& block) {
  CyclePolicies out;
  for (std::uint32_t g = block.first; g < block.end; ++g) {
    for (std::uint32_t o = equations.first_option(g); o < equations.first_option(g + 1); ++o) {
      const auto& option = equations.option(o);
      for (std::uint64_t k = equations.first_arc(o); k < option.arc_end; ++k) {
        const auto& arc = equations.arc(k);
        if (arc.row == 0 && arc.next >= block.first && arc.next < block.end)
          out.add_arc(arc.next - block.first, in_double(option.factor) * in_double(arc.p));
      }
      out.close_option();
    }
    out.close_group();
  }
  return out;
}

// Everything that one solve of a cycle looks at.
template <class A>
struct CycleWork {
  using Row = typename Equations<A>::Row;
  const Equations<A>& equations;
  const typename Equations<A>::Block& block;
  const typename Equations<A>::Rows& rows;  // of the level itself: `values`
  Row& values;
  std::vector<std::uint32_t>& options;

  [[nodiscard]] std::size_t size() const { return block.end - block.first; }
  [[nodiscard]] bool is_within(const typename Equations<A>::Arc& arc) const {
    return arc.row == 0 && arc.next >= block.first && arc.next < block.end;
  }
  void start_policy() {
    for (std::uint32_t g = block.first; g < block.end; ++g) {
      if (options[g] == Equations<A>::kNoOption) options[g] = equations.first_option(g);
    }
  }
  [[nodiscard]] std::uint64_t arcs(std::uint32_t option) const {
    return equations.option(option).arc_end - equations.first_arc(option);
  }
  // What an option is worth by its arcs that leave the cycle, without its factor.
  [[nodiscard]] typename A::Value from_outside(std::uint32_t option) const {
    typename A::Value sum = A::start();
    for (std::uint64_t k = equations.first_arc(option); k < equations.option(option).arc_end; ++k) {
      const auto& arc = equations.arc(k);
      if (!is_within(arc)) A::add(sum, arc.p, rows[arc.row][arc.next]);
    }
    return sum;
  }
  // By option of the cycle.
  [[nodiscard]] std::vector<double> constants() const {
    std::vector<double> out;
    const std::uint32_t end = equations.first_option(block.end);
    for (std::uint32_t o = equations.first_option(block.first); o < end; ++o) {
      double sum = 0;
      for (std::uint64_t k = equations.first_arc(o); k < equations.option(o).arc_end; ++k) {
        const auto& arc = equations.arc(k);
        if (!is_within(arc)) sum += in_double(arc.p) * in_double(rows[arc.row][arc.next]);
      }
      out.push_back(sum * in_double(equations.option(o).factor));
    }
    return out;
  }
  // The same for all arcs, the values of the cycle given.
  [[nodiscard]] double worth_in_doubles(std::uint32_t option,
                                        const std::vector<double>& own) const {
    double sum = 0;
    for (std::uint64_t k = equations.first_arc(option); k < equations.option(option).arc_end; ++k) {
      const auto& arc = equations.arc(k);
      sum += in_double(arc.p) *
             (is_within(arc) ? own[arc.next - block.first] : in_double(rows[arc.row][arc.next]));
    }
    return sum * in_double(equations.option(option).factor);
  }
  // 1 / f - P of the policy: times x it is what comes from outside.
  [[nodiscard]] SparseRows<Rational> system() const {
    SparseRows<Rational> matrix;
    for (std::uint32_t g = block.first; g < block.end; ++g) {
      const auto& option = equations.option(options[g]);
      matrix.add(g - block.first, 1 / option.factor);
      for (std::uint64_t k = equations.first_arc(options[g]); k < option.arc_end; ++k) {
        const auto& arc = equations.arc(k);
        if (is_within(arc)) matrix.add(arc.next - block.first, -arc.p);
      }
      matrix.close_row_of_sums();
    }
    return matrix;
  }
  // Takes the first of the best options that are worth more than `least`; what it is worth.
  double take_best(std::uint32_t g, double least) {
    double most = least;
    for (std::uint32_t o = equations.first_option(g); o < equations.first_option(g + 1); ++o) {
      const double worth = equations.worth(o, rows);
      if (worth > most) {
        most = worth;
        options[g] = o;
      }
    }
    return most;
  }
};

// What a cycle remembers between levels.
struct CycleMemory {
  std::optional<CyclePolicies> in_doubles;
  std::optional<RationalSystem> exactly;
  std::vector<std::uint32_t> solved;  // options that `exactly` is for
};

// The greatest difference between the two sides of the equations. The certificate is for the maximising options,
// whatever margin kept another.
inline double difference_left(CycleWork<Real>& work) {
  double difference = 0;
  for (std::uint32_t g = work.block.first; g < work.block.end; ++g) {
    const double most = work.take_best(g, work.equations.worth(work.options[g], work.rows));
    difference = std::max(difference, std::abs(most - work.values[g]));
  }
  return difference;
}

// True when it no longer comes closer: rounding is all that is left.
inline bool sweep(CycleWork<Real>& work, int most_sweeps, const Limits& limits) {
  double last_change = 2;
  for (int i = 0; i < most_sweeps && !limits.ended(); ++i) {
    double change = 0;
    for (std::uint32_t g = work.block.first; g < work.block.end; ++g) {
      const double most = work.take_best(g, 0);
      change = std::max(change, std::abs(most - work.values[g]));
      work.values[g] = std::min(most, 1.0);
    }
    if (change == 0 || (change < 0x1p-50 && change >= last_change)) return true;
    last_change = change;
  }
  return false;
}

// Policy iteration in doubles from the options at hand; false if it did not end, and left nothing.
template <class A>
bool improve_in_doubles(CycleWork<A>& work,
                        CycleMemory& memory,
                        std::vector<double>& x,
                        const Limits& limits) {
  constexpr double kRounding = 0x1p-46;
  if (!memory.in_doubles) memory.in_doubles = policies_of(work.equations, work.block);
  const std::uint32_t first = work.equations.first_option(work.block.first);
  std::vector<std::uint32_t> policy;
  for (std::uint32_t g = work.block.first; g < work.block.end; ++g)
    policy.push_back(work.options[g] - first);
  if (!memory.in_doubles->improve(work.constants(), policy, x, kRounding, limits)) return false;
  for (std::size_t k = 0; k < policy.size(); ++k)
    work.options[work.block.first + k] = first + policy[k];
  return true;
}

// Leaves the greatest difference between the two sides of the equations.
inline double solve_in_doubles(CycleWork<Real>& work, CycleMemory& memory, const Limits& limits) {
  constexpr std::size_t kSmallCycle = 200;
  constexpr int kFewSweeps = 32;
  constexpr int kMostSweeps = 10'000'000;
  work.start_policy();
  if (work.size() > kSmallCycle && sweep(work, kFewSweeps, limits)) return difference_left(work);
  std::vector<double> x;
  if (improve_in_doubles(work, memory, x, limits)) {
    for (std::uint32_t g = work.block.first; g < work.block.end; ++g)
      work.values[g] = std::clamp(x[g - work.block.first], 0.0, 1.0);
  } else {
    sweep(work, kMostSweeps, limits);
  }
  return difference_left(work);
}

// The values of the options at hand, in rationals; false if the limits ended it.
inline bool evaluate_exactly(CycleWork<Exact>& work, CycleMemory& memory, const Limits& limits) {
  const auto first = work.options.begin() + work.block.first;
  const auto last = work.options.begin() + work.block.end;
  if (!memory.exactly || !std::equal(first, last, memory.solved.begin())) {
    memory.exactly.emplace(work.system(), limits);
    memory.solved.assign(first, last);
  }
  if (limits.ended()) return false;
  if (!memory.exactly->is_ready()) {
    throw Error(ErrorCode::refused,
                "memory",
                "the equations of a cycle of " + std::to_string(work.size()) +
                    " states would need more memory in rationals than the limit of " +
                    bytes_text(limits.limit()) + "; raise --memory-limit, or leave out --exact");
  }
  std::vector<Rational> right;
  for (std::uint32_t g = work.block.first; g < work.block.end; ++g)
    right.push_back(work.from_outside(work.options[g]));
  auto x = memory.exactly->solve(right, limits);
  if (!x) return false;
  std::ranges::move(*x, work.values.begin() + work.block.first);
  return true;
}

// Takes better options. Doubles pass over those that are certainly none: sums of k products of numbers >= 0, each
// rounded a few times, are within (k + 8) 2^-51 of themselves, where nothing underflows.
inline bool improve_exactly(CycleWork<Exact>& work, const Limits& limits) {
  constexpr double kNoUnderflow = 1e-200;
  std::vector<double> nearest;
  for (std::uint32_t g = work.block.first; g < work.block.end; ++g)
    nearest.push_back(work.values[g].get_d());
  bool changed = false;
  for (std::uint32_t g = work.block.first; g < work.block.end && !limits.ended(); ++g) {
    const std::uint32_t kept = work.options[g];
    const double own = nearest[g - work.block.first];
    const Rational* most = &work.values[g];
    Rational better;
    for (std::uint32_t o = work.equations.first_option(g); o < work.equations.first_option(g + 1);
         ++o) {
      if (o == kept) continue;
      const double slack = 1 + 0x1p-51 * static_cast<double>(work.arcs(o) + 8);
      if (own > kNoUnderflow && work.worth_in_doubles(o, nearest) * slack * slack < own) continue;
      Rational worth = work.equations.worth(o, work.rows);
      if (worth <= *most) continue;
      better = std::move(worth);
      most = &better;
      work.options[g] = o;
      changed = true;
    }
  }
  return changed;
}

// Policy iteration; doubles find where it begins.
inline bool iterate_exactly(CycleWork<Exact>& work, CycleMemory& memory, const Limits& limits) {
  work.start_policy();
  std::vector<double> x;
  improve_in_doubles(work, memory, x, limits);
  do {
    if (!evaluate_exactly(work, memory, limits)) return false;
  } while (improve_exactly(work, limits));
  return !limits.ended();
}

// Sure: the greatest fixpoint; Possible: the least, each option taken as soon as it helps, so that
// following the options makes progress.
template <class A>
void iterate_on_graph(CycleWork<A>& work, const Limits& limits) {
  constexpr auto kFirst = std::is_same_v<A, Sure> ? std::uint8_t{1} : std::uint8_t{0};
  std::fill(work.values.begin() + work.block.first, work.values.begin() + work.block.end, kFirst);
  work.start_policy();
  for (bool changed = true; changed && !limits.ended();) {
    changed = false;
    for (std::uint32_t g = work.block.first; g < work.block.end; ++g) {
      if (std::is_same_v<A, Possible> && work.values[g] != 0) continue;
      std::uint8_t most = 0;
      for (std::uint32_t o = work.equations.first_option(g);
           o < work.equations.first_option(g + 1) && most == 0;
           ++o) {
        most = work.equations.worth(o, work.rows);
        if (most != 0) work.options[g] = o;
      }
      if (most == work.values[g]) continue;
      work.values[g] = most;
      changed = true;
    }
  }
}

}  // namespace quantiplan
