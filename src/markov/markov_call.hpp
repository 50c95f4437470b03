// What the three criteria have in common: the reachable, the width that is wanted, and how a call ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/limits.hpp"
#include "markov/markov_optimum.hpp"
#include "markov/reachable_states.hpp"
#include "markov/recursive_value.hpp"

namespace quantiplan {

struct MarkovCall {
  MarkovCall(const Model& model,
             const ResolvedSetting& setting,
             const char* criterion,
             const std::optional<Rational>& wanted,
             const Options& options,
             std::uint64_t tables);  // of decisions that are kept at a time

  const std::shared_ptr<const ReachableStates> held;  // with the policies that may still be made
  const ReachableStates& reachable;
  const Options& options;
  Limits limits;
  Rational epsilon;
  bool is_exact;  // rationals are asked for, or cheap

  // A bracket that every policy keeps to, for a call that ends before anything else is known.
  [[nodiscard]] MarkovOptimum nothing_known() const;
  // A table of its rules takes far more than the decisions: it is made when it is asked for.
  [[nodiscard]] Later<Policy> policy(MarkovDecisions decisions) const;
  // The value of a recursion, and the policy that it chose.
  [[nodiscard]] MarkovOptimum of(RecursiveValue value);
  // solved, if the bracket is narrow enough; unsettled, if nothing but doubles stood in the way.
  void set_status(MarkovOptimum& optimum) const;
};

}  // namespace quantiplan
