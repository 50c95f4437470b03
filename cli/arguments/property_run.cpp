#include "arguments/property_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "console/watched_call.hpp"
#include "quantiplan/each_start.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

using Direction = Property::Direction;

[[noreturn]] void out_of_scope(const Property& property, const std::string& why) {
  throw Error(ErrorCode::refused, "--prop", fmt::format("{}: {}", visible(property.text), why));
}

// A comparison that doubles leave open is put to rationals where that takes a moment.
constexpr std::size_t kFewStates = 200;
constexpr std::size_t kFewOutcomes = 2000;

// The greatest number of which every reward is a multiple; 1 where all are 0.
Rational common_unit(const Model& model) {
  Integer top = 0;
  Integer bottom = 1;
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{s})) {
      for (const Outcome& o : model.outcomes(c)) {
        const Rational reward = model.reward(o);
        // gcd(a/b, c/d) = gcd(a d, c b) / (b d)
        top = gcd(Integer(top * reward.get_den()), Integer(reward.get_num() * bottom));
        bottom *= reward.get_den();
        const Integer shared = gcd(top, bottom);
        top /= shared;
        bottom /= shared;
      }
    }
  }
  return top == 0 ? Rational(1) : Rational(top, bottom);
}

class PropertyRun {
 public:
  PropertyRun(const Property& property,
              const std::vector<Definition>& constants,
              const ReadModel& read,
              const SettingArguments& setting,
              const Options& options,
              bool quiet)
      : property_(property),
        read_(read),
        options_(options),
        quiet_(quiet),
        definitions_(read.definitions) {
    for (const Definition& each : constants) {
      if (std::ranges::find(definitions_, each.name, &Definition::name) == definitions_.end())
        definitions_.push_back(each);
    }
    setting_ = setting.setting();
    setting.add_states(read, setting_, quiet_, /*may_be_several=*/true);
    starts_ = setting.starts(read, setting_);
    direction_ = direction();
    setting_.adversarial = direction_ == Direction::min;
  }

  std::vector<PropertyValue> values() {
    std::vector<PropertyValue> out;
    if (starts_.empty()) {
      out.push_back(value());
      return out;
    }
    const std::vector<std::size_t> first = alike();
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      setting_.initial = InitialNames(read_.model.state_name(starts_[i]));
      at_ = i;
      out.push_back(first[i] < i ? PropertyValue(out[first[i]]) : value());
      out.back().state = read_.model.state_name(starts_[i]);
    }
    return out;
  }

  [[nodiscard]] Rational number(const std::string& text) const {
    return constant_value(definitions_, text, "--prop");
  }

 private:
  PropertyValue value() {
    if (property_.kind == Property::Kind::expectation) return expectation();
    Setting setting = setting_;
    setting.cost = !property_.at_least;
    const bool is_quantile = property_.kind == Property::Kind::quantile;
    if (!set_goal(setting) && !is_quantile)
      return certain(Total(0));  // nobody reaches what there is not
    set_steps(setting);
    Model model = read_.model;
    if (property_.at_least && property_.kind == Property::Kind::probability &&
        direction_ == Direction::min && !read_.model.is_chain()) {
      GoingOn going = go_on_until(model, setting, bound(), options_);
      is_by_itself_ = true;
      return goal_chance(going.model, going.setting);
    }
    if (property_.at_least) {
      GoingOn going = go_on_at_goals(model, setting);
      model = std::move(going.model);
      setting = std::move(going.setting);
    }
    return is_quantile ? quantile(model, setting) : probability(model, setting);
  }

  // Where there are choices, a comparison without min or max means all policies, as there: P>=p the
  // least of them, P<p the greatest.
  [[nodiscard]] Direction direction() const {
    if (property_.direction != Direction::none || read_.model.is_chain())
      return property_.direction;
    if (property_.comparison.empty() || property_.kind == Property::Kind::quantile)
      out_of_scope(property_,
                   "found neither min nor max, expected one of them: the model has choices");
    return property_.comparison.front() == '>' ? Direction::min : Direction::max;
  }

  // Which initial states have their answer from others. Goals that go on are no ends.
  [[nodiscard]] std::vector<std::size_t> alike() const {
    Setting setting = setting_;
    Options options = options_;
    const bool has_goal = !property_.goal.empty() && set_goal(setting);
    if (property_.at_least) options.reduce = Reduce::none;
    if (!has_goal) setting.goal.emplace();
    return alike_starts(read_.model, starts_, setting, options);
  }

  static PropertyValue certain(const Total& value) {
    return {{}, value, value, true, value.is_finite() ? to_text(value) : ""};
  }

  // The least of no bounds, or the greatest.
  [[nodiscard]] PropertyValue no_bound() const {
    return certain(property_.at_least ? Total::minus_infinity() : Total::plus_infinity());
  }

  // False if no state satisfies the condition.
  bool set_goal(Setting& setting) const {
    if (!goal_) {
      ReadModel named = read_;
      named.definitions = definitions_;
      goal_.emplace();
      for (const State s : states_where(named, property_.goal, "--prop"))
        goal_->emplace_back(read_.model.state_name(s));
    }
    setting.goal = goal_;
    return !goal_->empty();
  }

  void set_steps(Setting& setting) const {
    setting.horizon = kInfiniteHorizon;
    if (property_.steps.empty()) return;
    const Rational steps = number(property_.steps);
    if (steps < 0 || steps.get_den() != 1 || steps > 1000000000)
      out_of_scope(property_,
                   "found a bound of " + to_text(steps) + " steps, expected a whole number");
    setting.horizon = steps.get_num().get_ui();
  }

  PropertyValue probability(const Model& model, const Setting& setting) const {
    if (setting.horizon == 0u) return at_once(setting);
    if (property_.bound.empty()) return goal_chance(model, setting);
    return chance(model, setting, Total(property_.at_least ? bound() : Rational(-bound())));
  }

  // Totals are multiples of the unit u of the rewards:  W < c  is  W <= u (ceil(c/u) - 1),  and
  // W > c  is  W >= u (floor(c/u) + 1).
  [[nodiscard]] Rational bound() const {
    Rational given = number(property_.bound);
    if (!property_.is_strict) return given;
    const Rational unit = common_unit(read_.model);
    const Rational units = given / unit;
    Integer whole;
    if (property_.at_least) {
      mpz_fdiv_q(whole.get_mpz_t(), units.get_num_mpz_t(), units.get_den_mpz_t());
      whole += 1;
    } else {
      mpz_cdiv_q(whole.get_mpz_t(), units.get_num_mpz_t(), units.get_den_mpz_t());
      whole -= 1;
    }
    return Rational(Rational(whole) * unit);
  }

  [[nodiscard]] PropertyValue goal_chance(const Model& model, const Setting& setting) const {
    return chance(model, setting, Total::minus_infinity());
  }

  [[nodiscard]] PropertyValue chance(const Model& model,
                                     const Setting& setting,
                                     const Total& target) const {
    PropertyValue out = chance(model, setting, target, options_);
    const bool is_open = !property_.comparison.empty() &&
                         !holds(out, property_.comparison, number(property_.probability));
    const bool is_small =
        model.state_count() <= kFewStates && model.outcome_count() <= kFewOutcomes;
    if (!is_open || !is_small || options_.arithmetic != Arithmetic::automatic) return out;
    Options in_rationals = options_;
    in_rationals.arithmetic = Arithmetic::exact;
    return chance(model, setting, target, in_rationals);
  }

  [[nodiscard]] PropertyValue chance(const Model& model,
                                     const Setting& setting,
                                     const Total& target,
                                     const Options& options) const {
    const ThresholdResult result = chance_found(model, setting, target, options);
    if (!result.probability)
      throw Error(ErrorCode::refused, "--prop", "a limit was met before anything was known");
    const Value& low = *result.probability;
    const auto total = [](const Value& v) {
      return Total(v.exact ? *v.exact : Rational(v.nearest));
    };
    PropertyValue out{{}, total(low), total(low), !result.upper.has_value(), ""};
    if (result.upper) out.high = total(*result.upper);
    if (low.exact) out.exact = to_text(*low.exact);
    return out;
  }

  // Of several initial states all at once, when the first is asked for: but for the state, the question is one.
  [[nodiscard]] ThresholdResult chance_found(const Model& model,
                                             const Setting& setting,
                                             const Total& target,
                                             const Options& options) const {
    const ThresholdQuery query{{target}, setting};
    std::vector<ThresholdResult> alone;
    const bool is_shared = !starts_.empty() && !is_by_itself_;
    std::vector<ThresholdResult>& found = is_shared ? found_[options.arithmetic] : alone;
    const auto ask = [&](const Options& watching) {
      const auto take = [&](std::size_t, const ThresholdAnswer& answer) {
        found.push_back(answer.results.front());
      };
      if (is_shared) threshold_each(model, starts_, query, watching, take);
      if (!is_shared) take(0, threshold(model, query, watching));
      return true;
    };
    if (found.empty()) watched(options, quiet_, false, ask);
    return found[is_shared ? at_ : 0];
  }

  [[nodiscard]] PropertyValue at_once(const Setting& setting) const {
    Setting one = setting;
    one.horizon = 1;
    const ResolvedSetting resolved = resolve(read_.model, one);
    Rational sum = 0;
    for (const auto& [state, probability] : resolved.initial)
      if (resolved.is_goal(state)) sum += probability;
    return certain(Total(sum));
  }

  // What is sought is the least or the greatest B of those that keep a comparison: either the end of
  // them that is a level, or, with the other comparison, the number next to that level; as Storm does,
  // bounds from 0 on are counted in the common unit u of the rewards.
  //
  //     min{ B : P(F r<=B) > p }                max{ B : P(F r<=B) <= p } = the same - u
  //     max{ B : P(F r>=B) > p }                min{ B : P(F r>=B) <= p } = the same + u
  PropertyValue quantile(const Model& model, const Setting& setting) const {
    const bool is_above = property_.comparison.starts_with('>');
    const bool is_ours = property_.sought == Direction::none ||
                         is_above == (property_.at_least == (property_.sought == Direction::max));
    if (!is_ours)
      out_of_scope(property_,
                   "expected quantile(min B, P>p [F{\"r\"}<=B ...]) or quantile(max B, P>p "
                   "[F{\"r\"}>=B ...]), or the other of min and max with <=: other quantiles are "
                   "out of scope");
    const Rational p = number(property_.probability);
    if (p < 0 || p > 1)
      out_of_scope(property_, "found the probability " + to_text(p) + ", expected one from 0 to 1");
    const bool is_strict = property_.comparison == ">" || property_.comparison == "<=";
    PropertyValue level = level_where(model, setting, p, is_strict);
    return is_above ? level : next_to(std::move(level));
  }

  [[nodiscard]] PropertyValue next_to(PropertyValue level) const {
    const Rational unit = common_unit(read_.model);
    const auto next = [&](const Total& t) {
      if (property_.at_least && t == Total::minus_infinity()) return Total(0);
      if (!t.is_finite()) return t;
      if (!property_.at_least && t.value() == 0) return Total::minus_infinity();
      return Total(Rational(t.value() + (property_.at_least ? unit : Rational(-unit))));
    };
    level.low = next(level.low);
    level.high = next(level.high);
    level.exact = level.is_exact && level.low.is_finite() ? to_text(level.low) : "";
    return level;
  }

  // The least B with P(F r<=B) > p (or >=), or the greatest with P(F r>=B) > p.
  [[nodiscard]] PropertyValue level_where(const Model& model,
                                          const Setting& setting,
                                          const Rational& p,
                                          bool is_strict) const {
    // P >= 0 holds always; P > 1 never, and nobody reaches a goal that there is not.
    if (!is_strict && p == 0)
      return certain(property_.at_least ? Total::plus_infinity() : Total(0));
    if ((is_strict && p == 1) || setting.goal->empty()) return no_bound();
    Query query;
    query.setting = setting;
    query.taus = {Rational(1 - p)};
    query.sides = is_strict ? Sides::lower : Sides::upper;
    query.compare = false;
    query.prefer = Prefer::probability;
    const Answer answer = watched(options_, quiet_, false, [&](const Options& watching) {
      return solve(model, query, watching);
    });
    const Result& result = answer.results.front();
    const auto shown = [&](const Total& t) {
      if (t == Total::miss()) return no_bound().low;
      return property_.at_least ? t : t.negated();
    };
    PropertyValue out{{}, shown(*result.quantile), shown(*result.quantile), true, ""};
    if (result.upper && *result.upper != *result.quantile) {
      out.is_exact = false;
      (property_.at_least ? out.high : out.low) = shown(*result.upper);
    }
    if (out.is_exact && out.low.is_finite()) out.exact = to_text(out.low);
    return out;
  }

  // R{"r"} [C<=k]; and R{"r"} [F goal], which is infinite where the goal may be missed: the least, or
  // that of a chain.
  PropertyValue expectation() {
    Setting setting = setting_;
    setting.adversarial = false;
    const bool to_goal = !property_.goal.empty();
    const bool is_greatest = direction_ == Direction::max && !read_.model.is_chain();
    const bool is_cost = direction_ == Direction::min || (to_goal && !is_greatest);
    setting.cost = is_cost;
    set_steps(setting);
    if (setting.horizon == 0U) return certain(Total(0));
    if (!to_goal) {
      setting.goal.emplace();
    } else if (!set_goal(setting)) {
      return certain(Total::plus_infinity());
    } else if (is_greatest) {
      // Whoever may miss the goal has an infinite reward.
      Setting least = setting;
      least.adversarial = true;
      const PropertyValue arrives = goal_chance(read_.model, least);
      if (arrives.high < Total(1)) return certain(Total::plus_infinity());
      if (arrives.low < Total(1))
        out_of_scope(property_,
                     "it is open whether every policy reaches the goal; expected --exact");
    }
    Query query;
    query.setting = setting;
    query.criterion.kind = Criterion::Kind::expectation;
    query.compare = false;
    const Answer answer = watched(options_, quiet_, false, [&](const Options& watching) {
      return solve(read_.model, query, watching);
    });
    const Result& result = answer.results.front();
    // A miss costs more than any number, and is the worst of a range: not its least.
    const auto shown = [&](const Total& t) {
      if (t == Total::miss()) return Total::plus_infinity();
      return is_cost ? t.negated() : t;
    };
    PropertyValue out{{}, shown(result.optimum->lower), shown(result.optimum->upper), true, ""};
    if (is_cost) std::swap(out.low, out.high);
    out.is_exact = out.low == out.high;
    if (out.is_exact && out.low.is_finite()) out.exact = to_text(out.low);
    return out;
  }

  const Property& property_;
  const ReadModel& read_;
  const Options& options_;
  bool quiet_;
  std::vector<Definition> definitions_;
  Setting setting_;
  Direction direction_ = Direction::none;
  std::vector<State> starts_;
  std::size_t at_ = 0;         // which of them is asked for
  bool is_by_itself_ = false;  // of a model made for that state alone
  mutable std::map<Arithmetic, std::vector<ThresholdResult>> found_;  // by start
  mutable std::optional<std::vector<std::string>> goal_;              // once it was asked for
};

}  // namespace

PropertyAnswer answer_property(const Property& property,
                               const std::vector<Definition>& constants,
                               const ReadModel& read,
                               const SettingArguments& setting,
                               const Options& options,
                               bool quiet) {
  PropertyRun run(property, constants, read, setting, options, quiet);
  PropertyAnswer out{run.values(), std::nullopt};
  if (!property.comparison.empty() && property.kind != Property::Kind::quantile)
    out.compared = run.number(property.probability);
  return out;
}

}  // namespace quantiplan::cli
