#include "markov/markov_call.hpp"

#include <fmt/format.h>

namespace quantiplan {
namespace {

// Rationals of a finite horizon grow with every step: no more outcomes than this are worth them.
constexpr std::uint64_t kFewOutcomes = 20000;

bool is_cheap(const ReachableStates& reachable) {
  const ResolvedSetting& setting = reachable.setting();
  return !setting.is_infinite() && setting.horizon <= kFewOutcomes &&
         reachable.outcomes() * setting.horizon <= kFewOutcomes;
}

bool takes_rationals(const ReachableStates& reachable, Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::automatic) return is_cheap(reachable);
  return arithmetic == Arithmetic::exact && !reachable.setting().is_infinite();
}

// A thousandth of the range; where all totals are alike, what doubles can tell.
Rational usual_epsilon(const ReachableStates& reachable) {
  const Rational range = reachable.range();
  if (range > 0) return range / 1000;
  const Rational size = abs(reachable.greatest_reward()) * reachable.steps_worth();
  return size > 0 ? Rational(size / 1'000'000'000) : Rational(1);
}

}  // namespace

MarkovCall::MarkovCall(const Model& model,
                       const ResolvedSetting& setting,
                       const char* criterion,
                       const std::optional<Rational>& wanted,
                       const Options& given,
                       std::uint64_t tables)
    : held(std::make_shared<const ReachableStates>(model, setting, criterion)),
      reachable(*held),
      options(given),
      limits(options),
      epsilon(wanted ? *wanted : usual_epsilon(reachable)),
      is_exact(takes_rationals(reachable, options.arithmetic)) {
  const std::uint64_t steps = reachable.setting().is_infinite() ? 1 : reachable.setting().horizon;
  limits.take(tables * steps * (reachable.size() * sizeof(Choice) + sizeof(std::vector<Choice>)),
              fmt::format("decisions of {} steps over {} states", steps, reachable.size()));
}

MarkovOptimum MarkovCall::nothing_known() const {
  MarkovOptimum optimum;
  optimum.status = limits.status();
  optimum.epsilon = epsilon;
  const Rational steps = reachable.steps_worth();
  // An episode may end: then nothing is added.
  const Rational none = 0;
  const bool may_miss = !reachable.setting().goal.empty();
  optimum.lower =
      may_miss ? Total::miss() : Total(Rational(std::min(reachable.least_reward(), none) * steps));
  optimum.upper = Total(Rational(std::max(reachable.greatest_reward(), none) * steps));
  return optimum;
}

Later<Policy> MarkovCall::policy(MarkovDecisions decisions) const {
  return [of = held, made = std::move(decisions), kept = for_later(options)] {
    const LaterWork later(kept);
    Limits own(later.options());
    return of->policy(made, own);
  };
}

MarkovOptimum MarkovCall::of(RecursiveValue value) {
  MarkovOptimum optimum;
  optimum.passes = 1;
  optimum.policy = policy(std::move(value.decisions));
  if (value.is_missed) {
    optimum.lower = Total::miss();
    optimum.upper = Total::miss();
  } else {
    optimum.lower = Total(value.lower());
    optimum.upper = Total(value.upper());
  }
  set_status(optimum);
  return optimum;
}

void MarkovCall::set_status(MarkovOptimum& optimum) const {
  const bool is_narrow =
      optimum.lower == optimum.upper || (optimum.lower.is_finite() && optimum.upper.is_finite() &&
                                         optimum.upper.value() - optimum.lower.value() <= epsilon);
  optimum.epsilon = epsilon;
  optimum.status = is_narrow        ? Status::solved
                   : limits.ended() ? limits.status()
                                    : Status::unsettled;
}

}  // namespace quantiplan
