#include "oracles/discounted_play.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "oracles/unfolding.hpp"
#include "policy/residual_rules.hpp"

namespace quantiplan::testing {
namespace {

struct DiscountedPlace {
  std::size_t state;
  Rational own;     // residual or index that the policy carries
  Rational wanted;  // (target - wealth) / gamma^t
  friend bool operator<(const DiscountedPlace& a, const DiscountedPlace& b) {
    return std::tie(a.state, a.own, a.wanted) < std::tie(b.state, b.own, b.wanted);
  }
};

// True if from its last time on the policy goes by the state alone: what it carries is told no
// more.
bool ends_simply(const Policy& policy) {
  return policy.truncated_at &&
         std::all_of(policy.rules.begin(), policy.rules.end(), [&](const PolicyRule& rule) {
           return rule.time < *policy.truncated_at || rule.runs.size() == 1;
         });
}

}  // namespace

ProbabilityBracket play_discounted(const PlainModel& plain,
                                   const Model& model,
                                   const Policy& policy,
                                   const Rational& target) {
  constexpr std::uint64_t kMostSteps = 60;
  const Tails tails = tails_of(plain);
  const bool simple = ends_simply(policy);
  Rational won = 0;
  Rational open = 1;
  std::map<DiscountedPlace, Rational> layer{
      {{plain.initial, first_residual(policy), target}, Rational(1)}};
  for (std::uint64_t time = 0; time < kMostSteps && open > Rational(0x1p-30); ++time) {
    std::map<DiscountedPlace, Rational> next;
    for (const auto& [place, mass] : layer) {
      const State state{static_cast<std::uint32_t>(place.state)};
      const Choice choice = choose_by_residual(model, policy, time, state, place.own);
      const std::size_t position = index(choice) - index(model.choices(state)[0]);
      for (const PlainOutcome& o : plain.states[place.state].choices.at(position).outcomes) {
        const Rational p = mass * o.probability;
        const Rational wanted = (place.wanted - plain.counted(o)) / plain.discount;
        const bool ends = plain.ends_at(o.next);
        const bool counts = plain.goal.empty() || plain.is_goal(o.next);
        if (ends || wanted > tails.most || (wanted <= tails.least && plain.goal.empty())) {
          if (ends ? counts && wanted <= 0 : wanted <= tails.least) won += p;
          open -= p;
          continue;
        }
        const bool is_simple = simple && time + 1 >= *policy.truncated_at;
        next[{o.next,
              is_simple ? Rational(0) : next_residual(policy, time, place.own, o.reward),
              std::max(wanted, tails.least)}] += p;
      }
    }
    layer = std::move(next);
  }
  return {won, Rational(won + open)};
}

}  // namespace quantiplan::testing
