// The whole numbers on either side of a rational: floor(x) <= x <= ceiling(x).
#pragma once

#include "quantiplan/number.hpp"

namespace quantiplan {

inline Integer floor_of(const Rational& value) {
  Integer result;
  mpz_fdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

inline Integer ceiling_of(const Rational& value) {
  Integer result;
  mpz_cdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

}  // namespace quantiplan
