#include "numbers/float_row.hpp"

#include <algorithm>

#include "numbers/interner.hpp"

namespace quantiplan {
namespace {

constexpr int kMost = RowTolerance::kMostDecimals;
// Below 2^32 terms of at most 10^28 do not pass 128 bits.
constexpr std::size_t kMostTerms = 0xFFFFFFFF;

constexpr std::array<UInt128, kMost + 1> kLongPowersOfTen = [] {
  std::array<UInt128, kMost + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

constexpr UInt128 power_of_ten(int exponent) noexcept {
  return kLongPowersOfTen[static_cast<std::size_t>(exponent)];
}

SettledNumber settled(const LongFraction& value) noexcept {
  const auto small = to_fraction(value);
  return {value, small ? NumberInterner::hash_of(*small) : NumberInterner::hash_of(value)};
}

}  // namespace

RowTolerance::RowTolerance(const Rational& tolerance) {
  Integer power = 1;
  for (UInt128& most : most_) {
    const Rational scaled = tolerance * power;
    const Integer whole = scaled.get_num() / scaled.get_den();
    most = to_long_fraction(Rational(whole))->numerator;
    power *= 10;
  }
}

template <class Float>
bool FloatRow::settle(std::span<const Float> row,
                      const RowTolerance& tolerance,
                      std::span<SettledNumber> out) {
  if (row.size() > kMostTerms) return false;
  decimals_.resize(row.size());
  most_decimals_ = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Float p = row[i];
    if (!(p >= 0 && p <= 1)) return false;
    decimals_[i] = known_(p, [](Float given) {
      return given == 0 ? Decimal{} : given == 1 ? Decimal{1, 0, false} : shortest_decimal(given);
    });
    most_decimals_ = std::max(most_decimals_, -decimals_[i].exponent);
  }
  if (most_decimals_ > kMost) return false;
  total_ = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    out[i].value.numerator =
        decimals_[i].digits * power_of_ten(most_decimals_ + decimals_[i].exponent);
    total_ += out[i].value.numerator;
  }
  const UInt128 one = power_of_ten(most_decimals_);
  const UInt128 off = total_ > one ? total_ - one : one - total_;
  if (off > tolerance.most(most_decimals_)) return false;
  deviation_ = off * power_of_ten(kMost - most_decimals_);
  share(out);
  return true;
}

void FloatRow::share(std::span<SettledNumber> out) const {
  // Of a few equal ones, as rows of real models have them, only the first is reduced.
  for (std::size_t i = 0; i < out.size(); ++i) {
    const UInt128 part = out[i].value.numerator;
    if (part == 0) {
      out[i] = {};
    } else if (i > 0 && decimals_[i].digits == decimals_[i - 1].digits &&
               decimals_[i].exponent == decimals_[i - 1].exponent) {
      out[i] = out[i - 1];
    } else {
      const UInt128 divisor = greatest_common_divisor(total_, part);
      out[i] = divisor == 1 ? settled({part, total_}) : settled({part / divisor, total_ / divisor});
    }
  }
}

LongFraction FloatRow::sum() const noexcept { return {total_, power_of_ten(most_decimals_)}; }

template bool FloatRow::settle(std::span<const double>,
                               const RowTolerance&,
                               std::span<SettledNumber>);
template bool FloatRow::settle(std::span<const float>,
                               const RowTolerance&,
                               std::span<SettledNumber>);

}  // namespace quantiplan
