#include "evaluate/infinite/transient_block.hpp"

#include <gtest/gtest.h>

#include <random>

#include "evaluate/infinite/visits.hpp"

namespace quantiplan {
namespace {

// n states, each with a few moves to others and to itself, and a leak; strongly connected by a
// ring.
BlockMoves<Rational> random_block(unsigned seed, std::uint32_t n, std::uint32_t leak_weight) {
  std::mt19937 generator(seed);
  const auto random = [&](std::uint32_t m) { return static_cast<std::uint32_t>(generator()) % m; };
  BlockMoves<Rational> moves;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<std::uint32_t> weight(n);
    weight[(i + 1) % n] += 1;
    for (int more = 0; more < 3; ++more) weight[random(n)] += random(1000);
    std::uint32_t sum = leak_weight;
    for (const std::uint32_t w : weight) sum += w;
    moves.rows.emplace_back();
    for (std::uint32_t j = 0; j < n; ++j) {
      Rational p(weight[j], sum);
      p.canonicalize();
      if (weight[j] > 0) moves.rows.back().push_back({j, p});
    }
    Rational leak(leak_weight, sum);
    leak.canonicalize();
    moves.leak.push_back(leak);
  }
  return moves;
}

BlockMoves<double> rounded(const BlockMoves<Rational>& moves) {
  BlockMoves<double> out;
  for (const auto& row : moves.rows) {
    out.rows.emplace_back();
    for (const auto& move : row)
      out.rows.back().push_back({move.to, to_nearest_double(move.probability)});
  }
  for (const Rational& leak : moves.leak) out.leak.push_back(to_nearest_double(leak));
  return out;
}

std::vector<Rational> exact_visits(const BlockMoves<Rational>& moves, std::vector<Rational> mass) {
  const Options options;
  const Limits limits(options);
  EXPECT_TRUE(
      TransientBlock<Rational>::make(moves, ~std::uint64_t{0}, limits)->solve(mass, limits));
  return mass;
}

std::vector<Rational> enters(std::uint32_t n) {
  std::vector<Rational> mass(n);
  for (std::uint32_t i = 0; i < n; ++i) mass[i] = Rational(i % 3 == 0 ? 1 : 0, 1 + i);
  for (Rational& m : mass) m.canonicalize();
  return mass;
}

// How much what leaves differs, summed over the states.
Rational off(const BlockMoves<Rational>& moves,
             const std::vector<Rational>& truth,
             const std::vector<double>& found) {
  Rational sum = 0;
  for (std::size_t i = 0; i < truth.size(); ++i)
    sum += abs(Rational(Rational(found[i]) - truth[i])) * moves.leak[i];
  return sum;
}

TEST(TransientBlock, SolvesTheEquationExactly) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::uint32_t n = 1 + seed % 13;
    const auto moves = random_block(seed, n, 1 + seed % 5);
    const std::vector<Rational> mass = enters(n);
    const std::vector<Rational> visits = exact_visits(moves, mass);
    std::vector<Rational> right = mass;  // m + v Q
    Rational out = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (const auto& move : moves.rows[i]) right[move.to] += visits[i] * move.probability;
      out += visits[i] * moves.leak[i];
    }
    EXPECT_EQ(visits, right);
    for (const Rational& m : mass) out -= m;
    EXPECT_EQ(out, 0);  // all that enters leaves
  }
}

TEST(TransientBlock, KeepsWithinItsBoundInDoublesHoweverSlowTheChain) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::uint32_t n = 1 + seed % 17;
    auto moves = random_block(seed, n, 1);
    // Leaks of a billionth of a billionth: 10^18 visits.
    for (std::uint32_t i = 0; i < n; ++i) {
      const Rational scale =
          (1 - moves.leak[i] / Rational("1000000000000000000")) / (1 - moves.leak[i]);
      for (auto& move : moves.rows[i]) move.probability *= scale;
      moves.leak[i] /= Rational("1000000000000000000");
    }
    const std::vector<Rational> mass = enters(n);
    const std::vector<Rational> truth = exact_visits(moves, mass);
    Rational entered = 0;
    std::vector<double> found;
    for (const Rational& m : mass) {
      entered += m;
      found.push_back(m.get_d());
    }
    const Options options;
    const Limits limits(options);
    EXPECT_TRUE(TransientBlock<double>::make(rounded(moves), ~std::uint64_t{0}, limits)
                    ->solve(found, limits));
    EXPECT_LE(off(moves, truth, found),
              entered * Rational((block_roundings(n) + 1) * 0x1p-53) + Rational(0x1p-53))
        << seed;
  }
}

TEST(TransientBlock, GivesUpWhereThereIsTooMuchToDo) {
  const auto moves = rounded(random_block(1, 200, 1));
  const Options options;
  const Limits limits(options);
  EXPECT_FALSE(TransientBlock<double>::make(moves, 1000, limits).has_value());
}

TEST(Visits, IterationAgreesWithEliminationWithinTheErrorOfBoth) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::uint32_t n = 2 + seed;
    const auto moves = random_block(seed, n, 200);
    const auto doubles = rounded(moves);
    const std::vector<Rational> mass = enters(n);
    const std::vector<Rational> truth = exact_visits(moves, mass);
    std::vector<double> entered;
    entered.reserve(mass.size());
    for (const Rational& m : mass) entered.push_back(to_nearest_double(m));
    const Options options;
    const Limits limits(options);
    std::vector<double> iterated = entered;
    ASSERT_TRUE(iterate_visits(doubles, limits, iterated));
    const double error = visits_error(doubles, entered, iterated);
    EXPECT_LT(error, 1e-12);
    EXPECT_LE(off(moves, truth, iterated), Rational(error) + Rational(0x1p-52)) << seed;
  }
}

TEST(Visits, TheErrorOfAnythingIsBounded) {
  const auto moves = random_block(3, 6, 50);
  const std::vector<Rational> mass = enters(6);
  const std::vector<Rational> truth = exact_visits(moves, mass);
  std::vector<double> entered;
  entered.reserve(mass.size());
  for (const Rational& m : mass) entered.push_back(to_nearest_double(m));
  std::vector<double> wrong;
  wrong.reserve(truth.size());
  for (const Rational& v : truth)
    wrong.push_back(v.get_d() * (wrong.size() % 2 == 0 ? 1.01 : 0.98));
  const double error = visits_error(rounded(moves), entered, wrong);
  EXPECT_GT(error, 1e-3);
  EXPECT_LE(off(moves, truth, wrong), Rational(error));
}

}  // namespace
}  // namespace quantiplan
