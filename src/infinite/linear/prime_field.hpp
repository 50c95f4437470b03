// Numbers modulo an odd prime below 2^62, kept as a 2^64 mod p, so that products need no division [Mo].
#pragma once

#include <cstdint>

namespace quantiplan {

class PrimeField {
 public:
  struct Number {
    std::uint64_t shifted = 0;
    friend bool operator==(const Number&, const Number&) = default;
  };

  explicit PrimeField(std::uint64_t prime) : prime_(prime) {
    // Newton: every step doubles the digits that are right; p p = 1 mod 8.
    std::uint64_t inverse = prime;
    for (int i = 0; i < 5; ++i) inverse *= 2 - prime * inverse;
    minus_inverse_ = 0 - inverse;
    const auto shift = static_cast<std::uint64_t>((Wide{1} << 64U) % prime);
    shift_squared_ = static_cast<std::uint64_t>(Wide{shift} * shift % prime);
  }

  [[nodiscard]] std::uint64_t prime() const noexcept { return prime_; }
  // a < p
  [[nodiscard]] Number number(std::uint64_t a) const { return {reduced(Wide{a} * shift_squared_)}; }
  [[nodiscard]] std::uint64_t plain(Number a) const { return reduced(a.shifted); }
  [[nodiscard]] Number product(Number a, Number b) const {
    return {reduced(Wide{a.shifted} * b.shifted)};
  }
  // a - b c
  [[nodiscard]] Number less(Number a, Number b, Number c) const {
    const std::uint64_t taken = reduced(Wide{b.shifted} * c.shifted);
    return {a.shifted >= taken ? a.shifted - taken : a.shifted + prime_ - taken};
  }
  // a^(p - 2), a not 0
  [[nodiscard]] Number inverse(Number a) const {
    Number out = number(1);
    for (std::uint64_t power = prime_ - 2; power != 0; power >>= 1U) {
      if ((power & 1U) != 0) out = product(out, a);
      a = product(a, a);
    }
    return out;
  }
  [[nodiscard]] static bool is_pivot(Number a) { return a.shifted != 0; }

 private:
  __extension__ using Wide = unsigned __int128;

  // a / 2^64 mod p, a < p 2^64
  [[nodiscard]] std::uint64_t reduced(Wide a) const {
    const std::uint64_t times = static_cast<std::uint64_t>(a) * minus_inverse_;
    const auto out = static_cast<std::uint64_t>((a + Wide{times} * prime_) >> 64U);
    return out >= prime_ ? out - prime_ : out;
  }

  std::uint64_t prime_;
  std::uint64_t minus_inverse_;  // -1 / p mod 2^64
  std::uint64_t shift_squared_;  // 2^128 mod p
};

}  // namespace quantiplan
