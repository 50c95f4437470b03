#include "promise/promise_search.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace quantiplan {
namespace {

// A hull of three points (P, E): (0, 4), (1/2, 3), (1, 0), of one target.
class Triangle : public HullOracle {
 public:
  std::optional<std::vector<Prospect>> run(const Aim& aim, Limits&, Work&) override {
    ++runs;
    const std::pair<Rational, Rational> points[] = {{0, 4}, {Rational(1, 2), 3}, {1, 0}};
    const Rational weight = aim.weight.value_or(1000);
    const auto* best = &points[0];
    for (const auto& point : points)
      if (point.second + weight * point.first >= best->second + weight * best->first) best = &point;
    Prospect out;
    out.probability = Value::exactly(best->first);
    out.chance = best->first;
    out.mean = best->second;
    if (aim.weight) out.optimum = best->second + weight * best->first;
    return std::vector<Prospect>{out};
  }
  std::optional<Rational> exact_probability(const Aim&, std::size_t, Limits&) override {
    return std::nullopt;
  }
  [[nodiscard]] Rational rounded(const Rational& weight) const override {
    ++slopes;
    return weight;
  }

  int runs = 0;
  mutable int slopes = 0;
};

std::vector<PromiseFound> search(Triangle& hull, const std::vector<Promise>& promises) {
  const Options options;
  Limits limits(options);
  Work work;
  return search_promises({hull}, promises, limits, work);
}

TEST(PromiseSearch, FindsTheBestMeanAndTheBoundOfEachPromise) {
  Triangle hull;
  const auto found = search(hull,
                            {{Rational(1, 4), Side::upper, std::nullopt},
                             {Rational(3, 4), Side::upper, std::nullopt},
                             {Rational(1, 2), Side::upper, std::nullopt},
                             {Rational(1, 2), Side::lower, std::nullopt},
                             {1, Side::upper, std::nullopt}});
  // On the lines between the points.
  const char* bounds[] = {"7/2", "3/2", "3", "3", "0"};
  const char* means[] = {"3", "0", "3", "0", "0"};
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(*found[i].bound, Rational(bounds[i])) << i;
    EXPECT_EQ(found[i].kept->at.mean, Rational(means[i])) << i;
    EXPECT_TRUE(found[i].is_finished) << i;
  }
}

TEST(PromiseSearch, AsksNoMoreOfManyPromisesThanOfTwo) {
  Triangle few;
  search(
      few,
      {{Rational(1, 4), Side::upper, std::nullopt}, {Rational(3, 4), Side::upper, std::nullopt}});
  std::vector<Promise> promises;
  for (int i = 1; i < 5000; ++i) promises.push_back({Rational(i, 5000), Side::upper, std::nullopt});
  for (Promise& promise : promises) promise.theta.canonicalize();
  Triangle many;
  const auto found = search(many, promises);
  EXPECT_EQ(many.runs, few.runs);
  EXPECT_EQ(many.slopes, few.slopes);
  for (std::size_t i = 0; i < promises.size(); ++i) {
    const Rational& theta = promises[i].theta;
    EXPECT_EQ(*found[i].bound,
              theta <= Rational(1, 2) ? Rational(4 - 2 * theta) : Rational(6 - 6 * theta));
  }
}

}  // namespace
}  // namespace quantiplan
