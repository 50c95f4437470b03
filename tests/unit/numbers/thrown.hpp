// What a call throws, as text: one line per problem, so that tests can assert whole messages.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "quantiplan/error.hpp"

namespace quantiplan {

// "" if nothing was thrown; a different code is a failure.
template <typename Call>
std::string thrown(ErrorCode code, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "";
}

}  // namespace quantiplan
