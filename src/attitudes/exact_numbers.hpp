// The numbers of a model as rationals, each made once.
#pragma once

#include <vector>

#include "quantiplan/model.hpp"

namespace quantiplan {

class ExactNumbers {
 public:
  explicit ExactNumbers(const Model& model) : all_(model.numbers().size()) {
    for (std::size_t id = 0; id < all_.size(); ++id)
      all_[id] = model.numbers().rational(NumberId{static_cast<std::uint32_t>(id)});
  }
  [[nodiscard]] const Rational& probability(const Outcome& o) const noexcept {
    return all_[index(o.probability)];
  }
  [[nodiscard]] const Rational& reward(const Outcome& o) const noexcept {
    return all_[index(o.reward)];
  }

 private:
  std::vector<Rational> all_;
};

}  // namespace quantiplan
