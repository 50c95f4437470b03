// One deadline and one measure of memory for all phases of a call.
#include "base/call.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "base/memory.hpp"
#include "base/work_watch.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

Options an_hour() {
  Options options;
  options.time_limit_seconds = 3600;
  return options;
}

TEST(Call, HasOneDeadlineForCallsWithinIt) {
  const BegunCall outer(an_hour());
  const BegunCall inner(outer.options());
  EXPECT_EQ(outer.options().call, inner.options().call);
}

TEST(Call, DoesNotBeginAnewWithEveryPhase) {
  Options options;
  options.time_limit_seconds = 1e-9;
  const BegunCall call(options);
  while (Call::Clock::now() <= call.options().call->deadline()) {
  }
  for (int phase = 0; phase < 3; ++phase)
    EXPECT_EQ(Limits(call.options()).status(), Status::limit_reached);
}

TEST(Call, LeavesTheRestOfItsTimeForWhatIsAskedLater) {
  Options kept;
  Call::Clock::time_point deadline;
  {
    const BegunCall call(an_hour());
    kept = for_later(call.options());
    deadline = kept.call->deadline();
    // Within the call it is part of that.
    EXPECT_EQ(LaterWork(kept).options().call->deadline(), deadline);
  }
  const LaterWork later(kept);
  EXPECT_GE(later.options().call->deadline(), deadline);
  EXPECT_LT(later.options().call->deadline(), Call::Clock::now() + std::chrono::hours(1));
  EXPECT_EQ(without_deadline(kept).call->deadline(), Call::Clock::time_point::max());
}

TEST(Call, HasAFlagOfItsOwnForWhatIsAskedLater) {
  std::atomic<bool> now{false};
  const auto later_flag = std::make_shared<std::atomic<bool>>(false);
  int shown = 0;
  Options kept;
  {
    Options options;
    options.stop = &now;
    options.stop_later = later_flag;
    options.progress_later = [&](const Progress&) { ++shown; };
    const BegunCall call(options);
    kept = for_later(call.options());
    now = true;
    // Within the call its own flag counts.
    const LaterWork within(kept);
    EXPECT_TRUE(Limits(within.options()).ended());
  }
  {
    const LaterWork later(kept);
    EXPECT_FALSE(Limits(later.options()).ended());
    later.options().progress({"a phase", 0.5, std::nullopt});
    EXPECT_EQ(shown, 1);
  }
  *later_flag = true;
  const LaterWork stopped(kept);
  EXPECT_EQ(Limits(stopped.options()).status(), Status::interrupted);
}

TEST(Call, LeavesATenthOfItsTimeAtLeast) {
  Options met;
  {
    Options options;
    options.time_limit_seconds = 0.1;
    const BegunCall call(options);
    while (Call::Clock::now() <= call.options().call->deadline()) {
    }
    met = for_later(call.options());
  }
  const LaterWork later(met);
  EXPECT_GT(later.options().call->deadline(), met.call->deadline() + std::chrono::milliseconds(9));
}

TEST(Call, GivesWorkWithinLaterWorkTheSameClockAndMemory) {
  Options kept;
  {
    const BegunCall call(an_hour());
    kept = for_later(call.options());
    EXPECT_TRUE(LaterWork(kept).is_within_solve());
  }
  Call::Clock::time_point deadline;
  {
    const LaterWork outer(kept);
    EXPECT_FALSE(outer.is_within_solve());
    deadline = outer.options().call->deadline();
    for (int i = 0; i < 3; ++i) {
      const LaterWork inner(kept);
      EXPECT_EQ(inner.options().call, outer.options().call);
    }
  }
  // The time passed once, and what passes between two pieces of work is nobody's.
  const LaterWork next(kept);
  EXPECT_GE(next.options().call->deadline(), deadline);
}

TEST(Call, LeavesNothingOfATimeLimitThatWasMet) {
  Options kept;
  {
    Options options;
    options.time_limit_seconds = 1e-9;
    const BegunCall call(options);
    while (Call::Clock::now() <= call.options().call->deadline()) {
    }
    kept = for_later(call.options());
  }
  const LaterWork later(kept);
  EXPECT_EQ(Limits(later.options()).status(), Status::limit_reached);
  const Options writing = without_deadline(kept);
  EXPECT_EQ(Limits(writing).status(), Status::solved);
}

TEST(Call, ForgetsTheStopFlagWhenItEnds) {
  auto stop = std::make_unique<std::atomic<bool>>(true);
  Options options;
  options.stop = stop.get();
  Options kept;
  {
    const BegunCall call(options);
    kept = for_later(call.options());
    EXPECT_EQ(kept.stop, nullptr);
    EXPECT_EQ(Limits(kept).status(), Status::interrupted);
  }
  stop.reset();
  EXPECT_EQ(Limits(kept).status(), Status::solved);
  EXPECT_EQ(Limits(LaterWork(kept).options()).status(), Status::solved);
}

TEST(Call, EndsWhenTheProcessOutgrowsTheMemoryLimit) {
  if (resident_bytes() == 0) GTEST_SKIP() << "resident memory is not looked at";
  Options options;
  options.memory_limit_bytes = 1 << 20;
  const Limits before(options);
  EXPECT_EQ(before.status(), Status::solved);
  const Limits limits(options);
  const std::vector<char> large(64U << 20U, 'x');
  EXPECT_EQ(limits.status(), Status::limit_reached);
  EXPECT_EQ(large.back(), 'x');
}

TEST(Call, SharesTheSumOfTheLimitsWithCallsAtTheSameTime) {
  if (resident_bytes() == 0) GTEST_SKIP() << "resident memory is not looked at";
  Options options;
  options.memory_limit_bytes = 1 << 20;
  const Limits limits(options);
  Options generous;
  generous.memory_limit_bytes = std::uint64_t{1} << 30U;
  const BegunCall other(generous);
  const std::vector<char> large(64U << 20U, 'x');
  EXPECT_EQ(limits.status(), Status::solved);
  EXPECT_EQ(large.back(), 'x');
}

TEST(Call, HasNoMoreMemoryForWhatIsPartOfIt) {
  if (resident_bytes() == 0) GTEST_SKIP() << "resident memory is not looked at";
  Options options;
  options.memory_limit_bytes = 32U << 20U;
  const BegunCall call(options);
  const Options within = without_deadline(call.options());
  const Limits limits(within);
  const std::vector<char> large(52U << 20U, 'x');
  EXPECT_EQ(limits.status(), Status::limit_reached);
  WorkWatch watch({"", "counting", "counted"}, call.options());
  EXPECT_THROW(watch.look(), Error);
  EXPECT_EQ(large.back(), 'x');
}

}  // namespace
}  // namespace quantiplan
