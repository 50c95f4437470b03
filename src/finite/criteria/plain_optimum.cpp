#include "finite/criteria/plain_optimum.hpp"

#include <fmt/format.h>

#include <cmath>

#include "finite/criteria/optimiser.hpp"
#include "finite/criteria/rounded_optimum.hpp"
#include "finite/solve/better_policies.hpp"
#include "finite/solve/plain.hpp"
#include "finite/solve/plan.hpp"
#include "finite/solve/rough_bracket.hpp"
#include "numbers/mean_value.hpp"
#include "promise/wanted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

using Kind = Criterion::Kind;

// Beyond this many multiply-adds in all rounded problems are cheaper; some seconds of one core.
constexpr double kAffordablePasses = 5e9;

constexpr const char* kBeyondDoubles =
    "the utility of some total is beyond what doubles hold, some 1e301; a utility on a smaller "
    "scale tells more";

// The nearest bound on the safe side that has a short text.
Total shown_bound(const Total& bound, bool down) {
  if (!bound.is_finite()) return bound;
  const double near = down ? Value::no_less_than(bound.value()).nearest
                           : Value::no_more_than(bound.value()).nearest;
  if (!std::isfinite(near)) return bound;
  return Total(Number::parse(fmt::format("{}", near)).rational());
}

class PlainOptimum {
 public:
  PlainOptimum(const Model& model,
               const ResolvedSetting& setting,
               const CriterionQuestions& asked,
               const Options& options)
      : layout_(std::make_shared<FiniteLayout>(model, setting, options)), asked_(asked) {}

  FoundQuantiles run() {
    require_engine();
    if (!layout_->lay_out()) {
      add_rough();
    } else if (asked_.criterion.kind == Kind::expectation) {
      add_expectation();
    } else {
      solve();
    }
    out_.work.peak_bytes = layout_->limits.peak();
    out_.is_complete = asked_.is_complete;
    return std::move(out_);
  }

 private:
  void require_engine() const {
    const Engine engine = layout_->options.engine;
    if (engine == Engine::automatic || engine == Engine::steps || engine == Engine::lattice) return;
    throw Error(ErrorCode::refused,
                "--engine",
                "found with --criterion " + to_text(asked_.criterion) +
                    ", expected auto, steps or lattice: the others compute probabilities");
  }

  void add_rough() {
    out_.engine = no_engine_report(layout_->options);
    for (std::size_t i = 0; i < count(); ++i) {
      Result result = blank(i);
      result.status = layout_->limits.status();
      result.certificate = Certificate::bracket;
      result.optimum.change(
          [&](CriterionOptimum& optimum) { put_rough(least_total(), greatest_total(), optimum); });
      out_.results.push_back({std::move(result)});
    }
  }

  [[nodiscard]] Total least_total() const {
    return Total(
        Rational(PossibleRange(layout_->model, layout_->setting).least + asked_.least_more));
  }
  [[nodiscard]] Total greatest_total() const {
    return Total(
        Rational(PossibleRange(layout_->model, layout_->setting).greatest + asked_.most_more));
  }
  // What totals between these are worth.
  static void put_rough(const Total& least, const Total& greatest, CriterionOptimum& out) {
    const Criterion& criterion = out.criterion;
    if (criterion.kind == Kind::utility) {
      if (!criterion.utility->is_monotone()) return;
      const double low = criterion.utility->enclose(least.value()).lower;
      const double high = criterion.utility->enclose(greatest.value()).upper;
      if (std::isfinite(low)) out.lower = Total(Rational(low));
      if (std::isfinite(high)) out.upper = Total(Rational(high));
      return;
    }
    out.lower = least;
    out.upper = greatest;
    if (criterion.kind != Kind::mean_variance) return;
    // No deviation is more than half the range.
    const Rational half = (greatest.value() - least.value()) / 2;
    out.lower = Total(Rational(least.value() - criterion.parameter * half * half));
  }

  [[nodiscard]] std::size_t count() const { return std::max<std::size_t>(1, asked_.taus.size()); }
  [[nodiscard]] Result blank(std::size_t i) const {
    Result result;
    if (i < asked_.taus.size()) result.tau = asked_.taus[i];
    result.optimum =
        CriterionOptimum{asked_.criterion, Total::minus_infinity(), Total::plus_infinity()};
    return result;
  }

  // ---- expected totals need no wealth

  void add_expectation() {
    const bool exact = layout_->stages->has_keys() && choose_plan(*layout_, 1).exact;
    Result result = blank(0);
    if (exact) {
      const Expectation<Rational> found(*layout_->stages, layout_->limits);
      if (!found.complete()) return add_rough();
      const auto value =
          layout_->stages->drawn<Rational>([&](std::size_t slot) { return found.value(0, slot); });
      put(Total(Rational(value * layout_->stages->scale().unit())), 0, result);
    } else {
      const auto rounded = std::make_shared<FiniteLayout>(
          layout_, GridChoice(*layout_->stages, &layout_->limits).finest(), Rounding::down);
      if (layout_->limits.ended()) return add_rough();
      if (!rounded->stages->has_keys())
        throw Error(ErrorCode::refused,
                    "wealth",
                    "the rewards are too large for brackets, expected magnitudes below 1e300");
      const Expectation<double> found(*rounded->stages, layout_->limits);
      if (!found.complete()) return add_rough();
      const Rational unit = rounded->stages->scale().unit();
      const auto value =
          rounded->stages->drawn<double>([&](std::size_t slot) { return found.value(0, slot); });
      put(Total(Rational(Rational(value) * unit)),
          Rational(error_of(*rounded->stages)) * unit,
          result);
    }
    result.policy =
        [model = layout_->model, setting = layout_->setting, kept = for_later(layout_->options)] {
          const LaterWork later(kept);
          return expectation_plain(model, setting, later.options());
        };
    out_.results.push_back({std::move(result), std::nullopt, Claims::optimum});
    out_.engine = no_engine_report(layout_->options);
    out_.engine.used = exact ? "backward induction (exact)" : "backward induction (double)";
    out_.engine.why = "an expected total needs no wealth in the state";
  }

  // Of E in doubles, in keys of time 0: a backup errs by 2 (b + 6) u of what it reads.
  static double error_of(const Stages& stages) {
    double rest = 0;
    double sum = 0;
    for (std::uint64_t t = stages.horizon(); t-- > 0;) {
      double reward = 0;
      for (const State s : stages.layer(t).states())
        for (const Choice c : stages.model().choices(s))
          for (const Outcome& o : stages.model().outcomes(c))
            reward = std::max(reward, std::abs(stages.scale().in_steps(t, o.reward)));
      rest += std::ldexp(reward, -static_cast<int>(stages.scale().shift_until(t)));
      sum += rest;
    }
    if (stages.starts() > 1) sum += rest;  // the draw
    return 4 * (static_cast<double>(stages.most_terms()) + 8) * 0x1p-53 * sum;
  }

  // ---- what depends on wealth

  void solve() {
    const Plan plan = choose_plan(*layout_, count());
    const bool wants_exact = layout_->options.arithmetic == Arithmetic::exact;
    const bool is_rational =
        asked_.criterion.kind != Kind::utility || asked_.criterion.utility->is_exact();
    if (wants_exact && !is_rational)
      refuse_criterion(asked_.criterion,
                       "with --exact, expected a utility that is rational at rational wealth");
    // Where totals go on after the horizon, only what is cash-additive can be moved by what follows.
    const bool is_whole = asked_.least_more == asked_.most_more || is_cash_additive();
    if (is_whole && !plan.bracket && is_rational && (plan.exact || wants_exact)) {
      if (solve_in<Rational>(plan, wants_exact ? kMostExactProducts : kSmallExactPass)) return;
      if (wants_exact && !layout_->limits.ended())
        refuse_criterion(
            asked_.criterion,
            "with --exact, where rationals are too many; expected --arithmetic double");
    }
    if (is_whole && !plan.bracket && is_affordable() && solve_in<double>(plan, 0)) return;
    if (layout_->limits.ended()) return add_rough();
    bracket(plan);
  }

  // A pass on arrays may be wider than what the plan counted on.
  [[nodiscard]] bool is_affordable() {
    if (layout_->options.engine == Engine::steps) return true;
    const auto size = Optimiser<double>(layout_, asked_, 0, 0, out_.work).size();
    // A search over c takes some ten of them.
    const double passes = asked_.criterion.kind == Kind::mean_variance ? 10
                          : asked_.criterion.kind == Kind::mean_cvar ? static_cast<double>(count())
                                                                     : 1;
    // A utility is spelt level by level, which takes as long as some thousand of them.
    const double spelt =
        size && asked_.criterion.kind == Kind::utility ? 1000 * size->bytes / sizeof(double) : 0;
    return size && passes * size->multiply_adds + spelt < kAffordablePasses && size->bytes < 1e18 &&
           layout_->limits.would_fit(static_cast<std::uint64_t>(size->bytes));
  }

  template <class N>
  bool solve_in(const Plan& plan, std::uint64_t most_products) {
    auto found = Optimiser<N>(layout_, asked_, most_products, gap(), out_.work).run();
    if (!found) return false;
    Plan used = plan;
    used.exact = std::is_same_v<N, Rational>;
    out_.engine = engine_report(layout_->options,
                                used,
                                used.exact ? 0 : layout_->stages->horizon(),
                                layout_->stages->horizon());
    out_.engine.why = used.exact
                          ? "wealth is exact on an integer grid, and few enough levels of it are "
                            "met for rationals throughout"
                          : "wealth is exact on an integer grid; doubles with a certified error";
    for (std::size_t i = 0; i < found->size(); ++i) add_found((*found)[i], i);
    return true;
  }
  // What doubles may leave open of a search: nothing that a person would see.
  [[nodiscard]] Rational gap() const {
    return layout_->options.arithmetic == Arithmetic::exact
               ? Rational(0)
               : layout_->options.epsilon.value_or(Rational(0)) / 2;
  }

  [[nodiscard]] bool is_cash_additive() const {
    return asked_.criterion.kind == Kind::cvar || asked_.criterion.kind == Kind::mean_cvar;
  }

  // On an exact grid; totals may go on after it.
  void add_found(const LevelFound& found, std::size_t i) {
    Result result = blank(i);
    LevelFound shifted = found;
    if (is_cash_additive()) {
      shifted.lower = Total(Rational(found.lower.value() + asked_.least_more));
      shifted.upper = Total(Rational(found.upper.value() + asked_.most_more));
    }
    set_ends(shifted.lower, shifted.upper, result);
    const bool is_open = shifted.lower != shifted.upper &&
                         (!shifted.lower.is_finite() || !shifted.upper.is_finite());
    result.status = is_open ? Status::unsettled : Status::solved;
    if (is_open) out_.engine.left_open = kBeyondDoubles;
    if (asked_.criterion.kind == Kind::mean_variance) add_moments(found, 0, 0, result);
    put_policy(layout_, found.rules, found.level, result);
    out_.results.push_back({std::move(result), std::nullopt, Claims::optimum});
  }

  // `more`: what may be added to every total. `off`: by how much its moments may be those of another.
  void add_moments(const LevelFound& found,
                   const Rational& more,
                   const Rational& off,
                   Result& result) const {
    const Rational low = found.mean - found.mean_error + more;
    const Rational high = found.mean + found.mean_error + more + off;
    result.mean = low == high ? Value::exactly(low) : mean_between({low, high});
    if (!asked_.is_whole) return;
    const Rational& variance = found.deviation_square;
    result.optimum.change([&](CriterionOptimum& optimum) {
      optimum.criterion.parameter = found.lambda;
      optimum.variance = found.variance_error == 0 && off == 0 ? Value::exactly(variance)
                                                               : Value{to_nearest_double(variance)};
    });
  }

  static void set_ends(const Total& lower, const Total& upper, Result& result) {
    const bool exact = lower == upper;
    result.optimum.change([&](CriterionOptimum& optimum) {
      optimum.lower = exact ? lower : shown_bound(lower, true);
      optimum.upper = exact ? upper : shown_bound(upper, false);
    });
    result.certificate = exact ? Certificate::exact : Certificate::bracket;
  }
  void put(const Total& value, const Rational& error, Result& result) const {
    set_ends(Total(Rational(value.value() - error + asked_.least_more)),
             Total(Rational(value.value() + error + asked_.most_more)),
             result);
    result.status = Status::solved;
  }

  void bracket(const Plan& plan) {
    if (asked_.criterion.kind == Kind::utility && !asked_.criterion.utility->is_monotone())
      refuse_criterion(
          asked_.criterion,
          "that is not monotone where totals have no integer grid, or too fine a one, and rounding "
          "brackets nothing; expected one that never falls, or coarser rewards");
    RoundedOptimum rounds(layout_, asked_, out_.work);
    rounds.run();
    for (std::size_t i = 0; i < rounds.open().size(); ++i) {
      const RoundedOptimum::Open& open = rounds.open()[i];
      Result result = blank(i);
      // The range of totals, where a limit was met before windows told more.
      CriterionOptimum rough = *result.optimum;
      if (!open.from) put_rough(least_total(), greatest_total(), rough);
      set_ends(std::max(open.lower, rough.lower), std::min(open.upper, rough.upper), result);
      result.status = rounds.status(open);
      // Where epsilon is a hair, short texts would make it wider than that.
      if (result.status == Status::solved &&
          result.optimum->upper.value() - result.optimum->lower.value() > rounds.epsilon()) {
        result.optimum.change([&](CriterionOptimum& found) {
          found.lower = open.lower;
          found.upper = open.upper;
        });
      }
      if (open.from) put_policy(open.from, open.found.rules, open.found.level, result);
      if (open.from && asked_.criterion.kind == Kind::mean_variance)
        add_moments(open.found,
                    asked_.least_more,
                    open.from->stages->scale().slack() + asked_.most_more - asked_.least_more,
                    result);
      out_.results.push_back(
          {std::move(result), std::nullopt, open.from ? Claims::bracket : Claims::nothing});
    }
    out_.epsilon = rounds.epsilon();
    Plan used = plan;
    used.engine = Engine::lattice;
    out_.engine = bracket_report(layout_->options, used, rounds.summary());
    if (!plan.bracket)
      out_.engine.why =
          "arrays as wide as the exact grid take too long; rewards rounded down and up to a grid, "
          "refined until the bracket is narrow";
    if (rounds.is_beyond_doubles())
      out_.engine.left_open = kBeyondDoubles;
    else if (asked_.criterion.kind == Kind::utility && asked_.criterion.utility->has_steps())
      out_.engine.left_open =
          "the utility has a step near a total that occurs, where rounding by any amount changes "
          "it; --engine "
          "steps is exact where all totals have a common unit";
    else if (asked_.criterion.kind == Kind::utility)
      out_.engine.left_open =
          "the utility is so steep somewhere that a grid fine enough takes too long; --epsilon "
          "asks "
          "for it all the same";
  }

  std::shared_ptr<FiniteLayout> layout_;
  CriterionQuestions asked_;
  FoundQuantiles out_;
};

}  // namespace

FoundQuantiles optimum_plain(const Model& model,
                             const ResolvedSetting& setting,
                             const CriterionQuestions& asked,
                             const Options& options) {
  return PlainOptimum(model, setting, asked, options).run();
}

}  // namespace quantiplan
