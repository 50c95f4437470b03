#include "quantiplan/error.hpp"

#include <gtest/gtest.h>

#include "numbers/thrown.hpp"

namespace quantiplan {
namespace {

TEST(Error, ShowsOneProblemPerLine) {
  const Error error(ErrorCode::bad_model, {{"a.json:1", "first"}, {"", "second"}});
  EXPECT_STREQ(error.what(), "a.json:1: first\nsecond");
  EXPECT_EQ(error.problems().size(), 2U);
  EXPECT_EQ(error.problems()[0].place, "a.json:1");
}

TEST(Problems, StopAtTwenty) {
  Problems problems;
  EXPECT_NO_THROW(problems.throw_if_any(ErrorCode::io));
  for (int i = 0; i < 25; ++i) problems.add("", std::to_string(i));
  EXPECT_TRUE(problems.full());
  try {
    problems.throw_if_any(ErrorCode::io);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_EQ(error.problems().size(), 20U);
    EXPECT_EQ(error.problems().back().message, "19");
  }
}

}  // namespace
}  // namespace quantiplan
