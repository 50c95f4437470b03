// The checker's own exact wealth: gamma^t * r as a 64-bit multiple of one unit, or as a rational.
//
//     wealth of a history = sum over t of gamma^t * r_t          gamma = p/q,  L = lcm of
//     denominators of r unit = 1 / (L * q^(T-1))     multiple of r at time t = (r * L) * p^t *
//     q^(T-1-t)
//
// Needs: every sum of T such multiples below 2^62 for IntegerLedger; RationalLedger needs nothing
// and is slower. Both offer the same operations, so that each pass is written once:
//     zero()            the wealth of the empty history
//     reward(t, id)     gamma^t * r, as wealth
//     at_least(w)       the least wealth that is not below w (w may lie between two multiples)
//     holds(w)          true if w itself is a wealth this ledger can write
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::checking {

class IntegerLedger {
 public:
  using Wealth = std::int64_t;

  // nullopt if some history's wealth might not fit.
  static std::optional<IntegerLedger> make(const Model& model, const ResolvedSetting& setting);

  [[nodiscard]] static Wealth zero() { return 0; }
  [[nodiscard]] Wealth reward(std::uint64_t time, NumberId id) const {
    const std::int64_t multiple = multiples_[index(id)];
    return powers_.empty() ? multiple : multiple * powers_[time];
  }
  [[nodiscard]] Wealth at_least(const Rational& wealth) const;
  [[nodiscard]] bool holds(const Rational& wealth) const;

 private:
  IntegerLedger() = default;
  Rational units_per_one_ = 1;           // L * q^(T-1)
  std::vector<std::int64_t> multiples_;  // r * L by number id; 0 where the number is no reward
  std::vector<std::int64_t> powers_;     // p^t * q^(T-1-t); empty if gamma = 1
};

class RationalLedger {
 public:
  using Wealth = Rational;

  RationalLedger(const Model& model, const ResolvedSetting& setting);

  [[nodiscard]] static Wealth zero() { return 0; }
  [[nodiscard]] Wealth reward(std::uint64_t time, NumberId id);
  [[nodiscard]] static Wealth at_least(const Rational& wealth) { return wealth; }
  [[nodiscard]] static bool holds(const Rational&) { return true; }

 private:
  const Model& model_;
  Rational discount_;
  Rational power_ = 1;  // gamma^power_time_: passes move by one step of time at once
  std::uint64_t power_time_ = 0;
};

// gamma^t, walking from the last time asked for.
void move_power(Rational& power,
                std::uint64_t& time,
                std::uint64_t wanted,
                const Rational& discount);

// Wealth against the claimed quantile.
template <class Ledger>
class Threshold {
 public:
  using Wealth = typename Ledger::Wealth;
  Threshold(const Ledger& ledger, const Rational& quantile)
      : least_(ledger.at_least(quantile)), attainable_(ledger.holds(quantile)) {}
  [[nodiscard]] bool equals(const Wealth& wealth) const { return attainable_ && wealth == least_; }
  [[nodiscard]] bool exceeds(const Wealth& wealth) const {
    return attainable_ ? wealth > least_ : wealth >= least_;
  }

 private:
  Wealth least_;
  bool attainable_;
};

}  // namespace quantiplan::checking
