#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "infinite/linear/cycle_policies.hpp"
#include "infinite/linear/elimination.hpp"
#include "infinite/linear/rational_system.hpp"

namespace quantiplan {
namespace {

// I - P with some outcomes of probability k/60 in each row, whose sum is below 1.
struct RandomSystem {
  SparseRows<Rational> rows;
  std::vector<Rational> dense;
  std::vector<Rational> right;

  RandomSystem(std::mt19937& random, std::uint32_t n) : dense(n * n, 0) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto add = [&](std::uint32_t j, const Rational& value) {
        rows.add(j, value);
        dense[i * n + j] += value;
      };
      add(i, 1);
      for (int k = 0; k < 3; ++k) {
        const long weight = static_cast<long>(random() % 20);
        Rational less(-weight, 60);
        less.canonicalize();
        add(static_cast<std::uint32_t>(random() % n), less);
      }
      rows.close_row_of_sums();
      right.emplace_back(static_cast<long>(random() % 7), 1 + static_cast<long>(random() % 9));
      right.back().canonicalize();
    }
  }
};

TEST(PrimeField, CountsAsWholeNumbersDo) {
  constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61U) - 1;
  const PrimeField field(kPrime);
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t a = random() % kPrime;
    const std::uint64_t b = random() % kPrime;
    const Integer product = Integer(static_cast<unsigned long>(a)) * static_cast<unsigned long>(b);
    const auto x = field.number(a);
    const auto y = field.number(b);
    EXPECT_EQ(field.plain(x), a);
    EXPECT_EQ(field.plain(field.product(x, y)), mpz_fdiv_ui(product.get_mpz_t(), kPrime));
    EXPECT_EQ(field.plain(field.less(field.product(x, y), x, y)), 0U);
    if (a != 0) {
      EXPECT_EQ(field.plain(field.product(x, field.inverse(x))), 1U);
    }
  }
}

TEST(SparseFactors, SolveWhatEliminationSolves) {
  std::mt19937 random(1);
  const Options options;
  const Limits limits(options);
  for (std::uint32_t n = 1; n < 40; ++n) {
    RandomSystem system(random, n);
    SparseRows<double> rows;
    rows.begin = system.rows.begin;
    rows.column = system.rows.column;
    std::vector<double> x;
    for (const Rational& value : system.rows.value) rows.value.push_back(value.get_d());
    for (const Rational& value : system.right) x.push_back(value.get_d());
    SparseFactors<DoubleField> factors;
    ASSERT_TRUE(factors.factor(rows, ~0ULL, limits));
    factors.solve(x);
    ASSERT_TRUE(eliminate(system.dense, system.right, [] { return false; }));
    for (std::uint32_t i = 0; i < n; ++i)
      EXPECT_NEAR(x[i], system.right[i].get_d(), 1e-9 * (1 + std::abs(x[i])));
  }
}

TEST(SparseFactors, StopWhereTheWorkIsTooMuch) {
  std::mt19937 random(1);
  const Options options;
  const Limits limits(options);
  const RandomSystem system(random, 50);
  SparseRows<double> rows;
  rows.begin = system.rows.begin;
  rows.column = system.rows.column;
  for (const Rational& value : system.rows.value) rows.value.push_back(value.get_d());
  SparseFactors<DoubleField> factors;
  EXPECT_FALSE(factors.factor(rows, 10, limits));
  EXPECT_TRUE(factors.empty());
}

TEST(RationalSystem, SolvesWhatEliminationSolves) {
  std::mt19937 random(2);
  const Options options;
  const Limits limits(options);
  for (std::uint32_t n = 1; n < 40; ++n) {
    RandomSystem system(random, n);
    const RationalSystem lifted(system.rows, limits);
    ASSERT_TRUE(lifted.is_ready());
    const auto x = lifted.solve(system.right, limits);
    const auto twice = lifted.solve(std::vector<Rational>(n, 0), limits);
    ASSERT_TRUE(eliminate(system.dense, system.right, [] { return false; }));
    ASSERT_TRUE(x);
    EXPECT_EQ(*x, system.right) << n;
    ASSERT_TRUE(twice);
    EXPECT_EQ(*twice, std::vector<Rational>(n, 0));
  }
}

// 2^61 + 15 is the first prime that it takes: here it stands in the denominators, and on the diagonal.
TEST(RationalSystem, TakesAnotherPrimeWhereOneDivides) {
  Integer prime = 1;
  prime <<= 61;
  mpz_nextprime(prime.get_mpz_t(), prime.get_mpz_t());
  const Rational unlucky(prime);
  SparseRows<Rational> rows;
  rows.add(0, unlucky / (unlucky + 1));
  rows.add(1, -1 / (unlucky + 1));
  rows.close_row_of_sums();
  rows.add(0, Rational(-1, 2));
  rows.add(1, 1);
  rows.close_row_of_sums();
  const Options options;
  const Limits limits(options);
  const RationalSystem system(rows, limits);
  ASSERT_TRUE(system.is_ready());
  const auto x = system.solve({Rational(1, 3), 1 / unlucky}, limits);
  ASSERT_TRUE(x);
  EXPECT_EQ(rows.value[0] * (*x)[0] + rows.value[1] * (*x)[1], Rational(1, 3));
  EXPECT_EQ(rows.value[2] * (*x)[0] + rows.value[3] * (*x)[1], 1 / unlucky);
}

// Chances of ruin: 60 states in a row, up with 1/3, down with 2/3; x_i = (2^i - 1) / (2^61 - 1).
TEST(RationalSystem, KnowsTheGamblersRuin) {
  constexpr std::uint32_t kStates = 60;
  SparseRows<Rational> rows;
  std::vector<Rational> right(kStates, 0);
  for (std::uint32_t i = 0; i < kStates; ++i) {
    rows.add(i, 1);
    if (i > 0) rows.add(i - 1, Rational(-2, 3));
    if (i + 1 < kStates) rows.add(i + 1, Rational(-1, 3));
    rows.close_row_of_sums();
  }
  right.back() = Rational(1, 3);
  const Options options;
  const Limits limits(options);
  const auto x = RationalSystem(rows, limits).solve(right, limits);
  ASSERT_TRUE(x);
  Integer all = 1;
  all <<= kStates + 1;
  for (std::uint32_t i = 0; i < kStates; ++i) {
    Integer part = 1;
    part <<= i + 1;
    EXPECT_EQ((*x)[i], Rational(Integer(part - 1)) / Rational(Integer(all - 1)));
  }
}

// Two states that lead to each other; each may leave, for 1/2 at once or, from the second, for 3/4.
TEST(CyclePolicies, FindTheBestWayOut) {
  CyclePolicies cycle;
  cycle.close_option();  // out
  cycle.add_arc(1, 0.9);
  cycle.close_option();  // on to the second, but for 1/10
  cycle.close_group();
  cycle.add_arc(0, 1);
  cycle.close_option();  // back
  cycle.close_option();  // out
  cycle.close_group();
  const std::vector<double> constant{0.5, 0, 0, 0.75};
  std::vector<std::uint32_t> policy{0, 2};
  std::vector<double> x;
  const Options options;
  ASSERT_TRUE(cycle.improve(constant, policy, x, 1e-12, Limits(options)));
  EXPECT_EQ(policy, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_DOUBLE_EQ(x[0], 0.9 * 0.75);
  EXPECT_DOUBLE_EQ(x[1], 0.75);
}

}  // namespace
}  // namespace quantiplan
