// One problem of promises under many aims: the seam between the search over weights and the passes.
//
// Dense passes in doubles (weighted_pass.hpp) and nodes in rationals (exact_nodes.hpp) stand behind
// it. The targets are fixed when it is made: one pass serves all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "finite/decisions.hpp"
#include "finite/promise/aim.hpp"
#include "finite/strategy.hpp"
#include "quantiplan/answer.hpp"

namespace quantiplan {

// The choices of a policy: on the ground, by one of the two.
struct AimedRules {
  std::shared_ptr<const Groundwork> ground;
  std::shared_ptr<const Decisions> decisions;
  std::shared_ptr<const SettledPoints> points;
};

class PromisePasses {
 public:
  virtual ~PromisePasses() = default;
  // A prospect for each target. Nullopt if the limits ended it.
  virtual std::optional<std::vector<Prospect>> run(const Aim& aim, Limits& limits, Work& work) = 0;
  // The policy of an aim. Nullopt if the limits ended it. Safe from several threads at a time.
  virtual std::optional<AimedRules> rules(const Aim& aim, Limits& limits) = 0;
  // The probability of an aim's policy for one of the targets, by position, in rationals. Nullopt if
  // that takes too long.
  virtual std::optional<Rational> exact_probability(const Aim& aim,
                                                    std::size_t target,
                                                    Limits& limits) = 0;
  // The search is over: arrays that only passes need are dropped.
  virtual void end_search() {}
  // A weight that the passes can compute with, near this one.
  [[nodiscard]] virtual Rational rounded(const Rational& weight) const = 0;
};

}  // namespace quantiplan
