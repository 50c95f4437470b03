// Promises over a finite horizon under many aims: what the search over weights asks
// (promise/hull_oracle.hpp), and the policies.
//
// Dense passes in doubles (weighted_pass.hpp) and nodes in rationals (exact_nodes.hpp) stand behind
// it.
#pragma once

#include <memory>
#include <optional>

#include "base/limits.hpp"
#include "finite/decisions.hpp"
#include "finite/strategy.hpp"
#include "promise/hull_oracle.hpp"

namespace quantiplan {

// The choices of a policy: on the ground, by one of the two.
struct AimedRules {
  std::shared_ptr<const Groundwork> ground;
  std::shared_ptr<const Decisions> decisions;
  std::shared_ptr<const SettledPoints> points;
};

class PromisePasses : public HullOracle {
 public:
  // The policy of an aim. Nullopt if the limits ended it. Safe from several threads at a time.
  virtual std::optional<AimedRules> rules(const Aim& aim, Limits& limits) = 0;
  // All that they find is in rationals.
  [[nodiscard]] virtual bool is_exact() const = 0;
  // The search is over: arrays that only passes need are dropped.
  virtual void end_search() {}
};

}  // namespace quantiplan
