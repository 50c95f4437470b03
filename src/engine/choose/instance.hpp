// One resolved problem, laid out: what every entry point builds before it asks an engine.
#pragma once

#include <memory>
#include <utility>

#include "limits.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"
#include "stages.hpp"
#include "strategy.hpp"
#include "windows.hpp"

namespace quantiplan {

ModelFacts facts_of(const Model& model, const ResolvedSetting& setting);
// Least and greatest reward of any outcome.
std::pair<Rational, Rational> reward_range(const Model& model);

// Kept alive by the policies of an answer. The model must outlive it.
struct Instance {
  Instance(const Model& model_in, const Setting& setting_in, const Options& options_in);

  // Lays out stages and windows; false if the limits ended it.
  bool lay_out();

  const Model& model;
  Options options;
  ResolvedSetting setting;
  Limits limits;
  std::shared_ptr<const Stages> stages;
  std::shared_ptr<const Windows> windows;
};

// Limits for work that is asked for after the solve: no clock, the same memory.
Options unhurried(const Options& options);

}  // namespace quantiplan
