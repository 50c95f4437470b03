#include "evaluate/infinite/transient_block.hpp"

#include <algorithm>
#include <set>

#include "evaluate/infinite/pace.hpp"

namespace quantiplan {
namespace {

// The moves that are left: rows as sorted lists, columns as lists of rows that may since be gone.
template <class N>
class Remaining {
 public:
  using Row = std::vector<typename BlockMoves<N>::Move>;

  Remaining(const BlockMoves<N>& moves, Pace& pace)
      : row(moves.rows.size()),
        leak(moves.leak),
        column_(moves.rows.size()),
        column_size_(moves.rows.size()),
        is_gone_(moves.rows.size(), false),
        pace_(pace) {
    for (std::uint32_t i = 0; i < row.size(); ++i) {
      for (const auto& move : moves.rows[i]) {
        if (move.to == i) continue;  // staying changes when one leaves, not where to
        row[i].push_back(move);
        enter_column(move.to, i);
      }
      std::ranges::sort(row[i], {}, &BlockMoves<N>::Move::to);
    }
    for (std::uint32_t i = 0; i < row.size(); ++i) by_fill_.emplace(fill(i), i);
  }

  // The state whose elimination makes the fewest new moves.
  [[nodiscard]] std::uint32_t cheapest() const { return by_fill_.begin()->second; }
  // The rows with a move to k, and that move.
  [[nodiscard]] Row into(std::uint32_t k) const {
    Row out;
    for (const std::uint32_t i : column_[k]) {
      if (!is_gone_[i])
        out.push_back({i, std::ranges::lower_bound(row[i], k, {}, &Move::to)->probability});
    }
    return out;
  }

  // Takes k out; `into` as above, each times 1 / d_k. Gives the multiplications it took. Left half
  // done if the limits ended it.
  std::uint64_t eliminate(std::uint32_t k, const Row& into) {
    by_fill_.erase({fill(k), k});
    for (const Move& move : row[k]) by_fill_.erase({fill(move.to), move.to});
    for (const Move& move : into) by_fill_.erase({fill(move.to), move.to});
    is_gone_[k] = true;
    for (const Move& move : row[k]) --column_size_[move.to];
    for (const Move& move : into) {
      if (pace_.after(move.probability)) break;
      leak[move.to] += move.probability * leak[k];
      add_row(move.to, move.probability, k);
    }
    for (const Move& move : row[k]) by_fill_.emplace(fill(move.to), move.to);
    for (const Move& move : into) by_fill_.emplace(fill(move.to), move.to);
    const std::uint64_t work = (row[k].size() + 1) * (into.size() + 1);
    row[k] = {};
    return work;
  }

  std::vector<Row> row;
  std::vector<N> leak;

 private:
  using Move = typename BlockMoves<N>::Move;

  // row i += factor * row k, without the moves to i itself and to k.
  void add_row(std::uint32_t i, const N& factor, std::uint32_t k) {
    merged_.clear();
    auto old = row[i].begin();
    const auto keep_until = [&](std::uint32_t end) {
      for (; old != row[i].end() && old->to < end; ++old) {
        if (old->to != k) merged_.push_back(std::move(*old));
      }
    };
    for (const Move& move : row[k]) {
      if (move.to == i) continue;
      pace_.after(move.probability);
      keep_until(move.to);
      if (old != row[i].end() && old->to == move.to) {
        merged_.push_back({move.to, old->probability + factor * move.probability});
        ++old;
      } else {
        merged_.push_back({move.to, factor * move.probability});
        enter_column(move.to, i);
      }
    }
    keep_until(static_cast<std::uint32_t>(row.size()));
    std::swap(row[i], merged_);
  }
  void enter_column(std::uint32_t column, std::uint32_t i) {
    column_[column].push_back(i);
    ++column_size_[column];
  }
  [[nodiscard]] std::uint64_t fill(std::uint32_t i) const {
    return static_cast<std::uint64_t>(row[i].size()) * column_size_[i];
  }

  std::vector<std::vector<std::uint32_t>> column_;
  std::vector<std::uint32_t> column_size_;  // rows that are left
  std::vector<bool> is_gone_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> by_fill_;
  Pace& pace_;
  Row merged_;
};

}  // namespace

template <class N>
std::optional<TransientBlock<N>> TransientBlock<N>::make(const BlockMoves<N>& moves,
                                                         std::uint64_t most_work,
                                                         const Limits& limits) {
  TransientBlock block;
  Pace pace(limits);
  Remaining<N> left(moves, pace);
  std::uint64_t work = 0;
  if (limits.ended()) return std::nullopt;
  for (std::size_t step = 0; step < moves.rows.size(); ++step) {
    const std::uint32_t k = left.cheapest();
    N pivot = left.leak[k];
    for (const auto& move : left.row[k]) pivot += move.probability;
    const N scale = N(1) / pivot;
    block.steps_.push_back({k, scale, block.to_.size(), block.from_.size()});
    for (const auto& move : left.row[k]) block.to_.push_back({move.to, move.probability * scale});
    auto into = left.into(k);
    for (auto& move : into) move.probability *= scale;
    work += left.eliminate(k, into);
    if (pace.has_ended()) return std::nullopt;
    block.from_.insert(block.from_.end(), into.begin(), into.end());
    if (work > most_work) return std::nullopt;
  }
  return block;
}

template <class N>
bool TransientBlock<N>::solve(std::vector<N>& mass, const Limits& limits) const {
  Pace pace(limits);
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const Step& step = steps_[k];
    const std::uint64_t end = k + 1 < steps_.size() ? steps_[k + 1].to_begin : to_.size();
    for (std::uint64_t i = step.to_begin; i < end; ++i) {
      mass[to_[i].to] += mass[step.state] * to_[i].probability;
      if (pace.after(mass[to_[i].to])) return false;
    }
  }
  for (std::size_t k = steps_.size(); k-- > 0;) {
    const Step& step = steps_[k];
    const std::uint64_t end = k + 1 < steps_.size() ? steps_[k + 1].from_begin : from_.size();
    N visits = mass[step.state] * step.inverse_pivot;
    for (std::uint64_t i = step.from_begin; i < end; ++i) {
      visits += mass[from_[i].to] * from_[i].probability;
      if (pace.after(visits)) return false;
    }
    mass[step.state] = visits;
  }
  return true;
}

double block_roundings(std::size_t n) {
  const auto x = static_cast<double>(n);
  return x * (x * (x + 8) + 12);
}

template class TransientBlock<double>;
template class TransientBlock<Rational>;

}  // namespace quantiplan
