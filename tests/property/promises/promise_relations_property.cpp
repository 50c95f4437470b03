// Promises under changes that must not matter, or must move along: the order of rows, choices told
// twice, rewards scaled and shifted, threads, policy files.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "harness/comparisons.hpp"
#include "harness/configurations.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "promises/promise_case.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

constexpr Prefer kPreferences[] = {Prefer::mean, Prefer::probability};

template <class T>
void shuffle_with(Dice& dice, std::vector<T>& items) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[dice.below(i)]);
}

// States, choices and outcomes in another order.
PlainModel reordered(const PlainModel& plain, Dice& dice) {
  std::vector<std::size_t> moved(plain.states.size());  // old position to new
  std::iota(moved.begin(), moved.end(), 0U);
  shuffle_with(dice, moved);
  PlainModel other = plain;
  other.initial = moved[plain.initial];
  for (std::size_t s = 0; s < plain.states.size(); ++s) {
    PlainState& state = other.states[moved[s]] = plain.states[s];
    shuffle_with(dice, state.choices);
    for (PlainChoice& choice : state.choices) {
      shuffle_with(dice, choice.outcomes);
      for (PlainOutcome& o : choice.outcomes) o.next = moved[o.next];
    }
  }
  return other;
}

PlainModel told_twice(PlainModel plain) {
  for (PlainState& state : plain.states) {
    const std::vector<PlainChoice> once = state.choices;
    state.choices.insert(state.choices.begin(), once.rbegin(), once.rend());
  }
  return plain;
}

PlainModel rescaled(PlainModel plain, const Rational& scale, const Rational& shift) {
  for (PlainState& state : plain.states)
    for (PlainChoice& choice : state.choices)
      for (PlainOutcome& o : choice.outcomes) o.reward = scale * o.reward + shift;
  return plain;
}

// Every total w of the case becomes scale * w + shift in the other model.
void require_moved_promises(PromiseCase& c,
                            const PlainModel& other,
                            const Rational& scale,
                            const Rational& shift,
                            const std::string& change) {
  const Model changed = build(other);
  for (const Prefer prefer : kPreferences) {
    const Answer before = solve(c.model, c.query(prefer), exact_options());
    const Answer after = solve(changed, c.query(prefer), exact_options());
    for (std::size_t i = 0; i < before.results.size(); ++i) {
      const Result& a = before.results[i];
      const Result& b = after.results[i];
      const std::string where =
          place(change + (prefer == Prefer::mean ? ", mean" : ", probability"), a.tau, a.side);
      const auto require_same =
          [&](const Rational& expected, const Rational& found, const char* what) {
            require(found == expected,
                    where + what + " became " + shown(found) + ", must be " + shown(expected));
          };
      require_same(scale * a.quantile->value() + shift, b.quantile->value(), "quantile");
      require_same(a.probability->exact.value(), b.probability->exact.value(), "probability");
      require_same(scale * a.mean->exact.value() + shift, b.mean->exact.value(), "mean");
      require(a.mean_bound.has_value() == b.mean_bound.has_value(), where + "a bound is lost");
      if (a.mean_bound)
        require_same(
            scale * a.mean_bound->exact.value() + shift, b.mean_bound->exact.value(), "bound");
    }
  }
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, TheOrderOfRowsDoesNotMatter, tiny_model, 0.1) {
  Dice dice(c.seed ^ 0x6F72646572U);
  for (int i = 0; i < 3; ++i)
    require_moved_promises(c, reordered(c.plain, dice), 1, 0, "in another order");
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, ChoicesToldTwiceChangeNothing, tiny_model, 0.1) {
  require_moved_promises(c, told_twice(c.plain), 1, 0, "told twice");
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, MeansScaleWithTheRewards, tiny_model, 0.1) {
  for (const Rational& scale : {Rational(3), Rational(1, 7)})
    require_moved_promises(c, rescaled(c.plain, scale, 0), scale, 0, "scaled");
}

QUANTIPLAN_PROPERTY_OF(PromiseCase,
                       MeansShiftWithTheRewardsOfEpisodesOfOneLength,
                       tiny_model,
                       0.2) {
  for (const PlainState& state : c.plain.states)
    if (state.choices.empty()) return;
  Rational steps = 0;  // 1 + gamma + ... + gamma^(T-1)
  for (std::uint64_t t = 0; t < c.plain.horizon; ++t) steps = 1 + c.plain.discount * steps;
  for (const Rational& shift : {Rational(-4), Rational(1, 3)})
    require_moved_promises(c, rescaled(c.plain, 1, shift), 1, shift * steps, "shifted");
}

// Every policy of the answer as a file, the mixed ones among them.
std::vector<std::string> policy_files(const Model& model, const Answer& answer) {
  std::vector<std::string> files;
  for (const Result& result : answer.results) {
    files.push_back(format_policy(result.policy(), model));
    if (result.mixed) files.push_back(format_policy(result.mixed->policy(), model));
  }
  return files;
}

bool is_same(const std::optional<Value>& a, const std::optional<Value>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->nearest == b->nearest && a->exact == b->exact && a->most == b->most;
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, ThreadsDoNotChangePromises, tiny_model, 0.05) {
  for (const Prefer prefer : kPreferences) {
    for (PromiseRun run : promise_runs(c.seed)) {
      Query query = c.query(prefer);
      query.mixed = prefer == Prefer::mean && c.seed % 2 == 0;
      run.options.threads = 1;
      const Answer one = solve(c.model, query, run.options);
      run.options.threads = 3;
      const Answer three = solve(c.model, query, run.options);
      require(policy_files(c.model, one) == policy_files(c.model, three),
              run.name + ": other policies");
      require(one.work.passes == three.work.passes, run.name + ": another number of passes");
      for (std::size_t i = 0; i < one.results.size(); ++i)
        require(is_same(one.results[i].mean, three.results[i].mean) &&
                    is_same(one.results[i].probability, three.results[i].probability) &&
                    is_same(one.results[i].mean_bound, three.results[i].mean_bound),
                run.name + ": other numbers");
    }
  }
}

void require_survives(const PromiseCase& c, const Policy& policy, const std::string& where) {
  const std::string text = format_policy(policy, c.model);
  const Policy again = parse_policy(text, c.model, "again");
  require(law_of(c.plain, c.model, again) == law_of(c.plain, c.model, policy),
          std::string(where).append("another policy comes back from\n").append(text));
  require(format_policy(again, c.model) == text, where + "the second writing differs");
  require(again.claim.has_value(), where + "the claim is lost");
  const CheckReport report = check(c.model, again, *again.claim);
  require(report.passed, where + "check of the policy read back " + verdict(report));
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, PromisingPoliciesSurviveTheirFile, tiny_model, 0.1) {
  Dice dice(c.seed ^ 0x66696C65U);
  Query query = c.query(Prefer::mean);
  query.mixed = true;
  for (const PromiseRun& run : promise_runs(c.seed)) {
    const Result result = dice.pick(solve(c.model, query, run.options).results);
    const std::string where = place(run.name, result.tau, result.side);
    require_survives(c, result.policy(), where);
    if (result.mixed) require_survives(c, result.mixed->policy(), where + "mixed: ");
  }
}

}  // namespace
}  // namespace quantiplan::testing
