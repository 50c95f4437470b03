// The numbers of a model as rationals, each made once.
#pragma once

#include <vector>

#include "quantiplan/model.hpp"

namespace quantiplan {

class ExactNumbers {
 public:
  explicit ExactNumbers(const Model& model)
      : probabilities_(all(model.probabilities())), rewards_(all(model.rewards())) {}
  [[nodiscard]] const Rational& probability(const Outcome& o) const noexcept {
    return probabilities_[index(o.probability)];
  }
  [[nodiscard]] const Rational& reward(const Outcome& o) const noexcept {
    return rewards_[index(o.reward)];
  }

 private:
  static std::vector<Rational> all(const NumberTable& table) {
    std::vector<Rational> out;
    out.reserve(table.size());
    for (std::uint32_t id = 0; id < table.size(); ++id) out.push_back(table.rational(NumberId{id}));
    return out;
  }

  std::vector<Rational> probabilities_;
  std::vector<Rational> rewards_;
};

}  // namespace quantiplan
