// Follows policies of sums that go by time: by an index, a residual, or nothing besides.
//
// For finite horizons, and for discounted policies of the infinite one, whose last rules hold from
// their time on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "policy/follower.hpp"
#include "policy/index_policy.hpp"

namespace quantiplan {

class SumFollower final : public Follower {
 public:
  // Both must outlive it.
  SumFollower(const Model& model, const Policy& policy);

  [[nodiscard]] std::unique_ptr<Follower> copy() const override {
    return std::make_unique<SumFollower>(*this);
  }
  void start() override;
  [[nodiscard]] Choice choose(std::uint64_t time, State state) override;
  void collect(std::uint64_t time, const Outcome& outcome) override;
  [[nodiscard]] std::optional<Rational> residual(std::uint64_t time) const override;

 private:
  const Model& model_;
  const Policy& policy_;
  std::shared_ptr<const IndexPolicy> by_index_;
  std::uint64_t counts_until_ = 0;  // rules of this time and later do not look at the residual
  IndexPolicy::Place place_;
  Rational residual_;
};

}  // namespace quantiplan
