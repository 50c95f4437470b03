// The best worth of totals in doubles, by one backward pass on contiguous arrays (weighted_layers.hpp).
//
// Errors: a backup of b outcomes errs by at most 2 (b + 6) u times the greatest value that it reads, and
// these add up over time; kinked lines inherit the error of E. In keys of time 0. Cost: a multiply-add for
// each (choice, outcome, residual); as many more for the outcomes of the best choice with means.
//
// What is worth less than -2^1000 counts as -inf, and from above as -2^1000; the other way round above 2^1000. So
// no sum overflows, and the curve tells that it is a bound on one side only (is_open_below, is_open_above).
#pragma once

#include <optional>

#include "finite/criteria/worth_curve.hpp"
#include "finite/segments.hpp"
#include "quantiplan/answer.hpp"

namespace quantiplan {

// The value of a function at a residual, in steps of the time, certainly lies between these.
struct WorthBounds {
  double lower = 0;
  double upper = 0;
};

struct WorthPassInput {
  WorthGround<double> ground;
  double gain = 0;
  double loss = 1;
  // Instead of a kinked function; called once for each level of a step.
  std::function<WorthBounds(std::uint64_t time, std::int64_t residual)> spelt = nullptr;
  Interval targets;
  bool with_mean = false;
  bool from_above = false;  // the upper bounds of a spelt function instead of the lower ones
};

// What it costs, before it is run: multiply-adds, and bytes of arrays.
struct WorthPassSize {
  double multiply_adds = 0;
  double bytes = 0;
  std::uint64_t backups = 0;  // functions formed
  double entries = 0;         // values of all functions that are kept
};
std::optional<WorthPassSize> worth_pass_size(const WorthPassInput& input, const Limits& limits);

// Nullopt if the limits ended it. Throws Error(refused) if it does not fit the memory limit.
std::optional<WorthCurve<double>> run_worth_pass(const WorthPassInput& input,
                                                 Limits& limits,
                                                 Work& work);

}  // namespace quantiplan
