// An answer as text for a person, or as JSON for a program. Sees answers and models, computes nothing.
#pragma once

#include <string>

#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {

struct ReportOptions {
  bool distributions = false;  // add the distribution of each result's policy
};

std::string answer_json(const Answer& answer, const ReportOptions& options = {});
std::string answer_text(const Answer& answer, const ReportOptions& options = {});

std::string frontier_json(const Frontier& frontier);
std::string frontier_text(const Frontier& frontier);

// A policy's distribution with the quantiles and thresholds that were asked for.
struct Evaluation {
  ModelFacts model;
  std::string policy;  // what was evaluated: a file, or "expectation"
  Distribution distribution;
  std::vector<QuantileOfDistribution> quantiles;
  std::vector<Atom> at_least;  // P(W >= wealth) for each wealth asked for
};
std::string evaluation_json(const Evaluation& evaluation);
std::string evaluation_text(const Evaluation& evaluation);

struct Simulation {
  ModelFacts model;
  std::uint64_t seed = 0;
  std::vector<Episode> episodes;
  bool trace = false;
};
std::string simulation_json(const Simulation& simulation, const Model& model);
std::string simulation_text(const Simulation& simulation, const Model& model);

std::string info_json(const ModelInfo& info);
std::string info_text(const ModelInfo& info);

std::string check_json(const CheckReport& report);
std::string check_text(const CheckReport& report);

}  // namespace quantiplan
