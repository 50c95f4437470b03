#include "infinite/levels/fixpoint.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "infinite/levels/cycle.hpp"
#include "infinite/levels/expected_moves.hpp"

namespace quantiplan {
namespace {

// Some ten microseconds of work.
constexpr std::size_t kBlocksPerChunk = 2048;
constexpr double kUnit = 0x1p-53;

}  // namespace

template <class A>
struct Fixpoint<A>::Cycle : CycleMemory {};

template <class A>
Fixpoint<A>::Fixpoint(const Equations<A>& equations, Limits& limits)
    : equations_(equations), limits_(limits), cycles_(equations.blocks().size()) {
  for (std::size_t b = 0; b < cycles_.size(); ++b) {
    if (equations.blocks()[b].is_cyclic) cycles_[b] = std::make_unique<Cycle>();
  }
  find_stretches();
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

// Groups first .. end, none of them in a cycle.
template <class A>
void Fixpoint<A>::solve_groups(std::uint32_t first,
                               std::uint32_t end,
                               const Rows& rows,
                               Row& values,
                               std::vector<std::uint32_t>& options) const {
  std::uint32_t o = equations_.first_option(first);
  std::uint64_t arc = equations_.first_arc(o);
  for (std::uint32_t g = first; g < end; ++g) {
    const std::uint32_t last = equations_.first_option(g + 1);
    if (o == last) continue;  // its value is known
    std::uint32_t best = o;
    Value most = equations_.worth(arc, equations_.option(o), rows);
    arc = equations_.option(o).arc_end;
    for (++o; o < last; ++o) {
      Value worth = equations_.worth(arc, equations_.option(o), rows);
      arc = equations_.option(o).arc_end;
      if (worth > most) {
        most = std::move(worth);
        best = o;
      }
    }
    if constexpr (std::is_same_v<A, Real>) most = std::min(most, 1.0);  // rounding may overshoot
    values[g] = std::move(most);
    options[g] = best;
  }
}

template <class A>
double Fixpoint<A>::solve_cycle(const typename Equations<A>::Block& block,
                                Cycle& cycle,
                                const Rows& rows,
                                Row& values,
                                std::vector<std::uint32_t>& options) const {
  CycleWork<A> work{equations_, block, rows, values, options};
  if constexpr (std::is_same_v<A, Real>) {
    return solve_in_doubles(work, cycle, limits_);
  } else if constexpr (std::is_same_v<A, Exact>) {
    iterate_exactly(work, cycle, limits_);
  } else {
    iterate_on_graph(work, limits_);
  }
  return 0;
}

// Blocks begin .. end in their order; what is left of the equations.
template <class A>
double Fixpoint<A>::solve_blocks(std::size_t begin,
                                 std::size_t end,
                                 const Rows& rows,
                                 Row& values,
                                 std::vector<std::uint32_t>& options) const {
  constexpr std::size_t kBlocksPerPoll = 256;
  const auto& blocks = equations_.blocks();
  double worst = 0;
  for (std::size_t b = begin; b < end;) {
    if (limits_.ended()) break;
    const std::size_t until = std::min(end, b + kBlocksPerPoll);
    while (b < until) {
      if (blocks[b].is_cyclic) {
        worst = std::max(worst, solve_cycle(blocks[b], *cycles_[b], rows, values, options));
        ++b;
        continue;
      }
      const std::size_t from = b;
      while (b < until && !blocks[b].is_cyclic) ++b;
      solve_groups(blocks[from].first, blocks[b - 1].end, rows, values, options);
    }
  }
  return worst;
}

template <class A>
bool Fixpoint<A>::solve(Rows rows, Row& values, std::vector<std::uint32_t>& options) {
  if (values.size() != equations_.groups()) {
    values = equations_.known();
    options.assign(equations_.groups(), Equations<A>::kNoOption);
  }
  if (rows.empty()) rows.resize(1);
  rows[0] = values.data();
  double worst = 0;
  for (const Stretch& stretch : stretches_) {
    if (!stretch.is_wide) {
      worst = std::max(worst, solve_blocks(stretch.begin, stretch.end, rows, values, options));
      continue;
    }
    std::vector<double> of_worker(limits_.threads(), 0.0);
    if (!team_) team_ = std::make_unique<Team>(limits_.threads());
    team_->run(stretch.end - stretch.begin,
               kBlocksPerChunk,
               [&](unsigned worker, std::size_t begin, std::size_t end) {
                 const double left = solve_blocks(
                     stretch.begin + begin, stretch.begin + end, rows, values, options);
                 of_worker[worker] = std::max(of_worker[worker], left);
               });
    worst = std::max(worst, *std::ranges::max_element(of_worker));
  }
  multiply_adds_ += equations_.arcs();
  if constexpr (std::is_same_v<A, Real>) error_ = (worst + rounding_) * moves_ * (1 + 8 * kUnit);
  return !limits_.ended();
}

// Ranks that one thread is done with before others have begun go together.
template <class A>
void Fixpoint<A>::find_stretches() {
  const auto& ranks = equations_.rank_begin();
  for (std::size_t r = 0; r + 1 < ranks.size(); ++r) {
    const bool is_wide = limits_.threads() > 1 && ranks[r + 1] - ranks[r] >= 2 * kBlocksPerChunk;
    if (is_wide || stretches_.empty() || stretches_.back().is_wide)
      stretches_.push_back({ranks[r], ranks[r], is_wide});
    stretches_.back().end = ranks[r + 1];
  }
}

template <class A>
void Fixpoint<A>::bound_moves() {
  if constexpr (std::is_same_v<A, Real>) {
    ExpectedMoves moves(equations_, limits_);
    for (std::size_t b = 0; b < equations_.blocks().size(); ++b) {
      const auto& block = equations_.blocks()[b];
      if (block.is_cyclic)
        moves.add_cycle(block, *cycles_[b]);
      else
        moves.add_group(block.first);
    }
    moves_ = moves.greatest();
  }
}

template class Fixpoint<Real>;
template class Fixpoint<Exact>;
template class Fixpoint<Sure>;
template class Fixpoint<Possible>;

}  // namespace quantiplan
