#include "evaluate/infinite/block_store.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "evaluate/infinite/visits.hpp"

namespace quantiplan {
namespace {

// About a second, in doubles; then blocks are iterated. Rationals have no other way.
constexpr std::uint64_t kMostWork = 300'000'000;
// Numbers kept, some hundred megabytes in doubles.
constexpr std::uint64_t kMostEntries = 10'000'000;
// Where the bound by states is good enough not to look for a better one.
constexpr std::size_t kFewStates = 8;

}  // namespace

template <class N>
const typename BlockStore<N>::Solved* BlockStore<N>::find(
    const std::vector<Choice>& choices, const std::function<BlockMoves<N>()>& moves) {
  const auto known = blocks_.find(choices);
  if (known != blocks_.end()) return &known->second;
  constexpr bool kFloating = std::is_same_v<N, double>;
  Solved made{moves(), std::nullopt};
  made.elimination = TransientBlock<N>::make(
      made.moves, kFloating ? kMostWork : std::numeric_limits<std::uint64_t>::max(), limits_);
  if (!made.elimination && limits_.ended()) return nullptr;
  const std::uint64_t entries =
      choices.size() + (made.elimination ? made.elimination->entries() : choices.size());
  if (entries_ + entries > kMostEntries) {
    blocks_.clear();
    entries_ = 0;
  }
  entries_ += entries;
  if (!kFloating || choices.size() <= kFewStates) made.moves = {};
  return &blocks_.emplace(choices, std::move(made)).first->second;
}

template <class N>
bool BlockStore<N>::solve(const std::vector<Choice>& choices,
                          const std::function<BlockMoves<N>()>& moves,
                          std::vector<N>& mass,
                          MassError<N>& error) {
  const Solved* block = find(choices, moves);
  if (block == nullptr) return false;
  if constexpr (std::is_same_v<N, double>) {
    const std::vector<double> enters = mass;
    if (!block->elimination) {
      if (!iterate_visits(block->moves, limits_, mass)) return false;
      error.moved(visits_error(block->moves, enters, mass));
      return true;
    }
    if (!block->elimination->solve(mass, limits_)) return false;
    // Of two bounds the smaller: one grows with the states, the other with the visits.
    const double entered = std::accumulate(enters.begin(), enters.end(), 0.0);
    double off = entered * block_roundings(enters.size()) * 0x1p-53;
    if (enters.size() > kFewStates) off = std::min(off, visits_error(block->moves, enters, mass));
    error.moved(off);
  } else {
    if (!block->elimination->solve(mass, limits_)) return false;
  }
  return true;
}

template class BlockStore<double>;
template class BlockStore<Rational>;

}  // namespace quantiplan
