#include "problem/quantile_problem.hpp"

#include "base/limits.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

Wishes wishes_of(const Query& query) {
  Wishes wishes{query.compare, query.prefer, query.mean_gap};
  wishes.mixed = query.mixed;
  return wishes;
}

std::unique_ptr<QuantileProblem> QuantileProblem::from_start(State) { return nullptr; }

Tradeoff QuantileProblem::tradeoff(const TradeoffQuestion&) { refuse_infinite_mean("tradeoff"); }

void refuse_infinite_mean(const char* what) {
  throw Error(ErrorCode::refused,
              what,
              "found with an infinite horizon without a discount, where means may be infinite; "
              "expected a finite horizon, or a discount");
}

void refuse_best_mean(const Wishes& wishes, const char* why) {
  if (wishes.prefer == Prefer::mean || wishes.prefer == Prefer::classes)
    throw Error(
        ErrorCode::refused,
        "--prefer",
        "found " + std::string(to_text(wishes.prefer)) + " " + why + "; expected probability");
}

FoundChances QuantileProblem::class_chances(const std::vector<std::string>&) {
  throw Error(ErrorCode::bad_request,
              "--target",
              "found classes of wealth, expected numbers: this wealth is a sum");
}

void refuse_criterion(const Criterion& criterion, const std::string& why) {
  throw Error(ErrorCode::refused, "--criterion", "found " + to_text(criterion) + " " + why);
}

FoundQuantiles QuantileProblem::optima(const CriterionQuestions& asked) {
  refuse_criterion(asked.criterion,
                   asked.criterion.kind == Criterion::Kind::worst_case
                       ? "with a wealth that is no sum, expected quantile: the best worst class is "
                         "that of --tau 0 --side upper"
                       : "with a wealth that is no sum, expected quantile");
}

Result unknown_result(const ResolvedSetting& setting, const Question& question, Status status) {
  Result result;
  result.tau = question.tau;
  result.side = question.side;
  result.status = status;
  result.certificate = Certificate::bracket;
  result.quantile = setting.goal.empty() ? Total::minus_infinity() : Total::miss();
  result.upper = Total::plus_infinity();
  result.probability = Value::exactly(1);
  return result;
}

FoundChance unknown_chance(Status status) {
  FoundChance chance;
  chance.status = status;
  return chance;
}

Status ended_status(const Options& options) {
  const Status status = Limits(options).status();
  return status == Status::solved ? Status::limit_reached : status;
}

EngineReport no_engine_report(const Options& options) {
  EngineReport report;
  for (const OptionEntry& entry : option_table()) {
    if (entry.name == "engine") report.given = entry.get(options);
  }
  report.used = "none";
  report.why = "ended before the model was laid out; the bracket holds for every policy";
  return report;
}

void refuse_discounted_expectation() {
  throw Error(ErrorCode::refused,
              "expectation policy",
              "expected a finite horizon, or no discount: at the infinite horizon with a discount "
              "it is not computed");
}

void refuse_adversary_expectation() {
  throw Error(ErrorCode::refused,
              "expectation policy",
              "found with 'adversarial', expected without: what an adversary wants of the mean, "
              "where episodes miss a goal or have no end, is not defined");
}

}  // namespace quantiplan
