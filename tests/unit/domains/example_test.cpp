// examples/datacenter.json is what the generator yields with its defaults, byte for byte. To renew
// it after a change of the generator, run this test with QUANTIPLAN_RENEW_EXAMPLES=1 and commit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "domains/datacenter.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

TEST(Example, DatacenterFileIsWhatTheGeneratorYields) {
  const std::string path = QUANTIPLAN_SOURCE_DIR "/examples/datacenter.json";
  const std::string text = format_model(datacenter({}), Format::json);
  if (std::getenv("QUANTIPLAN_RENEW_EXAMPLES") != nullptr) write_text(path, text);
  EXPECT_TRUE(read_text(path) == text) << path << " is stale";
  EXPECT_LT(text.size(), 500'000u);
}

// The values the header of the generator states; derived with an independent program as well.
TEST(Example, DatacenterQuantileAndExpectationDisagree) {
  Query query;
  query.taus = {Rational(1, 10)};
  const Model model = datacenter({});
  query.prefer = Prefer::probability;
  const Result result = solve(model, query).results.at(0);
  EXPECT_EQ(result.certificate, Certificate::exact);
  EXPECT_EQ(result.quantile, Rational(-80));
  EXPECT_NEAR(result.probability.value().nearest, 0.9101, 1e-4);
  EXPECT_NEAR(result.mean.value().nearest, -85.28, 1e-2);
  const ExpectationComparison& other = result.expectation_policy.value();
  EXPECT_EQ(other.quantile, Rational(-120));
  EXPECT_NEAR(other.probability.nearest, 0.7013, 1e-4);
  EXPECT_NEAR(other.mean.nearest, -70.14, 1e-2);
}

// The same promise costs 1.6 of the mean, not 15.
TEST(Example, DatacenterKeepsItsPromiseAtASmallPrice) {
  Query query;
  query.taus = {Rational(1, 10)};
  query.prefer = Prefer::mean;
  query.mean_gap = Rational(0);
  const Result result = solve(datacenter({}), query).results.at(0);
  EXPECT_EQ(result.quantile, Rational(-80));
  EXPECT_EQ(result.prefer, Prefer::mean);
  EXPECT_NEAR(result.probability.value().nearest, 0.900222, 1e-6);
  EXPECT_NEAR(result.mean.value().nearest, -71.7456, 1e-4);
  EXPECT_NEAR(result.mean_bound.value().nearest, -71.7267, 1e-4);
}

}  // namespace
}  // namespace quantiplan
