// Standard backward induction for the expected total reward, in steps of the wealth scale at each
// time; of the true rewards, also where the scale rounds them.
//
//     E_T(s) = 0,   E_t(s) = max_a  sum over outcomes of  p * ( R + E_{t+1}(s') )
//
// Used for the expectation-optimal policy, where the quantile's choice is free, and to break ties.
// In doubles, choices that differ by no more than the rounding of one backup count as equal; the
// first of the model is taken, as in exact arithmetic. Cost: O(T * outcomes).
#pragma once

#include <cmath>
#include <vector>

#include "finite/stages.hpp"
#include "finite/windows.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {

// Probabilities and keys in the arithmetic of a pass: double or Rational.
template <class N>
class Arithmetics;

template <>
class Arithmetics<double> {
 public:
  explicit Arithmetics(const Model& model) : numbers_(model.probabilities()) {}
  [[nodiscard]] double probability(const Outcome& o) const noexcept {
    return numbers_.nearest(o.probability);
  }
  static double key(std::int64_t key) noexcept { return static_cast<double>(key); }
  // The reward as it is, not as it is rounded, in steps of its time.
  static double reward(const Stages& stages, std::uint64_t time, const Outcome& o) noexcept {
    return stages.scale().in_steps(time, o.reward);
  }
  // An amount of the next time in steps of this one.
  static double earlier(const Stages& stages, std::uint64_t time, double amount) noexcept {
    const unsigned shift = stages.scale().shift_after(time);
    return shift == 0 ? amount : std::ldexp(amount, -static_cast<int>(shift));
  }

 private:
  const NumberTable& numbers_;
};

template <>
class Arithmetics<Rational> {
 public:
  explicit Arithmetics(const Model& model);
  [[nodiscard]] const Rational& probability(const Outcome& o) const noexcept {
    return probabilities_[index(o.probability)];
  }
  static Rational key(std::int64_t key) { return {static_cast<long>(key)}; }
  // Rationals are used on exact keys only.
  static Rational reward(const Stages& stages, std::uint64_t time, const Outcome& o) {
    return key(stages.reward_key(time, o));
  }
  static const Rational& earlier(const Stages&, std::uint64_t, const Rational& amount) noexcept {
    return amount;
  }

 private:
  std::vector<Rational> probabilities_;  // by NumberId; 0 where it is no probability
};

// What is expected where a scale rounds: the rewards as they are, or the keys themselves.
enum class Rewards { as_given, as_keys };

template <class N>
class Expectation {
 public:
  // Of nothing: for passes that record no decisions and need none.
  Expectation() = default;
  // With a filter, the greatest over the choices that it leaves. With ranks, each finds a part of a
  // large layer: all make it at the same place of the same call.
  Expectation(const Stages& stages,
              const Limits& limits,
              const ChoiceFilter& filter = {},
              Rewards rewards = Rewards::as_given,
              RankGroup* ranks = nullptr);
  // As somebody else found them, by time and slot, of rewards as given; no choice shares a row.
  Expectation(std::vector<std::vector<N>> value, std::vector<std::vector<Choice>> choice)
      : of_row_(value.size() - 1),
        value_(std::move(value)),
        choice_(std::move(choice)),
        complete_(true) {}
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  [[nodiscard]] const N& value(std::uint64_t time, std::size_t slot) const {
    return value_[time][slot];
  }
  // The maximising choice; meaningless at terminal states.
  [[nodiscard]] Choice choice(std::uint64_t time, std::size_t slot) const {
    return choice_[time][slot];
  }
  [[nodiscard]] const std::vector<std::vector<Choice>>& choices() const { return choice_; }
  // The choices of (time, slot), greatest expected remaining reward first, equals in model order.
  void order(const Stages& stages,
             const Arithmetics<N>& numbers,
             std::uint64_t time,
             std::size_t slot,
             std::vector<Choice>& out) const;
  // What that order rests on: the reward of an outcome, and by row sum p E_{t+1}(s'), in steps of the
  // time.
  [[nodiscard]] N reward(const Stages& stages, std::uint64_t time, const Outcome& o) const {
    return rewards_ == Rewards::as_keys ? Arithmetics<N>::key(stages.reward_key(time, o))
                                        : Arithmetics<N>::reward(stages, time, o);
  }
  [[nodiscard]] const std::vector<N>& of_row(std::uint64_t time) const { return of_row_[time]; }

 private:
  [[nodiscard]] N value_of(const Stages& stages,
                           const Arithmetics<N>& numbers,
                           std::uint64_t time,
                           Choice c,
                           N* greatest_term) const;
  void back_up(const Stages& stages,
               const Arithmetics<N>& numbers,
               const ChoiceFilter& filter,
               std::uint64_t time,
               std::size_t slot,
               std::vector<N>& values);
  // sum p E_{t+1}(s') of each shared row, in steps of the time: kept for order().
  std::vector<std::vector<N>> of_row_;
  std::vector<std::vector<N>> value_;
  std::vector<std::vector<Choice>> choice_;
  Rewards rewards_ = Rewards::as_given;
  bool complete_ = false;
};

// The rounding of one backup for a greatest term of 1: a sum of b terms p (R + E') in at most b + 4 operations, for both
// of two choices that are compared.
inline double rounding_of_means(std::size_t most_outcomes) {
  return 2 * (static_cast<double>(most_outcomes) + 4) * 0x1p-53;
}

extern template class Expectation<double>;
extern template class Expectation<Rational>;

}  // namespace quantiplan
