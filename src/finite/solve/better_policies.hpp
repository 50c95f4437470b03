// Policies that keep the promise of a quantile and are better at something else, put into results.
//
// What is found first is a level q and some policy that reaches it often enough. Which of the
// policies that do is the one to follow is decided afterwards, by a search over weights
// (promise/promise_search.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "finite/promise/promise_passes.hpp"
#include "finite/solve/instance.hpp"
#include "problem/quantile_problem.hpp"
#include "promise/promise_search.hpp"
#include "promise/wanted.hpp"

namespace quantiplan {

// A level that was promised: P(W >= level) >= 1 - tau, or > on the lower side.
struct PromisedLevel {
  Question question;
  std::int64_t level = 0;
  Result* result = nullptr;  // holds a policy that keeps it
};

using MakeRules = std::function<AimedRules(Limits&)>;
// The policy with these rules and this target, and its distribution; made when they are asked for.
void put_policy(const std::shared_ptr<Instance>& instance,
                const MakeRules& make,
                std::int64_t level,
                Result& result);

}  // namespace quantiplan
