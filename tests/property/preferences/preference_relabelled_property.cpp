// Relabelled rewards change no rank and no policy, and structures written in C++ answer as the
// built-in ones do.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "harness/comparisons.hpp"
#include "preferences/preference_case.hpp"
#include "preferences/preference_random.hpp"
#include "preferences/preference_twins.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

using Decision = std::tuple<std::uint64_t, std::size_t, Holding, std::size_t>;

// What a policy decides at every (time, state, wealth) it comes to.
std::set<Decision> decisions(const PreferenceCase& c, const Policy& policy) {
  const Judge& judge = c.oracle.judge();
  const PlainModel& plain = c.preference.plain;
  std::set<Decision> all;
  std::set<std::pair<std::size_t, Holding>> layer{{plain.initial, judge.start()}};
  for (std::uint64_t time = 0; time < plain.horizon; ++time) {
    std::set<std::pair<std::size_t, Holding>> next;
    for (const auto& [state, wealth] : layer) {
      if (plain.states[state].choices.empty()) continue;
      const std::size_t choice = chosen(c.model, policy, time, state, judge.text(wealth));
      all.emplace(time, state, wealth, choice);
      for (const PlainOutcome& o : plain.states[state].choices.at(choice).outcomes)
        next.emplace(o.next, judge.after(wealth, o.reward));
    }
    layer = std::move(next);
  }
  return all;
}

// Strictly increasing, and nothing like linear.
Rational relabelled(const Rational& r) { return r * r * r * 7 + r - 3; }

std::set<Decision> relabelled(const std::set<Decision>& decisions) {
  std::set<Decision> all;
  for (auto [time, state, wealth, choice] : decisions) {
    for (Rational& r : wealth) r = relabelled(r);
    all.emplace(time, state, wealth, choice);
  }
  return all;
}

QUANTIPLAN_PREFERENCE(IncreasingRelabellingChangesNoRankAndNoPolicy, tiny_preference, 0.3) {
  const Wealth& wealth = c.preference.wealth;
  if (wealth.kind != WealthKind::max && wealth.kind != WealthKind::min) return;
  const PreferenceCase twin(
      c.seed, with_rewards(c.preference, wealth, [](const Rational& r) { return relabelled(r); }));
  for (const PreferenceRun& run : preference_runs(c)) {
    const Answer one = solve(c.model, c.query(), run.options);
    const Answer other = solve(twin.model, c.query(), run.options);
    for (std::size_t i = 0; i < one.results.size(); ++i) {
      const Result& a = one.results[i];
      const Result& b = other.results[i];
      const std::string where = place(run, a.tau, a.side);
      require(a.quantile->rank() == b.quantile->rank(), where + "another rank");
      require(a.probability->nearest == b.probability->nearest, where + "another probability");
      require(relabelled(decisions(c, a.policy())) == decisions(twin, b.policy()),
              where + "another policy");
    }
  }
}

// The oracle's judge as a structure of one's own.
struct OwnStructure {
  using Wealth = Holding;
  const Judge& judge;
  const std::map<std::string, std::size_t>& positions;  // of labels, in the declaration
  const quantiplan::Wealth& declared;

  [[nodiscard]] Wealth initial() const { return judge.start(); }
  [[nodiscard]] Wealth update(const Wealth& w, const Reward& r) const {
    if (declared.has_numbers()) return judge.after(w, r.number);
    if (declared.has_labels())
      return r.label.empty() ? w : judge.after(w, Rational(positions.at(std::string(r.label))));
    const std::vector<Rational> vector(r.vector.begin(), r.vector.end());
    const auto at = std::find(declared.vectors.begin(), declared.vectors.end(), vector);
    return judge.after(w, Rational(at - declared.vectors.begin()));
  }
  [[nodiscard]] std::weak_ordering order(const Wealth& a, const Wealth& b) const {
    const auto left = judge.merit(a), right = judge.merit(b);
    return left < right   ? std::weak_ordering::less
           : right < left ? std::weak_ordering::greater
                          : std::weak_ordering::equivalent;
  }
  [[nodiscard]] std::string text(const Wealth& w) const { return judge.text(w); }
  [[nodiscard]] std::string class_text(const Wealth& w) const { return judge.class_text(w); }
};

QUANTIPLAN_PREFERENCE(StructuresOfOnesOwnAnswerAsTheBuiltInOnes, tiny_preference, 0.15) {
  std::map<std::string, std::size_t> positions;
  for (std::size_t i = 0; i < c.preference.wealth.labels.size(); ++i)
    positions[c.preference.wealth.labels[i]] = i;
  Query query = c.query();
  query.setting.structure =
      make_structure(c.model, OwnStructure{c.oracle.judge(), positions, c.preference.wealth});
  const Answer answer = solve(c.model, query);
  require_twins(solve(c.model, c.query()), answer, "as a structure of one's own");
  for (const Result& result : answer.results) {
    const std::string where = place("own", result.tau, result.side);
    const Policy policy = result.policy();
    const std::string level = to_text(*result.quantile);
    const Rational attained = at_least(c.played(policy), Rational(c.oracle.position(level)));
    require_chance(*result.probability, attained, where + "the probability of the policy");
    const Distribution law = evaluate(c.model, policy);
    for (const Atom& atom : law.atoms)
      require_chance(atom.probability,
                     c.played(policy)[Rational(position_of(c, *law.classes, atom.wealth))],
                     where + "the evaluation");
    const CheckReport report = check(c.model, policy, policy.claim.value());
    require(report.passed, where + "the check failed");
    for (const Episode& episode : simulate(c.model, policy, {3, c.seed}))
      require(c.oracle.position(episode.wealth.class_text()) > 0,
              where + "an episode that cannot be");
  }
  const Frontier curve = frontier(c.model, query);
  require(curve.steps.size() == c.oracle.steps().size(), "own: the curve has other steps");
}

}  // namespace
}  // namespace quantiplan::testing
