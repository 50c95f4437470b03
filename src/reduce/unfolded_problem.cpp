#include "reduce/unfolded_problem.hpp"

#include <algorithm>

#include "finite/power_bounds.hpp"
#include "finite/solve/rough_bracket.hpp"
#include "numbers/directed.hpp"
#include "numbers/mean_value.hpp"
#include "problem/other_criteria.hpp"
#include "reduce/arrival_policy.hpp"
#include "reduce/cut.hpp"
#include "reduce/finite_problem.hpp"
#include "reduce/last_rules.hpp"
#include "reduce/unfolding.hpp"

namespace quantiplan {
namespace {

class UnfoldedProblem : public QuantileProblem {
 public:
  UnfoldedProblem(const Model& model, const ResolvedSetting& setting, const Options& options)
      : model_(model), setting_(setting), options_(options) {}

  FoundQuantiles quantiles(const std::vector<Question>& asked, const Wishes& wishes) override {
    if (setting_.adversarial)
      refuse_best_mean(wishes, "with an adversary, whose policy is shown, not followed");
    FoundQuantiles out;
    if (!lay_out()) {
      out.engine = no_engine_report(options_);
      const PossibleRange possible(model_, setting_);
      for (const Question& question : asked) {
        out.results.push_back({unknown_result(setting_, question, ended_status(options_))});
        out.results.back().result.upper = possible.greatest;
      }
      return out;
    }
    Wishes own{false, wishes.prefer, wishes.mean_gap, wishes.compare};
    own.slack = goal_slack();
    if (setting_.adversarial) own = {false, Prefer::automatic};
    // A search over weights needs passes that are small, which those over all exact levels are not.
    const bool on_grid = own.prefer == Prefer::mean && !common_->is_exact;
    const FoundQuantiles against = (on_grid ? curve_against_ : against_)->quantiles(asked, own);
    const FoundQuantiles in_favour = common_->is_exact
                                         ? against
                                         : (on_grid ? curve_in_favour_ : in_favour_)
                                               ->quantiles(asked, {false, Prefer::automatic});
    out.epsilon = common_->epsilon;
    out.engine = explained(on_grid ? named_as_asked(against.engine) : against.engine);
    out.work = against.work;
    for (std::size_t i = 0; i < asked.size(); ++i)
      out.results.push_back(between(against.results[i], in_favour.results[i]));
    return out;
  }

  FoundQuantiles optima(const CriterionQuestions& asked) override {
    if (asked.criterion.kind == Criterion::Kind::worst_case) return worst_case(*this, asked);
    refuse_adversary(asked.criterion, setting_);
    refuse_goal(asked.criterion);
  }

  FoundChances chances(const std::vector<Total>& targets) override {
    FoundChances out;
    if (!lay_out()) {
      out.engine = no_engine_report(options_);
      out.chances.assign(targets.size(), unknown_chance(ended_status(options_)));
      return out;
    }
    const FoundChances against = against_->chances(targets);
    const FoundChances in_favour = common_->is_exact ? against : in_favour_->chances(targets);
    out.engine = explained(against.engine);
    out.work = against.work;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const FoundChance& a = against.chances[i];
      const FoundChance& b = in_favour.chances[i];
      FoundChance chance;
      chance.status = a.status == Status::solved ? b.status : a.status;
      chance.low = setting_.adversarial ? b.low : a.low;
      chance.high = setting_.adversarial ? a.high : b.high;
      if (a.policy) chance.policy = folded_later(a.policy);
      out.chances.push_back(std::move(chance));
    }
    return out;
  }

  Frontier curve(const std::vector<Question>& asked) override {
    if (!lay_out()) {
      Frontier out;
      out.engine = no_engine_report(options_);
      out.status = ended_status(options_);
      const PossibleRange possible(model_, setting_);
      for (const Question& question : asked)
        out.quantiles.push_back({question.tau,
                                 question.side,
                                 Certificate::bracket,
                                 Total::miss(),
                                 Total(possible.greatest)});
      return out;
    }
    Frontier against = curve_against_->curve(asked);
    against.policy = nullptr;  // of the unfolded problem
    against.engine = explained(named_as_asked(against.engine));
    against.epsilon = common_->epsilon;
    if (common_->is_exact) return against;
    Frontier in_favour = curve_in_favour_->curve(asked);
    in_favour.policy = nullptr;
    in_favour.engine = against.engine;
    in_favour.epsilon = against.epsilon;
    if (against.status != Status::solved) in_favour.status = against.status;
    if (setting_.adversarial) return bounded(std::move(in_favour), std::move(against));
    against.status = in_favour.status;
    return bounded(std::move(against), std::move(in_favour));
  }

  Distribution law(const Policy& policy) override;

  Policy expectation_policy() override {
    if (setting_.is_infinite()) refuse_discounted_expectation();
    return arrival_policy(model_, setting_, options_);
  }

 private:
  // The law of the steps of a finite horizon; who has not arrived by then misses.
  [[nodiscard]] Distribution law_of_steps(const Policy& policy,
                                          const ResolvedSetting& setting,
                                          Limits& limits) const;
  template <class Found>
  static Found complete(std::optional<Found> found) {
    if (found) return *std::move(found);
    refuse_unfinished("evaluation");
  }

  // False if the limits ended it.
  bool lay_out() {
    if (in_favour_) return true;
    Limits limits(options_);
    auto common = unfold(model_, setting_, options_, limits);
    if (!common) return false;
    common_ = std::make_shared<Unfolding>(*std::move(common));
    auto low = unfolded(*common_, true, limits);
    if (!low) return false;
    low_ = std::make_shared<Unfolded>(*std::move(low));
    high_ = low_;
    if (!common_->is_exact) {
      auto high = unfolded(*common_, false, limits);
      if (!high) return false;
      high_ = std::make_shared<Unfolded>(*std::move(high));
    }
    // A quarter of epsilon each for the problem rounded down, the one rounded up, and the tails.
    // What is rounded gains nothing from rationals throughout, and may have more levels than there
    // is memory.
    Options within = options_;
    within.epsilon = Rational(common_->epsilon / 4);
    if (!common_->is_exact && within.arithmetic == Arithmetic::exact)
      within.arithmetic = Arithmetic::automatic;
    against_ = finite_problem(low_->model, low_->setting, within);
    in_favour_ = finite_problem(high_->model, high_->setting, within);
    // A curve of all the levels of rewards that were rounded anyway may have millions of steps.
    if (!common_->is_exact && within.engine == Engine::automatic) within.engine = Engine::lattice;
    curve_against_ = finite_problem(low_->model, low_->setting, within);
    curve_in_favour_ = finite_problem(high_->model, high_->setting, within);
    return true;
  }

  // The lattice need not be the user's choice.
  [[nodiscard]] EngineReport named_as_asked(EngineReport engine) const {
    if (common_->is_exact || options_.engine != Engine::automatic) return engine;
    engine.given = no_engine_report(options_).given;
    engine.why = "rewards rounded down and up to a grid";
    return engine;
  }
  [[nodiscard]] EngineReport explained(EngineReport engine) const {
    engine.why = "unfolded over " + std::to_string(common_->steps) +
                 " steps because of the discount and the goal; " + engine.why;
    return engine;
  }

  // A total of the whole is greater than that of the problem rounded down by at most this, the rounding
  // of levels for people included.
  [[nodiscard]] Rational goal_slack() const {
    if (common_->is_exact) return 0;
    const Unfolding& u = *common_;
    double widest = 0;
    if (setting_.is_infinite()) {
      for (const State s : u.layers[u.steps])
        widest = std::max(widest, u.tails.greatest[index(s)] - u.tails.least[index(s)]);
    }
    const Rational steps(Integer(static_cast<unsigned long>(u.steps + 1)));
    // The power may be rounded as long as it is so upwards.
    PowerBounds last(setting_.discount);
    for (std::uint64_t t = 0; t < u.steps; ++t) last.next();
    return steps * u.grid + last.upper() * Rational(widest) + u.epsilon / 1000;
  }
  // What the bounds of P*, which policies attain the lower ones of, leave open.
  [[nodiscard]] Rational open_chance() const {
    Rational widest = 0;
    if (!setting_.is_infinite()) return widest;
    for (const State s : common_->layers[common_->steps])
      widest = std::max<Rational>(widest,
                                  common_->chance.high[index(s)] - common_->chance.low[index(s)]);
    return widest;
  }
  // No policy reaches the goal more often.
  [[nodiscard]] Rational greatest_chance() const {
    Rational sum = 0;
    for (const auto& [state, mu] : setting_.initial) sum += mu * common_->chance.high[index(state)];
    return sum;
  }
  void put_goal(const Result& found, Result& result) const {
    result.prefer = found.prefer;
    result.goal_probability = found.goal_probability;
    result.goal_probability_bound = found.goal_probability_bound;
    const Rational open = open_chance();
    if (open == 0) return;
    if (auto& own = result.goal_probability)
      own = Value::between(own->least(), std::min<Rational>(1, own->greatest() + open));
    // Whoever keeps the promise may do so by what is open.
    if (auto& bound = result.goal_probability_bound) bound = Value::no_more_than(greatest_chance());
  }

  [[nodiscard]] FoundQuantile between(const FoundQuantile& against,
                                      const FoundQuantile& in_favour) const {
    const Result& a = against.result;
    const Result& b = in_favour.result;
    FoundQuantile out;
    Result& result = out.result;
    result.tau = a.tau;
    result.side = a.side;
    result.status = a.status == Status::solved ? b.status : a.status;
    result.quantile = setting_.adversarial ? b.quantile : a.quantile;
    result.upper = setting_.adversarial ? a.upper : b.upper;
    if (result.quantile != result.upper && !common_->is_exact) {
      result.quantile.change([&](Level& end) { shorten(end, true); });
      result.upper.change([&](Level& end) { shorten(end, false); });
    }
    const bool same = result.quantile == result.upper;
    const bool finite = result.quantile->is_finite() && result.upper->is_finite();
    result.certificate = same ? Certificate::exact : Certificate::bracket;
    const bool narrow =
        same || (finite && result.upper->value() - result.quantile->value() <= common_->epsilon);
    if (!narrow && result.status == Status::solved) result.status = Status::unsettled;
    // What is promised in the problem rounded against us is a bound in the true one.
    const bool exact = same && common_->is_exact && a.certificate == Certificate::exact;
    result.probability = setting_.adversarial ? b.probability : a.probability;
    if (result.probability && !exact && !result.quantile->is_miss())
      result.probability = Value::at_least(result.probability->least());
    if (!a.policy) return out;
    if (!setting_.adversarial) put_goal(a, result);
    const bool kept_by_all = !setting_.adversarial && result.quantile->is_miss();
    result.policy = kept_by_all && !setting_.is_infinite()
                        ? arrival_policy_later(model_, setting_, options_)
                        : folded_later(a.policy);
    // A miss is no claim: nobody can do worse, or an adversary better.
    if (against.claims == Claims::nothing || !finite) return out;
    out.claims = same ? Claims::optimum : Claims::bracket;
    out.own = against.own;
    if (out.own && !exact) out.own = Value::at_least(out.own->least());
    return out;
  }

  void shorten(Level& end, bool down) const {
    if (end.is_finite()) end = shortened(end.value(), common_->epsilon, down);
  }

  // The lower curve and quantiles of the one, the upper of the other.
  [[nodiscard]] Frontier bounded(Frontier lower, Frontier upper) const {
    if (upper.upper_steps.empty()) upper.upper_steps = std::move(upper.steps);
    for (FrontierStep& step : lower.steps) {
      shorten(step.wealth, true);
      step.probability = Value::at_least(step.probability.least());
    }
    for (FrontierStep& step : upper.upper_steps) {
      shorten(step.wealth, false);
      step.probability = Value::at_most(step.probability.greatest());
    }
    for (std::size_t i = 0; i < lower.quantiles.size(); ++i) {
      FrontierQuantile& quantile = lower.quantiles[i];
      quantile.upper = upper.quantiles[i].upper;
      if (quantile.quantile != quantile.upper) {
        shorten(quantile.quantile, true);
        shorten(quantile.upper, false);
      }
      quantile.certificate =
          quantile.quantile == quantile.upper ? Certificate::exact : Certificate::bracket;
    }
    lower.upper_steps = std::move(upper.upper_steps);
    return lower;
  }

  [[nodiscard]] Later<Policy> folded_later(Later<Policy> unfolded_one) const {
    return [common = common_, low = low_, make = std::move(unfolded_one)] {
      return folded(*common, low->model, make());
    };
  }

  Model model_;
  ResolvedSetting setting_;
  Options options_;
  std::shared_ptr<Unfolding> common_;
  std::shared_ptr<Unfolded> low_;  // against the one who maximises
  std::shared_ptr<Unfolded> high_;
  std::unique_ptr<QuantileProblem> against_;
  std::unique_ptr<QuantileProblem> in_favour_;
  std::unique_ptr<QuantileProblem> curve_against_;
  std::unique_ptr<QuantileProblem> curve_in_favour_;
};

Distribution UnfoldedProblem::law(const Policy& policy) {
  Limits limits(options_);
  ResolvedSetting setting = policy.setting;
  const bool infinite = setting.is_infinite();
  if (infinite) {
    setting.horizon = policy.truncated_at
                          ? *policy.truncated_at
                          : complete(unfold(model_, setting, options_, limits)).steps;
    // One step more asks for the rules that hold from then on, and refuses a policy without them.
    if (policy.truncated_at && !surely_has_last_rules(model_, policy)) {
      ResolvedSetting longer = setting;
      ++longer.horizon;
      static_cast<void>(law_of_steps(policy, longer, limits));
    }
  }
  Distribution out = law_of_steps(policy, setting, limits);
  if (infinite && !out.atoms.empty() && out.atoms.front().wealth.is_miss()) {
    // Who has not arrived by then may still do so, at some total.
    const Value& open = out.atoms.front().probability;
    const Rational most =
        open.exact ? *open.exact
                   : Rational(Rational(open.nearest) * (1 + Rational(out.relative_error)) +
                              Rational(out.absolute_error));
    out.rest = RestOfDistribution{Total::miss(), Total::plus_infinity(), round_up(most)};
    out.atoms.erase(out.atoms.begin());
  }
  return out;
}

Distribution UnfoldedProblem::law_of_steps(const Policy& policy,
                                           const ResolvedSetting& setting,
                                           Limits& limits) const {
  Unfolding u = complete(unfold(model_, setting, options_, limits));
  if (policy.grid) {
    // Its finest step, so that it counts on the unfolded rewards as it does on the true ones.
    Rational step = policy.grid->unit;
    mpq_div_2exp(step.get_mpq_t(), step.get_mpq_t(), policy.grid->halved_at.size());
    while (step > u.grid && !u.is_exact) step /= 2;
    if (!u.is_exact) u.grid = step;
  } else if (policy.target && !u.is_exact) {
    throw Error(ErrorCode::refused,
                "evaluation",
                "the residuals of this policy have no grid of 64 bits; expected simulate, which "
                "takes it");
  }
  const Unfolded to = complete(unfolded(u, true, limits));
  Distribution out =
      finite_problem(to.model, to.setting, options_)->law(unfolded_policy(u, to, policy));
  if (!u.is_exact) {
    // Each reward was counted down by less than a step, an adversary's up.
    const Rational lost = u.grid * Rational(Integer(static_cast<unsigned long>(u.steps)));
    if (setting.adversarial) {
      for (Atom& atom : out.atoms) {
        if (atom.wealth.is_finite()) atom.wealth = Rational(atom.wealth.value() - lost);
      }
    }
    out.slack += lost;
    out.mean = added_to(
        out.mean, setting.adversarial ? MeanEnds{-lost, Rational(0)} : MeanEnds{Rational(0), lost});
  }
  return out;
}

}  // namespace

std::unique_ptr<QuantileProblem> unfolded_problem(const Model& model,
                                                  const ResolvedSetting& setting,
                                                  const Options& options) {
  return std::make_unique<UnfoldedProblem>(model, setting, options);
}

}  // namespace quantiplan
