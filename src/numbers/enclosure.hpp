// Intervals that hold the truth: every operation rounds its lower end down and its upper end up.
//
//     [a, b] + [c, d] = [a + c rounded down, b + d rounded up],   exp [a, b] = [exp a down, exp b up], ...
//
// On MPFR, whose functions are correctly rounded, and whose exponents do not overflow where doubles do.
// Ends may be infinite. Operands of one expression have one precision.
#pragma once

#include <mpfr.h>

#include <utility>

#include "quantiplan/number.hpp"

namespace quantiplan {

// A number of MPFR that owns itself.
class BigFloat {
 public:
  explicit BigFloat(mpfr_prec_t bits) { mpfr_init2(value_, bits); }
  BigFloat(const BigFloat& other) : BigFloat(other.bits()) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  BigFloat& operator=(const BigFloat& other) {
    if (this == &other) return *this;
    mpfr_set_prec(value_, other.bits());
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  BigFloat& operator=(BigFloat&& other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }
  ~BigFloat() { mpfr_clear(value_); }

  [[nodiscard]] mpfr_prec_t bits() const { return mpfr_get_prec(value_); }
  [[nodiscard]] mpfr_ptr get() { return value_; }
  [[nodiscard]] mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

class Enclosure {
 public:
  static constexpr mpfr_prec_t kBits = 128;

  explicit Enclosure(const Rational& value, mpfr_prec_t bits = kBits);
  static Enclosure between(const Rational& lower, const Rational& upper, mpfr_prec_t bits = kBits);
  // The whole of both.
  static Enclosure hull(const Enclosure& a, const Enclosure& b);
  static Enclosure minus_infinity(mpfr_prec_t bits = kBits);

  Enclosure& operator+=(const Enclosure& other);
  Enclosure& operator-=(const Enclosure& other);
  friend Enclosure operator+(Enclosure a, const Enclosure& b) { return std::move(a += b); }
  friend Enclosure operator-(Enclosure a, const Enclosure& b) { return std::move(a -= b); }
  friend Enclosure operator-(const Enclosure& a);
  friend Enclosure operator*(const Enclosure& a, const Enclosure& b);
  // The divisor must not hold 0.
  friend Enclosure operator/(const Enclosure& a, const Enclosure& b);
  friend Enclosure exp(const Enclosure& a);
  // exp(a) - 1, without losing what lies near 0.
  friend Enclosure exp_less_one(const Enclosure& a);
  // Of the part that is not negative; log 0 = -inf.
  friend Enclosure log(const Enclosure& a);
  friend Enclosure sqrt(const Enclosure& a);
  // The part that is not negative: what is known not to be negative anyway.
  friend Enclosure not_negative(Enclosure a);
  friend Enclosure max(const Enclosure& a, const Enclosure& b);

  [[nodiscard]] mpfr_prec_t bits() const { return lower_.bits(); }
  // Doubles not above the lower and not below the upper end.
  [[nodiscard]] double lower() const { return mpfr_get_d(lower_.get(), MPFR_RNDD); }
  [[nodiscard]] double upper() const { return mpfr_get_d(upper_.get(), MPFR_RNDU); }
  // The ends themselves; they must be finite.
  [[nodiscard]] Rational lower_exactly() const;
  [[nodiscard]] Rational upper_exactly() const;
  [[nodiscard]] bool is_finite() const;
  // 1 or -1 if the whole of it has that sign, else 0.
  [[nodiscard]] int sign() const;
  [[nodiscard]] const BigFloat& lower_end() const { return lower_; }
  [[nodiscard]] const BigFloat& upper_end() const { return upper_; }

 private:
  struct Unset {};
  Enclosure(Unset, mpfr_prec_t bits) : lower_(bits), upper_(bits) {}
  BigFloat lower_;
  BigFloat upper_;
};

}  // namespace quantiplan
