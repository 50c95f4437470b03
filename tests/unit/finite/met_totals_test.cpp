#include "finite/tradeoff/met_totals.hpp"

#include <gtest/gtest.h>

#include "finite/solve/finite_layout.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {
namespace {

using Keys = std::vector<std::int64_t>;

// 5 and the end, or 3 or 11; after 3 once more 3 or 11, or nothing.
Model gifts() {
  ModelBuilder builder;
  builder.horizon(2).initial("s");
  builder.begin_choice("s", "safe").add_outcome("end", 1, 5);
  builder.begin_choice("s", "try");
  builder.add_outcome("s", Rational(1, 2), 3).add_outcome("end", Rational(1, 2), 11);
  builder.begin_choice("s", "wait").add_outcome("s", 1, 0);
  return builder.build();
}

std::optional<Keys> totals(const Model& model, const Interval& part, const Options& options = {}) {
  FiniteLayout layout(model, resolve(model, {}), options);
  if (!layout.lay_out()) return std::nullopt;
  return met_totals(*layout.stages, *layout.windows, part, layout.limits);
}

TEST(MetTotals, AreThoseOfAllPoliciesInAPart) {
  // 0, 3, 5, 6, 8, 11, 14: never, or in one of two steps.
  EXPECT_EQ(*totals(gifts(), {-1, 100}), (Keys{0, 3, 5, 6, 8, 11, 14}));
  EXPECT_EQ(*totals(gifts(), {0, 11}), (Keys{3, 5, 6, 8, 11}));
  EXPECT_EQ(*totals(gifts(), {11, 13}), Keys{});
  EXPECT_EQ(*totals(gifts(), {5, 5}), Keys{});
}

TEST(MetTotals, AreLeftOutWithoutTheMemoryForThem) {
  Options options;
  options.memory_limit_bytes = 1 << 20U;
  EXPECT_FALSE(totals(gifts(), {-1, 100}, options));
}

}  // namespace
}  // namespace quantiplan
