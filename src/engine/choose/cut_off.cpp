#include "cut_off.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "cut.hpp"
#include "instance.hpp"
#include "plain.hpp"
#include "quantiplan/error.hpp"
#include "recast.hpp"
#include "rough_bracket.hpp"
#include "unfold.hpp"

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

// Without goals: the steps as a plain problem.
class CutOff {
 public:
  CutOff(const Model& model, const ResolvedSetting& setting, const Options& options)
      : model_(model),
        setting_(setting),
        cut_(std::make_shared<Cut>(cut_of(model, setting, options, Limits(options)))),
        recast_(std::make_shared<Recast>(model, of_steps(setting, cut_->steps))),
        possible_(recast_->plain_model(), of_steps(recast_->plain_setting(), kInfiniteHorizon)),
        options_(options) {
    // What the tails leave of it.
    options_.epsilon = Rational(cut_->epsilon - (cut_->greatest - cut_->sure));
    if (*options_.epsilon <= 0) options_.epsilon = Rational(cut_->epsilon / 4);
  }

  [[nodiscard]] const Cut& cut() const { return *cut_; }
  [[nodiscard]] const Recast& recast() const { return *recast_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] std::vector<Question> plain(const std::vector<Question>& asked) const {
    std::vector<Question> out;
    for (const Question& question : asked) out.push_back(recast_->plain(question));
    return out;
  }

  // Plain ends of T steps, as ends of the whole in the user's terms.
  struct Ends {
    Total lower;
    Total upper;
  };
  [[nodiscard]] Ends ends(const Rational& lower,
                          const Rational& upper,
                          bool limited,
                          bool has_policy) const {
    Rational low = lower + cut_->sure;
    Rational high = upper + cut_->greatest;
    if (low != high) {
      low = shortened(low, cut_->epsilon, true);
      high = shortened(high, cut_->epsilon, false);
    }
    // A limited bracket reaches no further than what is possible at all. What a policy claims is
    // left as it counts: rounded down, its totals may lie below the least one.
    if (limited) high = std::min<Rational>(high, possible_.greatest);
    if (limited && !has_policy) low = std::max<Rational>(low, possible_.least);
    Ends out{recast_->total(low), recast_->total(high)};
    if (setting_.adversarial) std::swap(out.lower, out.upper);
    return out;
  }

  [[nodiscard]] Result result(const Question& question, const Result& plain) const {
    Result out;
    out.tau = question.tau;
    out.side = question.side;
    out.status = plain.status;
    if (!plain.quantile) return out;
    const Ends both = ends(plain.quantile->value(),
                           plain.upper.value_or(*plain.quantile).value(),
                           plain.status != Status::solved,
                           plain.policy != nullptr);
    out.quantile = both.lower;
    out.upper = both.upper;
    const bool exact = both.lower == both.upper && plain.certificate == Certificate::exact;
    out.certificate = exact ? Certificate::exact : Certificate::bracket;
    if (!exact && both.upper.value() - both.lower.value() > cut_->epsilon &&
        out.status == Status::solved)
      out.status = Status::unsettled;
    // Unless the tails are nothing, the plain problem's probability is a bound of the whole's.
    if (setting_.adversarial) {
      out.probability = Value::at_least(1 - question.tau);
    } else if (plain.probability) {
      out.probability = exact ? *plain.probability : Value::at_least(plain.probability->least());
    }
    if (!plain.policy) return out;
    PolicyClaim claim;
    claim.tau = question.tau;
    claim.side = question.side;
    claim.quantile = *out.quantile;
    if (!exact) claim.upper = out.upper;
    claim.set_probability(exact ? *plain.probability : Value::at_least(plain.probability->least()));
    out.policy = [cut = cut_, recast = recast_, make = plain.policy, claim, &model = model_] {
      Policy policy = recast->policy(make());
      add_last_rules(model, *cut, policy);
      policy.claim = claim;
      return policy;
    };
    out.distribution = [&model = model_, make = out.policy, kept = for_later(options_)] {
      const LaterWork later(kept);
      return evaluate_cut_off(model, make(), later.options());
    };
    return out;
  }

 private:
  const Model& model_;
  ResolvedSetting setting_;
  std::shared_ptr<Cut> cut_;
  std::shared_ptr<Recast> recast_;
  PossibleRange possible_;  // of counted totals
  Options options_;
};

}  // namespace

Answer solve_cut_off(const Model& model,
                     const ResolvedSetting& setting,
                     const std::vector<Question>& asked,
                     const Options& options) {
  if (!setting.goal.empty()) return solve_unfolded(model, setting, asked, options);
  const CutOff cut_off(model, setting, options);
  const Recast& recast = cut_off.recast();
  const Answer plain = solve_plain(
      recast.plain_model(), recast.plain_setting(), cut_off.plain(asked), false, cut_off.options());
  Answer answer;
  answer.epsilon = cut_off.cut().epsilon;
  answer.engine = plain.engine;
  answer.work = plain.work;
  answer.engine.why = "cut off after " + std::to_string(cut_off.cut().steps) +
                      " steps, what follows bounded state by state; " + answer.engine.why;
  for (std::size_t i = 0; i < asked.size(); ++i)
    answer.results.push_back(cut_off.result(asked[i], plain.results[i]));
  return answer;
}

ThresholdAnswer threshold_cut_off(const Model& model,
                                  const ResolvedSetting& setting,
                                  const std::vector<Total>& targets,
                                  const Options& options) {
  if (!setting.goal.empty()) return threshold_unfolded(model, setting, targets, options);
  const CutOff cut_off(model, setting, options);
  const Recast& recast = cut_off.recast();
  // With the sure tails, and with the greatest ones.
  std::vector<Recast::PlainTarget> plain;
  for (const Total& target : targets) {
    const Recast::PlainTarget both = recast.plain_target(target);
    // What is above or below all totals of T steps stays there, whatever follows.
    const Rational none = 0;
    const Rational& sure = target.is_finite() ? cut_off.cut().sure : none;
    const Rational& greatest = target.is_finite() ? cut_off.cut().greatest : none;
    plain.push_back({Rational(both.first - sure), both.strictly});
    plain.push_back({Rational(both.first - greatest), both.strictly});
  }
  const PlainChances found =
      threshold_plain(recast.plain_model(), recast.plain_setting(), plain, cut_off.options());
  ThresholdAnswer answer;
  answer.engine = found.engine;
  answer.work = found.work;
  const auto cut = std::make_shared<Cut>(cut_off.cut());
  const auto shared = std::make_shared<Recast>(recast);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const PlainChance& low = found.chances[2 * i];
    const PlainChance& high = found.chances[2 * i + 1];
    ThresholdResult result;
    result.target = targets[i];
    result.status = low.status == Status::solved ? high.status : low.status;
    result.probability = setting.adversarial ? complement(high.high) : low.low;
    const Value most = setting.adversarial ? complement(low.low) : high.high;
    const bool exact = low.low.exact && high.high.exact && *low.low.exact == *high.high.exact;
    result.certificate = exact ? Certificate::exact : Certificate::bracket;
    if (!exact) {
      result.probability = Value::at_least(result.probability->least());
      result.upper = Value::at_most(most.greatest());
    }
    PolicyClaim claim;
    claim.kind = PolicyClaim::Kind::threshold;
    claim.quantile = targets[i];
    claim.set_probability(*result.probability);
    if (!exact) claim.most_probability = result.upper->nearest;
    if (low.policy) {
      result.policy = [shared, cut, make = low.policy, claim, &model] {
        Policy policy = shared->policy(make());
        add_last_rules(model, *cut, policy);
        policy.claim = claim;
        return policy;
      };
    }
    answer.results.push_back(std::move(result));
  }
  return answer;
}

Frontier frontier_cut_off(const Model& model,
                          const ResolvedSetting& setting,
                          const std::vector<Question>& asked,
                          const Options& options) {
  if (!setting.goal.empty()) {
    throw Error(ErrorCode::refused,
                "frontier",
                "with a discount and a goal there is no curve yet; expected solve with several "
                "--tau, or threshold with several --target");
  }
  const CutOff cut_off(model, setting, options);
  const Recast& recast = cut_off.recast();
  const Frontier plain = frontier_plain(
      recast.plain_model(), recast.plain_setting(), cut_off.plain(asked), cut_off.options());
  Frontier out = plain;
  out.epsilon = cut_off.cut().epsilon;
  out.steps.clear();
  out.upper_steps.clear();
  // Two curves: with the sure tails below, with the greatest ones above.
  const auto& above = plain.upper_steps.empty() ? plain.steps : plain.upper_steps;
  const auto shifted = [&](const std::vector<FrontierStep>& steps, bool low) {
    std::vector<FrontierStep> moved;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const std::size_t i = setting.adversarial ? steps.size() - 1 - k : k;
      Rational w = steps[i].wealth.value() + (low ? cut_off.cut().sure : cut_off.cut().greatest);
      w = shortened(w, cut_off.cut().epsilon, low);
      Value p = steps[i].probability;
      if (setting.adversarial)
        p = complement(i + 1 < steps.size() ? steps[i + 1].probability : Value::exactly(0));
      // A lower bound for the one who maximises is an upper one against an adversary.
      const bool is_lower = low != setting.adversarial;
      p = is_lower ? Value::at_least(p.least()) : Value::at_most(p.greatest());
      moved.push_back({recast.total(w), std::move(p)});
    }
    return moved;
  };
  out.steps = shifted(plain.steps, true);
  out.upper_steps = shifted(above, false);
  if (setting.adversarial) std::swap(out.steps, out.upper_steps);
  out.quantiles.clear();
  for (std::size_t i = 0; i < plain.quantiles.size(); ++i) {
    const FrontierQuantile& from = plain.quantiles[i];
    const auto both = cut_off.ends(
        from.quantile.value(), from.upper.value(), plain.status != Status::solved, false);
    out.quantiles.push_back({asked[i].tau,
                             asked[i].side,
                             both.lower == both.upper ? from.certificate : Certificate::bracket,
                             both.lower,
                             both.upper});
  }
  return out;
}

Distribution evaluate_cut_off(const Model& model, const Policy& policy, const Options& options) {
  if (!policy.setting.goal.empty()) return evaluate_unfolded(model, policy, options);
  const ResolvedSetting& setting = policy.setting;
  const Limits limits(options);
  Tails tails = tails_of(model, setting, limits);
  std::uint64_t steps = policy.truncated_at.value_or(0);
  if (steps == 0) {
    // A policy that is the same at all times: as many steps as a solve would take.
    steps = cut_of(model, setting, options, limits).steps;
  }
  const Cut cut = cut_at(model, setting, steps, std::move(tails), limits);
  Recast recast(model, of_steps(setting, steps));
  Policy first = policy;
  first.setting = of_steps(setting, steps);
  first.truncated_at.reset();
  std::erase_if(first.rules, [&](const PolicyRule& rule) { return rule.time >= steps; });
  if (!policy.truncated_at) {
    // Stationary rules, at every time.
    std::vector<PolicyRule> all;
    for (std::uint64_t t = 0; t < steps; ++t) {
      for (PolicyRule rule : policy.rules) {
        rule.time = t;
        all.push_back(std::move(rule));
      }
    }
    first.rules = std::move(all);
  }
  const auto plain = compute_plain(recast.plain_model(), recast.plain(first), options);
  // Episodes need not end at the cut, nor exact sums of what was cut off.
  if (!plain) return sample_policy(model, policy, options);
  Distribution out = recast.distribution(*plain);
  // What is counted at an atom lies in [w + least tail, w + greatest tail].
  const Rational below = setting.adversarial ? Rational(-cut.greatest) : cut.least;
  const Rational above = setting.adversarial ? Rational(-cut.least) : cut.greatest;
  for (Atom& atom : out.atoms) atom.wealth = Rational(atom.wealth.value() + below);
  out.slack += above - below;
  out.mean = {std::nan(""), std::nullopt};
  return out;
}

}  // namespace quantiplan
