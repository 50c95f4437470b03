#include "endless_solve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "instance.hpp"
#include "plan.hpp"
#include "quantiplan/error.hpp"
#include "quoted.hpp"
#include "recast.hpp"
#include "stopwatch.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void refuse_mixed_signs(const Moves& moves, const Signs& signs) {
  const auto named = [&](const Signs::Where& where) {
    return fmt::format("state {}, choice {}",
                       quoted(moves.model->state_name(moves.state[where.slot])),
                       quoted(moves.model->action_name(moves.choice[where.choice])));
  };
  const bool flipped = moves.sign < 0;
  throw Error(
      ErrorCode::refused,
      "rewards",
      fmt::format("at the infinite horizon without discount, {} can give a reward above 0 and {} "
                  "one below 0, and episodes can go in circles; expected rewards of one sign, a "
                  "--discount below 1, or a finite --horizon",
                  named(flipped ? *signs.loss : *signs.gain),
                  named(flipped ? *signs.gain : *signs.loss)));
}

// Nullptr if the limits ended it.
std::shared_ptr<EndlessGround> lay_out(const Model& model,
                                       const ResolvedSetting& setting,
                                       const Options& options) {
  options.validate();
  auto ground = std::make_shared<EndlessGround>(model, setting, options);
  auto moves = Moves::lay_out(model, setting, ground->limits);
  if (!moves) return nullptr;
  ground->moves = *std::move(moves);
  const Signs signs = signs_of(ground->moves);
  if (signs.gain && signs.loss) refuse_mixed_signs(ground->moves, signs);
  ground->event.gains = !signs.loss;
  if (!setting.goal.empty()) ground->event.miss = setting.adversarial ? Miss::best : Miss::worst;
  return ground;
}

EngineReport report_of(const Options& options, const EndlessSeries& series) {
  EngineReport report = no_engine_report(options);
  report.used = fmt::format("epochs ({})", series.was_exact() ? "exact" : "double");
  report.why = fmt::format(
      "infinite horizon without discount, so the residual target is gone through level by level; "
      "{}",
      options.arithmetic == Arithmetic::exact ? "rationals throughout, as asked"
      : series.was_exact()
          ? "small enough for rationals throughout"
          : "doubles with a certified error bound, open comparisons settled in rationals");
  return report;
}

// Counted questions: an adversary's are those of the other side.
Question counted(const Question& question, bool adversarial) {
  if (!adversarial) return question;
  return {Rational(1 - question.tau), question.side == Side::lower ? Side::upper : Side::lower};
}

Status status_of(const EndlessGround& ground, const LocatedLevel& where) {
  if (!where.ended) return Status::solved;
  return ground.limits.ended() ? ground.limits.status() : Status::limit_reached;
}

Certificate certificate_of(const WeightedGround& ground, const LocatedLevel& where) {
  if (where.lower == where.upper) return Certificate::exact;
  if (!where.is_open || where.ended) return Certificate::bracket;
  // A tie is between two neighbours.
  const bool neighbours = where.lower.is_finite() && where.upper.is_finite() &&
                          where.upper.value() - where.lower.value() <= ground.weights.unit;
  return neighbours ? Certificate::tie : Certificate::bracket;
}

Result as_result(const std::shared_ptr<WeightedGround>& ground,
                 const Question& question,
                 const EndlessSeries::Found& found) {
  const EndlessGround& common = *ground->ground;
  const LocatedLevel& where = found.where;
  const bool adversarial = common.setting.adversarial;
  Result result;
  result.tau = question.tau;
  result.side = question.side;
  result.status = status_of(common, where);
  result.certificate = certificate_of(*ground, where);
  // What is too close to call, and not a tie of two neighbours, is no solution.
  if (result.certificate == Certificate::bracket && result.status == Status::solved)
    result.status = Status::limit_reached;
  result.quantile = adversarial ? where.upper.negated() : where.lower;
  result.upper = adversarial ? where.lower.negated() : where.upper;
  result.attained = where.attained || adversarial;
  const std::optional<Value>& own = found.probability;
  if (!adversarial) {
    if (result.attained) result.probability = own;
  } else if (found.beyond && where.lower == where.upper) {
    result.probability = complement(*found.beyond);
  }
  if (!where.attained && !adversarial) return result;
  if (where.ended && where.place != LocatedLevel::Place::level) return result;
  PolicyClaim claim;
  claim.tau = question.tau;
  claim.side = question.side;
  claim.quantile = *result.quantile;
  if (*result.upper != *result.quantile) claim.upper = result.upper;
  if (own) {
    claim.probability = own->nearest;
    claim.exact_probability = own->exact;
  }
  const bool claims = result.certificate == Certificate::exact && own.has_value();
  result.policy = [ground, where, method = found.method, claim, claims] {
    Policy policy = endless_policy(ground, where, method);
    if (claims) policy.claim = claim;
    return policy;
  };
  result.distribution = [ground, make = result.policy] {
    return evaluate(ground->ground->model, make(), ground->ground->options);
  };
  return result;
}

template <class Out>
bool begin(Out& out,
           const Model& model,
           const ResolvedSetting& setting,
           const Options& options,
           std::shared_ptr<EndlessGround>& ground) {
  out.model = facts_of(model, setting);
  out.engine = no_engine_report(options);
  ground = lay_out(model, setting, options);
  return ground != nullptr;
}

}  // namespace

Answer solve_endless(const Model& model,
                     const ResolvedSetting& setting,
                     const std::vector<Question>& asked,
                     const Options& options) {
  Answer answer;
  std::shared_ptr<EndlessGround> ground;
  if (!begin(answer, model, setting, options, ground)) return answer;
  auto weights = exact_weights(ground->moves);
  auto weighted = std::make_shared<WeightedGround>(ground, *std::move(weights));
  EndlessSeries series(weighted);
  std::vector<Question> questions;
  for (const Question& question : asked)
    questions.push_back(counted(question, setting.adversarial));
  const auto found = series.find(questions);
  for (std::size_t i = 0; i < asked.size(); ++i)
    answer.results.push_back(as_result(weighted, asked[i], found[i]));
  answer.engine = report_of(options, series);
  series.add_work(answer.work);
  answer.work.peak_bytes = ground->limits.peak();
  return answer;
}

ThresholdAnswer threshold_endless(const Model& model,
                                  const ResolvedSetting& setting,
                                  const std::vector<Total>& targets,
                                  const Options& options) {
  ThresholdAnswer answer;
  std::shared_ptr<EndlessGround> ground;
  if (!begin(answer, model, setting, options, ground)) return answer;
  auto weights = exact_weights(ground->moves);
  auto weighted = std::make_shared<WeightedGround>(ground, *std::move(weights));
  EndlessSeries series(weighted);
  for (const Total& target : targets) {
    ThresholdResult result;
    result.target = target;
    const bool adversarial = setting.adversarial;
    const auto chance =
        adversarial ? series.chance(target.negated(), true) : series.chance(target, false);
    if (!chance) {
      result.status = ground->limits.ended() ? ground->limits.status() : Status::limit_reached;
      result.certificate = Certificate::bracket;
      result.probability = Value{0, Rational(0)};
      result.upper = Value{1, Rational(1)};
      answer.results.push_back(std::move(result));
      continue;
    }
    result.status = Status::solved;
    const bool exact = chance->method == Method::exact;
    result.certificate = exact ? Certificate::exact : Certificate::bracket;
    const Value low = adversarial ? complement(chance->upper) : chance->value;
    const Value high = adversarial ? complement(chance->value) : chance->upper;
    result.probability = low;
    if (!exact) result.upper = high;
    PolicyClaim claim;
    claim.kind = PolicyClaim::Kind::threshold;
    claim.quantile = target;
    claim.probability = low.nearest;
    claim.exact_probability = low.exact;
    if (!exact) claim.most_probability = high.nearest;
    LocatedLevel where = chance->where;
    if (adversarial && where.lower.is_finite()) {
      // W < target is to be met: the adversary's own target is the next level above.
      const Rational steps = where.lower.value() / weighted->weights.unit;
      Integer down;
      mpz_fdiv_q(down.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
      where.lower = Rational(Rational(down + 1) * weighted->weights.unit);
    }
    result.policy = [weighted, where, method = chance->method, claim] {
      Policy policy = endless_policy(weighted, where, method);
      policy.claim = claim;
      return policy;
    };
    answer.results.push_back(std::move(result));
  }
  answer.engine = report_of(options, series);
  series.add_work(answer.work);
  answer.work.peak_bytes = ground->limits.peak();
  return answer;
}

Frontier frontier_endless(const Model& model,
                          const ResolvedSetting& setting,
                          const std::vector<Question>& asked,
                          const Options& options) {
  Frontier out;
  std::shared_ptr<EndlessGround> ground;
  if (!begin(out, model, setting, options, ground)) {
    out.status = Status::limit_reached;
    return out;
  }
  auto weights = exact_weights(ground->moves);
  auto weighted = std::make_shared<WeightedGround>(ground, *std::move(weights));
  EndlessSeries series(weighted);
  std::vector<Question> questions;
  for (const Question& question : asked)
    questions.push_back(counted(question, setting.adversarial));
  const auto found = series.find(questions);
  out.status = Status::solved;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Result result = as_result(weighted, asked[i], found[i]);
    if (result.status != Status::solved) out.status = result.status;
    out.quantiles.push_back(
        {result.tau, result.side, result.certificate, *result.quantile, *result.upper});
  }
  bool exact = false;
  std::vector<FrontierStep> steps = series.curve(&exact);
  if (setting.adversarial && !steps.empty()) {
    // Guaranteed at -w: 1 less the greatest chance of more than w, which is that of the next step.
    std::vector<FrontierStep> mirrored;
    for (std::size_t i = steps.size(); i-- > 0;) {
      Value beyond{0, Rational(0)};
      if (i + 1 < steps.size()) {
        beyond = steps[i + 1].probability;
      } else if (const auto chance = series.chance(steps[i].wealth, true)) {
        beyond = chance->upper;
      }
      mirrored.push_back({steps[i].wealth.negated(), complement(beyond)});
    }
    steps = std::move(mirrored);
  }
  // One step for each stretch of equal values: the greatest total of it.
  for (FrontierStep& step : steps) {
    const auto same = [&](const Value& a, const Value& b) {
      return a.exact && b.exact ? *a.exact == *b.exact : a.nearest == b.nearest;
    };
    if (!out.steps.empty() && same(out.steps.back().probability, step.probability))
      out.steps.pop_back();
    out.steps.push_back(std::move(step));
  }
  if (!out.steps.empty()) {
    const bool at_top = ground->event.gains != setting.adversarial;
    out.upto = at_top ? out.steps.back().wealth : out.steps.front().wealth;
  }
  out.engine = report_of(options, series);
  series.add_work(out.work);
  out.work.peak_bytes = ground->limits.peak();
  return out;
}

}  // namespace quantiplan
