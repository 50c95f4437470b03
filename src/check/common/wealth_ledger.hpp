// The checker's own exact wealth: gamma^t * r as a 64-bit multiple of one unit, or as a rational.
//
//     wealth of a history = sum over t of sign * gamma^t * r_t     (counted.hpp)
//     gamma = p/q,  L = lcm of the denominators of r,  unit = 1 / (L * q^(T-1))
//     multiple of r at time t = sign * (r * L) * p^t * q^(T-1-t)
//
// Needs: every sum of T such multiples below 2^62 for IntegerLedger; RationalLedger needs nothing
// and is slower. Both offer the same operations, so that each pass is written once:
//     zero()            the wealth of the empty history
//     reward(t, id)     sign * gamma^t * r, as wealth
//     at_least(w)       the least wealth that is not below w (w may lie between two multiples)
//     at_most(w)        the greatest that is not above
//     holds(w)          true if w itself is a wealth this ledger can write
//
// At the infinite horizon there is no T: with gamma = 1 a multiple is one of 1/L, and whoever adds
// them up sees to it that sums stay small.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/common/counted.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::checking {

class IntegerLedger {
 public:
  using Wealth = std::int64_t;
  static constexpr std::size_t kMostPlaces = 20'000'000;  // of one layer, when a policy is followed

  // nullopt if some history's wealth might not fit, together with a `reserve` for what is no
  // multiple: then the unit is finer by a power of two.
  static std::optional<IntegerLedger> make(const Model& model,
                                           const ResolvedSetting& setting,
                                           const Rational& reserve = 0);
  // Infinite horizon without discount: nullopt if a single reward does not fit 55 bits. With a grid,
  // rewards are rounded down to multiples of its unit.
  static std::optional<IntegerLedger> undiscounted(const Model& model,
                                                   const ResolvedSetting& setting,
                                                   const std::optional<Rational>& grid_unit);

  [[nodiscard]] static Wealth zero() { return 0; }
  [[nodiscard]] Wealth reward(std::uint64_t time, NumberId id) const {
    const std::int64_t multiple = multiples_[index(id)];
    return powers_.empty() ? multiple : multiple * powers_[time];
  }
  [[nodiscard]] Wealth at_least(const Rational& wealth) const;
  [[nodiscard]] Wealth at_most(const Rational& wealth) const;
  [[nodiscard]] bool holds(const Rational& wealth) const;
  [[nodiscard]] Rational unit() const { return 1 / units_per_one_; }

 private:
  IntegerLedger() = default;
  Rational units_per_one_ = 1;           // L * q^(T-1)
  std::vector<std::int64_t> multiples_;  // sign * r * L by number id; 0 where it is no reward
  std::vector<std::int64_t> powers_;     // p^t * q^(T-1-t); empty if gamma = 1
};

class RationalLedger {
 public:
  using Wealth = Rational;
  static constexpr std::size_t kMostPlaces = 2'000'000;

  RationalLedger(const Model& model, const ResolvedSetting& setting);

  [[nodiscard]] static Wealth zero() { return 0; }
  [[nodiscard]] Wealth reward(std::uint64_t time, NumberId id);
  [[nodiscard]] static Wealth at_least(const Rational& wealth) { return wealth; }
  [[nodiscard]] static Wealth at_most(const Rational& wealth) { return wealth; }
  [[nodiscard]] static bool holds(const Rational&) { return true; }

 private:
  const Model& model_;
  Rational discount_;
  int sign_;
  Rational power_ = 1;  // gamma^power_time_: passes move by one step of time at once
  std::uint64_t power_time_ = 0;
};

// gamma^t, walking from the last time asked for.
void move_power(Rational& power,
                std::uint64_t& time,
                std::uint64_t wanted,
                const Rational& discount);

// An event, asked of wealth that is a number.
template <class Ledger>
class WealthEvent {
 public:
  using Wealth = typename Ledger::Wealth;
  WealthEvent(const Ledger& ledger, const Event& event)
      : numbers_(event.numbers()), least_(ledger.zero()) {
    if (numbers_ != Event::Numbers::compared) return;
    least_ = ledger.at_least(event.level().value());
    attainable_ = ledger.holds(event.level().value());
    excludes_least_ = attainable_ && event.is_strict();
  }
  [[nodiscard]] bool holds(const Wealth& wealth) const {
    if (numbers_ != Event::Numbers::compared) return numbers_ == Event::Numbers::all;
    return excludes_least_ ? wealth > least_ : wealth >= least_;
  }
  // The wealth is the level itself.
  [[nodiscard]] bool is_level(const Wealth& wealth) const {
    return attainable_ && wealth == least_;
  }
  // The least wealth that is not below the level, if that is a number.
  [[nodiscard]] const Wealth& least() const { return least_; }
  [[nodiscard]] bool compares() const { return numbers_ == Event::Numbers::compared; }

 private:
  Event::Numbers numbers_;
  Wealth least_;
  bool attainable_ = false;
  bool excludes_least_ = false;
};

}  // namespace quantiplan::checking
