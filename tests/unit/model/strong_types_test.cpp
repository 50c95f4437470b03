// Unlike things are unlike types: mixing them up must not compile.
#include <gtest/gtest.h>

#include <type_traits>

#include "numbers/wealth_key.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};

static_assert(!std::is_convertible_v<State, Choice>);
static_assert(!std::is_convertible_v<Choice, State>);
static_assert(!std::is_convertible_v<State, std::size_t>);
static_assert(!std::is_convertible_v<std::size_t, State>);
static_assert(!std::is_convertible_v<NumberId, State>);
static_assert(!std::is_convertible_v<WealthKey, std::int64_t>);
static_assert(!std::is_convertible_v<State, WealthKey>);
static_assert(!Comparable<State, Choice>);
static_assert(!Comparable<WealthKey, std::int64_t>);
static_assert(!Addable<WealthKey, State>);
static_assert(!Addable<WealthKey, std::int64_t>);
static_assert(!std::is_constructible_v<Number, double> || !std::is_convertible_v<double, Number>);

TEST(StrongTypes, KeysAddAndCompareAmongThemselves) {
  EXPECT_EQ((WealthKey{2} + WealthKey{3}).value, 5);
  EXPECT_EQ((WealthKey{2} - WealthKey{3}).value, -1);
  EXPECT_LT(WealthKey{2}, WealthKey{3});
}

}  // namespace
}  // namespace quantiplan
