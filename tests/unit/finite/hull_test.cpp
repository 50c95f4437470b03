#include "finite/promise/hull.hpp"

#include <gtest/gtest.h>

#include "finite/promise/coin.hpp"

namespace quantiplan {
namespace {

struct Pair {
  Rational chance;
  Rational mean;
};

// Policies given by their points: the best of each aim, as passes would find it.
class GivenPoints : public PromisePasses {
 public:
  explicit GivenPoints(std::vector<Pair> points) : points_(std::move(points)) {}

  std::optional<std::vector<Prospect>> run(const Aim& aim, Limits&, Work& work) override {
    ++work.passes;
    const Pair* best = nullptr;
    for (const Pair& point : points_) {
      if (best == nullptr || is_better(aim, point, *best)) best = &point;
    }
    Prospect out;
    out.probability = Value::exactly(best->chance);
    out.chance = best->chance;
    out.mean = best->mean;
    if (aim.weight) out.optimum = Rational(best->mean + *aim.weight * best->chance);
    return std::vector<Prospect>{out};
  }
  std::optional<AimedRules> rules(const Aim&, Limits&) override { return std::nullopt; }
  std::optional<Rational> exact_probability(const Aim&, std::size_t, Limits&) override {
    return std::nullopt;
  }
  [[nodiscard]] Rational rounded(const Rational& weight) const override { return weight; }
  [[nodiscard]] bool is_exact() const override { return true; }

 private:
  static bool is_better(const Aim& aim, const Pair& a, const Pair& b) {
    if (!aim.weight) return a.chance != b.chance ? a.chance > b.chance : a.mean > b.mean;
    const Rational x = a.mean + *aim.weight * a.chance;
    const Rational y = b.mean + *aim.weight * b.chance;
    return x != y ? x > y : a.chance > b.chance;
  }
  std::vector<Pair> points_;
};

Hull hull_of(const std::vector<Pair>& points, const Rational& gap = 0, std::size_t most = 100) {
  const Options options;
  Limits limits(options);
  Work work;
  GivenPoints passes(points);
  return trace_hull({passes, nullptr, gap, most}, limits, work);
}

std::vector<std::string> chances(const Hull& hull) {
  std::vector<std::string> out;
  for (const Vertex& vertex : hull.vertices) out.push_back(to_text(vertex.point.at.chance));
  return out;
}

// (0, 10), (1/2, 9), (3/4, 6), (1, 0): slopes 2, 12, 24. (1/4, 9) and (7/8, 2) lie below.
const std::vector<Pair> kFive = {{0, 10},
                                 {Rational(1, 4), 9},
                                 {Rational(1, 2), 9},
                                 {Rational(3, 4), 6},
                                 {Rational(7, 8), 2},
                                 {1, 0}};

TEST(Hull, HasItsVerticesAndNothingElse) {
  const Hull hull = hull_of(kFive);
  EXPECT_TRUE(hull.is_finished);
  EXPECT_EQ(chances(hull), (std::vector<std::string>{"0", "0.5", "0.75", "1"}));
  EXPECT_EQ(*hull.above, 0);
  for (const Vertex& vertex : hull.vertices) EXPECT_EQ(vertex.bound, vertex.point.at.mean);
}

TEST(Hull, SaysHowFarItMayLieAboveWhatWasFound) {
  // A line from (0, 10) to (1, 0): the hull lies above it by 4 at 1/2, and no more.
  const Hull hull = hull_of(kFive, 0, 2);
  EXPECT_FALSE(hull.is_finished);
  EXPECT_EQ(chances(hull), (std::vector<std::string>{"0", "1"}));
  EXPECT_GE(*hull.above, 4);
  const Hull rough = hull_of(kFive, Rational(1, 4));
  EXPECT_TRUE(rough.is_finished);
  EXPECT_LE(*rough.above, Rational(10, 4));
}

TEST(Hull, IsOnePointWhereOnePolicyIsBestInBoth) {
  EXPECT_EQ(chances(hull_of({{Rational(1, 2), 3}, {Rational(1, 4), 2}})),
            (std::vector<std::string>{"0.5"}));
  EXPECT_EQ(chances(hull_of({{Rational(1, 2), 3}, {Rational(3, 4), 3}})),
            (std::vector<std::string>{"0.75"}));
}

PointOfHull point(const Rational& chance, const Rational& mean) {
  Prospect at;
  at.probability = Value::exactly(chance);
  at.chance = chance;
  at.mean = mean;
  return {Aim::weighted(1), at};
}

PromiseFound between(const PointOfHull& below, const PointOfHull& above) {
  PromiseFound found;
  found.bound = 0;
  found.kept = std::make_shared<const PointOfHull>(above);
  found.below = std::make_shared<const PointOfHull>(below);
  found.above = found.kept;
  return found;
}

// 0.802 and -31.89, 1 and -40: 50/99 of the first makes 0.9.
TEST(Coin, AttainsTheBoundOnTheUpperSide) {
  const PromiseFound found =
      between(point(Rational(401, 500), Rational(-3189, 100)), point(1, -40));
  const auto coin = coin_of(found, {Rational(9, 10), Side::upper, std::nullopt}, false);
  ASSERT_TRUE(coin && coin->second);
  EXPECT_EQ(coin->chance, Rational(50, 99));
  EXPECT_EQ(coin->probability, Rational(9, 10));
  EXPECT_EQ(coin->mean, Rational(50, 99) * Rational(-3189, 100) + Rational(49, 99) * -40);
}

TEST(Coin, KeepsThePromiseStrictlyOnTheLowerSide) {
  const PromiseFound found =
      between(point(Rational(401, 500), Rational(-3189, 100)), point(1, -40));
  const auto coin = coin_of(found, {Rational(9, 10), Side::lower, std::nullopt}, false);
  ASSERT_TRUE(coin && coin->second);
  EXPECT_GT(coin->probability, Rational(9, 10));
  EXPECT_EQ(coin->chance, Rational(50, 99) - Rational(1, 1048576));
}

TEST(Coin, IsNotTossedWhereOnePolicyIsAsGood) {
  PromiseFound found = between(point(Rational(95, 100), 7), point(1, -40));
  found.kept = found.below;
  const auto coin = coin_of(found, {Rational(9, 10), Side::upper, std::nullopt}, false);
  ASSERT_TRUE(coin);
  EXPECT_FALSE(coin->second);
  EXPECT_EQ(coin->mean, 7);
}

}  // namespace
}  // namespace quantiplan
