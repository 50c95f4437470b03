// A question about wealth on a grid of the checker's own arithmetic: is the counted wealth enough?
//
//     H_t = unit / 2^e_t           counted reward of time t = key_t(r) H_t      r with its sign
//     key_t(r) = floor(gamma^t r / H_t)   (down: W is at least what is counted)
//              = ceil (gamma^t r / H_t)   (up:   W is at most what is counted)
//     need at time 0: j_0,  then  j_{t+1} = ( j_t - key_t(r) ) * 2^d_t - delta_t,  d_t = e_{t+1} - e_t
//     enough where the episode ends: j <= 0;  where it is cut off: j <= what the tail adds
//
// The need is relative to a limit c_t = floor((start - w) / H_t), or ceil(..) - 1 for "more than
// w", so that "i_t <= c_t" for an index i_t that begins at start / H_0 reads "j_t = i_t - c_t <=
// 0"; delta_t = c_{t+1} - 2^d_t c_t lies in [0, 2^d_t). Powers of gamma are kept as p^t and q^t and
// moved by one factor a step of time, so that each key is one exact division. Where the event does
// not compare numbers at all, w is the start: the need is the index itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/common/ends.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::checking {

enum class Rounding { down, up };

struct IndexQuestion {
  PolicyGrid grid;
  Rounding rounding = Rounding::down;
  Rational start;  // a whole multiple of the unit
};

// Needs beyond this size are one and the same: all that is asked of a need is decided long before.
inline constexpr std::int64_t kFarNeed = std::int64_t{1} << 62;

class IndexProblem {
 public:
  // Nullopt if a need might not fit 62 bits, or if there are too many times, states or digits of
  // gamma's powers to compute with.
  // The ends must outlive it.
  static std::optional<IndexProblem> make(const Model& model,
                                          const Ends& ends,
                                          IndexQuestion question,
                                          CheckLimits& limits);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const Ends& ends() const { return *ends_; }
  [[nodiscard]] std::uint64_t horizon() const { return ends_->horizon(); }
  [[nodiscard]] const InitialStates& initial() const { return ends_->initial(); }
  [[nodiscard]] std::int64_t first() const { return first_; }
  // A need that was ever beyond 2^62 in size is never below this.
  [[nodiscard]] std::int64_t near() const { return near_; }
  // Whether some policy comes to this state at this time. What cannot be met need not fit.
  [[nodiscard]] bool is_met(std::uint64_t time, State s) const {
    return met_[time * model_->state_count() + index(s)];
  }

  // What follows is that of one time, below the horizon.
  void move_to(std::uint64_t time);
  [[nodiscard]] unsigned shift() const { return shift_; }
  [[nodiscard]] std::int64_t delta() const { return delta_; }
  [[nodiscard]] std::int64_t key(NumberId reward);
  // Some key that was asked for is rounded: what is counted may be less than what is collected.
  [[nodiscard]] bool is_rounded() const { return is_rounded_; }
  // An index as a need, cut to 62 bits.
  [[nodiscard]] std::int64_t need(const Rational& index) const;
  // The outcome leads to an end, or to the horizon.
  [[nodiscard]] bool is_last(const Outcome& outcome) const {
    return time_ + 1 == horizon() || ends_->is_end(outcome.next);
  }
  // The greatest need that it fulfils then.
  [[nodiscard]] std::int64_t enough(const Outcome& outcome);

 private:
  IndexProblem(const Model& model, const Ends& ends, IndexQuestion question);
  [[nodiscard]] unsigned long halvings(std::uint64_t time) const;
  [[nodiscard]] Integer limit(std::uint64_t time) const;
  [[nodiscard]] Integer exact_enough(const Rational& reward, const Rational& tail) const;
  [[nodiscard]] Integer exact_key(const Rational& reward) const;
  [[nodiscard]] bool is_affordable() const;
  Rational spread(std::uint64_t time, CheckLimits& limits);
  [[nodiscard]] bool fits(CheckLimits& limits);

  const Model* model_;
  const Ends* ends_;
  IndexQuestion question_;
  Rational wealth_;
  std::vector<bool> met_;  // by time and state
  std::int64_t first_ = 0;
  std::int64_t near_ = 0;
  std::uint64_t time_ = 0;
  Integer above_;  // gamma^t / H_t = above / below
  Integer below_;
  Integer limit_;  // c_t
  bool is_rounded_ = false;
  unsigned shift_ = 0;
  std::int64_t delta_ = 0;
  std::vector<std::uint64_t> known_at_;  // by number id: the time its key is of, plus 1
  std::vector<std::int64_t> keys_;
  std::vector<std::uint64_t> enough_known_at_;  // the same of what is enough, without a tail
  std::vector<std::int64_t> enough_;
};

}  // namespace quantiplan::checking
