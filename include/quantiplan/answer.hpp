// What comes back: for each (tau, side), the optimal quantile with its certificate and its policy.
//
//     status       how the call went          solved | limit_reached | interrupted | unsettled
//     certificate  how sure the number is     exact: quantile is the optimum
//                                             tie: one of the two ends of the bracket, undecided
//                                             bracket: the optimum lies in [lower, upper]
//
// In every case `policy` achieves `quantile` (the bracket's lower end) with `probability`, which
// says by itself whether it is exact or a bound (value.hpp). A call that ended before the
// model was laid out gives a bracket that every policy achieves, and no policy. A bracket no wider
// than the epsilon asked for is `solved`; a wider one was left by a limit that was met, or is
// `unsettled`: all that this engine can tell, which EngineReport::left_open explains.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantiplan/distribution.hpp"
#include "quantiplan/level.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/shared.hpp"

namespace quantiplan {

enum class Status { not_called, solved, limit_reached, interrupted, unsettled };
enum class Certificate { none, exact, bracket, tie };
std::string_view to_text(Status status);
std::string_view to_text(Certificate certificate);

// What the expectation-optimal policy would have done instead.
struct ExpectationComparison {
  Value mean;
  std::optional<Level> quantile;  // its own quantile at the same tau and side, or a lower bound
  Value probability;              // its P(W >= result.quantile), or a lower bound
  std::optional<Level> upper = std::nullopt;  // an upper bound of its quantile, if not exact
  // With a goal, as in Result.
  std::optional<Value> goal_probability = std::nullopt;
  std::optional<Value> goal_mean = std::nullopt;
};

// The verdict of the independent checker.
struct CheckReport {
  bool passed = false;
  // False: the policy was confirmed, but its optimality was too large to recheck.
  bool optimality_checked = false;
  std::vector<std::string> findings;  // what was confirmed or refuted, one sentence each
  // A limit was met before the policy was followed to its end: neither passed nor refuted.
  bool ended_early = false;
  // There is no policy, or it claims nothing: neither passed nor refuted. The finding says why.
  bool nothing_to_check = false;
};

// Policies and a coin between them, tossed before the start, that keep the promise and attain the
// bound of the mean: with P(W >= q) = 1 - tau on the upper side. On the lower side, where P > 1 - tau
// is asked for, the bound is a supremum: the mean is below it by at most 2^-20 of the difference
// between the means of the two policies. Where no coin is found, or a limit ends the search for one:
// the policy of the result alone, its mean not a number if it is not known.
struct Mixed {
  Rational coin;      // the chance of the first policy; 1: there is no second
  Value probability;  // P(W >= quantile); in doubles, a lower bound that keeps the promise
  Value mean;
  Later<Policy> policy;              // both, as a mixture; as in Result
  std::optional<CheckReport> check;  // with Options::check
};

// The class that a policy is best at besides its promise.
struct NextClass {
  Level level;
  Value probability;  // of this class or a better one
  Value bound;        // no policy that keeps the promise, randomised or not, has a greater one
};

// Of another criterion than the quantile: its greatest value, which lies in [lower, upper]; equal where it is
// known exactly. Of costs it is the negative of what reports show. A policy that was found attains `lower`.
struct CriterionOptimum {
  Criterion criterion;
  Total lower;
  Total upper;
  std::optional<Value> variance = std::nullopt;  // of mean-variance: that of the policy
};

struct Result {
  Rational tau;
  Side side = Side::lower;
  Status status = Status::not_called;
  Certificate certificate = Certificate::none;
  // Present for another criterion than the quantile; `quantile`, `upper` and `probability` are absent then,
  // and `tau` means nothing if the criterion takes none.
  Shared<CriterionOptimum> optimum = std::nullopt;
  // Of a quantile absent only in a Result that was never filled.
  Shared<Level> quantile;
  Shared<Level> upper;  // upper end of the bracket; equals quantile if exact
  // False: a supremum that no policy attains, though every lower level is attained; no policy.
  bool attained = true;
  // P(W >= quantile) under the policy; in an adversarial setting, under any.
  Shared<Value> probability;
  // Infinite where the expected total is; absent where it is unknown, or misses leave it undefined.
  Shared<Value> mean;
  // With a goal, of the policy: P(goal), and E[W; goal], to which misses add nothing.
  Shared<Value> goal_probability = std::nullopt;
  Shared<Value> goal_mean = std::nullopt;
  // What the policy is best at, and if that is the mean: the bound that no policy which keeps the
  // promise exceeds.
  Prefer prefer = Prefer::probability;
  Shared<Value> mean_bound;
  // What a unit of probability is worth in mean where the bound is least: it proves the bound
  // (policy.hpp). Absent: the promise must be kept surely.
  Shared<Rational> mean_weight;
  // With Prefer::classes the next class counts instead; absent where every other class is certain.
  Shared<NextClass> next_class;
  // With a goal the chance to reach it counts instead: none of them has a greater one.
  Shared<Value> goal_probability_bound;
  Shared<Mixed> mixed;  // where Query::mixed asked for it
  Shared<ExpectationComparison> expectation_policy;
  Shared<CheckReport> check;

  // The policy as a table, and its whole distribution; made when called (they can be large). Empty
  // if the call ended before there was one. Neither the Answer nor the
  // Model need outlive them.
  Later<Policy> policy;
  Later<Distribution> distribution;
};

struct ModelFacts {
  std::string name;
  std::size_t states = 0;
  std::size_t choices = 0;
  std::size_t outcomes = 0;
  std::uint64_t horizon = 0;
  Rational discount = 1;
  InitialNames initial;
  std::size_t goal_states = 0;  // 0: no goal
  bool cost = false;
  bool adversarial = false;
  WealthKind wealth = WealthKind::sum;
};

// The smaller model that was solved instead.
struct Reduction {
  std::string by;          // "bisimulation"
  std::size_t states = 0;  // of the model
  std::size_t solved_as = 0;
};

struct EngineReport {
  std::string given;
  std::string used;
  std::string why;
  // What leaves a result `unsettled`, where one is, and what can tell more.
  std::string left_open = {};
  // What would have been wanted of the policies and was left out, and which option asks for it.
  std::string left_out = {};
  std::optional<Reduction> reduction = std::nullopt;
};

struct Work {
  double seconds = 0;
  std::uint64_t backups = 0;        // (time, state, choice) step functions formed
  std::uint64_t breakpoints = 0;    // values stored: breakpoints, or entries of dense windows
  std::uint64_t multiply_adds = 0;  // products p * D summed
  std::uint64_t passes = 0;         // backward passes: 1, or one per target for the paper's engine
  std::uint64_t exact_nodes = 0;    // (time, state, residual) settled in rationals
  std::uint64_t levels = 0;         // infinite horizon: levels of the residual target solved
  std::uint64_t triples = 0;        // (time, state, wealth) met going forward
  std::uint64_t peak_bytes = 0;     // engine's own, the model not counted
  std::uint64_t sent_bytes = 0;     // by all ranks, where several solve together
};

struct Answer {
  ModelFacts model;
  // The widest bracket that counts as solved; absent where the engine is exact.
  std::optional<Rational> epsilon;
  std::vector<Result> results;
  // Present where wealth is no sum: the list that all levels are classes of (structure.hpp).
  std::shared_ptr<const WealthClasses> classes = nullptr;
  EngineReport engine;
  Work work;
  // Of a curve (criteria.hpp): between two of its points it is a line, as said there.
  bool is_complete = false;
};

// The greatest probability of a total of at least `target`; the least, in an adversarial setting.
struct ThresholdResult {
  Level target;  // where wealth is no sum: the worst class that is good enough
  Status status = Status::not_called;
  Certificate certificate = Certificate::none;  // exact: known to the digit, or rounded to a double
  std::optional<Value> probability;             // lower end, where it is a bracket
  std::optional<Value> upper;                   // upper end; absent where exact
  std::optional<CheckReport> check;
  // A policy that attains `probability` at least; the adversary's, `upper` at most. As in Result.
  Later<Policy> policy;
  // Where wealth is no sum: the class or number that was asked for.
  std::optional<std::string> level = std::nullopt;
};
struct ThresholdAnswer {
  ModelFacts model;
  std::vector<ThresholdResult> results;
  EngineReport engine;
  Work work;
  // As in Answer; a level that is too good for all of them has the position after the last.
  std::shared_ptr<const WealthClasses> classes = nullptr;
};

// G*(w) = the greatest P(W >= w) any policy attains, at each level where it changes.
struct FrontierStep {
  Level wealth;
  Value probability;
};
struct FrontierQuantile {
  Rational tau;
  Side side = Side::lower;
  Certificate certificate = Certificate::none;
  Level quantile;
  Level upper;
};
struct Frontier {
  ModelFacts model;
  Status status = Status::not_called;
  // Ascending wealth; the first has probability 1 unless episodes can miss their goal or lose
  // without bound. Infinite horizon: up to the last level asked for (`upto`), or all of it if there
  // is an end. If upper_steps is not empty, these are lower bounds, and G* lies between the two
  // curves.
  std::vector<FrontierStep> steps;
  std::vector<FrontierStep> upper_steps;
  std::optional<Level> upto = std::nullopt;  // the curve goes on beyond the last step
  std::optional<Rational> epsilon;           // as in Answer
  // Relative error of each probability; steps closer than it are shown as one. 0: exact.
  double relative_error = 0;
  std::vector<FrontierQuantile> quantiles;
  std::shared_ptr<const WealthClasses> classes = nullptr;  // as in Answer
  // One table of decisions for the whole curve: with any level as its target, the policy attains G*
  // there, up to rounding of its probability. It has rules for every residual, and so for whoever did
  // something else before. Made when called, as in Result; empty where wealth is rounded or no sum,
  // where the horizon is infinite, and of an adversary.
  Later<Policy> policy = {};
  EngineReport engine;
  Work work;
};

}  // namespace quantiplan
