// Follows a stationary policy: the infinite horizon without discount.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "policy/follower.hpp"
#include "policy/stationary_rules.hpp"

namespace quantiplan {

class StationaryFollower final : public Follower {
 public:
  // Both must outlive it. Throws as StationaryRules does.
  StationaryFollower(const Model& model, const Policy& policy)
      : rules_(std::make_shared<const StationaryRules>(model, policy)) {}

  [[nodiscard]] std::unique_ptr<Follower> copy() const override {
    return std::make_unique<StationaryFollower>(*this);
  }
  void start() override { count_ = 0; }
  [[nodiscard]] Choice choose(std::uint64_t, State state) override {
    return rules_->choose(state, count_);
  }
  void collect(std::uint64_t, const Outcome& outcome) override {
    count_ = rules_->after(count_, outcome);
  }
  [[nodiscard]] std::optional<Rational> residual(std::uint64_t) const override {
    return rules_->residual(count_);
  }

  [[nodiscard]] const StationaryRules& rules() const { return *rules_; }
  // k, in units of the rules.
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  std::shared_ptr<const StationaryRules> rules_;
  std::int64_t count_ = 0;
};

}  // namespace quantiplan
