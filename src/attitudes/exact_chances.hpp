// P(at least y) from a node in rationals, where doubles cannot tell: only what the question leads to.
//
//     D(t, n, y) = max over open choices of  sum p * D(t+1, n', y - R)      1, 0 outside the window
//
// Every value is computed once and kept, for what is asked of one time is mostly asked of the next.
// Cost: a rational product for each outcome of each open choice of each (time, node, y) met.
#pragma once

#include <cstdint>
#include <vector>

#include "attitudes/exact_numbers.hpp"
#include "attitudes/plays.hpp"
#include "attitudes/tail.hpp"
#include "base/limits.hpp"
#include "base/node_table.hpp"
#include "finite/stages.hpp"

namespace quantiplan {

class ExactChances {
 public:
  // The windows, by time and node, are filled from the horizon backward: those of all times after
  // the one that is asked about must be there.
  ExactChances(const Stages& stages,
               const ExactNumbers& numbers,
               const Plays& plays,
               const std::vector<std::vector<TailWindow>>& windows,
               Limits& limits);
  ~ExactChances();
  ExactChances(const ExactChances&) = delete;
  ExactChances& operator=(const ExactChances&) = delete;

  // Of one choice at a node. Throws WorkEnded, or Error(refused) if memory is short.
  Rational of_choice(std::uint64_t time, std::uint32_t node, Choice c, std::int64_t y);
  [[nodiscard]] std::uint64_t nodes() const noexcept { return count_; }

 private:
  void settle(std::uint64_t time, Node node);
  void expand(std::uint64_t time, const Node& node, Choice c);
  [[nodiscard]] Rational mixed(std::uint64_t time, const Node& node, Choice c) const;
  [[nodiscard]] Node child(std::uint64_t time,
                           const Node& node,
                           std::size_t which,
                           const Outcome& o) const;

  const Stages& stages_;
  const ExactNumbers& numbers_;
  const Plays& plays_;
  const std::vector<std::vector<TailWindow>>& windows_;
  Limits& limits_;
  std::vector<NodeTable> known_;              // by time; Node::slot is a node of `plays`
  std::vector<std::vector<Rational>> value_;  // beside them
  std::vector<Choice> choices_;
  std::uint64_t count_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace quantiplan
