// P(W >= w) of a policy, played by the book: to its horizon, or for ever where it is stationary.
#pragma once

#include <optional>

#include "oracles/follow.hpp"
#include "oracles/stationary_play.hpp"

namespace quantiplan::testing {

class Play {
 public:
  Play(const PlainModel& plain, const Model& model, const Policy& policy) {
    if (policy.setting.is_infinite()) {
      infinite_.emplace(plain, model, policy);
    } else {
      law_ = follow(plain, model, policy);
    }
  }
  [[nodiscard]] Rational at_least(const Total& wealth) const {
    return infinite_ ? infinite_->at_least(wealth) : testing::at_least(law_, wealth);
  }

 private:
  std::optional<StationaryPlay> infinite_;
  Law law_;
};

}  // namespace quantiplan::testing
