#include "infinite/linear/rational_system.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace quantiplan {
namespace {

constexpr std::uint64_t kNoWorkLimit = std::numeric_limits<std::uint64_t>::max();
// A pivot is 0 modulo one prime by chance; modulo so many there is no inverse.
constexpr int kMostPrimes = 64;

Integer common_denominator(const SparseRows<Rational>& matrix, std::size_t row) {
  Integer out = 1;
  for (std::uint64_t k = matrix.begin[row]; k < matrix.begin[row + 1]; ++k)
    mpz_lcm(out.get_mpz_t(), out.get_mpz_t(), matrix.value[k].get_den_mpz_t());
  return out;
}

// n / d = residue modulo `modulus` with 0 <= |n| <= greatest and the least d > 0 that Euclid's algorithm finds.
Integer denominator_of(const Integer& residue, const Integer& modulus, const Integer& greatest) {
  Integer r = modulus;
  Integer next = residue;
  Integer d = 0;
  Integer next_d = 1;
  Integer quotient;
  while (next > greatest) {
    mpz_tdiv_qr(quotient.get_mpz_t(), r.get_mpz_t(), r.get_mpz_t(), next.get_mpz_t());
    swap(r, next);
    d -= quotient * next_d;
    swap(d, next_d);
  }
  return abs(next_d);
}

// Between -modulus / 2 and modulus / 2.
void centre(Integer& number, const Integer& modulus, const Integer& half) {
  mpz_fdiv_r(number.get_mpz_t(), number.get_mpz_t(), modulus.get_mpz_t());
  if (number > half) number -= modulus;
}

}  // namespace

RationalSystem::RationalSystem(const SparseRows<Rational>& matrix, const Limits& limits) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    scale_.push_back(common_denominator(matrix, i));
    for (std::uint64_t k = matrix.begin[i]; k < matrix.begin[i + 1]; ++k)
      rows_.add(matrix.column[k],
                matrix.value[k].get_num() * Integer(scale_[i] / matrix.value[k].get_den()));
    rows_.close_row();
  }
  Integer prime = 1;
  prime <<= 61;
  for (int i = 0; i < kMostPrimes && !limits.ended(); ++i) {
    mpz_nextprime(prime.get_mpz_t(), prime.get_mpz_t());
    if (factor(prime.get_ui(), limits)) return;
    if (!limits.would_fit(rows_.column.size() * SparseFactors<PrimeField>::kBytesPerEntry)) return;
  }
}

bool RationalSystem::factor(std::uint64_t prime, const Limits& limits) {
  field_.emplace(prime);
  factors_.emplace(*field_);
  SparseRows<Number> residues;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (std::uint64_t k = rows_.begin[i]; k < rows_.begin[i + 1]; ++k)
      residues.add(rows_.column[k], field_->number(mpz_fdiv_ui(rows_.value[k].get_mpz_t(), prime)));
    residues.close_row();
  }
  return factors_->factor(residues, kNoWorkLimit, limits);
}

// One right-hand side.
class RationalSystem::Lifting {
 public:
  Lifting(const RationalSystem& system, const std::vector<Rational>& b) : system_(system) {
    std::vector<Rational> scaled;
    for (std::size_t i = 0; i < b.size(); ++i) {
      scaled.emplace_back(b[i] * Rational(system.scale_[i]));
      mpz_lcm(unit_.get_mpz_t(), unit_.get_mpz_t(), scaled.back().get_den_mpz_t());
    }
    for (const Rational& each : scaled)
      right_.emplace_back(each.get_num() * Integer(unit_ / each.get_den()));
    left_ = right_;
    sum_.assign(b.size(), 0);
  }

  // x mod p^k -> x mod p^(k + 1)
  void lift() {
    const PrimeField& field = *system_.field_;
    const std::uint64_t prime = field.prime();
    std::vector<Number> x(left_.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = field.number(mpz_fdiv_ui(left_[i].get_mpz_t(), prime));
    system_.factors_->solve(x);
    std::vector<std::uint64_t> digit(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      digit[i] = field.plain(x[i]);
      mpz_addmul_ui(sum_[i].get_mpz_t(), power_.get_mpz_t(), digit[i]);
    }
    const SparseRows<Integer>& rows = system_.rows_;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::uint64_t k = rows.begin[i]; k < rows.begin[i + 1]; ++k)
        mpz_submul_ui(left_[i].get_mpz_t(), rows.value[k].get_mpz_t(), digit[rows.column[k]]);
      mpz_divexact_ui(left_[i].get_mpz_t(), left_[i].get_mpz_t(), prime);
    }
    power_ *= Integer(static_cast<unsigned long>(prime));
  }

  // The solution, if it has come out.
  [[nodiscard]] std::optional<std::vector<Rational>> found(const Limits& limits) const {
    // |n| <= unit * greatest, d <= greatest, 2 n d <= p^k
    Integer greatest = sqrt(Integer(power_ / (2 * unit_)));
    const Integer most = greatest * unit_;
    const Integer half = power_ / 2;
    Integer common = 1;
    std::vector<Integer> numerators;
    for (const Integer& residue : sum_) {
      Integer n = residue * common;
      centre(n, power_, half);
      if (abs(n) > most) {
        if (limits.ended()) return std::nullopt;
        mpz_fdiv_r(n.get_mpz_t(), n.get_mpz_t(), power_.get_mpz_t());
        const Integer more = denominator_of(n, power_, most);
        common *= more;
        if (common > greatest) return std::nullopt;
        for (Integer& known : numerators) known *= more;
        n *= more;
        centre(n, power_, half);
      }
      numerators.push_back(std::move(n));
    }
    if (!holds(numerators, common)) return std::nullopt;
    std::vector<Rational> out;
    const Integer denominator = common * unit_;
    for (const Integer& n : numerators) {
      out.emplace_back(n, denominator);
      out.back().canonicalize();
    }
    return out;
  }

 private:
  // A n = b d, in whole numbers.
  [[nodiscard]] bool holds(const std::vector<Integer>& n, const Integer& d) const {
    const SparseRows<Integer>& rows = system_.rows_;
    Integer sum;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      sum = right_[i] * d;
      for (std::uint64_t k = rows.begin[i]; k < rows.begin[i + 1]; ++k)
        sum -= rows.value[k] * n[rows.column[k]];
      if (sum != 0) return false;
    }
    return true;
  }

  const RationalSystem& system_;
  Integer unit_ = 1;            // common denominator of the right-hand side
  std::vector<Integer> right_;  // times the unit
  std::vector<Integer> left_;   // r_k
  std::vector<Integer> sum_;    // x mod p^k
  Integer power_ = 1;           // p^k
};

std::optional<std::vector<Rational>> RationalSystem::solve(const std::vector<Rational>& b,
                                                           const Limits& limits) const {
  Lifting lifting(*this, b);
  for (std::uint64_t k = 1, next = 1;; ++k) {
    if (limits.ended()) return std::nullopt;
    lifting.lift();
    if (k < next) continue;
    if (auto out = lifting.found(limits)) return out;
    next = k + std::max<std::uint64_t>(1, k / 2);
  }
}

}  // namespace quantiplan
