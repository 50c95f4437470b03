#include "unfold.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "cut.hpp"
#include "directed.hpp"
#include "endless_ground.hpp"
#include "plan.hpp"
#include "power_bounds.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "recast.hpp"
#include "recast_solve.hpp"
#include "rough_bracket.hpp"
#include "whole.hpp"

namespace quantiplan {
namespace {

// The greatest chance of what the one who maximises wants of a goal: to reach it, or an adversary
// to avoid it. By state, between two bounds, with choices that attain the lower one.
struct GoalChance {
  std::vector<Rational> low;
  std::vector<Rational> high;
  std::vector<Choice> choice;
};

// Nullopt if the limits ended it.
std::optional<GoalChance> goal_chance(const Model& model,
                                      const ResolvedSetting& setting,
                                      Limits& limits) {
  GoalChance out;
  out.low.assign(model.state_count(), 0);
  out.high.assign(model.state_count(), 0);
  out.choice.assign(model.state_count(), Choice{});
  const auto moves = Moves::lay_out(model, setting, limits);
  if (!moves) return std::nullopt;
  Weights weights;
  weights.of_arc.assign(moves->graph.next.size(), 0);
  const Event event{!setting.adversarial, setting.adversarial ? Miss::best : Miss::worst};
  const EpochProblem problem{*moves, weights, event};
  const auto fill = [&](const auto& whole, const auto& bounds) {
    for (std::uint32_t v = 0; v < moves->slots(); ++v) {
      const std::size_t s = index(moves->state[v]);
      std::tie(out.low[s], out.high[s]) = bounds(whole.value[v], whole.error);
      if (moves->end[v] == End::none) out.choice[s] = moves->choice[whole.choice[v]];
    }
  };
  constexpr std::size_t kSmall = 300;
  std::optional<WholeValues<Exact>> exact;
  if (moves->slots() <= kSmall) exact = base_of<Exact>(problem, limits);
  if (exact) {
    fill(*exact, [](const Rational& v, double) { return std::pair(v, v); });
    return out;
  }
  const auto real = base_of<Real>(problem, limits);
  if (!real) return std::nullopt;
  fill(*real, [](double v, double error) {
    const Rational low = Rational(v) - Rational(std::min(error, 1.0));
    const Rational high = Rational(v) + Rational(std::min(error, 1.0));
    return std::pair(std::max<Rational>(low, 0), std::min<Rational>(high, 1));
  });
  return out;
}

// What both unfolded problems share.
struct Unfolding {
  const Model& model;
  ResolvedSetting setting;
  Tails tails;
  std::uint64_t steps = 1;
  Rational epsilon;
  Rational grid;          // h
  bool is_exact = false;  // nothing is rounded, and nothing follows: the two problems are one
  GoalChance chance;
  std::vector<std::vector<State>> layers;  // states met at each time, ascending
};

// False if the limits ended it.
bool add_layers(Unfolding& u, Limits& limits) {
  std::vector<bool> here(u.model.state_count(), false);
  here[index(u.setting.initial)] = true;
  constexpr std::uint64_t kBytesPerOutcome = 120;
  for (std::uint64_t t = 0; t <= u.steps; ++t) {
    if (limits.ended()) return false;
    std::vector<State> layer;
    std::vector<bool> next(here.size(), false);
    std::uint64_t outcomes = 0;
    for (std::uint32_t i = 0; i < here.size(); ++i) {
      if (!here[i]) continue;
      const State s{i};
      layer.push_back(s);
      if (u.setting.is_goal(s)) continue;
      for (const Choice c : u.model.choices(s)) {
        outcomes += u.model.outcomes(c).size();
        for (const Outcome& o : u.model.outcomes(c)) next[index(o.next)] = true;
      }
    }
    limits.take(kBytesPerOutcome * (outcomes + layer.size()), "the problem unfolded over time");
    u.layers.push_back(std::move(layer));
    here = std::move(next);
  }
  return true;
}

// A number that no total exceeds in size, from any state.
Rational greatest_size(const Tails& tails) {
  double size = 0;
  for (std::size_t i = 0; i < tails.least.size(); ++i)
    size = std::max({size, std::abs(tails.least[i]), std::abs(tails.greatest[i])});
  return Rational(size);
}

// The unit of which every gamma^t r is a multiple, t < T, if totals of this size fit 50 bits in it.
std::optional<Rational> exact_grid(const Model& model,
                                   const ResolvedSetting& setting,
                                   const Rational& size) {
  constexpr std::uint64_t kShort = 64;
  if (setting.horizon > kShort) return std::nullopt;
  Integer power;
  mpz_pow_ui(power.get_mpz_t(), setting.discount.get_den_mpz_t(), setting.horizon - 1);
  const Rational unit = common_unit(model, std::nullopt) / Rational(power);
  const Rational most = unit * Rational(Integer(1) << 50U);
  return size < most ? std::optional(unit) : std::nullopt;
}

// The greatest power of two that is no more than a positive number.
Rational power_of_two_below(const Rational& value) {
  int exponent = 0;
  std::frexp(round_down(value), &exponent);
  Rational power = 1;
  if (exponent > 0)
    mpq_mul_2exp(power.get_mpq_t(), power.get_mpq_t(), static_cast<unsigned long>(exponent - 1));
  else
    mpq_div_2exp(power.get_mpq_t(), power.get_mpq_t(), static_cast<unsigned long>(1 - exponent));
  return power;
}

// A power of two; T of them are a millionth of epsilon, and the greatest total has at most 2^48 of
// them: a policy counts its residuals in steps of it, as whole numbers of 62 bits, and a bonus for
// the goal comes on top (recast.hpp).
Rational rounded_grid(const Rational& epsilon, std::uint64_t steps, const Rational& size) {
  const Rational wanted =
      epsilon / (Rational(Integer(static_cast<unsigned long>(steps + 1))) * (1 << 20));
  const Rational finest = size / Rational(Integer(1) << 47U);
  return power_of_two_below(std::max<Rational>(wanted, finest));
}

// From the user's terms, so that costs are counted and an adversary is left to recast.hpp. Nullopt
// if the limits ended it.
std::optional<Unfolding> unfold(const Model& model,
                                const ResolvedSetting& setting,
                                const Options& options,
                                Limits& limits) {
  Unfolding u{model, setting, tails_of(model, setting, limits), 1, 1, 1, false, {}, {}};
  if (limits.ended()) return std::nullopt;
  const std::size_t start = index(setting.initial);
  const Rational range = Rational(u.tails.greatest[start]) - Rational(u.tails.least[start]);
  const Rational size = greatest_size(u.tails);
  // Where hardly more than one total is possible, a billionth of it is narrow enough.
  u.epsilon = options.epsilon.value_or(
      std::max<Rational>(range / 1000, size / Rational(Integer(1) << 30U)));
  if (u.epsilon <= 0) u.epsilon = 1;
  u.steps = setting.horizon;
  if (setting.is_infinite()) {
    double widest = 0;
    for (std::size_t i = 0; i < u.tails.least.size(); ++i)
      widest = std::max(widest, u.tails.greatest[i] - u.tails.least[i]);
    const double wanted = std::log(to_nearest_double(u.epsilon) / 4 / std::max(widest, 1e-300)) /
                          std::log(to_nearest_double(setting.discount));
    constexpr double kMost = 1e6;
    if (!(wanted < kMost)) {
      throw Error(ErrorCode::refused,
                  "discount",
                  "so close to 1 that more than 10^6 steps matter to epsilon; expected a wider "
                  "--epsilon or a smaller --discount");
    }
    u.steps = static_cast<std::uint64_t>(std::max(1.0, std::ceil(wanted)));
    auto chance = goal_chance(model, setting, limits);
    if (!chance) return std::nullopt;
    u.chance = *std::move(chance);
  }
  if (!add_layers(u, limits)) return std::nullopt;
  if (!setting.is_infinite()) {
    if (const auto exact = exact_grid(model, setting, size)) {
      u.grid = *exact;
      u.is_exact = true;
      return u;
    }
  }
  u.grid = rounded_grid(u.epsilon, u.steps, size);
  return u;
}

Rational on_grid(const Rational& value, const Rational& h, bool down) {
  return Rational(rounded(value / h, down ? Rounding::down : Rounding::up)) * h;
}

// gamma^t times a reward on the grid, t going up from 0.
class DiscountedOnGrid {
 public:
  DiscountedOnGrid(const Rational& gamma, const Rational& h)
      : gamma_(gamma), h_(h), bounds_(gamma) {}
  void next() {
    bounds_.next();
    ++time_;
  }
  [[nodiscard]] Rational operator()(const Rational& reward, bool down) const {
    Rational low = on_grid(bounds_.lower() * reward, h_, down);
    // Equal on both sides of it, it is that of gamma^t itself.
    if (reward == 0 || low == on_grid(bounds_.upper() * reward, h_, down)) return low;
    return on_grid(power(gamma_, time_) * reward, h_, down);
  }

 private:
  Rational gamma_;
  Rational h_;
  PowerBounds bounds_;
  std::uint64_t time_ = 0;
};

// One of the two problems; states are (t, s) in the order of the layers, then a goal and a dead
// end.
struct Unfolded {
  Model model;
  ResolvedSetting setting;  // no costs; the adversary as before
};

// `pessimistic`: for the one who maximises, an adversary or not. Nullopt if the limits ended it.
std::optional<Unfolded> unfolded(const Unfolding& u, bool pessimistic, const Limits& limits) {
  ModelBuilder builder;
  const bool adversarial = u.setting.adversarial;
  // In the user's wealth W: an adversary counts -W.
  const bool down = pessimistic != adversarial;
  std::vector<std::size_t> begin;
  std::size_t states = 0;
  for (std::uint64_t t = 0; t <= u.steps; ++t) {
    if (limits.ended()) return std::nullopt;
    begin.push_back(states);
    states += u.layers[t].size();
    for (const State s : u.layers[t])
      builder.declare_state(std::to_string(t) + " " + std::string(u.model.state_name(s)));
  }
  const State reached{static_cast<std::uint32_t>(states)};
  const State missed{static_cast<std::uint32_t>(states + 1)};
  builder.declare_state("goal").declare_state("miss");
  DiscountedOnGrid discounted(u.setting.discount, u.grid);
  for (std::uint64_t t = 0; t < u.steps; ++t, discounted.next()) {
    if (limits.ended()) return std::nullopt;
    std::vector<Number> reward(u.model.numbers().size());
    std::vector<bool> known(reward.size(), false);
    const auto& next = u.layers[t + 1];
    for (std::size_t i = 0; i < u.layers[t].size(); ++i) {
      const State s = u.layers[t][i];
      if (u.setting.is_goal(s)) continue;
      for (const Choice c : u.model.choices(s)) {
        builder.begin_choice(State{static_cast<std::uint32_t>(begin[t] + i)},
                             u.model.action_name(c));
        for (const Outcome& o : u.model.outcomes(c)) {
          if (!known[index(o.reward)]) {
            known[index(o.reward)] = true;
            const Rational w = u.setting.cost ? Rational(-u.model.reward(o)) : u.model.reward(o);
            reward[index(o.reward)] = Number(discounted(w, down));
          }
          const auto at = std::ranges::lower_bound(next, o.next) - next.begin();
          builder.add_outcome(
              State{static_cast<std::uint32_t>(begin[t + 1] + static_cast<std::size_t>(at))},
              Number(u.model.probability(o)),
              reward[index(o.reward)]);
        }
      }
    }
  }
  if (u.setting.is_infinite()) {
    for (std::size_t i = 0; i < u.layers[u.steps].size(); ++i) {
      const State s = u.layers[u.steps][i];
      if (u.setting.is_goal(s) || u.model.is_terminal(s)) continue;
      const Rational& p = pessimistic ? u.chance.low[index(s)] : u.chance.high[index(s)];
      // Counted tails of the one who maximises: the least, or the greatest.
      const double tail = pessimistic ? u.tails.least[index(s)] : u.tails.greatest[index(s)];
      const Rational counted = discounted(Rational(tail), pessimistic);
      const Rational wealth = adversarial ? Rational(-counted) : counted;
      builder.begin_choice(State{static_cast<std::uint32_t>(begin[u.steps] + i)}, "rest");
      const Rational hit = adversarial ? Rational(1 - p) : p;
      if (hit > 0) builder.add_outcome(reached, Number(hit), Number(wealth));
      if (hit < 1) builder.add_outcome(missed, Number(Rational(1 - hit)), Number(0));
    }
  }
  Unfolded out{builder.build(), {}};
  out.setting.horizon = u.steps + (u.setting.is_infinite() ? 1 : 0);
  out.setting.initial = State{0};
  out.setting.adversarial = adversarial;
  for (std::uint64_t t = 0; t <= u.steps; ++t) {
    for (std::size_t i = 0; i < u.layers[t].size(); ++i) {
      if (u.setting.is_goal(u.layers[t][i]))
        out.setting.goal.push_back(State{static_cast<std::uint32_t>(begin[t] + i)});
    }
  }
  out.setting.goal.push_back(reached);
  return out;
}

// Residuals as whole steps of the grid. A target between two steps is met where the next one is,
// and its residuals move up with it.
void count_in_steps(Policy& policy, const Rational& grid) {
  const Rational target = on_grid(*policy.target, grid, false);
  const Rational moved = target - *policy.target;
  policy.grid = PolicyGrid{grid, {}};
  policy.target = target;
  for (PolicyRule& rule : policy.rules) {
    for (PolicyRun& run : rule.runs) {
      if (run.upto) run.upto = Rational(on_grid(*run.upto + moved, grid, true) / grid);
    }
  }
}

// Rules of (t, s) as rules of t and s; from T on the choices of the goal's chance.
Policy folded(const Unfolding& u, const Model& unfolded_model, Policy policy) {
  std::vector<std::size_t> begin;
  std::size_t states = 0;
  for (const auto& layer : u.layers) {
    begin.push_back(states);
    states += layer.size();
  }
  std::vector<PolicyRule> rules;
  if (!policy.grid && policy.target) count_in_steps(policy, u.grid);
  for (PolicyRule& rule : policy.rules) {
    if (rule.time >= u.steps) continue;
    const State s = u.layers[rule.time][index(rule.state) - begin[rule.time]];
    const auto first = index(unfolded_model.choices(rule.state).front());
    for (PolicyRun& run : rule.runs) run.choice = u.model.choices(s)[index(run.choice) - first];
    rules.push_back({rule.time, s, std::move(rule.runs)});
  }
  policy.setting = u.setting;
  policy.claim.reset();
  if (u.setting.is_infinite()) {
    policy.truncated_at = u.steps;
    for (std::uint32_t i = 0; i < u.model.state_count(); ++i) {
      const State s{i};
      if (u.model.is_terminal(s) || u.setting.is_goal(s)) continue;
      const Choice c = u.chance.choice[i];
      // States that cannot be met have no chance of their own.
      const bool known = index(c) >= index(u.model.choices(s).front()) &&
                         index(c) - index(u.model.choices(s).front()) < u.model.choice_count(s);
      if (known) rules.push_back({u.steps, s, {{std::nullopt, c}}});
    }
  }
  std::ranges::sort(rules, [](const PolicyRule& a, const PolicyRule& b) {
    return std::pair(a.time, a.state) < std::pair(b.time, b.state);
  });
  policy.rules = std::move(rules);
  return policy;
}

// The two problems; nothing if the limits ended it before.
struct Both {
  [[nodiscard]] bool is_complete() const { return low && high; }
  std::shared_ptr<Unfolding> common;
  std::shared_ptr<Unfolded> low;  // for the one who maximises
  std::shared_ptr<Unfolded> high;
};

Both unfold_both(const Model& model, const ResolvedSetting& setting, const Options& options) {
  Limits limits(options);
  Both out;
  auto common = unfold(model, setting, options, limits);
  if (!common) return out;
  out.common = std::make_shared<Unfolding>(*std::move(common));
  auto low = unfolded(*out.common, true, limits);
  if (!low) return out;
  out.low = std::make_shared<Unfolded>(*std::move(low));
  if (out.common->is_exact) {
    out.high = out.low;
  } else if (auto high = unfolded(*out.common, false, limits)) {
    out.high = std::make_shared<Unfolded>(*std::move(high));
  }
  return out;
}

// Before anything is unfolded: a goal may be missed, and no total is beyond what is possible.
Answer answer_before_unfolding(const Model& model,
                               const ResolvedSetting& setting,
                               const std::vector<Question>& asked,
                               const Options& options) {
  Answer answer;
  answer.engine = no_engine_report(options);
  const PossibleRange possible(model, setting);
  for (const Question& question : asked) {
    answer.results.push_back(unknown_result(setting, question, ended_status(options)));
    answer.results.back().upper = possible.greatest;
  }
  return answer;
}

ThresholdAnswer chances_before_unfolding(const std::vector<Total>& targets,
                                         const Options& options) {
  ThresholdAnswer answer;
  answer.engine = no_engine_report(options);
  for (const Total& target : targets)
    answer.results.push_back(unknown_chance(target, ended_status(options)));
  return answer;
}

// A quarter of epsilon each for the problem rounded down, the one rounded up, and the tails. What
// is rounded gains nothing from rationals throughout, and may have more levels than there is
// memory.
Options options_within(const Both& both, const Options& options) {
  Options within = options;
  within.epsilon = Rational(both.common->epsilon / 4);
  if (!both.common->is_exact && within.arithmetic == Arithmetic::exact)
    within.arithmetic = Arithmetic::automatic;
  return within;
}

std::string why_unfolded(const Both& both) {
  return "unfolded over " + std::to_string(both.common->steps) +
         " steps because of the discount and the goal; ";
}

}  // namespace

Answer solve_unfolded(const Model& model,
                      const ResolvedSetting& setting,
                      const std::vector<Question>& asked,
                      const Options& options) {
  const Both both = unfold_both(model, setting, options);
  if (!both.is_complete()) return answer_before_unfolding(model, setting, asked, options);
  const Options within = options_within(both, options);
  const Answer low = solve_recast(both.low->model, both.low->setting, asked, false, within);
  const Answer high =
      both.common->is_exact
          ? low
          : solve_recast(both.high->model, both.high->setting, asked, false, within);
  Answer answer;
  answer.epsilon = both.common->epsilon;
  answer.engine = low.engine;
  answer.engine.why = why_unfolded(both) + answer.engine.why;
  answer.work = low.work;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Result& a = low.results[i];
    const Result& b = high.results[i];
    Result result;
    result.tau = asked[i].tau;
    result.side = asked[i].side;
    result.status = a.status == Status::solved ? b.status : a.status;
    result.quantile = setting.adversarial ? b.quantile : a.quantile;
    result.upper = setting.adversarial ? a.upper : b.upper;
    const auto short_end = [&](std::optional<Total>& end, bool down) {
      if (end && end->is_finite()) end = shortened(end->value(), both.common->epsilon, down);
    };
    if (result.quantile != result.upper) {
      short_end(result.quantile, true);
      short_end(result.upper, false);
    }
    const bool same = result.quantile == result.upper;
    result.certificate = same ? Certificate::exact : Certificate::bracket;
    const bool finite = result.quantile->is_finite() && result.upper->is_finite();
    const bool narrow = same || (finite && result.upper->value() - result.quantile->value() <=
                                               both.common->epsilon);
    if (!narrow && result.status == Status::solved) result.status = Status::unsettled;
    const bool exact = same && both.common->is_exact && a.certificate == Certificate::exact;
    // What is promised in the problem rounded against us is a bound in the true one.
    result.probability = setting.adversarial ? b.probability : a.probability;
    if (result.probability && !exact && !result.quantile->is_miss())
      result.probability = Value::at_least(result.probability->least());
    if (a.policy) {
      PolicyClaim claim;
      claim.tau = asked[i].tau;
      claim.side = asked[i].side;
      claim.quantile = *result.quantile;
      if (!same) claim.upper = result.upper;
      result.policy = [both, make = a.policy, claim, exact] {
        const Policy found = make();
        Policy policy = folded(*both.common, both.low->model, found);
        // A miss is no claim: nobody can do worse, or an adversary better.
        if (!found.claim || !claim.quantile.is_finite() || !claim.upper.value_or(0).is_finite())
          return policy;
        policy.claim = claim;
        policy.claim->probability = found.claim->probability;
        const std::optional<Rational>& exactly = found.claim->exact_probability;
        if (exact)
          policy.claim->exact_probability = exactly;
        else if (exactly)
          policy.claim->set_probability(Value::at_least(*exactly));
        return policy;
      };
      result.distribution = [both, make = result.policy, kept = for_later(options)] {
        const LaterWork later(kept);
        return evaluate_unfolded(both.common->model, make(), later.options());
      };
    }
    answer.results.push_back(std::move(result));
  }
  return answer;
}

ThresholdAnswer threshold_unfolded(const Model& model,
                                   const ResolvedSetting& setting,
                                   const std::vector<Total>& targets,
                                   const Options& options) {
  const Both both = unfold_both(model, setting, options);
  if (!both.is_complete()) return chances_before_unfolding(targets, options);
  const Options within = options_within(both, options);
  const ThresholdAnswer low = threshold_recast(both.low->model, both.low->setting, targets, within);
  const ThresholdAnswer high =
      both.common->is_exact
          ? low
          : threshold_recast(both.high->model, both.high->setting, targets, within);
  ThresholdAnswer answer;
  answer.engine = low.engine;
  answer.engine.why = why_unfolded(both) + answer.engine.why;
  answer.work = low.work;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const ThresholdResult& a = low.results[i];
    const ThresholdResult& b = high.results[i];
    ThresholdResult result;
    result.target = targets[i];
    result.status = a.status == Status::solved ? b.status : a.status;
    result.probability = setting.adversarial ? b.probability : a.probability;
    const auto most = [](const ThresholdResult& r) { return r.upper ? r.upper : r.probability; };
    const std::optional<Value> upper = setting.adversarial ? most(a) : most(b);
    const bool exact =
        result.probability->exact && upper->exact && *result.probability->exact == *upper->exact;
    result.certificate = exact ? Certificate::exact : Certificate::bracket;
    if (!exact) {
      result.probability = Value::at_least(result.probability->least());
      result.upper = Value::at_most(upper->greatest());
    }
    if (a.policy) {
      PolicyClaim claim;
      claim.kind = PolicyClaim::Kind::threshold;
      claim.quantile = targets[i];
      claim.set_probability(*result.probability);
      if (!exact) claim.most_probability = result.upper->nearest;
      result.policy = [both, make = a.policy, claim] {
        Policy policy = folded(*both.common, both.low->model, make());
        policy.claim = claim;
        return policy;
      };
    }
    answer.results.push_back(std::move(result));
  }
  return answer;
}

namespace {

// The rules of t and s as rules of (t, s).
Policy unfolded_policy(const Unfolding& u, const Unfolded& to, const Policy& policy) {
  Policy out = policy;
  out.setting = to.setting;
  out.truncated_at.reset();
  out.claim.reset();
  out.rules.clear();
  std::vector<std::size_t> begin;
  std::size_t states = 0;
  for (const auto& layer : u.layers) {
    begin.push_back(states);
    states += layer.size();
  }
  const auto add = [&](std::uint64_t time, const PolicyRule& rule) {
    const auto& layer = u.layers[time];
    const auto found = std::ranges::lower_bound(layer, rule.state);
    if (found == layer.end() || *found != rule.state || u.setting.is_goal(rule.state)) return;
    const State s{
        static_cast<std::uint32_t>(begin[time] + static_cast<std::size_t>(found - layer.begin()))};
    PolicyRule moved{time, s, rule.runs};
    const std::size_t first = index(u.model.choices(rule.state).front());
    for (PolicyRun& run : moved.runs) run.choice = to.model.choices(s)[index(run.choice) - first];
    out.rules.push_back(std::move(moved));
  };
  const bool always = policy.setting.is_infinite() && !policy.truncated_at;
  for (std::uint64_t t = 0; t < u.steps; ++t) {
    for (const PolicyRule& rule : policy.rules) {
      if (always || rule.time == t) add(t, rule);
    }
  }
  return out;
}

}  // namespace

Distribution evaluate_unfolded(const Model& model, const Policy& policy, const Options& options) {
  Limits limits(options);
  const auto complete = [](auto found) {
    if (found) return *std::move(found);
    refuse_unfinished("evaluation");
  };
  ResolvedSetting setting = policy.setting;
  const bool endless = setting.is_infinite();
  if (endless) {
    setting.horizon = policy.truncated_at ? *policy.truncated_at
                                          : complete(unfold(model, setting, options, limits)).steps;
  }
  Unfolding u = complete(unfold(model, setting, options, limits));
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
  Distribution out = evaluate(to.model, unfolded_policy(u, to, policy), options);
  if (!u.is_exact) {
    // Each reward was counted down by less than a step, an adversary's up.
    const Rational lost = u.grid * Rational(Integer(static_cast<unsigned long>(u.steps)));
    if (setting.adversarial) {
      for (Atom& atom : out.atoms) {
        if (atom.wealth.is_finite()) atom.wealth = Rational(atom.wealth.value() - lost);
      }
    }
    out.slack += lost;
    out.mean.exact.reset();
  }
  if (endless && !out.atoms.empty() && out.atoms.front().wealth.is_miss()) {
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

}  // namespace quantiplan
