// What every solver must answer, whoever computes it: the curve w -> G(w) and its quantiles.
//
//     G(w) = the greatest P(W >= w) of any policy, or the least (an adversarial setting)
//
// Wealth is a Total: a miss is below -inf, which is below every number.
#pragma once

#include <memory>
#include <vector>

#include "oracles/plain_model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan::testing {

// Over policies. least: what is guaranteed whatever is done.
enum class Aim { greatest, least };

struct Optimum {
  Total quantile;
  Rational probability;  // G(quantile)
  // False: a supremum of policies that all have less.
  bool attained = true;
};

// True if a chance of p is enough for a quantile.
inline bool suffices(const Rational& p, const Rational& tau, Side side) {
  return side == Side::upper ? p >= 1 - tau : p > 1 - tau;
}

// A number where G falls, and G there.
struct CurveStep {
  Rational wealth;
  Rational probability;
  friend bool operator==(const CurveStep&, const CurveStep&) = default;
};

class Truth {
 public:
  Truth() = default;
  Truth(const Truth&) = delete;
  Truth& operator=(const Truth&) = delete;
  virtual ~Truth() = default;

  virtual Rational at_least(const Total& wealth) = 0;
  // Ascending; at the infinite horizon perhaps only the first ones in the order of computation.
  virtual std::vector<CurveStep> steps() = 0;
  virtual Optimum optimum(const Rational& tau, Side side) = 0;
};

}  // namespace quantiplan::testing
