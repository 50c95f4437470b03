#include "numbers/enclosure.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

mpfr_prec_t common_bits(const Enclosure& a, const Enclosure& b) {
  return std::max(a.bits(), b.bits());
}

// An end that came out as 0 * inf means 0 here: the infinite end stands for numbers without bound.
void settle_nan(BigFloat& end) {
  if (mpfr_nan_p(end.get()) != 0) mpfr_set_zero(end.get(), 1);
}

Rational exact_value(const BigFloat& end) {
  Rational value;
  mpfr_get_q(value.get_mpq_t(), end.get());
  return value;
}

}  // namespace

Enclosure::Enclosure(const Rational& value, mpfr_prec_t bits)
    : Enclosure(between(value, value, bits)) {}

Enclosure Enclosure::between(const Rational& lower, const Rational& upper, mpfr_prec_t bits) {
  Enclosure both(Unset{}, bits);
  mpfr_set_q(both.lower_.get(), lower.get_mpq_t(), MPFR_RNDD);
  mpfr_set_q(both.upper_.get(), upper.get_mpq_t(), MPFR_RNDU);
  return both;
}

Enclosure Enclosure::hull(const Enclosure& a, const Enclosure& b) {
  Enclosure whole(Enclosure::Unset{}, common_bits(a, b));
  mpfr_min(whole.lower_.get(), a.lower_.get(), b.lower_.get(), MPFR_RNDD);
  mpfr_max(whole.upper_.get(), a.upper_.get(), b.upper_.get(), MPFR_RNDU);
  return whole;
}

Enclosure Enclosure::minus_infinity(mpfr_prec_t bits) {
  Enclosure infinite(Enclosure::Unset{}, bits);
  mpfr_set_inf(infinite.lower_.get(), -1);
  mpfr_set_inf(infinite.upper_.get(), -1);
  return infinite;
}

Enclosure& Enclosure::operator+=(const Enclosure& other) {
  mpfr_add(lower_.get(), lower_.get(), other.lower_.get(), MPFR_RNDD);
  mpfr_add(upper_.get(), upper_.get(), other.upper_.get(), MPFR_RNDU);
  return *this;
}

Enclosure& Enclosure::operator-=(const Enclosure& other) {
  BigFloat lower(bits());
  mpfr_sub(lower.get(), lower_.get(), other.upper_.get(), MPFR_RNDD);
  mpfr_sub(upper_.get(), upper_.get(), other.lower_.get(), MPFR_RNDU);
  lower_ = std::move(lower);
  return *this;
}

Enclosure operator-(const Enclosure& a) {
  Enclosure negative(Enclosure::Unset{}, a.bits());
  mpfr_neg(negative.lower_.get(), a.upper_.get(), MPFR_RNDD);
  mpfr_neg(negative.upper_.get(), a.lower_.get(), MPFR_RNDU);
  return negative;
}

// The least and the greatest of the four products of ends.
Enclosure operator*(const Enclosure& a, const Enclosure& b) {
  Enclosure product(Enclosure::Unset{}, common_bits(a, b));
  const auto ends = {std::pair(&a.lower_, &b.lower_),
                     std::pair(&a.lower_, &b.upper_),
                     std::pair(&a.upper_, &b.lower_),
                     std::pair(&a.upper_, &b.upper_)};
  BigFloat one(product.bits());
  mpfr_set_inf(product.lower_.get(), 1);
  mpfr_set_inf(product.upper_.get(), -1);
  for (const auto& [x, y] : ends) {
    mpfr_mul(one.get(), x->get(), y->get(), MPFR_RNDD);
    settle_nan(one);
    mpfr_min(product.lower_.get(), product.lower_.get(), one.get(), MPFR_RNDD);
    mpfr_mul(one.get(), x->get(), y->get(), MPFR_RNDU);
    settle_nan(one);
    mpfr_max(product.upper_.get(), product.upper_.get(), one.get(), MPFR_RNDU);
  }
  return product;
}

Enclosure operator/(const Enclosure& a, const Enclosure& b) {
  Enclosure inverse(Enclosure::Unset{}, common_bits(a, b));
  mpfr_ui_div(inverse.lower_.get(), 1, b.upper_.get(), MPFR_RNDD);
  mpfr_ui_div(inverse.upper_.get(), 1, b.lower_.get(), MPFR_RNDU);
  return a * inverse;
}

Enclosure exp(const Enclosure& a) {
  Enclosure power(Enclosure::Unset{}, a.bits());
  mpfr_exp(power.lower_.get(), a.lower_.get(), MPFR_RNDD);
  mpfr_exp(power.upper_.get(), a.upper_.get(), MPFR_RNDU);
  return power;
}

Enclosure exp_less_one(const Enclosure& a) {
  Enclosure power(Enclosure::Unset{}, a.bits());
  mpfr_expm1(power.lower_.get(), a.lower_.get(), MPFR_RNDD);
  mpfr_expm1(power.upper_.get(), a.upper_.get(), MPFR_RNDU);
  return power;
}

Enclosure not_negative(Enclosure a) {
  for (BigFloat* end : {&a.lower_, &a.upper_})
    if (mpfr_sgn(end->get()) < 0) mpfr_set_zero(end->get(), 1);
  return a;
}

Enclosure log(const Enclosure& a) {
  Enclosure logarithm = not_negative(a);
  mpfr_log(logarithm.lower_.get(), logarithm.lower_.get(), MPFR_RNDD);
  mpfr_log(logarithm.upper_.get(), logarithm.upper_.get(), MPFR_RNDU);
  return logarithm;
}

Enclosure sqrt(const Enclosure& a) {
  Enclosure root = not_negative(a);
  mpfr_sqrt(root.lower_.get(), root.lower_.get(), MPFR_RNDD);
  mpfr_sqrt(root.upper_.get(), root.upper_.get(), MPFR_RNDU);
  return root;
}

Enclosure max(const Enclosure& a, const Enclosure& b) {
  Enclosure greater(Enclosure::Unset{}, common_bits(a, b));
  mpfr_max(greater.lower_.get(), a.lower_.get(), b.lower_.get(), MPFR_RNDD);
  mpfr_max(greater.upper_.get(), a.upper_.get(), b.upper_.get(), MPFR_RNDU);
  return greater;
}

Rational Enclosure::lower_exactly() const { return exact_value(lower_); }
Rational Enclosure::upper_exactly() const { return exact_value(upper_); }

bool Enclosure::is_finite() const {
  return mpfr_number_p(lower_.get()) != 0 && mpfr_number_p(upper_.get()) != 0;
}

int Enclosure::sign() const {
  if (mpfr_sgn(lower_.get()) > 0) return 1;
  return mpfr_sgn(upper_.get()) < 0 ? -1 : 0;
}

}  // namespace quantiplan
