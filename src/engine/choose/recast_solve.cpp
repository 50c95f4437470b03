#include "recast_solve.hpp"

#include <algorithm>
#include <memory>

#include "instance.hpp"
#include "plain.hpp"
#include "recast.hpp"

namespace quantiplan {
namespace {

std::shared_ptr<Recast> recast_within(const Model& model,
                                      const ResolvedSetting& setting,
                                      const Options& options) {
  const Limits limits(options);
  return std::make_shared<Recast>(model, setting, std::nullopt, &limits);
}

// A thousandth of the range of returns, the bonus not among them.
Options with_epsilon(const Options& options, const Recast& recast) {
  Options out = options;
  if (!out.epsilon && recast.has_goal() && recast.range() > 0)
    out.epsilon = Rational(recast.range() / 1000);
  return out;
}

std::optional<Value> mean_of(const Recast& recast, const std::optional<Value>& plain) {
  // With a goal the mean may be undefined; the distribution says.
  if (!plain || recast.has_goal()) return std::nullopt;
  Value mean = *plain;
  if (recast.is_adversarial()) {
    mean.nearest = -mean.nearest;
    if (mean.exact) mean.exact = -*mean.exact;
  }
  return mean;
}

class RecastSolve {
 public:
  RecastSolve(const Model& model, const ResolvedSetting& setting, const Options& options)
      : recast_(recast_within(model, setting, options)),
        options_(with_epsilon(options, *recast_)) {}

  [[nodiscard]] const Recast& recast() const { return *recast_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] std::vector<Question> plain(const std::vector<Question>& asked) const {
    std::vector<Question> out;
    for (const Question& question : asked) out.push_back(recast_->plain(question));
    return out;
  }

  [[nodiscard]] Result result(const Question& question, const Result& plain) const {
    Result out;
    out.tau = question.tau;
    out.side = question.side;
    out.status = plain.status;
    out.certificate = plain.certificate;
    const bool adversarial = recast_->is_adversarial();
    if (plain.quantile) {
      Total lower = recast_->total(plain.quantile->value());
      Total upper = plain.upper ? recast_->total(plain.upper->value()) : lower;
      if (adversarial) std::swap(lower, upper);
      out.quantile = lower;
      if (plain.upper || adversarial) out.upper = upper;
      // Two plain levels of misses are one and the same.
      if (lower == upper && plain.upper) {
        out.certificate = Certificate::exact;
        out.status = Status::solved;
      }
    }
    if (!adversarial) {
      out.probability = plain.probability;
      if (out.quantile && out.quantile->is_miss()) out.probability = Value::exactly(1);
    } else {
      out.probability = Value::at_least(1 - question.tau);
    }
    out.mean = mean_of(*recast_, plain.mean);
    if (!recast_->has_goal() && !adversarial) out.expectation_policy = plain.expectation_policy;
    add_policy(out, plain);
    return out;
  }

 private:
  void add_policy(Result& out, const Result& plain) const {
    if (!plain.policy) return;
    // Only what the plain policy claims: its own probability, which for an adversary is P(W <= q).
    PolicyClaim claim;
    claim.tau = out.tau;
    claim.side = out.side;
    claim.quantile = *out.quantile;
    if (out.certificate != Certificate::exact) claim.upper = out.upper;
    if (plain.probability) claim.set_probability(*plain.probability);
    const bool misses = out.quantile->is_miss() || out.upper.value_or(*out.quantile).is_miss();
    const bool claims = out.certificate != Certificate::tie && !misses;
    out.policy = [recast = recast_, make = plain.policy, claim, claims] {
      Policy policy = recast->policy(make());
      if (claims) policy.claim = claim;
      return policy;
    };
    out.distribution = [recast = recast_, make = plain.distribution] {
      return recast->distribution(make());
    };
  }

  std::shared_ptr<Recast> recast_;
  Options options_;
};

// For an adversary, the guaranteed P(W >= q) = 1 - max P(W < q), where q is exact. It is no less
// than 1 - tau, whatever a rounded problem says of it.
void set_guarantees(const RecastSolve& solve, const Answer& plain, Answer& answer) {
  std::vector<Recast::PlainTarget> targets;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < answer.results.size(); ++i) {
    const Result& result = answer.results[i];
    if (result.certificate != Certificate::exact || !plain.results[i].quantile) continue;
    if (result.quantile->is_miss()) {
      answer.results[i].probability = Value::exactly(1);
      continue;
    }
    targets.push_back({plain.results[i].quantile->value(), true});
    which.push_back(i);
  }
  if (targets.empty()) return;
  const PlainChances chances = threshold_plain(
      solve.recast().plain_model(), solve.recast().plain_setting(), targets, solve.options());
  for (std::size_t k = 0; k < which.size(); ++k) {
    const PlainChance& less = chances.chances[k];
    if (less.status != Status::solved) continue;
    Result& result = answer.results[which[k]];
    result.probability = Value::between(
        std::max<Rational>(1 - result.tau, 1 - less.high.greatest()), 1 - less.low.least());
  }
}

}  // namespace

Answer solve_recast(const Model& model,
                    const ResolvedSetting& setting,
                    const std::vector<Question>& asked,
                    bool compare,
                    const Options& options) {
  const RecastSolve solve(model, setting, options);
  const Recast& recast = solve.recast();
  const Answer plain = solve_plain(
      recast.plain_model(), recast.plain_setting(), solve.plain(asked), compare, solve.options());
  Answer answer;
  answer.model = facts_of(model, setting);
  answer.epsilon = plain.epsilon;
  answer.engine = plain.engine;
  answer.work = plain.work;
  for (std::size_t i = 0; i < asked.size(); ++i)
    answer.results.push_back(solve.result(asked[i], plain.results[i]));
  if (setting.adversarial) set_guarantees(solve, plain, answer);
  return answer;
}

ThresholdAnswer threshold_recast(const Model& model,
                                 const ResolvedSetting& setting,
                                 const std::vector<Total>& targets,
                                 const Options& options) {
  const auto recast = recast_within(model, setting, options);
  std::vector<Recast::PlainTarget> plain;
  for (const Total& target : targets) plain.push_back(recast->plain_target(target));
  const PlainChances found = threshold_plain(
      recast->plain_model(), recast->plain_setting(), plain, with_epsilon(options, *recast));
  ThresholdAnswer answer;
  answer.model = facts_of(model, setting);
  answer.engine = found.engine;
  answer.work = found.work;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const PlainChance& chance = found.chances[i];
    ThresholdResult result;
    result.target = targets[i];
    result.status = chance.status;
    const bool adversarial = setting.adversarial;
    result.probability = adversarial ? complement(chance.high) : chance.low;
    const Value high = adversarial ? complement(chance.low) : chance.high;
    const bool exact =
        chance.low.exact && chance.high.exact && *chance.low.exact == *chance.high.exact;
    result.certificate = exact ? Certificate::exact : Certificate::bracket;
    if (!exact) {
      result.probability = Value::at_least(result.probability->least());
      result.upper = Value::at_most(high.greatest());
    }
    if (chance.policy) {
      PolicyClaim claim;
      claim.kind = PolicyClaim::Kind::threshold;
      claim.quantile = targets[i];
      claim.set_probability(*result.probability);
      if (!exact) claim.most_probability = result.upper->nearest;
      result.policy = [recast, make = chance.policy, claim] {
        Policy policy = recast->policy(make());
        policy.claim = claim;
        return policy;
      };
    }
    answer.results.push_back(std::move(result));
  }
  return answer;
}

namespace {

// Steps that are one total in the user's terms become one: the last, with the least probability.
std::vector<FrontierStep> merged(std::vector<FrontierStep> steps) {
  std::vector<FrontierStep> out;
  for (FrontierStep& step : steps) {
    if (!out.empty() && out.back().wealth == step.wealth) out.pop_back();
    out.push_back(std::move(step));
  }
  // Every policy has at least a miss: that is no step.
  if (!out.empty() && out.front().wealth.is_miss()) out.erase(out.begin());
  return out;
}

std::vector<FrontierStep> recast_steps(const Recast& recast,
                                       const std::vector<FrontierStep>& plain) {
  std::vector<FrontierStep> steps;
  if (!recast.is_adversarial()) {
    for (const FrontierStep& step : plain)
      steps.push_back({recast.total(step.wealth.value()), step.probability});
    return merged(std::move(steps));
  }
  // Guaranteed at -w: 1 - max P(W' > w), and W' > w is reaching the next plain step.
  for (std::size_t i = plain.size(); i-- > 0;) {
    const Value beyond = i + 1 < plain.size() ? plain[i + 1].probability : Value::exactly(0);
    steps.push_back({recast.total(plain[i].wealth.value()), complement(beyond)});
  }
  return merged(std::move(steps));
}

}  // namespace

Frontier frontier_recast(const Model& model,
                         const ResolvedSetting& setting,
                         const std::vector<Question>& asked,
                         const Options& options) {
  const RecastSolve solve(model, setting, options);
  const Recast& recast = solve.recast();
  Frontier plain = frontier_plain(
      recast.plain_model(), recast.plain_setting(), solve.plain(asked), solve.options());
  Frontier out = plain;
  out.model = facts_of(model, setting);
  out.steps = recast_steps(recast, plain.steps);
  out.upper_steps.clear();
  if (!plain.upper_steps.empty()) {
    out.upper_steps = recast_steps(recast, plain.upper_steps);
    if (recast.is_adversarial()) std::swap(out.steps, out.upper_steps);
  }
  out.quantiles.clear();
  for (std::size_t i = 0; i < plain.quantiles.size(); ++i) {
    const FrontierQuantile& from = plain.quantiles[i];
    Total lower = recast.total(from.quantile.value());
    Total upper = recast.total(from.upper.value());
    if (recast.is_adversarial()) std::swap(lower, upper);
    const Certificate certificate = lower == upper ? Certificate::exact : from.certificate;
    out.quantiles.push_back({asked[i].tau, asked[i].side, certificate, lower, upper});
  }
  return out;
}

}  // namespace quantiplan
