// What can still be collected from every node, time after time from the horizon backward, and the
// quantiles of choices, which are exact.
//
//     D_t(n, y) = max over open choices of  sum p * D_{t+1}(n', y - R)        (plays.hpp: which)
//     q^a_t(n)  = the greatest y with  sum p * D_{t+1}(n', y - R) >= theta    (lower side: >)
//
// In doubles, with the certified bound of a backward pass; comparisons that it leaves open are
// settled in rationals. q^a is found by bisection on sums at single y: the whole sum is formed only
// for what later layers need. Memory: two layers of tails, 16 bytes a node for the windows.
#pragma once

#include <cstdint>
#include <vector>

#include "attitudes/exact_chances.hpp"
#include "attitudes/exact_numbers.hpp"
#include "attitudes/plays.hpp"
#include "attitudes/tail.hpp"
#include "base/limits.hpp"
#include "finite/pass/contested.hpp"
#include "finite/stages.hpp"
#include "numbers/rounding_bound.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// What a probability is held to: >= theta on the upper side, > theta on the lower. Doubles above
// `above` certainly pass, those below `below` certainly do not.
struct Bar {
  Bar(const Question& question, const RoundingBound& bound);
  Rational theta;
  Side side;
  double above;
  double below;
};

class Futures {
 public:
  // The layer of the horizon, and none before it.
  Futures(const Stages& stages, const ExactNumbers& numbers, const Plays& plays, Limits& limits);
  ~Futures();
  Futures(const Futures&) = delete;
  Futures& operator=(const Futures&) = delete;

  // `time` is from here on the one before that of the last layer made. All throw WorkEnded, and
  // Error(refused) if memory is short.

  // The quantile of a choice, then of the best that later times do.
  std::int64_t quantile(std::uint64_t time, std::uint32_t node, Choice c, const Bar& bar);
  // The chance of at least y, as rounded as bound() says.
  double chance(std::uint64_t time, std::uint32_t node, Choice c, std::int64_t y);
  // Leaves the choices with the greatest chance of at least y.
  void keep_likeliest(std::uint64_t time,
                      std::uint32_t node,
                      std::int64_t y,
                      std::vector<Choice>& choices);
  // The layer of `time`, from the choices that are open there.
  void make_layer(std::uint64_t time);

  [[nodiscard]] const RoundingBound& bound() const noexcept { return bound_; }
  // Adds to the work of a call what was done.
  void count(Work& work) const;

 private:
  // An outcome of a choice, as it reads the layer of the next time in steps of this one.
  struct Part {
    double probability;
    std::int64_t reward;
    const Tail* tail;
    [[nodiscard]] std::int64_t here(std::int64_t level, unsigned shift) const {
      return reward + (level >> shift);
    }
  };

  void gather(std::uint64_t time, std::uint32_t node, Choice c, std::vector<Part>& parts) const;
  [[nodiscard]] TailWindow window_of(const std::vector<Part>& parts, unsigned shift) const;
  [[nodiscard]] static double mixed(const std::vector<Part>& parts, unsigned shift, std::int64_t y);
  Tail made(std::uint64_t time, std::uint32_t node);
  void collect_levels(const TailWindow& window, unsigned shift);
  void add_choice(std::size_t first, std::size_t last, unsigned shift);

  const Stages& stages_;
  const Plays& plays_;
  Limits& limits_;
  RoundingBound bound_;
  Contest<double> contest_;
  std::vector<std::vector<TailWindow>> windows_;  // by time and node
  ExactChances exact_;
  std::vector<Tail> later_;  // by node
  std::uint64_t held_ = 0;
  std::uint64_t backups_ = 0;
  std::uint64_t multiply_adds_ = 0;
  std::uint64_t breakpoints_ = 0;
  // Of one node, kept for the next.
  std::vector<Choice> choices_;
  std::vector<Part> parts_;
  std::vector<std::size_t> ends_;  // of the choices, in parts_
  std::vector<std::int64_t> levels_;
  std::vector<double> sum_;
  std::vector<double> best_;
};

}  // namespace quantiplan
