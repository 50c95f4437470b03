#include "preferences/preference_play.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace quantiplan::testing {

std::size_t chosen(const Model& model,
                   const Policy& policy,
                   std::uint64_t time,
                   std::size_t state,
                   const std::string& wealth) {
  for (const PolicyRule& rule : policy.rules) {
    if (rule.time != time || index(rule.state) != state) continue;
    const PolicyRun* taken = &rule.runs.back();
    for (const PolicyRun& run : rule.runs)
      for (const std::uint32_t at : run.wealths)
        if (policy.wealths.at(at) == wealth) taken = &run;
    return index(taken->choice) - index(model.choices(rule.state)[0]);
  }
  throw std::runtime_error("no rule for time " + std::to_string(time) + ", state " +
                           std::to_string(state) + ", wealth " + wealth);
}

Law play(const PreferenceModel& preference,
         const PreferenceOracle& oracle,
         const Model& model,
         const Policy& policy) {
  const PlainModel& plain = preference.plain;
  const Judge& judge = oracle.judge();
  Law law;
  std::map<std::pair<std::size_t, Holding>, Rational> layer;
  layer[{plain.initial, judge.start()}] = 1;
  for (std::uint64_t time = 0; !layer.empty(); ++time) {
    std::map<std::pair<std::size_t, Holding>, Rational> next;
    for (const auto& [place, mass] : layer) {
      const auto& [state, wealth] = place;
      const std::vector<PlainChoice>& choices = plain.states[state].choices;
      if (time == plain.horizon || choices.empty()) {
        law[Rational(oracle.position(wealth))] += mass;
        continue;
      }
      const std::size_t choice = chosen(model, policy, time, state, judge.text(wealth));
      for (const PlainOutcome& o : choices.at(choice).outcomes)
        next[{o.next, judge.after(wealth, o.reward)}] += mass * o.probability;
    }
    layer = std::move(next);
  }
  return law;
}

std::string disorder(const Policy& policy) {
  const auto strictly_ascends = [](const auto& list) {
    return std::adjacent_find(list.begin(), list.end(), [](const auto& a, const auto& b) {
             return !(a < b);
           }) == list.end();
  };
  if (!strictly_ascends(policy.wealths)) return "the texts of wealths do not ascend";
  std::set<std::pair<std::uint64_t, std::size_t>> seen;
  for (const PolicyRule& rule : policy.rules) {
    const std::string where = "rule of time " + std::to_string(rule.time) + ", state " +
                              std::to_string(index(rule.state)) + ": ";
    if (!seen.empty() && !(*seen.rbegin() < std::pair(rule.time, index(rule.state))))
      return where + "rules do not ascend";
    seen.emplace(rule.time, index(rule.state));
    if (rule.runs.empty()) return where + "no run";
    std::set<std::uint32_t> used;
    for (std::size_t i = 0; i < rule.runs.size(); ++i) {
      const PolicyRun& run = rule.runs[i];
      if (run.upto) return where + "a run with a residual";
      if (run.wealths.empty() != (i + 1 == rule.runs.size()))
        return where + "only the last run has no wealths";
      if (!strictly_ascends(run.wealths)) return where + "positions do not ascend";
      for (const std::uint32_t at : run.wealths)
        if (at >= policy.wealths.size() || !used.insert(at).second)
          return where + "a wealth twice, or unknown";
    }
  }
  return {};
}

}  // namespace quantiplan::testing
