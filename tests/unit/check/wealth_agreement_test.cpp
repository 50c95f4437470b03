// Small random models, all policies of each: the best of them by evaluate_wealth is what
// check_wealth confirms, and nothing less.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "check/check_models.hpp"
#include "check/classes/wealth_check.hpp"
#include "check/verdicts_of_checks.hpp"
#include "evaluate/classes/wealth_distribution.hpp"
#include "evaluate/wealth_models.hpp"

namespace quantiplan::checking {
namespace {

enum class Order { maximum, minimum, rising, any };

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(bits_() % n); }

 private:
  std::mt19937_64 bits_;
};

Wealth wealth_of(Order order, Dice& dice) {
  Wealth wealth;
  wealth.kind = order == Order::maximum   ? WealthKind::max
                : order == Order::minimum ? WealthKind::min
                                          : WealthKind::automaton;
  if (wealth.kind != WealthKind::automaton) return wealth;
  wealth.labels = {"a", "b", "c"};
  wealth.nodes = {"n0", "n1", "n2"};
  wealth.classes = {"low", "middle", "high"};
  wealth.class_of = {0, 1, 2};
  wealth.start = order == Order::rising ? 0 : dice.below(3);
  for (std::uint32_t node = 0; node < 3; ++node)
    for (int label = 0; label < 3; ++label)
      wealth.next.push_back(order == Order::rising ? node + dice.below(3 - node) : dice.below(3));
  return wealth;
}

// Two states with two choices each, and an end.
Model random_wealth_model(Order order, std::uint64_t horizon, std::uint64_t seed) {
  Dice dice(seed);
  const std::vector<std::string> states{"s", "t", "end"};
  ModelBuilder b;
  b.wealth(wealth_of(order, dice)).horizon(horizon).initial("s");
  for (const std::string& state : states) b.declare_state(state);
  for (const std::string state : {"s", "t"}) {
    for (const std::string action : {"left", "right"}) {
      b.begin_choice(state, action);
      const std::uint32_t first = 1 + dice.below(5);
      for (const std::uint32_t sixths : {first, 6 - first})
        b.add_outcome(states[dice.below(3)],
                      Number(Fraction{sixths, 6}),
                      Number(static_cast<int>(dice.below(3))));
    }
  }
  return b.build();
}

// A place where a policy decides.
using ClassPlace = std::tuple<std::uint64_t, State, WealthId>;

std::vector<ClassPlace> places_of(const Model& model, Structure& structure) {
  const bool is_infinite = *model.horizon() == kInfiniteHorizon;
  std::set<ClassPlace> met;
  std::vector<ClassPlace> open{{0, model.initial()->only(), structure.initial()}};
  std::vector<ClassPlace> out;
  while (!open.empty()) {
    const ClassPlace place = open.back();
    open.pop_back();
    const auto [time, state, wealth] = place;
    if (model.is_terminal(state) || time == *model.horizon() || !met.insert(place).second) continue;
    out.push_back(place);
    for (const Choice c : model.choices(state))
      for (const Outcome& o : model.outcomes(c))
        open.emplace_back(is_infinite ? 0 : time + 1, o.next, structure.update(wealth, o.reward));
  }
  return out;
}

// The second choice where the bit of the place is set.
Policy policy_of(const Model& model,
                 const Structure& structure,
                 const std::vector<ClassPlace>& places,
                 std::uint32_t bits) {
  Policy policy = testing::wealth_policy(model);
  std::set<std::string> texts;
  for (const auto& [time, state, wealth] : places) texts.insert(structure.text(wealth));
  policy.wealths.assign(texts.begin(), texts.end());
  std::map<std::pair<std::uint64_t, State>, std::vector<std::uint32_t>> seconds;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [time, state, wealth] = places[i];
    auto& listed = seconds[{time, state}];
    const auto at = std::ranges::lower_bound(policy.wealths, structure.text(wealth));
    if ((bits >> i & 1U) != 0)
      listed.push_back(static_cast<std::uint32_t>(at - policy.wealths.begin()));
  }
  for (auto& [where, listed] : seconds) {
    std::ranges::sort(listed);
    const auto choices = model.choices(where.second);
    PolicyRule rule{where.first, where.second, {}};
    if (!listed.empty()) rule.runs.push_back({std::nullopt, choices[1], listed});
    rule.runs.push_back({std::nullopt, choices[0]});
    policy.rules.push_back(std::move(rule));
  }
  return policy;
}

struct Best {
  WealthId wealth;
  Rational probability = 0;
  Policy policy = {};
};

// Of each class that some policy ends in, from worst to best: the greatest P(W >= it).
std::vector<Best> best_of_all(const Model& model,
                              const std::shared_ptr<Structure>& structure,
                              const std::vector<ClassPlace>& places) {
  std::vector<Policy> policies;
  std::vector<Distribution> laws;
  std::vector<Best> best;
  for (std::uint32_t bits = 0; bits < (1U << places.size()); ++bits) {
    policies.push_back(policy_of(model, *structure, places, bits));
    laws.push_back(evaluate_wealth(model, structure, policies.back(), {}));
    const WealthClasses& classes = *laws.back().classes;
    for (std::size_t k = 1; k <= classes.size(); ++k) {
      const bool is_known = std::ranges::any_of(
          best, [&](const Best& entry) { return structure->order(entry.wealth, classes[k]) == 0; });
      if (!is_known) best.push_back({classes[k]});
    }
  }
  std::ranges::sort(
      best, [&](const Best& a, const Best& b) { return structure->order(a.wealth, b.wealth) < 0; });
  for (Best& entry : best) {
    for (std::size_t i = 0; i < laws.size(); ++i) {
      Rational p = 0;
      for (std::size_t k = 1; k <= laws[i].atoms.size(); ++k)
        if (structure->order((*laws[i].classes)[k], entry.wealth) >= 0)
          p += *laws[i].atoms[k - 1].probability.exact;
      if (p <= entry.probability) continue;
      entry.probability = p;
      entry.policy = policies[i];
    }
  }
  return best;
}

PolicyClaim claim_of_best(const Structure& structure,
                          const Best& best,
                          Side side,
                          const Rational& tau) {
  PolicyClaim claim;
  claim.tau = tau;
  claim.side = side;
  claim.level = structure.class_text(best.wealth);
  claim.probability = to_nearest_double(best.probability);
  claim.exact_probability = best.probability;
  return claim;
}

// False if the model has too many policies.
bool expect_agreement(Order order, std::uint64_t horizon, std::uint64_t seed) {
  constexpr std::size_t kMostPlaces = 7;
  const Model model = random_wealth_model(order, horizon, seed);
  const auto structure = structure_of(model);
  const std::vector<ClassPlace> places = places_of(model, *structure);
  if (places.size() > kMostPlaces) return false;
  SCOPED_TRACE("order " + std::to_string(static_cast<int>(order)) + ", seed " +
               std::to_string(seed));
  const std::vector<Best> best = best_of_all(model, structure, places);
  for (std::size_t k = 0; k < best.size(); ++k) {
    // The greatest class whose probability is at least, or more than, theta.
    const Rational tau = 1 - best[k].probability;
    const Rational next = k + 1 < best.size() ? best[k + 1].probability : Rational(0);
    const auto check = [&](const Best& entry, const PolicyClaim& claim) {
      return check_wealth(model, structure_of(model), entry.policy, claim, {});
    };
    if (next < best[k].probability) {
      expect_confirmed(check(best[k], claim_of_best(*structure, best[k], Side::upper, tau)));
      expect_confirmed(
          check(best[k], claim_of_best(*structure, best[k], Side::lower, Rational(1 - next))));
    }
    if (k == 0) continue;
    EXPECT_FALSE(
        check(best[k - 1], claim_of_best(*structure, best[k - 1], Side::upper, tau)).passed);
  }
  return true;
}

TEST(WealthAgreement, AllPoliciesOfTwoSteps) {
  int models = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const Order order : {Order::maximum, Order::minimum, Order::any})
      models += expect_agreement(order, 2, seed) ? 1 : 0;
  EXPECT_GT(models, 60);
}

TEST(WealthAgreement, AllStationaryPoliciesWithoutEnd) {
  int models = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const Order order : {Order::maximum, Order::minimum, Order::rising})
      models += expect_agreement(order, kInfiniteHorizon, seed) ? 1 : 0;
  EXPECT_GT(models, 60);
}

}  // namespace
}  // namespace quantiplan::checking
