// Powers of a discount, between bounds of some 256 bits.
//
//     lower <= gamma^t <= upper
//
// They settle nearly every rounding that doubles leave open, long before gamma^t itself, whose
// length grows with t, is worth computing.
#pragma once

#include <cstdint>

#include "finite/grid.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

// gamma^t as an integer fraction; only where bounds leave a rounding open.
inline Rational power(const Rational& gamma, std::uint64_t time) {
  Rational out;
  mpz_pow_ui(out.get_num_mpz_t(), gamma.get_num_mpz_t(), time);
  mpz_pow_ui(out.get_den_mpz_t(), gamma.get_den_mpz_t(), time);
  return out;
}

inline Integer rounded(const Rational& value, Rounding rounding) {
  Integer out;
  if (rounding == Rounding::down) {
    mpz_fdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  } else {
    mpz_cdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  }
  return out;
}

class PowerBounds {
 public:
  explicit PowerBounds(const Rational& gamma) : gamma_(gamma) {}
  void next() {
    step(lower_, lower_shift_, false);
    step(upper_, upper_shift_, true);
  }
  [[nodiscard]] Rational lower() const { return scaled(lower_, lower_shift_); }
  [[nodiscard]] Rational upper() const { return scaled(upper_, upper_shift_); }

 private:
  static constexpr std::size_t kBits = 256;
  void step(Integer& mantissa, mp_bitcnt_t& shift, bool up) const {
    mantissa *= gamma_.get_num();
    mantissa <<= kBits;
    divide(mantissa, gamma_.get_den(), up);
    shift += kBits;
    const std::size_t bits = mpz_sizeinbase(mantissa.get_mpz_t(), 2);
    if (bits <= kBits) return;
    divide(mantissa, Integer(1) << (bits - kBits), up);
    shift -= bits - kBits;
  }
  static void divide(Integer& value, const Integer& by, bool up) {
    if (up) {
      mpz_cdiv_q(value.get_mpz_t(), value.get_mpz_t(), by.get_mpz_t());
    } else {
      mpz_fdiv_q(value.get_mpz_t(), value.get_mpz_t(), by.get_mpz_t());
    }
  }
  static Rational scaled(const Integer& mantissa, mp_bitcnt_t shift) {
    Rational out(mantissa);
    mpq_div_2exp(out.get_mpq_t(), out.get_mpq_t(), shift);
    return out;
  }

  Rational gamma_;
  Integer lower_ = 1;
  Integer upper_ = 1;
  mp_bitcnt_t lower_shift_ = 0;
  mp_bitcnt_t upper_shift_ = 0;
};

}  // namespace quantiplan
