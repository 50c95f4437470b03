// How much a later self would gain by a policy of its own.
//
//     max over places (t >= 1, s, residual) met of   ( q_t(s) - quantile of the policy's rest ) / gamma^t
//
// One law for each rest (rests.hpp): for a policy that carries its residual, as many levels times as
// many as it meets, which is reckoned up before. Where wealth was rounded down, a true quantile lies
// in [q, q + slack_t] of the rounded one, slack_t = the steps from t on, and a regret within slack_t
// of the rounded one; nor is it more than all that rewards can differ by from t on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "attitudes/exact_numbers.hpp"
#include "attitudes/selves.hpp"
#include "finite/solve/finite_layout.hpp"
#include "quantiplan/attitude.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan {

struct Regrets {
  Value mean;  // of the whole policy and the rewards as they are
  // Absent if the laws take more memory, or far more time, than there is: left_out says so.
  std::optional<Regret> greatest = std::nullopt;
  // With it, of the first self: its quantile in the layout's own problem, and how probably it has
  // that, as a double with the error of a backward pass.
  std::int64_t level = 0;
  double chance = 1;
  std::string left_out = {};
};

// The policy is one of the layout's own problem, which is laid out. Throws WorkEnded, or
// Error(refused) if not even the places met fit the memory.
Regrets find_regrets(const FiniteLayout& layout,
                     const ExactNumbers& numbers,
                     const Policy& policy,
                     const Question& question,
                     const Selves& selves,
                     Work& work);

}  // namespace quantiplan
