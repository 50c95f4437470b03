#include "reduce/reduced_problem.hpp"

#include <algorithm>
#include <utility>

#include "base/call.hpp"
#include "infinite/sure_arrival.hpp"
#include "quantiplan/error.hpp"
#include "reduce/chains.hpp"
#include "reduce/quotient.hpp"

namespace quantiplan {
namespace {

// A pass that takes less than this many outcomes is over before the states have been compared.
constexpr std::uint64_t kWorthComparing = 1 << 14;
// The part of the states that has to go, where nobody asked.
constexpr double kLeastGain = 0.1;

// Whether passes over the model take so long that comparing its states is nothing to them. Few steps
// touch a small part of it.
bool is_worth_comparing(const Model& model, const ResolvedSetting& setting) {
  constexpr std::uint64_t kFewSteps = 8;
  constexpr std::uint64_t kInfinite = 16;  // levels, at the very least
  if (setting.horizon < kFewSteps) return false;
  const std::uint64_t steps = std::min<std::uint64_t>(setting.horizon, kWorthComparing);
  return model.outcome_count() * (setting.is_infinite() ? kInfinite : steps) >= kWorthComparing;
}

// At an infinite horizon without discount, targets are as many levels away as the unit of the rewards
// says, at most; some of them take less time than comparing the states.
bool are_few_levels_away(const Model& model,
                         const ResolvedSetting& setting,
                         const std::vector<Total>& targets) {
  constexpr unsigned long kFewLevels = 24;
  if (!setting.is_infinite() || setting.discount != 1) return false;
  Rational greatest = 0;
  for (const Total& target : targets) {
    if (!target.is_finite()) return false;
    greatest = std::max<Rational>(greatest, abs(target.value()));
  }
  std::vector<bool> is_met(model.rewards().size(), false);
  for (std::uint32_t c = 0; c < model.choice_count(); ++c) {
    for (const Outcome& o : model.outcomes(Choice{c})) is_met[index(o.reward)] = true;
  }
  // Of fractions the unit is gcd(numerators) / lcm(denominators).
  Integer numerator = 0;
  Integer denominator = 1;
  for (std::uint32_t id = 0; id < is_met.size(); ++id) {
    if (!is_met[id]) continue;
    const Rational reward = model.rewards().rational(NumberId{id});
    numerator = gcd(numerator, reward.get_num());
    denominator = lcm(denominator, reward.get_den());
    if (greatest * Rational(denominator) > Rational(kFewLevels * numerator) && numerator != 0)
      return false;
  }
  return true;
}

// Such models are refused where episodes can go in circles, whatever the graph says.
bool has_both_signs(const Model& model) {
  const NumberTable& rewards = model.rewards();
  bool has_gain = false;
  bool has_loss = false;
  for (std::uint32_t id = 0; id < rewards.size(); ++id) {
    const int sign = sgn(rewards.rational(NumberId{id}));
    has_gain = has_gain || sign > 0;
    has_loss = has_loss || sign < 0;
  }
  return has_gain && has_loss;
}

// A smaller model, and what made it smaller; null: the model itself.
struct Smaller {
  std::shared_ptr<const ReducedModel> model;
  std::string by;
};

// What does not fit into memory is not worth it.
template <class Make>
auto unless_refused(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    return std::nullopt;
  }
}

Smaller by_bisimulation(const Model& model,
                        const ResolvedSetting& setting,
                        const Options& options) {
  const bool automatic = options.reduce == Reduce::automatic;
  if (options.reduce == Reduce::none) return {};
  if (automatic && !is_worth_comparing(model, setting)) return {};
  Limits limits(options);
  auto found = unless_refused(
      [&] { return quotient_of(model, setting, automatic ? kLeastGain : 0, limits); });
  if (!found) return {};
  return {std::make_shared<const ReducedModel>(*std::move(found)), "bisimulation"};
}

// States with one way on go, and what is alike then.
Smaller by_chains(const Smaller& from,
                  const Model& model,
                  const ResolvedSetting& setting,
                  const Options& options) {
  const bool automatic = options.reduce == Reduce::automatic;
  const bool is_offered = options.reduce == Reduce::automatic || options.reduce == Reduce::chains;
  if (!is_offered || !setting.is_infinite() || setting.discount != 1) return {};
  if (automatic && !is_worth_comparing(model, setting)) return {};
  const Model& whole = from.model ? from.model->model : model;
  const ResolvedSetting& own = from.model ? from.model->setting : setting;
  Limits limits(options);
  auto shorter = unless_refused([&] { return without_chains(whole, own, limits); });
  if (!shorter) return {};
  const auto left = static_cast<double>(shorter->model.state_count());
  if (automatic && left > static_cast<double>(shorter->states_met) * (1 - kLeastGain)) return {};
  if (from.model) shorter = composed(*from.model, *std::move(shorter));
  auto alike =
      unless_refused([&] { return quotient_of(shorter->model, shorter->setting, 0, limits); });
  const bool twice = from.model || alike;
  if (alike) shorter = composed(*shorter, *std::move(alike));
  return {std::make_shared<const ReducedModel>(*std::move(shorter)),
          twice ? "chains and bisimulation" : "chains"};
}

class ReducedProblem final : public QuantileProblem {
 public:
  ReducedProblem(const Model& model,
                 const ResolvedSetting& setting,
                 const Options& options,
                 MakeAnyProblem make,
                 bool is_sum)
      : model_(model),
        setting_(setting),
        options_(options),
        make_(std::move(make)),
        is_sum_(is_sum) {}

  std::unique_ptr<QuantileProblem> from_start(State start) override {
    const Way& all = inner();
    const State standing = all.to ? State{all.to->state_of[index(start)]} : start;
    auto problem = all.problem->from_start(standing);
    if (!problem) return nullptr;
    ResolvedSetting own = setting_;
    own.initial = start;
    auto out = std::make_unique<ReducedProblem>(model_, own, options_, make_, is_sum_);
    ResolvedSetting inner = all.setting;
    inner.initial = standing;
    out->inner_ = Way{all.to, all.by, std::move(inner), std::move(problem)};
    return out;
  }

  FoundQuantiles quantiles(const std::vector<Question>& asked, const Wishes& wishes) override {
    // Policies of rounded rewards go by sums of them, step by step.
    if (Way* short_way = chained()) {
      FoundQuantiles found = short_way->problem->quantiles(asked, wishes);
      if (!found.epsilon) return in_own_terms(*short_way, std::move(found));
    }
    return in_own_terms(inner(), inner().problem->quantiles(asked, wishes));
  }

  FoundQuantiles optima(const CriterionQuestions& asked) override {
    return in_own_terms(inner(), inner().problem->optima(asked));
  }

  FoundChances chances(const std::vector<Total>& targets) override {
    if (const auto arrives = surely_arrives(targets)) return sure_chances(*arrives, targets);
    return solved_chances(targets);
  }
  FoundChances solved_chances(const std::vector<Total>& targets) {
    if (options_.reduce == Reduce::automatic && is_sum_ && !inner_.problem &&
        are_few_levels_away(model_, setting_, targets))
      return own().chances(targets);
    return in_own_terms(inner(), inner().problem->chances(targets));
  }

  FoundChances class_chances(const std::vector<std::string>& levels) override {
    return in_own_terms(inner(), inner().problem->class_chances(levels));
  }

  Frontier curve(const std::vector<Question>& asked) override {
    Frontier out = inner().problem->curve(asked);
    tell(inner(), out.engine);
    out.policy = lifted_later(inner(), std::move(out.policy));
    return out;
  }

  Tradeoff tradeoff(const TradeoffQuestion& question) override {
    Tradeoff out = inner().problem->tradeoff(question);
    tell(inner(), out.engine);
    for (TradeoffPoint& point : out.points)
      point.policy = lifted_later(inner(), std::move(point.policy));
    return out;
  }

  // A policy that somebody hands over is followed on the model itself.
  Distribution law(const Policy& policy) override { return own().law(policy); }

  std::optional<Distribution> computed_law(const Policy& policy) override {
    for (Way* way : {chained(), &inner()}) {
      if (way == nullptr || !way->to) continue;
      if (auto small = lowered(*way->to, policy)) {
        small->setting.initial = way->setting.initial;
        return way->problem->computed_law(*small);
      }
    }
    return own().computed_law(policy);
  }

  Policy expectation_policy() override {
    Policy small = inner().problem->expectation_policy();
    return lifted_later(inner(), [&small] { return std::move(small); })();
  }

 private:
  struct Way {
    std::shared_ptr<const ReducedModel> to;  // null: the model itself
    std::string by;
    ResolvedSetting setting;  // of the problem
    std::unique_ptr<QuantileProblem> problem;
  };

  // Where the goal alone is asked for, and the graph answers.
  [[nodiscard]] std::optional<bool> surely_arrives(const std::vector<Total>& targets) const {
    const bool is_engine =
        options_.engine == Engine::automatic || options_.engine == Engine::epochs;
    const bool is_without_bound = setting_.is_infinite() && setting_.discount == 1;
    const bool is_goal_alone = std::ranges::all_of(
        targets, [](const Total& target) { return target == Total::minus_infinity(); });
    if (!is_sum_ || !is_engine || !is_without_bound || !is_goal_alone || setting_.goal.empty() ||
        inner_.problem || !is_worth_comparing(model_, setting_) || has_both_signs(model_))
      return std::nullopt;
    Limits limits(options_);
    return sure_arrival(model_, setting_, limits);
  }

  [[nodiscard]] FoundChances sure_chances(bool arrives, const std::vector<Total>& targets) const {
    FoundChance chance;
    chance.status = Status::solved;
    chance.low = chance.high = Value::exactly(arrives ? 1 : 0);
    // The policy of the solve that this one made needless.
    chance.policy = [model = model_, setting = setting_, make = make_, kept = for_later(options_)] {
      const LaterWork later(kept);
      ReducedProblem all(model, setting, later.options(), make, true);
      return all.solved_chances({Total::minus_infinity()}).chances.front().policy();
    };
    FoundChances out;
    out.chances.assign(targets.size(), chance);
    out.engine = no_engine_report(options_);
    out.engine.used = "epochs (graph)";
    out.engine.why = arrives ? "the graph tells that the goal is reached almost surely"
                     : setting_.adversarial ? "the graph tells that the goal can be avoided"
                                            : "the graph tells that no way leads to the goal";
    return out;
  }

  Way& inner() {
    if (!inner_.problem) {
      const Smaller found = by_bisimulation(model_, setting_, options_);
      inner_ = way_to(found);
    }
    return inner_;
  }

  // Null where there is no chain to speak of.
  Way* chained() {
    if (!is_sum_) return nullptr;
    if (!chained_) {
      // What was made smaller from several initial states is not what one of them comes to.
      const bool is_own = inner().to && inner().setting.initial == inner().to->setting.initial;
      const Smaller from = is_own ? Smaller{inner().to, inner().by} : Smaller{};
      const Smaller found = by_chains(from, model_, setting_, options_);
      chained_ = found.model ? way_to(found) : Way{};
    }
    return chained_->problem ? &*chained_ : nullptr;
  }

  [[nodiscard]] Way way_to(const Smaller& found) const {
    return {found.model,
            found.by,
            found.model ? found.model->setting : setting_,
            found.model ? make_(found.model->model, found.model->setting, options_)
                        : make_(model_, setting_, options_)};
  }

  QuantileProblem& own() {
    if (!own_) own_ = make_(model_, setting_, options_);
    return *own_;
  }

  void tell(const Way& way, EngineReport& engine) const {
    if (way.to)
      engine.reduction = Reduction{way.by, model_.state_count(), way.to->model.state_count()};
  }

  [[nodiscard]] Later<Policy> lifted_later(const Way& way, Later<Policy> small) const {
    if (!small || !way.to) return small;
    return [model = model_,
            setting = setting_,
            reduced = way.to,
            make = std::move(small),
            kept = for_later(options_)] {
      const Policy policy = make();
      const LaterWork later(kept);
      const Limits limits(later.options());
      return lifted(model, setting, *reduced, policy, limits);
    };
  }

  FoundQuantiles in_own_terms(const Way& way, FoundQuantiles out) const {
    tell(way, out.engine);
    if (!way.to) return out;
    for (FoundQuantile& found : out.results) {
      Result& result = found.result;
      // Its distribution is that of the policy that it becomes.
      if (result.policy && !result.distribution && !out.classes)
        result.distribution = law_later(way, result.policy);
      result.policy = lifted_later(way, std::move(result.policy));
      if (result.mixed)
        result.mixed.change(
            [&](Mixed& mixed) { mixed.policy = lifted_later(way, std::move(mixed.policy)); });
    }
    return out;
  }

  FoundChances in_own_terms(const Way& way, FoundChances out) const {
    tell(way, out.engine);
    for (FoundChance& found : out.chances)
      found.policy = lifted_later(way, std::move(found.policy));
    return out;
  }

  [[nodiscard]] Later<Distribution> law_later(const Way& way, Later<Policy> small) const {
    return [reduced = way.to,
            setting = way.setting,
            make_problem = make_,
            make = std::move(small),
            kept = for_later(options_)] {
      const Policy policy = make();
      const LaterWork later(kept);
      return make_problem(reduced->model, setting, later.options())->law(policy);
    };
  }

  Model model_;
  ResolvedSetting setting_;
  Options options_;
  MakeAnyProblem make_;
  bool is_sum_;
  Way inner_;
  std::optional<Way> chained_;
  std::unique_ptr<QuantileProblem> own_;
};

}  // namespace

std::unique_ptr<QuantileProblem> reduced_problem(const Model& model,
                                                 const ResolvedSetting& setting,
                                                 const Options& options,
                                                 MakeAnyProblem make,
                                                 bool is_sum) {
  return std::make_unique<ReducedProblem>(model, setting, options, std::move(make), is_sum);
}

}  // namespace quantiplan
