// Which engine and which arithmetic, and why: decided once, printed in the answer.
#pragma once

#include <string>

#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "stages.hpp"
#include "windows.hpp"

namespace quantiplan {

struct Plan {
  bool paper = false;
  bool exact = false;
  std::string why;
};

Plan choose_plan(const Stages& stages, const Windows& windows, const Options& options);

// "steps (sparse, exact)" and the like, once it is known how the pass went.
EngineReport engine_report(const Options& options,
                           const Plan& plan,
                           std::uint64_t dense_layers,
                           std::uint64_t layers);

// For a call that ended before an engine was chosen.
EngineReport no_engine_report(const Options& options);

}  // namespace quantiplan
