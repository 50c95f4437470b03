// What several ranks keep of a pass is there for all of them, or for none.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/call.hpp"
#include "base/checkpoint_folder.hpp"
#include "finite/pass/pass.hpp"
#include "quantiplan/domains.hpp"
#include "thread_ranks.hpp"

namespace quantiplan {
namespace {

namespace fs = std::filesystem;

bool has_outcome(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".done") return true;
  return false;
}

// Rank 0 comes late to its last message, and writes the outcome after it.
class SlowFirstRank : public ThreadRanks {
 public:
  using ThreadRanks::ThreadRanks;
  bool is_idle() override {
    if (rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return true;
  }
};

bool finds_the_outcome(const fs::path& folder, const std::shared_ptr<RankGroup>& group) {
  const Model model = generate("garnet", {{"states", "10"}, {"horizon", "4"}});
  Options options;
  options.threads = 1;
  options.ranks = group;
  options.checkpoint = folder.string();
  options.checkpoint_minutes = 0;
  options.call = std::make_shared<Call>(options);
  const auto kept = std::make_shared<CheckpointFolder>(options);
  kept->begin(7);
  options.call->set_checkpoints(kept);
  Limits limits(options);
  const Stages stages(model, resolve(model, {}), limits);
  const Windows windows(stages, ChoiceFilter(), limits);
  const Expectation<double> expectation(stages, limits);
  PassInput<double> input{
      stages, windows, expectation, ChoiceFilter(), true, Representation::dense};
  input.kernel = find_kernel("auto");
  Work work;
  EXPECT_EQ(run_pass(input, limits, work).status, Status::solved);
  return has_outcome(folder);
}

TEST(CheckpointRanks, FindWhatRankZeroKeeps) {
  const fs::path folder =
      fs::path(::testing::TempDir()) / ("quantiplan-kept-" + std::to_string(getpid()));
  fs::remove_all(folder);
  const auto post = std::make_shared<ThreadRanks::Post>(3);
  std::array<std::atomic<bool>, 3> found{};
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t r = 0; r < 3; ++r)
      threads.emplace_back([&, r] {
        const auto group = std::make_shared<RankGroup>(std::make_unique<SlowFirstRank>(post, r));
        found[r] = finds_the_outcome(folder, group);
        group->take_leave("");
      });
  }
  for (const auto& each : found) EXPECT_TRUE(each);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace quantiplan
