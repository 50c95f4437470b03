#include "domains/poisson.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace quantiplan {
namespace {

// Mean 2 on 1..3: weights 2, 2, 4/3, that is 3/8, 3/8, 2/8.
TEST(Poisson, IsExactWhereTheGridAllows) {
  EXPECT_EQ(poisson_units(2, 1, 3, 8), (std::vector<std::uint64_t>{3, 3, 2}));
  EXPECT_EQ(poisson_units(2, 1, 3, 800), (std::vector<std::uint64_t>{300, 300, 200}));
}

// Shares of 7: 2.625, 2.625, 1.75. The last takes the largest remainder, the first the tie.
TEST(Poisson, LargestRemaindersAreRoundedUpAndTiesGoToTheSmaller) {
  EXPECT_EQ(poisson_units(2, 1, 3, 7), (std::vector<std::uint64_t>{3, 2, 2}));
}

TEST(Poisson, OneValueIsCertain) {
  EXPECT_EQ(poisson_units(5, 4, 4, 10), (std::vector<std::uint64_t>{10}));
}

TEST(Poisson, SumIsTheGridAndEveryEntryIsWithinOneUnit) {
  constexpr std::uint64_t kGrid = 1'000'000;
  const std::vector<std::uint64_t> units = poisson_units(75, 1, 90, kGrid);
  ASSERT_EQ(units.size(), 90u);
  EXPECT_EQ(std::accumulate(units.begin(), units.end(), std::uint64_t{0}), kGrid);
  std::vector<double> law;
  for (int j = 1; j <= 90; ++j) law.push_back(std::exp(j * std::log(75.0) - std::lgamma(j + 1.0)));
  const double sum = std::accumulate(law.begin(), law.end(), 0.0);
  for (std::size_t i = 0; i < units.size(); ++i) {
    const double share = law[i] / sum * static_cast<double>(kGrid);
    EXPECT_LT(std::abs(static_cast<double>(units[i]) - share), 1.001) << "at " << i + 1;
  }
  EXPECT_EQ(units[0], 0u);
}

}  // namespace
}  // namespace quantiplan
