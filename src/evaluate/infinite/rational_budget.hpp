// Rationals where they are asked for or nobody notices the time they take, else doubles.
#pragma once

#include <limits>

#include "evaluate/infinite/pace.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan {

// What a computation in rationals may cost before doubles must do.
class RationalBudget {
 public:
  struct Spent {};  // thrown: it takes longer than anybody asked for

  static constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  // About nanoseconds.
  explicit RationalBudget(double left) : left_(left) {}

  static void spend(double) {}
  void spend(const Rational& product) {
    left_ -= cost_of(product);
    if (left_ < 0) throw Spent{};
  }

 private:
  double left_;
};

// `run.template operator()<N>(budget)` computes an optional; `is_small` is asked after the doubles:
// if so, rationals are tried, with a budget.
template <class Run, class IsSmall>
auto in_either(Arithmetic arithmetic, double budget, const Run& run, const IsSmall& is_small) {
  const RationalBudget no_end(RationalBudget::kNoEnd);
  if (arithmetic == Arithmetic::exact) return run.template operator()<Rational>(no_end);
  auto floating = run.template operator()<double>(no_end);
  if (!floating || arithmetic == Arithmetic::floating || !is_small()) return floating;
  try {
    if (auto exact = run.template operator()<Rational>(RationalBudget(budget))) return exact;
  } catch (const RationalBudget::Spent&) {  // then doubles must do
  }
  return floating;
}

}  // namespace quantiplan
