#include "reduce/cut_off_problem.hpp"

#include <algorithm>
#include <cmath>

#include "finite/solve/plain.hpp"
#include "finite/solve/rough_bracket.hpp"
#include "numbers/mean_value.hpp"
#include "problem/other_criteria.hpp"
#include "reduce/cut.hpp"
#include "reduce/finite_problem.hpp"
#include "reduce/last_rules.hpp"
#include "reduce/recast.hpp"

namespace quantiplan {
namespace {

ResolvedSetting of_steps(ResolvedSetting setting, std::uint64_t steps) {
  setting.horizon = steps;
  return setting;
}

// From T on the sure choices, for every state that can still be met.
void add_last_rules(const Model& model, const Cut& cut, Policy& policy) {
  std::vector<bool> met = cut.here;
  std::vector<State> open;
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    if (met[i]) open.push_back(State{i});
  }
  std::vector<PolicyRule> last;
  while (!open.empty()) {
    const State s = open.back();
    open.pop_back();
    if (model.is_terminal(s)) continue;
    const Choice c = cut.tails.choice[index(s)];
    last.push_back({cut.steps, s, {{std::nullopt, c}}});
    for (const Outcome& o : model.outcomes(c)) {
      if (met[index(o.next)]) continue;
      met[index(o.next)] = true;
      open.push_back(o.next);
    }
  }
  std::ranges::sort(last, {}, &PolicyRule::state);
  policy.rules.insert(policy.rules.end(), last.begin(), last.end());
  policy.truncated_at = cut.steps;
  policy.setting.horizon = kInfiniteHorizon;
}

// The first T steps of a policy, by themselves. Stationary rules hold at every time, those of a truncated one from
// its last time on.
Policy first_steps(const Policy& policy, std::uint64_t steps) {
  Policy first = policy;
  first.setting = of_steps(policy.setting, steps);
  first.truncated_at.reset();
  first.rules.clear();
  const std::uint64_t from = policy.truncated_at.value_or(0);
  std::vector<PolicyRule> last;
  for (const PolicyRule& rule : policy.rules) {
    if (rule.time >= from)
      last.push_back(rule);
    else if (rule.time < steps)
      first.rules.push_back(rule);
  }
  for (std::uint64_t t = from; t < steps; ++t) {
    for (PolicyRule rule : last) {
      rule.time = t;
      first.rules.push_back(std::move(rule));
    }
  }
  return first;
}

class CutOffProblem : public QuantileProblem {
 public:
  CutOffProblem(const Model& model, const ResolvedSetting& setting, const Options& options)
      : model_(model), setting_(setting), options_(options), possible_(model, setting) {}

  FoundQuantiles quantiles(const std::vector<Question>& asked, const Wishes& wishes) override {
    lay_out();
    Wishes of_first{false, wishes.prefer, wishes.mean_gap, wishes.compare, bound_slack()};
    of_first.mixed = wishes.mixed;
    FoundQuantiles out = first_->quantiles(asked, of_first);
    out.epsilon = cut_->epsilon;
    out.engine.why = explained(out.engine.why);
    for (FoundQuantile& found : out.results) add_tails(found);
    return out;
  }

  FoundQuantiles optima(const CriterionQuestions& asked) override {
    if (asked.criterion.kind == Criterion::Kind::worst_case) return worst_case(*this, asked);
    refuse_adversary(asked.criterion, setting_);
    const Rational epsilon = cut_for(asked.criterion);
    CriterionQuestions first = asked;
    first.least_more = least_more_;
    first.most_more = most_more_;
    FoundQuantiles out = first_->optima(first);
    out.epsilon = out.epsilon && !asked.criterion.is_wealth() ? out.epsilon : epsilon;
    out.engine.why = "cut off after " + std::to_string(cut_->steps) +
                     " steps, what follows bounded state by state; " + out.engine.why;
    for (FoundQuantile& found : out.results) close(*out.epsilon, found);
    return out;
  }

  FoundChances chances(const std::vector<Total>& targets) override {
    lay_out();
    std::vector<Total> shifted;
    for (const Total& target : targets) {
      // What is above or below all totals of T steps stays there, whatever follows.
      const bool moves = target.is_finite();
      shifted.push_back(moves ? Total(Rational(target.value() - least_more_)) : target);
      shifted.push_back(moves ? Total(Rational(target.value() - most_more_)) : target);
    }
    const FoundChances found = first_->chances(shifted);
    FoundChances out;
    out.engine = found.engine;
    out.work = found.work;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const FoundChance& below = found.chances[2 * i];
      const FoundChance& above = found.chances[2 * i + 1];
      FoundChance chance;
      chance.status = below.status == Status::solved ? above.status : below.status;
      chance.low = below.low;
      chance.high = above.high;
      const auto& make = setting_.adversarial ? above.policy : below.policy;
      if (make) chance.policy = with_last_rules(make);
      out.chances.push_back(std::move(chance));
    }
    return out;
  }

  Frontier curve(const std::vector<Question>& asked) override {
    lay_out();
    Frontier out = first_->curve(asked);
    out.policy = nullptr;
    out.epsilon = cut_->epsilon;
    const std::vector<FrontierStep> above = out.upper_steps.empty() ? out.steps : out.upper_steps;
    // Two curves: with the least that follows below, with the most above.
    const auto shifted = [&](const std::vector<FrontierStep>& steps, bool low) {
      std::vector<FrontierStep> moved;
      for (const FrontierStep& step : steps) {
        const Rational w = step.wealth.value() + (low ? least_more_ : most_more_);
        moved.push_back({shortened(w, cut_->epsilon, low),
                         low ? Value::at_least(step.probability.least())
                             : Value::at_most(step.probability.greatest())});
      }
      return moved;
    };
    out.steps = shifted(out.steps, true);
    out.upper_steps = shifted(above, false);
    for (FrontierQuantile& quantile : out.quantiles) {
      const auto [lower, upper] = ends(
          quantile.quantile.value(), quantile.upper.value(), out.status != Status::solved, false);
      if (lower != upper) quantile.certificate = Certificate::bracket;
      quantile.quantile = lower;
      quantile.upper = upper;
    }
    return out;
  }

  Distribution law(const Policy& policy) override {
    const Limits limits(options_);
    // As many steps as a solve would take. Whoever carries a residual was given its steps by a solve.
    std::uint64_t steps = policy.truncated_at.value_or(0);
    if (!policy.truncated_at || !policy.target)
      steps = std::max(steps, cut_of(model_, setting_, options_, limits).steps);
    const Cut cut = cut_at(model_, setting_, steps, tails_of(model_, setting_, limits), limits);
    const auto law_of_steps = [&](std::uint64_t count) {
      const Recast recast(model_, of_steps(setting_, count));
      auto plain =
          compute_plain(recast.plain_model(), recast.plain(first_steps(policy, count)), options_);
      if (plain) plain = recast.distribution(*plain);
      return plain;
    };
    // One step more asks for the rules that hold from then on, and refuses a policy without them.
    if (policy.truncated_at && !surely_has_last_rules(model_, policy)) law_of_steps(steps + 1);
    auto first = law_of_steps(steps);
    // Episodes need not end at the cut, nor exact sums of what was cut off.
    if (!first) return sample_policy(model_, policy, options_);
    Distribution out = *std::move(first);
    // What is counted at an atom lies in [w + least tail, w + greatest tail].
    const Rational below = setting_.adversarial ? Rational(-cut.greatest) : cut.least;
    const Rational above = setting_.adversarial ? Rational(-cut.least) : cut.greatest;
    for (Atom& atom : out.atoms) atom.wealth = Rational(atom.wealth.value() + below);
    out.slack += above - below;
    out.mean = added_to(out.mean, {below, above});
    return out;
  }

  Policy expectation_policy() override { refuse_discounted_expectation(); }

  Tradeoff tradeoff(const TradeoffQuestion& question) override {
    lay_out();
    TradeoffQuestion first = question;
    first.bounded_means = true;
    first.slack = bound_slack();
    first.target = question.target - least_more_;
    Tradeoff out = first_->tradeoff(first);
    out.engine.why = explained(out.engine.why);
    for (TradeoffPoint& point : out.points) {
      const Rational level = point.level.value() + least_more_;
      point.level = question.promise ? shortened(level, cut_->epsilon, true) : question.target;
      point.probability = Value::at_least(point.probability.least());
      point.mean = Value::no_less_than(bound_of(point.mean) + least_more_);
      point.mean_bound = Value::no_more_than(bound_of(point.mean_bound) + most_more_);
      point.policy = with_last_rules(point.policy);
    }
    if (out.above) out.above = Value::no_more_than(bound_of(*out.above) + most_more_ - least_more_);
    return out;
  }

 private:
  // A policy of the whole that reaches a level reaches one of T steps that is lower by this, the
  // rounding of levels for people included.
  [[nodiscard]] Rational bound_slack() const {
    return most_more_ - least_more_ + cut_->epsilon / 1000;
  }
  [[nodiscard]] std::string explained(const std::string& why) const {
    return "cut off after " + std::to_string(cut_->steps) +
           " steps, what follows bounded state by state; " + why;
  }

  void lay_out() {
    if (cut_) return;
    cut_ = std::make_shared<Cut>(cut_of(model_, setting_, options_, Limits(options_)));
    least_more_ = setting_.adversarial ? Rational(-cut_->greatest) : cut_->sure;
    most_more_ = setting_.adversarial ? Rational(-cut_->sure) : cut_->greatest;
    // What the tails leave of it.
    Options within = options_;
    within.epsilon = Rational(cut_->epsilon - (cut_->greatest - cut_->sure));
    if (*within.epsilon <= 0) within.epsilon = Rational(cut_->epsilon / 4);
    first_ = finite_problem(model_, of_steps(setting_, cut_->steps), within);
  }

  // Later, where the utility is steep.
  void cut_for_utility(const Utility& utility) {
    const auto [least, greatest] = returns_of(*cut_, setting_.initial);
    const auto open = open_wealth(utility, least, greatest, options_.epsilon);
    if (!open || *open >= cut_->epsilon) return;
    Options within = options_;
    within.epsilon = open;
    Cut deeper = cut_of(model_, setting_, within, Limits(options_));
    deeper.epsilon = cut_->epsilon;
    cut_ = std::make_shared<Cut>(std::move(deeper));
    least_more_ = cut_->sure;
    most_more_ = cut_->greatest;
  }

  // Lays out a problem of T steps for a criterion; returns the epsilon of its value.
  Rational cut_for(const Criterion& criterion) {
    lay_out();
    Rational epsilon = cut_->epsilon;
    if (criterion.kind == Criterion::Kind::utility) {
      cut_for_utility(*criterion.utility);
      first_ = finite_problem(model_, of_steps(setting_, cut_->steps), options_);
    }
    if (criterion.kind != Criterion::Kind::mean_variance) return epsilon;
    // A deviation is at most half the range of totals, and the square moves by as much as both together.
    const auto [least, greatest] = returns_of(*cut_, setting_.initial);
    const Rational range = greatest - least;
    Options within = options_;
    within.epsilon = Rational(epsilon / (8 + 8 * criterion.parameter * range));
    cut_ = std::make_shared<Cut>(cut_of(model_, setting_, within, Limits(options_)));
    // What any policy may collect after T steps, not only ours.
    least_more_ = cut_->least;
    most_more_ = cut_->greatest;
    within.epsilon = Rational(epsilon / 2);
    first_ = finite_problem(model_, of_steps(setting_, cut_->steps), within);
    return epsilon;
  }

  void close(const Rational& epsilon, FoundQuantile& found) const {
    Result& result = found.result;
    CriterionOptimum optimum = *result.optimum;
    const bool is_finite = optimum.lower.is_finite() && optimum.upper.is_finite();
    if (optimum.lower != optimum.upper && is_finite) {
      optimum.lower = Total(shortened(optimum.lower.value(), epsilon, true));
      optimum.upper = Total(shortened(optimum.upper.value(), epsilon, false));
    }
    const bool is_narrow = is_finite && optimum.upper.value() - optimum.lower.value() <= epsilon;
    if (!is_narrow && result.status == Status::solved) result.status = Status::unsettled;
    // The first steps were asked for less, for the tails count, too.
    if (is_narrow && result.status == Status::unsettled && result.policy)
      result.status = Status::solved;
    result.distribution = nullptr;
    if (result.policy) result.policy = with_last_rules(result.policy);
    if (found.claims != Claims::nothing) found.claims = claims_of(optimum, result.tau);
    result.optimum = std::move(optimum);
  }

  // What the checker can hold a policy to.
  static Claims claims_of(const CriterionOptimum& optimum, const Rational& tau) {
    const Criterion::Kind kind = optimum.criterion.kind;
    if (kind == Criterion::Kind::cvar && tau == 0) return Claims::nothing;
    return optimum.lower == optimum.upper ? Claims::optimum : Claims::bracket;
  }

  // Ends of T steps, as ends of the whole.
  [[nodiscard]] std::pair<Total, Total> ends(const Rational& lower,
                                             const Rational& upper,
                                             bool limited,
                                             bool has_policy) const {
    Rational low = lower + least_more_;
    Rational high = upper + most_more_;
    if (low != high) {
      low = shortened(low, cut_->epsilon, true);
      high = shortened(high, cut_->epsilon, false);
    }
    // A limited bracket reaches no further than what is possible at all. What a policy claims is
    // left as it counts: rounded down, its totals may lie below the least one.
    if (limited && (setting_.adversarial || !has_policy))
      low = std::max<Rational>(low, possible_.least);
    if (limited && (!setting_.adversarial || !has_policy))
      high = std::min<Rational>(high, possible_.greatest);
    return {Total(low), Total(high)};
  }

  static Rational bound_of(const Value& mean) {
    return mean.exact ? *mean.exact : Rational(mean.nearest);
  }

  void add_tails(FoundQuantile& found) const {
    Result& result = found.result;
    if (!result.quantile) return;
    const auto [lower, upper] = ends(result.quantile->value(),
                                     result.upper->value(),
                                     result.status != Status::solved,
                                     bool(result.policy));
    const bool exact = lower == upper && result.certificate == Certificate::exact;
    result.quantile = lower;
    result.upper = upper;
    result.certificate = exact ? Certificate::exact : Certificate::bracket;
    found.claims = exact ? Claims::optimum : Claims::bracket;
    if (!exact) {
      if (upper.value() - lower.value() > cut_->epsilon && result.status == Status::solved)
        result.status = Status::unsettled;
      // Unless the tails are nothing, a probability of T steps is a bound of the whole's.
      if (found.own) found.own = Value::at_least(found.own->least());
      if (setting_.adversarial)
        result.probability = Value::at_least(1 - result.tau);
      else if (result.probability)
        result.probability = Value::at_least(result.probability->least());
    }
    // The mean of T steps, with the least that can follow, and its bound with the most.
    if (result.mean)
      result.mean = Value::no_less_than(
          shortened(bound_of(*result.mean) + least_more_, cut_->epsilon, /*down=*/true));
    if (result.mean_bound)
      result.mean_bound = Value::no_more_than(
          shortened(bound_of(*result.mean_bound) + most_more_, cut_->epsilon, /*down=*/false));
    result.expectation_policy.reset();
    result.distribution = nullptr;
    if (result.mixed) {
      result.mixed.change([&](Mixed& mixed) {
        mixed.probability = Value::at_least(mixed.probability.least());
        mixed.mean = Value::no_less_than(bound_of(mixed.mean) + least_more_);
        mixed.policy = with_last_rules(mixed.policy);
      });
    }
    if (result.policy) result.policy = with_last_rules(result.policy);
  }

  [[nodiscard]] Later<Policy> with_last_rules(Later<Policy> first) const {
    return [cut = cut_, make = std::move(first), model = model_] {
      Policy policy = make();
      policy.setting.horizon = kInfiniteHorizon;
      for (MixturePart& part : policy.mixture) {
        add_last_rules(model, *cut, part.policy);
        part.policy.claim->mean.reset();  // of the first steps alone
      }
      if (policy.mixture.empty()) add_last_rules(model, *cut, policy);
      return policy;
    };
  }

  Model model_;
  ResolvedSetting setting_;
  Options options_;
  PossibleRange possible_;
  std::shared_ptr<const Cut> cut_;
  Rational least_more_;  // than in T steps
  Rational most_more_;
  std::unique_ptr<QuantileProblem> first_;  // T steps
};

}  // namespace

std::unique_ptr<QuantileProblem> cut_off_problem(const Model& model,
                                                 const ResolvedSetting& setting,
                                                 const Options& options) {
  return std::make_unique<CutOffProblem>(model, setting, options);
}

}  // namespace quantiplan
