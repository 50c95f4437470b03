#include "promise/promise_search.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace quantiplan {
namespace {

using Points = std::vector<std::pair<Rational, Rational>>;

// A hull of points (P, E) of one target, the least P first.
class Hull : public HullOracle {
 public:
  explicit Hull(Points points) : points_(std::move(points)) {}
  std::optional<std::vector<Prospect>> run(const Aim& aim, Limits&, Work&) override {
    ++runs;
    const Rational weight = aim.weight.value_or(1000);
    const auto* best = &points_[0];
    for (const auto& point : points_)
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

 private:
  Points points_;
};

Hull triangle() { return Hull({{0, 4}, {Rational(1, 2), 3}, {1, 0}}); }

std::vector<PromiseFound> search(Hull& hull,
                                 const std::vector<Promise>& promises,
                                 const Rational& gap = 0) {
  const Options options;
  Limits limits(options);
  Work work;
  return search_promises({hull, nullptr, gap}, promises, limits, work);
}

TEST(PromiseSearch, FindsTheBestMeanAndTheBoundOfEachPromise) {
  Hull hull = triangle();
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
  Hull few = triangle();
  search(
      few,
      {{Rational(1, 4), Side::upper, std::nullopt}, {Rational(3, 4), Side::upper, std::nullopt}});
  std::vector<Promise> promises;
  for (int i = 1; i < 5000; ++i) promises.push_back({Rational(i, 5000), Side::upper, std::nullopt});
  for (Promise& promise : promises) promise.theta.canonicalize();
  Hull many = triangle();
  const auto found = search(many, promises);
  EXPECT_EQ(many.runs, few.runs);
  EXPECT_EQ(many.slopes, few.slopes);
  for (std::size_t i = 0; i < promises.size(); ++i) {
    const Rational& theta = promises[i].theta;
    EXPECT_EQ(*found[i].bound,
              theta <= Rational(1, 2) ? Rational(4 - 2 * theta) : Rational(6 - 6 * theta));
  }
}

// The corner at 2/5 is cut off to less than 1/1000 of what the promise can cost: a pass for the edge
// before it would lower the bound by that.
TEST(PromiseSearch, MakesNoPassForWhatIsNextToNothing) {
  const Points points = {{Rational(1, 40), 100},
                         {Rational(1, 8), Rational(497, 5)},
                         {Rational(2, 5), Rational(939, 10)},
                         {Rational(17, 40), Rational(747, 8)},
                         {Rational(33, 40), Rational(2903, 40)}};
  const std::vector<Promise> promise = {{Rational(1, 4), Side::upper, std::nullopt}};
  Hull whole(points);
  const auto all = search(whole, promise);
  Hull nearly(points);
  const auto found = search(nearly, promise, Rational(1, 10));
  EXPECT_EQ(whole.runs, 6);
  EXPECT_EQ(nearly.runs, 5);
  EXPECT_EQ(*all[0].bound, Rational(969, 10));
  EXPECT_EQ(*found[0].bound, Rational(7753, 80));
  for (const PromiseFound& each : {all[0], found[0]}) {
    EXPECT_EQ(each.kept->at.mean, Rational(939, 10));
    EXPECT_TRUE(each.is_finished);
  }
}

}  // namespace
}  // namespace quantiplan
