#include "reduce/finite_problem.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "base/negative.hpp"
#include "finite/criteria/plain_optimum.hpp"
#include "finite/solve/plain.hpp"
#include "finite/solve/shared_starts.hpp"
#include "finite/tradeoff/plain_tradeoff.hpp"
#include "problem/other_criteria.hpp"
#include "promise/wanted.hpp"
#include "quantiplan/error.hpp"
#include "reduce/arrival_policy.hpp"
#include "reduce/recast.hpp"

namespace quantiplan {
namespace {

// A thousandth of the range of returns, the bonus not among them.
Options with_epsilon(const Options& options, const Recast& recast) {
  Options out = options;
  if (!out.epsilon && recast.has_goal() && recast.range() > 0)
    out.epsilon = Rational(recast.range() / 1000);
  return out;
}

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

class FiniteProblem : public QuantileProblem {
 public:
  FiniteProblem(const Model& model, const ResolvedSetting& setting, const Options& options)
      : model_(model), setting_(setting), asked_options_(options), options_(options) {}

  std::unique_ptr<QuantileProblem> from_start(State start) override {
    lay_out();
    if (!starts_)
      starts_ = std::make_shared<SharedStarts>(
          recast_->plain_model(), recast_->plain_setting(), options_);
    ResolvedSetting own = setting_;
    own.initial = start;
    auto out = std::make_unique<FiniteProblem>(model_, own, asked_options_);
    out->recast_ = std::make_shared<Recast>(recast_->from_start(start));
    out->options_ = options_;
    out->shared_ = SharedStart{starts_, out->recast_->plain_setting().initial.only()};
    return out;
  }

  FoundQuantiles quantiles(const std::vector<Question>& asked, const Wishes& wishes) override {
    lay_out();
    FoundQuantiles out = solve_plain(recast_->plain_model(),
                                     recast_->plain_setting(),
                                     own(asked),
                                     plain_wishes(wishes),
                                     options_,
                                     shared());
    std::vector<Shared<Level>> plain_levels;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (setting_.adversarial) plain_levels.emplace_back(out.results[i].result.quantile);
      put_in_own_terms(asked[i], wants_better_policies(wishes), out.results[i]);
    }
    if (setting_.adversarial) set_guarantees(plain_levels, out);
    return out;
  }

  FoundQuantiles optima(const CriterionQuestions& asked) override {
    if (asked.criterion.kind == Criterion::Kind::worst_case) return worst_case(*this, asked);
    require_plain_criterion(asked.criterion, setting_);
    lay_out();
    FoundQuantiles out =
        optimum_plain(recast_->plain_model(), recast_->plain_setting(), asked, options_);
    for (FoundQuantile& found : out.results) {
      Result& result = found.result;
      if (result.policy)
        result.policy = [recast = recast_, make = result.policy] { return recast->policy(make()); };
      if (result.distribution)
        result.distribution = [recast = recast_, make = result.distribution] {
          return recast->distribution(make());
        };
    }
    return out;
  }

  FoundChances chances(const std::vector<Total>& targets) override {
    lay_out();
    std::vector<PlainTarget> plain;
    plain.reserve(targets.size());
    for (const Total& target : targets) plain.push_back(recast_->plain_target(target));
    FoundChances out = plain_chances(plain);
    for (FoundChance& chance : out.chances) {
      if (setting_.adversarial) {
        std::swap(chance.low, chance.high);
        chance.low = complement(chance.low);
        chance.high = complement(chance.high);
      }
      if (chance.policy) chance.policy = recast_later(chance.policy);
    }
    return out;
  }

  Frontier curve(const std::vector<Question>& asked) override {
    lay_out();
    Frontier out = frontier_plain(
        recast_->plain_model(), recast_->plain_setting(), own(asked), options_, shared());
    const bool two = !out.upper_steps.empty();
    out.steps = steps_of(out.steps);
    if (two) out.upper_steps = steps_of(out.upper_steps);
    if (two && setting_.adversarial) std::swap(out.steps, out.upper_steps);
    if (setting_.adversarial) out.policy = nullptr;
    if (out.policy) out.policy = recast_later(out.policy);
    for (std::size_t i = 0; i < out.quantiles.size(); ++i) {
      FrontierQuantile& quantile = out.quantiles[i];
      Total lower = recast_->total(quantile.quantile.value());
      Total upper = recast_->total(quantile.upper.value());
      if (setting_.adversarial) std::swap(lower, upper);
      const Certificate certificate = lower == upper ? Certificate::exact : quantile.certificate;
      quantile = {asked[i].tau, asked[i].side, certificate, lower, upper};
    }
    return out;
  }

  Distribution law(const Policy& policy) override {
    const Recast recast = recast_for(policy);
    return recast.distribution(
        evaluate_plain(recast.plain_model(), recast.plain(policy), options_));
  }

  std::optional<Distribution> computed_law(const Policy& policy) override {
    const Recast recast = recast_for(policy);
    const auto plain = compute_plain(recast.plain_model(), recast.plain(policy), options_);
    if (!plain) return std::nullopt;
    return recast.distribution(*plain);
  }

  Policy expectation_policy() override {
    if (!setting_.goal.empty()) return arrival_policy(model_, setting_, options_);
    lay_out();
    return recast_->policy(
        expectation_plain(recast_->plain_model(), recast_->plain_setting(), options_));
  }

  Tradeoff tradeoff(const TradeoffQuestion& question) override {
    lay_out();
    Tradeoff out =
        tradeoff_plain(recast_->plain_model(), recast_->plain_setting(), question, options_);
    for (TradeoffPoint& point : out.points) point.policy = recast_later(point.policy);
    return out;
  }

 private:
  [[nodiscard]] const SharedStart* shared() const { return shared_ ? &*shared_ : nullptr; }

  [[nodiscard]] Later<Policy> recast_later(Later<Policy> plain) const {
    return [recast = recast_, make = std::move(plain)] { return recast->policy(make()); };
  }

  void lay_out() {
    if (recast_) return;
    const Limits limits(asked_options_);
    recast_ = std::make_shared<Recast>(model_, setting_, std::nullopt, &limits);
    options_ = with_epsilon(asked_options_, *recast_);
  }

  [[nodiscard]] Recast recast_for(const Policy& policy) const {
    std::optional<Rational> unit;
    if (policy.grid) unit = policy.grid->unit;
    const Limits limits(options_);
    return {model_, setting_, unit, &limits};
  }

  [[nodiscard]] std::vector<Question> own(const std::vector<Question>& asked) const {
    std::vector<Question> out;
    out.reserve(asked.size());
    for (const Question& question : asked) out.push_back(recast_->plain(question));
    return out;
  }

  // An adversary's policy is not one to follow: it is the one that shows how little is guaranteed.
  [[nodiscard]] Wishes plain_wishes(Wishes wishes) const {
    if (setting_.adversarial) {
      refuse_best_mean(wishes, "with an adversary, whose policy is shown, not followed");
      wishes.as_found = true;
    } else if (recast_->has_goal()) {
      wishes.goal = recast_->goal_terms();
    }
    return wishes;
  }

  [[nodiscard]] FoundChances plain_chances(const std::vector<PlainTarget>& targets) const {
    return threshold_plain(
        recast_->plain_model(), recast_->plain_setting(), targets, options_, shared());
  }

  // `goes_for_goal`: also where it promises nothing.
  void put_in_own_terms(const Question& question, bool goes_for_goal, FoundQuantile& out) const {
    Result& result = out.result;
    result.tau = question.tau;
    result.side = question.side;
    const bool adversarial = setting_.adversarial;
    // What is plain stays as it is, and shared as it is.
    if (result.quantile && !setting_.is_plain()) {
      Total lower = recast_->total(result.quantile->value());
      Total upper = recast_->total(result.upper->value());
      if (adversarial) std::swap(lower, upper);
      // Two plain levels of misses are one and the same.
      if (lower == upper) {
        result.certificate = Certificate::exact;
        result.status = Status::solved;
      }
      if (lower.is_miss() && !adversarial) result.probability = Value::exactly(1);
      result.quantile = std::move(lower);
      result.upper = std::move(upper);
    }
    if (adversarial) result.probability = Value::at_least(1 - question.tau);
    // With a goal the mean may be undefined; the distribution says.
    if (recast_->has_goal())
      result.mean.reset();
    else if (result.mean && adversarial)
      result.mean = negative_of(*result.mean);
    if (recast_->has_goal() || adversarial) result.expectation_policy.reset();
    if (!setting_.is_plain()) out.claims = claims_of(result);
    if (!result.policy) return;
    if (goes_for_goal && recast_->has_goal() && !adversarial && result.quantile->is_miss()) {
      // Every policy keeps that promise: the goal alone counts.
      result.goal_probability.reset();
      result.goal_probability_bound.reset();
      result.policy = arrival_policy_later(model_, setting_, options_);
      result.distribution = nullptr;
      return;
    }
    result.policy = recast_later(std::move(result.policy));
    if (result.mixed)
      result.mixed.change(
          [&](Mixed& mixed) { mixed.policy = recast_later(std::move(mixed.policy)); });
    result.distribution = [recast = recast_, make = std::move(result.distribution)] {
      return recast->distribution(make());
    };
  }

  static Claims claims_of(const Result& result) {
    if (!result.quantile || result.certificate == Certificate::tie) return Claims::nothing;
    if (result.quantile->is_miss() || result.upper->is_miss()) return Claims::nothing;
    return result.certificate == Certificate::exact ? Claims::optimum : Claims::bracket;
  }

  // For an adversary, the guaranteed P(W >= q) = 1 - max P(W < q), where q is exact. It is no less
  // than 1 - tau, whatever a rounded problem says of it.
  void set_guarantees(const std::vector<Shared<Level>>& plain_levels, FoundQuantiles& out) const {
    std::vector<PlainTarget> targets;
    std::vector<Result*> which;
    for (std::size_t i = 0; i < out.results.size(); ++i) {
      Result& result = out.results[i].result;
      const Shared<Level>& level = plain_levels[i];
      if (result.certificate != Certificate::exact || !level) continue;
      if (result.quantile->is_miss()) {
        result.probability = Value::exactly(1);
        continue;
      }
      targets.push_back({level->value(), true});
      which.push_back(&result);
    }
    if (targets.empty()) return;
    const FoundChances less = plain_chances(targets);
    for (std::size_t k = 0; k < which.size(); ++k) {
      const FoundChance& chance = less.chances[k];
      if (chance.status != Status::solved) continue;
      which[k]->probability =
          Value::between(std::max<Rational>(1 - which[k]->tau, 1 - chance.high.greatest()),
                         1 - chance.low.least());
    }
  }

  [[nodiscard]] std::vector<FrontierStep> steps_of(const std::vector<FrontierStep>& plain) const {
    std::vector<FrontierStep> steps;
    if (!setting_.adversarial) {
      for (const FrontierStep& step : plain)
        steps.push_back({recast_->total(step.wealth.value()), step.probability});
      return merged(std::move(steps));
    }
    // Guaranteed at -w: 1 - max P(W' > w), and W' > w is reaching the next plain step.
    for (std::size_t i = plain.size(); i-- > 0;) {
      const Value beyond = i + 1 < plain.size() ? plain[i + 1].probability : Value::exactly(0);
      steps.push_back({recast_->total(plain[i].wealth.value()), complement(beyond)});
    }
    return merged(std::move(steps));
  }

  Model model_;
  ResolvedSetting setting_;
  Options asked_options_;
  Options options_;
  std::shared_ptr<Recast> recast_;
  std::shared_ptr<SharedStarts> starts_;  // once one of several was asked for
  std::optional<SharedStart> shared_;     // this is one of several
};

}  // namespace

std::unique_ptr<QuantileProblem> finite_problem(const Model& model,
                                                const ResolvedSetting& setting,
                                                const Options& options) {
  return std::make_unique<FiniteProblem>(model, setting, options);
}

}  // namespace quantiplan
