// The backend of a device against the host's, bit for bit: random models, every kind of pass; the kernels emulated, and
// where this machine has a GPU, on that.
#include "finite/device/device_backend.hpp"

#include <gtest/gtest.h>

#include "device/cuda_accelerator.hpp"
#include "emulated_device.hpp"
#include "finite/device/device_arrays.hpp"
#include "finite/device/device_induction.hpp"
#include "finite/pass/pass.hpp"
#include "quantiplan/error.hpp"
#include "random_ground.hpp"

namespace quantiplan {
namespace {

using testing::Dice;
using testing::EmulatedDevice;
using testing::EmulatedFacts;
using testing::Ground;
using testing::random_model;

EmulatedFacts gpu;
Otherwise otherwise = Otherwise::refuse;
bool emulated = true;

std::unique_ptr<Accelerator> open_machine() {
  if (emulated) return std::make_unique<EmulatedDevice>(gpu);
  std::string why;
  return open_cuda_accelerator(why);
}

std::unique_ptr<DenseBackend> make_on_device(const BackendInput& in) {
  auto* kept = in.input.scratch;
  if (kept == nullptr || !kept->of_backend) {
    auto arrays = make_device_arrays(open_machine());
    if (kept != nullptr) kept->of_backend = arrays;
    return make_device_backend(in, arrays, otherwise);
  }
  return make_device_backend(
      in, std::static_pointer_cast<DeviceArrays>(kept->of_backend), otherwise);
}

void expect_equal(const PassOutput<double>& host,
                  const PassOutput<double>& device,
                  const char* what) {
  ASSERT_EQ(host.status, device.status) << what;
  EXPECT_EQ(host.dense_layers, device.dense_layers) << what;
  EXPECT_EQ(host.layer_bytes, device.layer_bytes) << what;
  EXPECT_EQ(host.decision_bytes, device.decision_bytes) << what;
  EXPECT_EQ(host.curve.sure, device.curve.sure) << what;
  EXPECT_EQ(host.curve.possible, device.curve.possible) << what;
  EXPECT_EQ(host.curve.upto, device.curve.upto) << what;
  EXPECT_EQ(host.curve.value, device.curve.value) << what;
}

// Both passes; returns the number of runs that were compared.
std::size_t compare(const PassInput<double>& input, const char* what) {
  const auto run = [&](MakeBackend make, Work& work, std::uint64_t& peak) {
    PassInput<double> in = input;
    in.make_backend = make;
    Options options;
    options.threads = 1;  // with more, what sparse layers hold depends on who was first
    Limits limits(options);
    auto output = run_pass(in, limits, work);
    peak = limits.peak();
    return output;
  };
  Work host_work;
  Work device_work;
  std::uint64_t host_peak = 0;
  std::uint64_t device_peak = 0;
  const auto host = run(nullptr, host_work, host_peak);
  const auto device = run(make_on_device, device_work, device_peak);
  expect_equal(host, device, what);
  EXPECT_EQ(host_work.multiply_adds, device_work.multiply_adds) << what;
  EXPECT_EQ(host_work.backups, device_work.backups) << what;
  EXPECT_EQ(host_work.breakpoints, device_work.breakpoints) << what;
  // A layer that moves is counted twice while it does.
  if (otherwise == Otherwise::refuse) {
    EXPECT_EQ(host_peak, device_peak) << what;
  }
  if (!host.decisions) return 0;
  std::size_t runs = 0;
  for (std::uint64_t t = input.stop;
       t < (input.resume != nullptr ? input.resume_at : input.stages.horizon());
       ++t) {
    const auto expected = host.decisions->take_layer(t);
    const auto found = device.decisions->take_layer(t);
    EXPECT_EQ(expected.begin, found.begin) << what << " " << t;
    EXPECT_EQ(expected.upto, found.upto) << what << " " << t;
    EXPECT_EQ(expected.what, found.what) << what << " " << t;
    runs += expected.upto.size();
  }
  return runs;
}

void compare_models() {
  std::size_t runs = 0;
  gpu = {};
  otherwise = Otherwise::refuse;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    // A small cache and a large one, narrow functions and wide ones: both orders of tiles.
    gpu.cache_bytes = seed % 2 == 0 ? 1000 : 1U << 26U;
    const Model model =
        random_model(dice, 2 + dice.upto(20), dice.one_in(3) ? 900 : 12, 1 + dice.upto(7));
    const Ground ground(model, nullptr, Rounding::down);
    PassInput<double> input = ground.input();
    runs += compare(input, "with decisions");
    input.share_rows = false;
    runs += compare(input, "no shared rows");
    input.share_rows = true;
    input.record_decisions = false;
    compare(input, "no decisions");
    input.record_decisions = true;
    input.representation = Representation::automatic;
    runs += compare(input, "sparse and dense");
  }
  EXPECT_GT(runs, 5000U);
}

void compare_filters() {
  gpu = {};
  for (std::uint32_t seed = 100; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const Model model = random_model(dice, 2 + dice.upto(12), 12, 2 + dice.upto(5));
    Ground ground(model, nullptr, Rounding::down);
    const ChoiceFilter only(ground.expectation->choices());
    const Windows windows(*ground.stages, only, ground.limits);
    PassInput<double> input{
        *ground.stages, windows, *ground.expectation, only, false, Representation::dense};
    input.kernel = find_kernel("auto");
    compare(input, "one choice");
    std::vector<std::vector<bool>> allowed(ground.stages->horizon(),
                                           std::vector<bool>(model.choice_count(), true));
    for (auto& at : allowed) {
      for (std::size_t s = 0; s < model.state_count(); ++s) {
        const ChoiceRange choices = model.choices(State{static_cast<std::uint32_t>(s)});
        for (std::size_t c = 1; c < choices.size(); ++c) at[index(choices[c])] = dice.one_in(2);
      }
    }
    const ChoiceFilter some(allowed);
    const Windows fewer(*ground.stages, some, ground.limits);
    const Expectation<double> expectation(*ground.stages, ground.limits, some);
    PassInput<double> other{*ground.stages, fewer, expectation, some, true, Representation::dense};
    other.kernel = find_kernel("auto");
    EXPECT_GT(compare(other, "some choices"), 0U);
  }
}

// Grids that change over time, values that are dropped, residuals that nobody needs.
void compare_grids() {
  gpu = {};
  std::size_t runs = 0;
  for (std::uint32_t seed = 200; seed < 240; ++seed) {
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
    runs += compare(input, "grid");
    const Window w = ground.windows->start();
    const Needs needs(*ground.stages,
                      *ground.windows,
                      {w.sure + (w.possible - w.sure) / 3, w.possible - (w.possible - w.sure) / 4},
                      ground.limits);
    input.needs = &needs;
    runs += compare(input, "needs");
    input.drop = 1e-3;
    runs += compare(input, "needs and dropped");
    input.needs = nullptr;
    runs += compare(input, "dropped");
    input.representation = Representation::automatic;
    input.record_decisions = false;
    compare(input, "dropped, sparse and dense");
  }
  EXPECT_GT(runs, 5000U);
}

void compare_resumed() {
  gpu = {};
  for (std::uint32_t seed = 300; seed < 310; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const Model model = random_model(dice, 4 + dice.upto(10), 60, 9);
    const Ground ground(model, nullptr, Rounding::down);
    const std::uint64_t horizon = ground.stages->horizon();
    if (horizon < 9) continue;
    PassInput<double> input = ground.input();
    LayerRecord record(horizon, 3);
    input.make_backend = make_on_device;
    input.record = &record;
    Work work;
    Options options;
    Limits limits(options);
    ASSERT_EQ(run_pass(input, limits, work).status, Status::solved);
    input.record = nullptr;
    input.resume = &record;
    input.resume_at = 6;
    input.stop = 3;
    EXPECT_GT(compare(input, "a part"), 0U);
  }
}

// Windows and expected rewards, where no row is shared.
void compare_inductions() {
  gpu = {};
  std::size_t compared = 0;
  for (std::uint32_t seed = 400; seed < 460; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const std::uint64_t horizon = 2 + dice.upto(6);
    const Model model = random_model(dice, 2 + dice.upto(70), 30, horizon, 0);
    Grid grid{Rational(1, 8), std::vector<std::uint32_t>(horizon + 1, 0)};
    for (std::size_t t = 1; t <= horizon; ++t)
      grid.halvings[t] = grid.halvings[t - 1] + (dice.one_in(3) ? 1 + dice.upto(1) : 0);
    const Ground ground(model, dice.one_in(2) ? &grid : nullptr, Rounding::down);
    if (ground.stages->rows().size() > 0) continue;
    const auto arrays = make_device_arrays(open_machine());
    const auto windows = windows_on(*arrays, *ground.stages, ground.limits);
    const auto expectation = expectation_on(*arrays, *ground.stages, ground.limits);
    for (std::uint64_t t = 0; t <= ground.stages->horizon(); ++t) {
      for (std::size_t slot = 0; slot < ground.stages->layer(t).size(); ++slot) {
        const Window& expected = ground.windows->at(t, slot);
        const Window& found = windows->at(t, slot);
        EXPECT_EQ(expected.sure, found.sure);
        EXPECT_EQ(expected.possible, found.possible);
        EXPECT_EQ(expected.least, found.least);
        EXPECT_EQ(expected.sure_choice, found.sure_choice);
        EXPECT_EQ(ground.expectation->value(t, slot), expectation->value(t, slot));
        EXPECT_EQ(ground.expectation->choice(t, slot), expectation->choice(t, slot));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 2000U);
}

TEST(DeviceInduction, GivesTheResultsOfTheHost) { compare_inductions(); }

TEST(DeviceBackend, GivesTheBitsOfTheHost) {
  compare_models();
  for (const DeviceKernel kernel : {DeviceKernel::value_choices,
                                    DeviceKernel::rank_choices,
                                    DeviceKernel::spread_terms,
                                    DeviceKernel::spread_mixes,
                                    DeviceKernel::back_up,
                                    DeviceKernel::count_runs,
                                    DeviceKernel::write_runs,
                                    DeviceKernel::spell_out})
    EXPECT_GT(gpu.launched(kernel), 0U) << static_cast<int>(kernel);
  EXPECT_EQ(gpu.held_bytes, 0U);
}

TEST(DeviceBackend, ObeysFilters) { compare_filters(); }

TEST(DeviceBackend, GivesTheBitsOfTheHostOnGrids) {
  compare_grids();
  EXPECT_GT(gpu.launched(DeviceKernel::coarsen), 0U);
  EXPECT_GT(gpu.launched(DeviceKernel::find_ends), 0U);
}

TEST(DeviceBackend, ResumesFromLayersThatWereKept) { compare_resumed(); }

// The same on the GPU of this machine.
class OnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!open_cuda_accelerator(why)) GTEST_SKIP() << why;
    emulated = false;
  }
  void TearDown() override { emulated = true; }
};

TEST_F(OnGpu, GivesTheBitsOfTheHost) { compare_models(); }
TEST_F(OnGpu, GivesTheInductionsOfTheHost) { compare_inductions(); }
TEST_F(OnGpu, ObeysFilters) { compare_filters(); }
TEST_F(OnGpu, GivesTheBitsOfTheHostOnGrids) { compare_grids(); }
TEST_F(OnGpu, ResumesFromLayersThatWereKept) { compare_resumed(); }

// Wherever the memory of the device is used up, the answer is the same, or the refusal says so.
TEST(DeviceBackend, MovesToTheHostWhereTheDeviceIsFull) {
  Dice dice(7);
  const Model model = random_model(dice, 12, 300, 8);
  Grid grid{Rational(1, 2), {0, 0, 0, 1, 1, 2, 2, 2, 2}};
  const Ground ground(model, &grid, Rounding::down);
  gpu = {};
  PassInput<double> input = ground.input();
  input.drop = 1e-9;
  otherwise = Otherwise::host;
  EXPECT_GT(compare(input, "enough memory"), 0U);
  const std::uint64_t steps = gpu.launched(DeviceKernel::back_up);
  std::uint64_t moved_on_the_way = 0;
  std::uint64_t refused = 0;
  const std::uint64_t takes_of_model = 5;
  for (std::uint64_t takes = takes_of_model; takes < 60; ++takes) {
    SCOPED_TRACE(takes);
    gpu = {};
    gpu.takes_left = takes;
    otherwise = Otherwise::host;
    EXPECT_GT(compare(input, "little memory"), 0U);
    EXPECT_EQ(gpu.held_bytes, 0U);
    const std::uint64_t done = gpu.launched(DeviceKernel::back_up);
    if (done > 0 && done < steps) ++moved_on_the_way;
    gpu = {};
    gpu.takes_left = takes;
    otherwise = Otherwise::refuse;
    PassInput<double> insisting = input;
    insisting.make_backend = make_on_device;
    Work work;
    Options options;
    Limits limits(options);
    try {
      static_cast<void>(run_pass(insisting, limits, work));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::refused);
      ++refused;
    }
  }
  EXPECT_GT(moved_on_the_way, 3U);
  EXPECT_GT(refused, 20U);
  otherwise = Otherwise::refuse;
}

TEST(DeviceBackend, RefusesBeforeItBeginsWhatItForesees) {
  Dice dice(7);
  const Model model = random_model(dice, 12, 300, 8);
  const Ground ground(model, nullptr, Rounding::down);
  gpu = {};
  gpu.memory_bytes = 1U << 20U;
  PassInput<double> input = ground.input();
  input.make_backend = make_on_device;
  Work work;
  Options options;
  Limits limits(options);
  try {
    static_cast<void>(run_pass(input, limits, work));
    FAIL();
  } catch (const DeviceFull& full) {
    EXPECT_NE(std::string(full.what()).find("emulated device"), std::string::npos);
  }
  EXPECT_EQ(gpu.launched(DeviceKernel::back_up), 0U);
}

}  // namespace
}  // namespace quantiplan
