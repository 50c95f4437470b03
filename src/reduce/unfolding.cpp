#include "reduce/unfolding.hpp"

#include <algorithm>
#include <cmath>

#include "finite/power_bounds.hpp"
#include "numbers/directed.hpp"
#include "quantiplan/error.hpp"
#include "reduce/recast.hpp"

namespace quantiplan {
namespace {

// False if the limits ended it.
bool add_layers(Unfolding& u, Limits& limits) {
  std::vector<bool> here(u.model.state_count(), false);
  for (const State s : u.setting.initial.states()) here[index(s)] = true;
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
  const Rational unit = common_unit(model) / Rational(power);
  const Rational most = unit * Rational(Integer(1) << 50U);
  return size < most ? std::optional(unit) : std::nullopt;
}

// The unit of the rewards, if it is not too long to be written down; else 1.
Rational anchor_of(const Model& model) {
  constexpr std::size_t kLong = 256;
  const Rational unit = common_unit(model);
  const bool is_short = mpz_sizeinbase(unit.get_num_mpz_t(), 2) <= kLong &&
                        mpz_sizeinbase(unit.get_den_mpz_t(), 2) <= kLong;
  return is_short ? unit : Rational(1);
}

// 2^e, e as great as possible, that is no more than a positive number, or half of it.
Rational power_of_two_below(const Rational& value) {
  const auto top = static_cast<long>(mpz_sizeinbase(value.get_num_mpz_t(), 2));
  const auto bottom = static_cast<long>(mpz_sizeinbase(value.get_den_mpz_t(), 2));
  const long exponent = top - bottom - 1;
  Rational power = 1;
  if (exponent > 0)
    mpq_mul_2exp(power.get_mpq_t(), power.get_mpq_t(), static_cast<unsigned long>(exponent));
  else
    mpq_div_2exp(power.get_mpq_t(), power.get_mpq_t(), static_cast<unsigned long>(-exponent));
  return power;
}

// The unit of the rewards times a power of two, so that a reward that is not discounted is not rounded. T of them
// are a millionth of epsilon, and the greatest total has at most 2^49 of them: a policy counts its
// residuals in steps of it, as whole numbers of 62 bits, and a bonus for the goal comes on top
// (recast.hpp).
Rational rounded_grid(const Model& model,
                      const Rational& epsilon,
                      std::uint64_t steps,
                      const Rational& size) {
  const Rational wanted =
      epsilon / (Rational(Integer(static_cast<unsigned long>(steps + 1))) * (1 << 20));
  const Rational finest = size / Rational(Integer(1) << 47U);
  const Rational anchor = anchor_of(model);
  return anchor * power_of_two_below(std::max<Rational>(wanted, finest) / anchor);
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

// The number of each layer's first state, and at last that of all states.
std::vector<std::size_t> layer_begins(const Unfolding& u) {
  std::vector<std::size_t> begin{0};
  begin.reserve(u.layers.size() + 1);
  for (const auto& layer : u.layers) begin.push_back(begin.back() + layer.size());
  return begin;
}

// One of the two problems.
class UnfoldedBuilder {
 public:
  UnfoldedBuilder(const Unfolding& u, bool pessimistic)
      : u_(u),
        pessimistic_(pessimistic),
        begin_(layer_begins(u)),
        discounted_(u.setting.discount, u.grid) {}

  // Nullopt if the limits ended it.
  std::optional<Unfolded> build(const Limits& limits) {
    for (std::uint64_t t = 0; t <= u_.steps; ++t) {
      if (limits.ended()) return std::nullopt;
      for (const State s : u_.layers[t])
        builder_.declare_state(std::to_string(t) + " " + std::string(u_.model.state_name(s)));
    }
    builder_.declare_state("goal").declare_state("miss");
    for (std::uint64_t t = 0; t < u_.steps; ++t, discounted_.next()) {
      if (limits.ended()) return std::nullopt;
      add_step(t);
    }
    if (u_.setting.is_infinite()) add_rest();
    builder_.may_lack_choices();  // of a start that is an end
    Unfolded out{builder_.build(), {}};
    out.setting.horizon = u_.steps + (u_.setting.is_infinite() ? 1 : 0);
    // Layer 0 is that of the initial states, in their order.
    std::vector<InitialStates::Drawn> drawn;
    for (std::size_t i = 0; i < u_.setting.initial.size(); ++i)
      drawn.push_back({state(0, i), u_.setting.initial[i].probability});
    out.setting.initial = InitialStates(std::move(drawn));
    out.setting.adversarial = u_.setting.adversarial;
    for (std::uint64_t t = 0; t <= u_.steps; ++t) {
      for (std::size_t i = 0; i < u_.layers[t].size(); ++i) {
        if (u_.setting.is_goal(u_.layers[t][i])) out.setting.goal.push_back(state(t, i));
      }
    }
    out.setting.goal.push_back(reached());
    return out;
  }

 private:
  [[nodiscard]] State state(std::uint64_t t, std::size_t i) const {
    return State{static_cast<std::uint32_t>(begin_[t] + i)};
  }
  [[nodiscard]] State reached() const { return State{static_cast<std::uint32_t>(begin_.back())}; }
  [[nodiscard]] State missed() const {
    return State{static_cast<std::uint32_t>(begin_.back() + 1)};
  }

  // (t, s) --p, gamma^t r rounded--> (t+1, s')
  void add_step(std::uint64_t t) {
    // In the user's wealth W: an adversary counts -W.
    const bool down = pessimistic_ != u_.setting.adversarial;
    std::vector<Number> reward(u_.model.rewards().size());
    std::vector<bool> known(reward.size(), false);
    const auto& next = u_.layers[t + 1];
    for (std::size_t i = 0; i < u_.layers[t].size(); ++i) {
      const State s = u_.layers[t][i];
      if (u_.setting.is_goal(s)) continue;
      for (const Choice c : u_.model.choices(s)) {
        builder_.begin_choice(state(t, i), u_.model.action_name(c));
        for (const Outcome& o : u_.model.outcomes(c)) {
          if (!known[index(o.reward)]) {
            known[index(o.reward)] = true;
            const Rational w = u_.setting.cost ? Rational(-u_.model.reward(o)) : u_.model.reward(o);
            reward[index(o.reward)] = Number(discounted_(w, down));
          }
          const auto at = std::ranges::lower_bound(next, o.next) - next.begin();
          builder_.add_outcome(state(t + 1, static_cast<std::size_t>(at)),
                               Number(u_.model.probability(o)),
                               reward[index(o.reward)]);
        }
      }
    }
  }

  // (T, s) --P*(s)--> goal or miss
  void add_rest() {
    const bool adversarial = u_.setting.adversarial;
    for (std::size_t i = 0; i < u_.layers[u_.steps].size(); ++i) {
      const State s = u_.layers[u_.steps][i];
      if (u_.setting.is_goal(s) || u_.model.is_terminal(s)) continue;
      const Rational& p = pessimistic_ ? u_.chance.low[index(s)] : u_.chance.high[index(s)];
      // Counted tails of the one who maximises: the least, or the greatest.
      const double tail = pessimistic_ ? u_.tails.least[index(s)] : u_.tails.greatest[index(s)];
      const Rational counted = discounted_(Rational(tail), pessimistic_);
      const Rational wealth = adversarial ? Rational(-counted) : counted;
      builder_.begin_choice(state(u_.steps, i), "rest");
      const Rational hit = adversarial ? Rational(1 - p) : p;
      if (hit > 0) builder_.add_outcome(reached(), Number(hit), Number(wealth));
      if (hit < 1) builder_.add_outcome(missed(), Number(Rational(1 - hit)), Number(0));
    }
  }

  const Unfolding& u_;
  bool pessimistic_;  // for the one who maximises
  std::vector<std::size_t> begin_;
  DiscountedOnGrid discounted_;
  ModelBuilder builder_;
};

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

}  // namespace

// From the user's terms, so that costs are counted and an adversary is left to recast.hpp. Nullopt
// if the limits ended it.
std::optional<Unfolding> unfold(const Model& model,
                                const ResolvedSetting& setting,
                                const Options& options,
                                Limits& limits) {
  Unfolding u{model, setting, tails_of(model, setting, limits), 1, 1, 1, false, {}, {}};
  if (limits.ended()) return std::nullopt;
  const Rational range = range_from_start(setting, u.tails);
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
  u.grid = rounded_grid(model, u.epsilon, u.steps, size);
  return u;
}

// `pessimistic`: for the one who maximises, an adversary or not. Nullopt if the limits ended it.
std::optional<Unfolded> unfolded(const Unfolding& u, bool pessimistic, const Limits& limits) {
  return UnfoldedBuilder(u, pessimistic).build(limits);
}

// Rules of (t, s) as rules of t and s; from T on the choices of the goal's chance.
Policy folded(const Unfolding& u, const Model& unfolded_model, Policy policy) {
  const std::vector<std::size_t> begin = layer_begins(u);
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

// The rules of t and s as rules of (t, s).
Policy unfolded_policy(const Unfolding& u, const Unfolded& to, const Policy& policy) {
  Policy out = policy;
  out.setting = to.setting;
  out.truncated_at.reset();
  out.claim.reset();
  out.rules.clear();
  const std::vector<std::size_t> begin = layer_begins(u);
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

}  // namespace quantiplan
