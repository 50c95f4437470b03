// Several processes with a device each, some without: the bits of one process on its host.
#include "finite/device/device_slab.hpp"

#include <gtest/gtest.h>

#include "device/cuda_accelerator.hpp"
#include "emulated_device.hpp"
#include "finite/device/device_arrays.hpp"
#include "quantiplan/error.hpp"
#include "random_ground.hpp"
#include "thread_ranks.hpp"

namespace quantiplan {
namespace {

using testing::Dice;
using testing::EmulatedDevice;
using testing::EmulatedFacts;
using testing::Ground;
using testing::random_model;

// Each rank is a thread, with a device of its own.
thread_local EmulatedFacts gpu_of_rank;
thread_local Otherwise when_full = Otherwise::refuse;

bool emulated_below_ranks = true;

std::unique_ptr<Accelerator> open_own_machine(std::uint32_t place) {
  if (emulated_below_ranks) return std::make_unique<EmulatedDevice>(gpu_of_rank);
  std::string why;
  return open_cuda_accelerator(why, place);
}

std::unique_ptr<DenseBackend> make_on_own_device(const BackendInput& in) {
  return make_device_backend(
      in,
      make_device_arrays(open_own_machine(in.limits.ranks()->place_on_this_machine())),
      when_full);
}

struct Found {
  PassOutput<double> output;
  Work work;
  std::uint64_t steps_on_device = 0;
  std::uint64_t held_bytes = 0;
  std::string refusal;
};

Found run(PassInput<double> input, const std::shared_ptr<RankGroup>& group) {
  Options options;
  options.threads = 1;
  options.ranks = group;
  Limits limits(options);
  Found found;
  try {
    found.output = run_pass(input, limits, found.work);
    // Rank 0 would send away who still waits for another.
    if (group) group->gather({}, nullptr);
  } catch (const Error& error) {
    found.refusal = error.what();
    group->take_leave(found.refusal);
  }
  found.steps_on_device = gpu_of_rank.launched(DeviceKernel::back_up);
  found.held_bytes = gpu_of_rank.held_bytes;
  return found;
}

// As many ranks as `takes`, each with that many arrays before its device is full; 0: without a device.
std::vector<Found> on_devices(const PassInput<double>& input,
                              const std::vector<std::uint64_t>& takes,
                              Otherwise full = Otherwise::refuse) {
  return on_ranks(static_cast<std::uint32_t>(takes.size()),
                  [&](const std::shared_ptr<RankGroup>& group) {
                    gpu_of_rank = {};
                    gpu_of_rank.takes_left = takes[group->rank()];
                    when_full = full;
                    PassInput<double> own = input;
                    own.make_backend = takes[group->rank()] == 0 ? nullptr : make_on_own_device;
                    return run(own, group);
                  });
}

constexpr auto kEnough = ~std::uint64_t{0};

using Layers = std::vector<Decisions::LayerRules>;

Layers layers_of(const PassOutput<double>& output, std::uint64_t horizon) {
  Layers layers;
  for (std::uint64_t t = 0; output.decisions && t < horizon; ++t)
    layers.push_back(output.decisions->take_layer(t));
  return layers;
}

// Returns the number of steps that devices made.
std::uint64_t compare_on_devices(const PassInput<double>& input,
                                 const std::vector<std::uint64_t>& takes,
                                 Otherwise full = Otherwise::refuse) {
  const std::uint64_t horizon = input.stages.horizon();
  const Found alone = run(input, nullptr);
  const Layers expected = layers_of(alone.output, horizon);
  std::uint64_t steps = 0;
  for (const Found& found : on_devices(input, takes, full)) {
    EXPECT_EQ(found.refusal, "");
    EXPECT_EQ(found.output.status, Status::solved);
    EXPECT_EQ(alone.output.curve.upto, found.output.curve.upto);
    EXPECT_EQ(alone.output.curve.value, found.output.curve.value);
    EXPECT_EQ(alone.work.multiply_adds, found.work.multiply_adds);
    EXPECT_EQ(alone.work.backups, found.work.backups);
    EXPECT_EQ(alone.work.breakpoints, found.work.breakpoints);
    EXPECT_EQ(found.held_bytes, 0U);
    const Layers layers = layers_of(found.output, horizon);
    EXPECT_EQ(layers.size(), expected.size());
    for (std::size_t t = 0; t < std::min(layers.size(), expected.size()); ++t) {
      EXPECT_EQ(expected[t].begin, layers[t].begin) << t;
      EXPECT_EQ(expected[t].upto, layers[t].upto) << t;
      EXPECT_EQ(expected[t].what, layers[t].what) << t;
    }
    steps += found.steps_on_device;
  }
  return steps;
}

// Returns the number of steps that devices made.
std::uint64_t compare_slabs() {
  std::uint64_t steps = 0;
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const Model model =
        random_model(dice, 2 + dice.upto(20), dice.one_in(3) ? 900 : 12, 1 + dice.upto(7));
    const Ground ground(model, nullptr, Rounding::down);
    PassInput<double> input = ground.input();
    steps += compare_on_devices(input, {kEnough, kEnough});
    steps += compare_on_devices(input, {kEnough, 0, kEnough, kEnough});
    input.share_rows = false;
    input.representation = Representation::automatic;
    steps += compare_on_devices(input, {0, kEnough, kEnough});
    input.record_decisions = false;
    steps += compare_on_devices(input, {kEnough, kEnough, kEnough, kEnough, 0, kEnough, kEnough});
  }
  return steps;
}

TEST(DeviceSlab, GivesTheBitsOfOneProcess) { EXPECT_GT(compare_slabs(), 500U); }

// The same on the GPUs of this machine.
TEST(OnGpuSlab, GivesTheBitsOfOneProcess) {
  std::string why;
  if (!open_cuda_accelerator(why)) GTEST_SKIP() << why;
  emulated_below_ranks = false;
  compare_slabs();
  emulated_below_ranks = true;
}

// Grids that change over time, values that are dropped, residuals that nobody needs.
TEST(DeviceSlab, GivesTheBitsOfOneProcessOnGrids) {
  std::uint64_t steps = 0;
  for (std::uint32_t seed = 200; seed < 220; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const std::uint64_t horizon = 3 + dice.upto(5);
    const Model model = random_model(dice, 2 + dice.upto(10), 12, horizon);
    Grid grid{Rational(1, 8), std::vector<std::uint32_t>(horizon + 1, 0)};
    for (std::size_t t = 1; t <= horizon; ++t)
      grid.halvings[t] = grid.halvings[t - 1] + (dice.one_in(3) ? 1 + dice.upto(1) : 0);
    const Ground ground(model, &grid, dice.one_in(2) ? Rounding::down : Rounding::up);
    if (!ground.stages->has_keys() || ground.stages->horizon() < 2) continue;
    PassInput<double> input = ground.input();
    const Window w = ground.windows->start();
    const Needs needs(*ground.stages,
                      *ground.windows,
                      {w.sure + (w.possible - w.sure) / 3, w.possible - (w.possible - w.sure) / 4},
                      ground.limits);
    input.needs = &needs;
    steps += compare_on_devices(input, {kEnough, kEnough, kEnough});
    input.drop = 1e-3;
    steps += compare_on_devices(input, {kEnough, 0});
    input.needs = nullptr;
    steps += compare_on_devices(input, {kEnough, kEnough, kEnough, kEnough});
  }
  EXPECT_GT(steps, 200U);
}

// One rank's device is full, before or on the way: its host takes over, or it says so.
TEST(DeviceSlab, LeavesARankToItsHostWhereItsDeviceIsFull) {
  Dice dice(7);
  const Model model = random_model(dice, 12, 300, 8);
  const Ground ground(model, nullptr, Rounding::down);
  const PassInput<double> input = ground.input();
  const std::uint64_t all = compare_on_devices(input, {kEnough, kEnough});
  bool some = false;
  std::size_t refused = 0;
  for (std::uint64_t takes = 6; takes < 40; takes += 3) {
    SCOPED_TRACE(takes);
    const std::uint64_t steps = compare_on_devices(input, {kEnough, takes}, Otherwise::host);
    some = some || (steps > all / 2 && steps < all);
    const std::vector<Found> insisting = on_devices(input, {kEnough, takes});
    if (insisting[1].refusal.empty()) continue;
    EXPECT_EQ(insisting[1].refusal,
              "--backend: found 'gpu', but the emulated memory is full; expected auto or host");
    EXPECT_EQ(insisting[0].refusal, "ranks: rank 1: " + insisting[1].refusal);
    ++refused;
  }
  EXPECT_TRUE(some);
  EXPECT_GT(refused, 2U);
}

}  // namespace
}  // namespace quantiplan
