// Which engine and which arithmetic, and why: decided once, printed in the answer.
#pragma once

#include <string>

#include "finite/solve/finite_layout.hpp"
#include "problem/quantile_problem.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan {

struct Plan {
  Engine engine = Engine::steps;  // never automatic
  bool exact = false;             // rationals throughout
  std::string why;

  bool bracket = false;  // rewards or probabilities are rounded, or a search ends early
};

// The layout is laid out; `questions` are asked of it, 0 for the whole curve. Throws
// Error(refused) if what was asked for needs exact wealth and there is none.
Plan choose_plan(FiniteLayout& layout, std::size_t questions);

// "steps (sparse, exact)" and the like, once it is known how the pass went.
EngineReport engine_report(const Options& options,
                           const Plan& plan,
                           std::uint64_t dense_layers,
                           std::uint64_t layers);

// The same for brackets; `summary` says how they were narrowed.
EngineReport bracket_report(const Options& options, const Plan& plan, const std::string& summary);

}  // namespace quantiplan
