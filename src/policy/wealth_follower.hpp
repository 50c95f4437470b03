// Follows a policy that goes by the wealth so far.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "policy/follower.hpp"
#include "policy/wealth_rules.hpp"

namespace quantiplan {

class WealthFollower final : public Follower {
 public:
  // All must outlive it. Throws as WealthRules does.
  WealthFollower(const Model& model, Structure& structure, const Policy& policy)
      : structure_(structure), rules_(std::make_shared<WealthRules>(model, structure, policy)) {}

  [[nodiscard]] std::unique_ptr<Follower> copy() const override {
    return std::make_unique<WealthFollower>(*this);
  }
  void start() override { wealth_ = structure_.initial(); }
  [[nodiscard]] Choice choose(std::uint64_t time, State state) override {
    return rules_->choose(time, state, wealth_);
  }
  void collect(std::uint64_t, const Outcome& outcome) override {
    wealth_ = structure_.update(wealth_, outcome.reward);
  }
  [[nodiscard]] std::optional<Rational> residual(std::uint64_t) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::optional<WealthId> wealth() const override { return wealth_; }

  [[nodiscard]] WealthRules& rules() const { return *rules_; }

 private:
  Structure& structure_;
  std::shared_ptr<WealthRules> rules_;  // they remember what was looked up
  WealthId wealth_{};
};

}  // namespace quantiplan
