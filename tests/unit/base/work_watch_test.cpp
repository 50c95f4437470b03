#include "base/work_watch.hpp"

#include <gtest/gtest.h>

#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

std::string refusal(WorkWatch& watch, std::uint64_t bytes) {
  try {
    watch.ask(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::refused);
    return error.what();
  }
  return "";
}

TEST(WorkWatch, RefusesWhatWouldPassTheMemoryLimitBeforeItIsTaken) {
  ReadOptions options;
  options.memory_limit_bytes = std::uint64_t{1} << 30U;
  WorkWatch watch({"m.json", "reading m.json", "read"}, options);
  EXPECT_EQ(refusal(watch, std::uint64_t{1} << 29U), "");
  EXPECT_EQ(refusal(watch, std::uint64_t{1} << 31U),
            "memory: reading m.json needs more than 1 GiB, the limit; expected a smaller model, or "
            "more memory");
  EXPECT_FALSE(watch.has_room(std::uint64_t{1} << 31U));
  watch.now("exploring the model", "explored", [] { return ", after 12 states"; });
  EXPECT_EQ(refusal(watch, std::uint64_t{1} << 31U),
            "memory: exploring the model needs more than 1 GiB, the limit, after 12 states; "
            "expected a smaller model, or more memory");
}

TEST(WorkWatch, EndsAtTheDeadlineAndWhenItIsTold) {
  ReadOptions options;
  options.time_limit_seconds = 1e-9;
  WorkWatch late({"m.json", "reading m.json", "read"}, options);
  EXPECT_EQ(refusal(late, 0),
            "m.json: the time limit was met while it was read; expected a longer --time-limit");
  const std::atomic<bool> stop = true;
  options.stop = &stop;
  WorkWatch told({"m.json", "reading m.json", "read"}, options);
  EXPECT_EQ(refusal(told, 0), "m.json: interrupted while it was read");
  EXPECT_THROW(for (int i = 0; i < 1'000'000; ++i) told.step(), Error);
}

}  // namespace
}  // namespace quantiplan
