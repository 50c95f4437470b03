// Probabilities of outcomes as intervals or as rationals, so that each pass is written once.
#pragma once

#include <vector>

#include "check/common/outward_interval.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::checking {

// Each distinct number is enclosed once, when it is first met.
class IntervalProbabilities {
 public:
  using Probability = Interval;
  explicit IntervalProbabilities(const Model& model)
      : model_(model), known_(model.probabilities().size(), Interval::zero()) {}

  [[nodiscard]] static Interval zero() { return Interval::zero(); }
  [[nodiscard]] static Interval one() { return Interval::one(); }
  [[nodiscard]] const Interval& of(const Outcome& outcome) {
    Interval& entry = known_[index(outcome.probability)];
    if (entry.is_zero()) entry = enclose(model_.probability(outcome));
    return entry;
  }
  [[nodiscard]] static Interval of(const Rational& p) { return enclose(p); }

 private:
  const Model& model_;
  std::vector<Interval> known_;
};

class RationalProbabilities {
 public:
  using Probability = Rational;
  explicit RationalProbabilities(const Model& model) : model_(model) {}

  [[nodiscard]] static Rational zero() { return 0; }
  [[nodiscard]] static Rational one() { return 1; }
  [[nodiscard]] Rational of(const Outcome& outcome) const { return model_.probability(outcome); }
  [[nodiscard]] static const Rational& of(const Rational& p) { return p; }

 private:
  const Model& model_;
};

}  // namespace quantiplan::checking
