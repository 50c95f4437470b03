#include "infinite/levels/fixpoint.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <type_traits>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "infinite/levels/elimination.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kGreatestFactoredCycle = 200;
constexpr double kUnit = 0x1p-53;

}  // namespace

// What a cycle of groups remembers between levels: its policy, and that policy's factors.
template <class A>
struct Fixpoint<A>::Cycle {
  std::vector<std::uint32_t> factored;  // options the factors belong to
  Factors factors;
};

template <class A>
Fixpoint<A>::Fixpoint(const Equations<A>& equations, Limits& limits)
    : equations_(equations), limits_(limits), cycles_(equations.blocks().size()) {
  for (std::size_t b = 0; b < cycles_.size(); ++b) {
    if (equations.blocks()[b].is_cyclic) cycles_[b] = std::make_unique<Cycle>();
  }
  if constexpr (std::is_same_v<A, Real>) {
    // One evaluation rounds each probability, product and sum once, and the factor.
    std::uint64_t most = 0;
    for (std::uint32_t o = 0;
         o < equations.first_option(static_cast<std::uint32_t>(equations.groups()));
         ++o)
      most = std::max(most, equations.option(o).arc_end - equations.first_arc(o));
    rounding_ = static_cast<double>(most + 8) * kUnit;
    bound_moves();
  }
}

template <class A>
Fixpoint<A>::~Fixpoint() = default;

template <class A>
void Fixpoint<A>::solve_group(std::uint32_t group,
                              const std::vector<const Row*>& rows,
                              Row& values,
                              std::vector<std::uint32_t>& options) {
  std::uint32_t best = equations_.first_option(group);
  Value most = equations_.worth(best, values, rows);
  for (std::uint32_t o = best + 1; o < equations_.first_option(group + 1); ++o) {
    Value worth = equations_.worth(o, values, rows);
    if (worth > most) {
      most = std::move(worth);
      best = o;
    }
  }
  if constexpr (std::is_same_v<A, Real>) most = std::min(most, 1.0);  // rounding may overshoot
  values[group] = std::move(most);
  options[group] = best;
}

namespace {

// Everything that one solve of a cycle looks at.
template <class A>
struct CycleWork {
  using Row = typename Equations<A>::Row;
  const Equations<A>& equations;
  const typename Equations<A>::Block& block;
  const std::vector<const Row*>& rows;
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
          rest += arc.p * (arc.row == 0 ? values[arc.next] : (*rows[arc.row])[arc.next]);
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
      const double worth = equations.worth(o, values, rows);
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
      N most = equations.worth(options[g], values, rows);
      N kept = most;
      std::uint32_t best = options[g];
      for (std::uint32_t o = equations.first_option(g); o < equations.first_option(g + 1); ++o) {
        if (o == options[g]) continue;
        N worth = equations.worth(o, values, rows);
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
double solve_factored(CycleWork<Real>& work,
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
    const double most =
        work.take_best(g, work.equations.worth(work.options[g], work.values, work.rows));
    difference = std::max(difference, std::abs(most - work.values[g]));
  }
  return difference;
}

double sweep(CycleWork<Real>& work, const Limits& limits) {
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

bool iterate_exactly(CycleWork<Exact>& work, const Limits& limits) {
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
        most = work.equations.worth(o, work.values, work.rows);
        if (most != 0) work.options[g] = o;
      }
      if (most == work.values[g]) continue;
      work.values[g] = most;
      changed = true;
    }
  }
}

}  // namespace

template <class A>
double Fixpoint<A>::solve_block(const typename Equations<A>::Block& block,
                                Cycle* cycle,
                                const std::vector<const Row*>& rows,
                                Row& values,
                                std::vector<std::uint32_t>& options) {
  if (cycle == nullptr) {
    if (!equations_.is_known(block.first)) solve_group(block.first, rows, values, options);
    return 0;
  }
  CycleWork<A> work{equations_, block, rows, values, options};
  if constexpr (std::is_same_v<A, Real>) {
    return work.size() <= kGreatestFactoredCycle
               ? solve_factored(work, cycle->factored, cycle->factors, limits_)
               : sweep(work, limits_);
  } else if constexpr (std::is_same_v<A, Exact>) {
    iterate_exactly(work, limits_);
  } else {
    iterate_on_graph(work, limits_);
  }
  return 0;
}

template <class A>
bool Fixpoint<A>::solve(const std::vector<const Row*>& rows,
                        Row& values,
                        std::vector<std::uint32_t>& options) {
  if (values.size() != equations_.groups()) {
    values = equations_.known();
    options.assign(equations_.groups(), Equations<A>::kNoOption);
  }
  const auto& blocks = equations_.blocks();
  const auto& ranks = equations_.rank_begin();
  constexpr std::size_t kBlocksPerChunk = 2048;
  constexpr std::size_t kBlocksPerPoll = 256;
  std::vector<double> worst(limits_.threads(), 0.0);
  for (std::size_t r = 0; r + 1 < ranks.size(); ++r) {
    if (limits_.ended()) return false;
    parallel_for(limits_.threads(),
                 ranks[r + 1] - ranks[r],
                 kBlocksPerChunk,
                 [&](unsigned worker, std::size_t begin, std::size_t end) {
                   for (std::size_t b = ranks[r] + begin; b < ranks[r] + end; ++b) {
                     if (b % kBlocksPerPoll == 0 && limits_.ended()) return;
                     worst[worker] =
                         std::max(worst[worker],
                                  solve_block(blocks[b], cycles_[b].get(), rows, values, options));
                   }
                 });
  }
  multiply_adds_ += equations_.arcs();
  if constexpr (std::is_same_v<A, Real>) {
    const double left = *std::ranges::max_element(worst) + rounding_;
    error_ = left * moves_ * (1 + 8 * kUnit);
  }
  return !limits_.ended();
}

// e(g) = 1 + max over options of f sum p e(g') over inner arcs, and a little more: what is returned
// satisfies e >= 1 + ... in real arithmetic, or is infinite.
template <class A>
void Fixpoint<A>::bound_moves() {
  if constexpr (std::is_same_v<A, Real>) {
    std::vector<double> e(equations_.groups(), 0.0);
    const auto most_from = [&](std::uint32_t g) {
      double most = 0;
      for (std::uint32_t o = equations_.first_option(g); o < equations_.first_option(g + 1); ++o) {
        double sum = 0;
        const auto& option = equations_.option(o);
        for (std::uint64_t i = equations_.first_arc(o); i < option.arc_end; ++i) {
          const auto& arc = equations_.arc(i);
          if (arc.row == 0) sum += arc.p * e[arc.next];
        }
        const auto arcs = static_cast<double>(option.arc_end - equations_.first_arc(o));
        most = std::max(most, sum * option.factor * (1 + (2 * arcs + 8) * 2 * kUnit));
      }
      return (1 + most) * (1 + 4 * kUnit);
    };
    constexpr int kMostSweeps = 100'000;
    for (const auto& block : equations_.blocks()) {
      if (!block.is_cyclic) {
        if (!equations_.is_known(block.first)) e[block.first] = most_from(block.first);
        continue;
      }
      // From below until it hardly grows; then a little above, and proved.
      double growth = 1;
      for (int i = 0; i < kMostSweeps && growth > 1e-3 && !limits_.ended(); ++i) {
        growth = 0;
        for (std::uint32_t g = block.first; g < block.end; ++g) {
          const double now = most_from(g);
          growth = std::max(growth, (now - e[g]) / now);
          e[g] = now;
        }
      }
      bool proved = false;
      for (double more = 0.01; more < 1e12 && !proved; more *= 10) {
        const std::vector<double> guess(e.begin() + block.first, e.begin() + block.end);
        for (std::uint32_t g = block.first; g < block.end; ++g) e[g] *= 1 + more;
        proved = true;
        for (std::uint32_t g = block.first; g < block.end && proved; ++g)
          proved = most_from(g) <= e[g];
        if (!proved) std::copy(guess.begin(), guess.end(), e.begin() + block.first);
      }
      if (!proved) {
        std::fill(e.begin() + block.first,
                  e.begin() + block.end,
                  std::numeric_limits<double>::infinity());
      }
    }
    for (const double bound : e) moves_ = std::max(moves_, bound);
  }
}

template class Fixpoint<Real>;
template class Fixpoint<Exact>;
template class Fixpoint<Sure>;
template class Fixpoint<Possible>;

}  // namespace quantiplan
