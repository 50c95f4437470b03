#include "check/criteria/criterion_check.hpp"

#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/common/demand.hpp"
#include "check/common/findings.hpp"
#include "check/common/overrides.hpp"
#include "check/criteria/criterion_law.hpp"

namespace quantiplan::checking {
namespace {

using Kind = Criterion::Kind;

constexpr std::size_t kMostTotals = 2'000;
constexpr std::size_t kMostPlacesOfBest = 400'000;

struct TooLarge {};

// The greatest expected worth of the total, over all policies.
class BestWorth {
 public:
  using Worth = std::function<Rational(const Rational& total)>;
  BestWorth(const Model& model, const ResolvedSetting& setting, CheckLimits& limits)
      : model_(model), setting_(setting), limits_(limits) {
    Rational power = 1;
    const std::uint64_t steps = setting.horizon;
    for (std::uint64_t t = 0; t < steps && t < kMostPlacesOfBest; ++t, power *= setting.discount)
      powers_.push_back(power);
  }

  // The places (state, total) of each time that any policy can come to.
  void expand() {
    layers_.resize(1);
    layers_[0].insert({index(setting_.initial.only()), Rational(0)});
    std::size_t count = 1;
    for (std::uint64_t t = 0; t < setting_.horizon && !layers_[t].empty(); ++t) {
      std::set<Place> next;
      for (const auto& [state, total] : layers_[t]) {
        limits_.require();
        const State s{state};
        if (is_end_of_episode(model_, setting_, s)) continue;
        for (const Choice c : model_.choices(s))
          for (const Outcome& o : model_.outcomes(c))
            next.insert({index(o.next), Rational(total + reward(t, o))});
        if (count + next.size() > kMostPlacesOfBest) throw TooLarge{};
      }
      count += next.size();
      layers_.push_back(std::move(next));
    }
    places_ = count;
  }

  [[nodiscard]] std::size_t places() const { return places_; }
  [[nodiscard]] std::set<Rational> totals() const {
    std::set<Rational> out;
    for (std::size_t t = 0; t < layers_.size(); ++t)
      for (const auto& [state, total] : layers_[t])
        if (t == setting_.horizon || is_end_of_episode(model_, setting_, State{state}))
          out.insert(total);
    return out;
  }

  Rational best(const Worth& worth) {
    std::map<Place, Rational> later;
    for (std::size_t t = layers_.size(); t-- > 0;) {
      std::map<Place, Rational> now;
      for (const Place& place : layers_[t]) {
        limits_.require();
        const auto& [state, total] = place;
        const State s{state};
        if (t == setting_.horizon || is_end_of_episode(model_, setting_, s))
          now[place] = worth(total);
        else
          now[place] = best_choice(t, s, total, later);
      }
      later = std::move(now);
    }
    return later.begin()->second;
  }

 private:
  using Place = std::pair<std::uint32_t, Rational>;

  [[nodiscard]] Rational reward(std::uint64_t t, const Outcome& o) const {
    return powers_[t] * counted_reward(model_, setting_, o);
  }

  [[nodiscard]] Rational best_choice(std::uint64_t t,
                                     State s,
                                     const Rational& total,
                                     const std::map<Place, Rational>& later) {
    std::optional<Rational> best;
    for (const Choice c : model_.choices(s)) {
      Rational sum = 0;
      for (const Outcome& o : model_.outcomes(c)) {
        limits_.require(nanoseconds_of(sum));
        sum += model_.probability(o) * later.at({index(o.next), Rational(total + reward(t, o))});
      }
      if (!best || sum > *best) best = sum;
    }
    return *best;
  }

  const Model& model_;
  const ResolvedSetting& setting_;
  CheckLimits& limits_;
  std::vector<Rational> powers_;  // gamma^t
  std::vector<std::set<Place>> layers_;
  std::size_t places_ = 0;
};

class CriterionCheck {
 public:
  CriterionCheck(const Model& model,
                 const Policy& policy,
                 const PolicyClaim& claim,
                 CheckLimits& limits,
                 Findings& findings)
      : model_(model),
        policy_(policy),
        criterion_(*claim.criterion),
        claim_(claim),
        limits_(limits),
        findings_(findings) {}

  void confirm_own() {
    std::string lost;
    const auto law = law_of_policy(model_, policy_, limits_, lost);
    if (!law && !lost.empty()) {
      findings_.refute("At " + lost + " the policy has no rule.");
      return;
    }
    const auto value = law ? value_of_law(*law, criterion_, claim_.tau) : std::nullopt;
    if (!value) {
      findings_.leave_open(law ? "This criterion is not rechecked: it is no matter of rationals."
                               : "The policy was not followed: too many places can be reached.");
      return;
    }
    const std::string sentence =
        name() + " of the policy's own law is " + level_text(*value) + ": ";
    if (*value < claim_.quantile.value())
      findings_.refute(sentence + "less than the claimed " + level_text(claim_.quantile) + ".");
    else if (!claim_.upper && *value != claim_.quantile.value())
      findings_.refute(sentence + "not the claimed " + level_text(claim_.quantile) + ".");
    else if (claim_.upper && *value > claim_.upper->value())
      findings_.refute(sentence + "more than the claimed bound " + level_text(*claim_.upper) + ".");
    else
      findings_.say(sentence + (claim_.upper ? "within what is claimed." : "as claimed."));
  }

  void confirm_best() {
    if (criterion_.kind == Kind::mean_variance) {
      leave_out("it takes a search over policies.");
      return;
    }
    try {
      BestWorth best(model_, policy_.setting, limits_);
      best.expand();
      const auto greatest = greatest_of(best);
      if (!greatest) {
        leave_out("it is no matter of rationals.");
        return;
      }
      const Rational bound = claim_.upper.value_or(claim_.quantile).value();
      const std::string sentence = "The greatest " + name() + " of all policies is " +
                                   level_text(*greatest) + ", by a recursion over " +
                                   std::to_string(best.places()) + " places";
      if (*greatest > bound)
        findings_.refute(sentence + ": more than the claimed " + level_text(bound) + ".");
      else
        findings_.say(sentence + ".");
      findings_.optimality_was_checked();
    } catch (const TooLarge&) {
      leave_out("too many places can be reached.");
    }
  }

 private:
  [[nodiscard]] std::string name() const { return to_text(criterion_); }
  void leave_out(const std::string& why) {
    findings_.leave_out("That no policy does better was not rechecked: " + why);
  }

  std::optional<Rational> greatest_of(BestWorth& best) {
    if (criterion_.kind == Kind::expectation)
      return best.best([](const Rational& total) { return total; });
    if (criterion_.kind == Kind::utility) {
      if (!criterion_.utility || !criterion_.utility->is_exact()) return std::nullopt;
      return best.best([&](const Rational& total) { return criterion_.utility->exactly(total); });
    }
    const bool is_mixed = criterion_.kind == Kind::mean_cvar;
    if ((!is_mixed && criterion_.kind != Kind::cvar) || claim_.tau <= 0) return std::nullopt;
    const Rational weight = is_mixed ? criterion_.parameter : Rational(0);
    const Rational loss = (1 - weight) / claim_.tau;
    const std::set<Rational> totals = best.totals();
    if (totals.size() > kMostTotals || totals.size() * best.places() > 20 * kMostPlacesOfBest)
      throw TooLarge{};
    std::optional<Rational> greatest;
    for (const Rational& y : totals) {
      const Rational value = y + best.best([&](const Rational& total) {
        const Rational x = total - y;
        return x < 0 ? Rational((weight + loss) * x) : Rational(weight * x);
      });
      if (!greatest || value > *greatest) greatest = value;
    }
    return greatest;
  }

  const Model& model_;
  const Policy& policy_;
  const Criterion& criterion_;
  const PolicyClaim& claim_;
  CheckLimits& limits_;
  Findings& findings_;
};

}  // namespace

CheckReport check_criterion(const Model& model,
                            const Policy& policy,
                            const PolicyClaim& claim,
                            const Options& options) {
  Findings findings;
  const bool is_sound =
      claim.criterion && claim.quantile.is_finite() && (!claim.upper || claim.upper->is_finite());
  if (!is_sound || policy.setting.adversarial || !policy.setting.goal.empty() ||
      policy.setting.is_infinite() || !policy.setting.initial.is_certain()) {
    findings.refute(
        "Claims about this criterion are checked of numbers over a finite horizon from one initial "
        "state, without goals and adversaries.");
    return findings.take();
  }
  note_overrides(model, policy.setting, findings);
  CheckLimits limits(options);
  CriterionCheck check(model, policy, claim, limits, findings);
  try {
    check.confirm_own();
  } catch (const LimitMet&) {
    findings.leave_open(limits.policy_was_not_followed());
  }
  if (!findings.passed()) return findings.take();
  try {
    check.confirm_best();
  } catch (const LimitMet&) {
    findings.leave_out("That no policy does better was not rechecked: " + limits.reason());
  }
  return findings.take();
}

}  // namespace quantiplan::checking
