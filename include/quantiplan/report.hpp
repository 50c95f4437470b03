// An answer as text for a person, or as JSON for a program. Sees answers and models, computes
// nothing.
//
// The JSON objects are described in docs/command-line.md: one object each, a newline at the end.
// Wealth is exact text (a string fraction where there is no finite decimal; "inf", "-inf" and
// "miss" for totals that are no numbers); probabilities and means are the shortest text that reads
// back as the same double, with the exact value beside it if known.
//
// Answers are in wealth, reports in what the model counts: where its rewards are costs, every total
// is shown as a cost, P(W >= w) as P(C <= c), and lists and brackets ascend by cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/measures.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/tradeoff.hpp"

namespace quantiplan {

struct Comparison;

struct ReportOptions {
  bool distributions = false;  // add the distribution of each result's policy
  // The expectation-optimal policy's, to be shown beside them; may be null.
  const Distribution* expectation = nullptr;
  // Of another criterion: what its policy and those that are best by other criteria are worth; may be null.
  const Comparison* comparison = nullptr;
  bool unicode = false;        // text only: draw bars with block characters instead of '#'
  std::size_t most_rows = 24;  // text only: longer lists are abbreviated; 0: never
  // Asked between the results of long lists, if it is set: once it is true the rest is left out,
  // which the report says.
  std::function<bool()> is_over = {};
};

std::string answer_json(const Answer& answer, const ReportOptions& options = {});
std::string answer_text(const Answer& answer, const ReportOptions& options = {});

std::string frontier_json(const Frontier& frontier);
std::string frontier_text(const Frontier& frontier, const ReportOptions& options = {});

// CSV: a heading and a row for each point, numbers as in JSON.
std::string tradeoff_json(const Tradeoff& tradeoff);
std::string tradeoff_csv(const Tradeoff& tradeoff);
std::string tradeoff_text(const Tradeoff& tradeoff, const ReportOptions& options = {});

std::string threshold_json(const ThresholdAnswer& answer, const ReportOptions& options = {});
std::string threshold_text(const ThresholdAnswer& answer, const ReportOptions& options = {});

// A policy's distribution with the quantiles and thresholds that were asked for.
struct Evaluation {
  ModelFacts model;
  std::string policy;  // what was evaluated: a file, or "expectation"
  Distribution distribution;
  std::vector<QuantileOfDistribution> quantiles;
  std::vector<Atom> at_least;            // P(W >= wealth) for each wealth asked for
  std::vector<std::string> levels = {};  // .. where wealth goes by classes, what it was asked as
  std::vector<MeasuredValue> measures = {};
  std::string utility = {};  // as measures has it, if it does: "power(2)"
};
std::string evaluation_json(const Evaluation& evaluation);
std::string evaluation_text(const Evaluation& evaluation, const ReportOptions& options = {});

struct Simulation {
  ModelFacts model;
  std::string policy;  // what was played: a file, or "expectation"
  std::uint64_t seed = 0;
  std::uint64_t asked = 0;  // how many episodes were wanted
  EpisodeTally played;      // fewer if the call ended early; JSON lists them in the order kept
  bool trace = false;       // shows the steps, which must be kept
};
std::string simulation_json(const Simulation& simulation, const Model& model);
std::string simulation_text(const Simulation& simulation,
                            const Model& model,
                            const ReportOptions& options = {});

std::string info_json(const ModelInfo& info);
std::string info_text(const ModelInfo& info);

// A claim with the checker's verdict on it.
struct CheckedClaim {
  ModelFacts model;
  std::string policy;  // the file
  PolicyClaim claim;
  CheckReport report;
};
std::string check_json(const CheckedClaim& checked);
std::string check_text(const CheckedClaim& checked);

}  // namespace quantiplan
