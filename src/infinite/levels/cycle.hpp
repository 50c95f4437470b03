// One cycle of groups in the equations of a level: the ways to solve it, which fixpoint.hpp names.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/limits.hpp"
#include "base/memory.hpp"
#include "infinite/levels/elimination.hpp"
#include "infinite/levels/equations.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

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
  // (I - P) and the rest of one policy; means nothing if the limits ended it.
  template <class N>
  void system(std::vector<N>* matrix, std::vector<N>& b, const Limits& limits) const {
    const std::size_t n = size();
    b.assign(n, N(0));
    if (matrix != nullptr) {
      matrix->clear();
      matrix->reserve(n * n);
      // Rationals are made one by one.
      for (std::size_t i = 0; i < n && !limits.ended(); ++i) matrix->resize((i + 1) * n, N(0));
      if (limits.ended()) return;
    }
    for (std::uint32_t g = block.first; g < block.end; ++g) {
      const std::size_t i = g - block.first;
      const auto& option = equations.option(options[g]);
      N rest = 0;
      for (std::uint64_t k = equations.first_arc(options[g]); k < option.arc_end; ++k) {
        const auto& arc = equations.arc(k);
        if (!is_within(arc)) {
          rest += arc.p * rows[arc.row][arc.next];
        } else if (matrix != nullptr) {
          (*matrix)[i * n + (arc.next - block.first)] -= option.factor * arc.p;
        }
      }
      if (matrix != nullptr) (*matrix)[i * n + i] += 1;
      b[i] = rest * option.factor;
    }
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
  // Better options, by more than `margin`; the greatest difference from the values.
  template <class N>
  bool improve(const N& margin, N& difference) {
    bool changed = false;
    difference = 0;
    for (std::uint32_t g = block.first; g < block.end; ++g) {
      N most = equations.worth(options[g], rows);
      N kept = most;
      std::uint32_t best = options[g];
      for (std::uint32_t o = equations.first_option(g); o < equations.first_option(g + 1); ++o) {
        if (o == options[g]) continue;
        N worth = equations.worth(o, rows);
        if (worth > most) {
          most = std::move(worth);
          best = o;
        }
      }
      const N apart = most > values[g] ? N(most - values[g]) : N(values[g] - most);
      if (apart > difference) difference = apart;
      if (best != options[g] && most > kept + margin) {
        options[g] = best;
        changed = true;
      }
    }
    return changed;
  }
};

// Leaves the greatest difference between the two sides of the equations.
inline double solve_factored(CycleWork<Real>& work,
                             std::vector<std::uint32_t>& factored,
                             Factors& factors,
                             const Limits& limits) {
  constexpr int kMostPolicies = 1000;
  const auto first = work.options.begin() + work.block.first;
  const auto last = work.options.begin() + work.block.end;
  std::vector<double> x;
  double difference = 0;
  work.start_policy();
  for (int i = 0; i < kMostPolicies && !limits.ended(); ++i) {
    const bool is_new = factors.empty() || !std::equal(first, last, factored.begin());
    std::vector<double> matrix;
    work.system<double>(is_new ? &matrix : nullptr, x, limits);
    if (limits.ended()) break;
    if (is_new) {
      factors = Factors(std::move(matrix), work.size());
      factored.assign(first, last);
    }
    factors.solve(x);
    for (std::uint32_t g = work.block.first; g < work.block.end; ++g)
      work.values[g] = std::clamp(x[g - work.block.first], 0.0, 1.0);
    if (!work.improve<double>(0x1p-48, difference)) break;
  }
  // The certificate is for the maximising options, whatever margin kept another.
  for (std::uint32_t g = work.block.first; g < work.block.end; ++g) {
    const double most = work.take_best(g, work.equations.worth(work.options[g], work.rows));
    difference = std::max(difference, std::abs(most - work.values[g]));
  }
  return difference;
}

inline double sweep(CycleWork<Real>& work, const Limits& limits) {
  constexpr int kMostSweeps = 10'000'000;
  double change = 1;
  double last_change = 2;
  work.start_policy();
  // Until it no longer comes closer: rounding is all that is left.
  for (int i = 0; i < kMostSweeps && change > 0 && !limits.ended(); ++i) {
    double greatest = 0;
    for (std::uint32_t g = work.block.first; g < work.block.end; ++g) {
      const double most = work.take_best(g, 0);
      greatest = std::max(greatest, std::abs(most - work.values[g]));
      work.values[g] = std::min(most, 1.0);
    }
    change = greatest;
    if (change < 0x1p-50 && change >= last_change) break;
    last_change = change;
  }
  double difference = 0;
  for (std::uint32_t g = work.block.first; g < work.block.end; ++g) {
    const double most = work.take_best(g, 0);
    difference = std::max(difference, std::abs(most - work.values[g]));
  }
  return difference;
}

inline bool iterate_exactly(CycleWork<Exact>& work, const Limits& limits) {
  // A rational and its two numbers, short ones, as the heap keeps them.
  constexpr std::uint64_t kBytesPerEntry = 96;
  const std::uint64_t bytes = kBytesPerEntry * work.size() * work.size();
  if (!limits.would_fit(bytes)) {
    throw Error(ErrorCode::refused,
                "memory",
                "the equations of a cycle of " + std::to_string(work.size()) +
                    " states would need " + bytes_text(bytes) + " in rationals, the limit is " +
                    bytes_text(limits.limit()) + "; raise --memory-limit, or leave out --exact");
  }
  std::vector<Rational> matrix;
  std::vector<Rational> x;
  Rational difference;
  work.start_policy();
  do {
    if (limits.ended()) return false;
    work.system<Rational>(&matrix, x, limits);
    if (limits.ended()) return false;
    if (!eliminate(matrix, x, [&] { return limits.ended(); })) return false;
    for (std::uint32_t g = work.block.first; g < work.block.end; ++g)
      work.values[g] = std::move(x[g - work.block.first]);
  } while (work.improve<Rational>(Rational(0), difference));
  return true;
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
