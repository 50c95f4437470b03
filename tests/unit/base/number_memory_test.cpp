// GMP's own requests, refused one after the other. In a process of its own: the hooks stay.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <new>

#include "quantiplan/number.hpp"

// A sanitizer needs more address space than the test leaves it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define QUANTIPLAN_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define QUANTIPLAN_SANITIZED
#endif
#endif

namespace quantiplan {
namespace {

// Exits with 0 if the refusal arrived as std::bad_alloc and everything could be destroyed.
[[noreturn, maybe_unused]] void multiply_until_refused() {
  let_numbers_throw_bad_alloc();
  const rlimit limit{256U << 20U, 256U << 20U};
  setrlimit(RLIMIT_AS, &limit);
  try {
    Rational value(3, 7);
    for (;;) value *= value;
  } catch (const std::bad_alloc&) {
    std::_Exit(0);
  }
}

#if !defined(QUANTIPLAN_SANITIZED)
TEST(NumberMemory, ARefusalIsAnException) {
  EXPECT_EXIT(multiply_until_refused(), ::testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace quantiplan
