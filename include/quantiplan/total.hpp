// A total reward as answers state it: a number, an infinity, or a miss.
//
//     miss  <  -inf  <  every number  <  inf
//
// Infinite totals are possible at the infinite horizon. With a goal, an episode that never gets
// there is a miss: worse than every number, and never written as one.
#pragma once

#include <compare>
#include <string>

#include "quantiplan/number.hpp"

namespace quantiplan {

class Total {
 public:
  enum class Kind { miss, minus_infinity, finite, plus_infinity };  // ascending

  Total() = default;                               // 0
  Total(const Rational& value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  Total(int value) : value_(value) {}              // NOLINT(google-explicit-constructor)
  static Total miss() { return Total(Kind::miss); }
  static Total minus_infinity() { return Total(Kind::minus_infinity); }
  static Total plus_infinity() { return Total(Kind::plus_infinity); }

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_finite() const noexcept { return kind_ == Kind::finite; }
  [[nodiscard]] bool is_miss() const noexcept { return kind_ == Kind::miss; }
  // Needs a finite one.
  [[nodiscard]] const Rational& value() const noexcept { return value_; }

  // As a cost, or of a problem with the signs exchanged; a miss stays what it is.
  [[nodiscard]] Total negated() const;

  friend bool operator==(const Total& a, const Total& b) {
    return a.kind_ == b.kind_ && (!a.is_finite() || a.value_ == b.value_);
  }
  friend std::weak_ordering operator<=>(const Total& a, const Total& b);

 private:
  explicit Total(Kind kind) : kind_(kind) {}
  Kind kind_ = Kind::finite;
  Rational value_;
};

// "miss", "-inf", "inf", or the exact number.
std::string to_text(const Total& total);

}  // namespace quantiplan
