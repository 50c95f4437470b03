// Which warp does what: every entry of a layer once, in either order of tiles.
#include "finite/device/device_plan.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

Span<double> span_of(std::int64_t from, std::int64_t upto) {
  return {from, upto, from, upto, 1, 0};
}

const std::vector<Span<double>> kSpans = {span_of(5, 5),
                                          span_of(-300, 700),
                                          span_of(0, 128),
                                          span_of(127, 128),
                                          span_of(9, 9),
                                          span_of(-7, 1500)};

TEST(DevicePlan, PacksFunctionsOneAfterAnother) {
  const DeviceLayout layout = device_layout(kSpans);
  EXPECT_EQ(layout.entries, 1000U + 128 + 1 + 1507);
  EXPECT_EQ(layout.functions[3].begin, 1128U);
  EXPECT_EQ(layout.functions[5].begin, 1129U);
  EXPECT_EQ(layout.functions[5].from, -7);
}

TEST(DevicePlan, CountsStretches) {
  const DeviceLayout layout = device_layout(kSpans);
  const auto begin = stretches_before(layout.functions, 128);
  EXPECT_EQ(begin, (std::vector<std::uint64_t>{0, 0, 8, 9, 10, 10, 22}));
  for (std::uint64_t at = 0; at < 22; ++at) {
    const auto position = device::position_of(reinterpret_cast<const device::u64*>(begin.data()),
                                              6,
                                              at);  // NOLINT: two names of one type
    EXPECT_LE(begin[position], at);
    EXPECT_GT(begin[position + 1], at);
  }
}

// Runs the tiles of a plan with a single term for each function, and counts how often an entry is written.
void expect_every_entry_once(const TilePlan& plan, const DeviceLayout& layout) {
  const double nothing = 7;
  std::vector<device::Task> tasks;
  std::vector<device::Term> terms(layout.functions.size() + 32);
  std::vector<std::uint32_t> ends(layout.functions.size(), 1);
  std::vector<std::uint32_t> marks(layout.functions.size(), 3);
  for (std::size_t i = 0; i < layout.functions.size(); ++i) {
    const device::Function& f = layout.functions[i];
    const auto width = static_cast<std::uint32_t>(f.width);
    tasks.push_back({f.from, f.begin, i, i, width, width > 0 ? 1U : 0U});
    // Below entry 100 it is 1/2.
    terms[i] = {0.5, &nothing - 100, 100, 100, 1, 0, 100, 0};
  }
  std::vector<double> values(layout.entries, -1);
  std::vector<std::uint32_t> what(layout.entries, 99);
  device::BackUp in{};
  in.tasks = tasks.data();
  in.count = static_cast<std::uint32_t>(tasks.size());
  in.tile_begin = plan.by_function
                      ? reinterpret_cast<const device::u64*>(plan.tile_begin.data())  // NOLINT
                      : nullptr;
  in.warps = plan.warps;
  in.terms = terms.data();
  in.ends = ends.data();
  in.marks = marks.data();
  in.values = values.data();
  in.what = what.data();
  in.none = -1e300;
  std::uint64_t written = 0;
  for (std::uint64_t warp = 0; warp < plan.warps + 3; ++warp) {
    const std::vector<double> before = values;
    device::back_up(in, warp);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == before[i]) continue;
      EXPECT_EQ(before[i], -1);
      ++written;
    }
  }
  EXPECT_EQ(written, layout.entries);
  for (const device::Function& f : layout.functions) {
    for (std::int64_t i = 0; i < f.width; ++i) {
      EXPECT_EQ(values[f.begin + static_cast<std::uint64_t>(i)], i < 100 ? 0.5 : 0);
      EXPECT_EQ(what[f.begin + static_cast<std::uint64_t>(i)], 6U);
    }
  }
}

TEST(DevicePlan, TilesCoverEveryEntryOnce) {
  const DeviceLayout layout = device_layout(kSpans);
  const TilePlan by_tile = tile_plan(layout.functions, 6, 100, 1U << 20U);
  EXPECT_FALSE(by_tile.by_function);
  EXPECT_EQ(by_tile.warps, 6U * 12);
  expect_every_entry_once(by_tile, layout);
  // What a tile of all functions reads does not fit the cache.
  const TilePlan by_function = tile_plan(layout.functions, 6, 100, 1000);
  EXPECT_TRUE(by_function.by_function);
  EXPECT_EQ(by_function.warps, 22U);
  expect_every_entry_once(by_function, layout);
}

TEST(DevicePlan, GoesByFunctionWhereTheyLieFarApartOrOneIsFarWider) {
  std::vector<Span<double>> spans;
  for (std::int64_t i = 0; i < 50; ++i) spans.push_back(span_of(1'000'000 * i, 1'000'000 * i + 10));
  const DeviceLayout apart = device_layout(spans);
  const TilePlan plan = tile_plan(apart.functions, 50, 0, 1U << 20U);
  EXPECT_TRUE(plan.by_function);
  EXPECT_EQ(plan.warps, 50U);
  expect_every_entry_once(plan, apart);
  for (std::int64_t i = 0; i < 50; ++i)
    spans[static_cast<std::size_t>(i)] = span_of(0, i == 7 ? 9000 : 3);
  const DeviceLayout uneven = device_layout(spans);
  const TilePlan other = tile_plan(uneven.functions, 50, 0, 1U << 30U);
  EXPECT_TRUE(other.by_function);
  EXPECT_EQ(other.warps, 49U + 71);
  expect_every_entry_once(other, uneven);
}

TEST(DevicePlan, HasNothingToDoForEmptyLayers) {
  const std::vector<Span<double>> spans(3, span_of(4, 4));
  EXPECT_EQ(tile_plan(device_layout(spans).functions, 3, 10, 1U << 20U).warps, 0U);
}

}  // namespace
}  // namespace quantiplan
