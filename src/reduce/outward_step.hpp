// One step of a recursion on totals, r + gamma v, in doubles that err to a chosen side; rewards are
// counted ones. Zeros stay zeros, so that what cannot be collected is not bounded by dust.
#pragma once

#include <cmath>

#include "numbers/directed.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

class OutwardStep {
 public:
  OutwardStep(const Model& model, const ResolvedSetting& setting)
      : numbers_(model.rewards()),
        sign_(setting.cost == setting.adversarial ? 1 : -1),
        gamma_below_(round_down(setting.discount)),
        gamma_above_(round_up(setting.discount)) {}

  [[nodiscard]] double below(const Outcome& o, double v) const { return next(o, v, -HUGE_VAL); }
  [[nodiscard]] double above(const Outcome& o, double v) const { return next(o, v, HUGE_VAL); }

 private:
  [[nodiscard]] double next(const Outcome& o, double v, double side) const {
    const bool down = side < 0;
    double rest = 0;
    if (v != 0) {
      const bool smaller = (v < 0) == down;  // the factor that takes the product to the side
      rest = (smaller ? gamma_above_ : gamma_below_) * v;
      if (gamma_above_ != 1) rest = std::nextafter(rest, side);
    }
    if (numbers_.is_zero(o.reward)) return rest;
    const double r = std::nextafter(sign_ * numbers_.nearest(o.reward), side);
    return rest == 0 ? r : std::nextafter(r + rest, side);
  }

  const NumberTable& numbers_;
  double sign_;
  double gamma_below_;
  double gamma_above_;
};

}  // namespace quantiplan
