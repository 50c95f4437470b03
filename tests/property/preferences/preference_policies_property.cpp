// Policies of every wealth structure: played by their rules, evaluated, checked, written and read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "preferences/preference_case.hpp"
#include "preferences/preference_random.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

std::optional<Rational> mean_of(const PreferenceCase& c, const Law& law) {
  Rational mean = 0;
  for (const auto& [level, p] : law) {
    const auto number = c.oracle.number(level.value().get_num().get_ui());
    if (!number) return std::nullopt;
    mean += *number * p;
  }
  return mean;
}

void require_preference_mean(const Value& found,
                             const Rational& expected,
                             const std::string& what) {
  if (found.exact || found.is != Value::Is::rounded) require_label(found, expected, what);
  require(abs(Rational(found.nearest) - expected) <= Rational(1, 1'000'000'000),
          what + " is " + shown(found.nearest) + ", must be " + shown(expected));
}

void require_distribution(const PreferenceCase& c,
                          const Distribution& found,
                          const Law& law,
                          const std::string& what) {
  require(found.classes != nullptr, what + " has no classes");
  require(found.atoms.size() == law.size(),
          what + " has " + std::to_string(found.atoms.size()) + " classes, must have " +
              std::to_string(law.size()));
  std::size_t i = 0;
  for (const auto& [level, probability] : law) {
    const Atom& atom = found.atoms[i++];
    const std::string name = c.oracle.text(level.value().get_num().get_ui());
    require(Total(Rational(position_of(c, *found.classes, atom.wealth))) == level,
            fmt::format("{} lacks {}", what, name));
    require_chance(atom.probability, probability, fmt::format("{}, P({})", what, name));
    require_chance(found.at_least(atom.wealth),
                   at_least(law, level),
                   fmt::format("{}, P(at least {})", what, name));
  }
  const auto mean = mean_of(c, law);
  if (mean) require_preference_mean(found.mean, *mean, what + ", mean");
}

QUANTIPLAN_PREFERENCE(PreferencePoliciesKeepTheirWord, tiny_preference, 0.25) {
  for (const PreferenceRun& run : preference_runs(c)) {
    const Answer answer = solve(c.model, c.query(), run.options);
    for (const Result& result : answer.results) {
      const std::string where = place(run, result.tau, result.side);
      const Policy policy = result.policy();
      require(disorder(policy).empty(), where + disorder(policy));
      const Law law = c.played(policy);
      const Total level = Rational(position_of(c, *answer.classes, *result.quantile));
      const Rational attained = at_least(law, level);
      require(suffices(attained, result.tau, result.side),
              where + "the policy attains only " + shown(attained));
      require_chance(*result.probability, attained, where + "the probability of the policy");
      require_distribution(c, result.distribution(), law, where + "the distribution");
      require(
          policy.claim && policy.claim->level == c.oracle.text(level.value().get_num().get_ui()),
          where + "the policy claims another class");
    }
  }
}

// Episodes end in the class that their steps lead to, and are counted from the worst of them.
void require_episodes(const PreferenceCase& c,
                      const std::vector<Episode>& episodes,
                      const Law& law) {
  const Judge judge(c.model.wealth());
  std::set<std::size_t> met;
  std::vector<std::size_t> levels;
  for (const Episode& episode : episodes) {
    Holding wealth = judge.start();
    for (const Step& step : episode.steps) wealth = judge.after(wealth, step.reward);
    levels.push_back(c.oracle.position(judge.class_text(wealth)));
    met.insert(levels.back());
    require(law.contains(Rational(levels.back())),
            "an episode that cannot be: " + judge.text(wealth));
    require(episode.wealth.class_text() == judge.class_text(wealth),
            "an episode that ends in " + judge.class_text(wealth) + " is said to end in " +
                episode.wealth.class_text());
  }
  for (std::size_t i = 0; i < episodes.size(); ++i)
    require(episodes[i].wealth.position() ==
                static_cast<std::size_t>(std::distance(met.begin(), met.find(levels[i])) + 1),
            "episode " + std::to_string(i) + " has position " +
                std::to_string(episodes[i].wealth.position()));
}

QUANTIPLAN_PREFERENCE(PreferenceEvaluationGivesTheLaw, tiny_preference, 0.25) {
  Dice dice(c.seed ^ 0x6C6177U);
  const std::vector<PreferenceRun> runs = preference_runs(c);
  const Answer answer = solve(c.model, c.query(), dice.pick(runs).options);
  for (const Result& result : answer.results) {
    Policy policy = result.policy();
    // Any other actions will do as well.
    for (PolicyRule& rule : policy.rules)
      for (PolicyRun& one : rule.runs)
        if (dice.one_in(3))
          one.choice = c.model.choices(rule.state)[dice.below(c.model.choice_count(rule.state))];
    policy.claim.reset();
    Law law;
    try {
      law = c.played(policy);
    } catch (const std::runtime_error&) {
      continue;  // it comes to places it has no rule for
    }
    for (const Arithmetic arithmetic : {Arithmetic::floating, Arithmetic::exact}) {
      Options options;
      options.arithmetic = arithmetic;
      require_distribution(c, evaluate(c.model, policy, options), law, "the evaluation");
    }
    require_episodes(c, simulate(c.model, policy, {20, c.seed, KeepEpisodes::steps}), law);
  }
}

QUANTIPLAN_PREFERENCE(PreferencePoliciesSurviveWriting, tiny_preference, 0.15) {
  for (const PreferenceRun& run : preference_runs(c)) {
    const Answer answer = solve(c.model, c.query(), run.options);
    for (const Result& result : answer.results) {
      const std::string where = place(run, result.tau, result.side);
      const Policy policy = result.policy();
      const std::string text = format_policy(policy, c.model);
      const Policy read = parse_policy(text, c.model, "written");
      require(format_policy(read, c.model) == text, where + "the policy read is written otherwise");
      require(c.played(read) == c.played(policy), where + "the policy read plays otherwise");
      require(read.claim && read.claim->level == policy.claim->level &&
                  read.claim->exact_probability == policy.claim->exact_probability &&
                  read.claim->tau == policy.claim->tau && read.claim->side == policy.claim->side,
              where + "the claim was lost");
    }
  }
}

QUANTIPLAN_PREFERENCE(PreferenceClaimsAreConfirmed, tiny_preference, 0.15) {
  for (PreferenceRun run : preference_runs(c)) {
    run.options.check = true;
    const Answer answer = solve(c.model, c.query(true), run.options);
    for (const Result& result : answer.results) {
      const std::string where = place(run, result.tau, result.side);
      require(result.check && result.check->passed && result.check->optimality_checked,
              where + "the check with the answer " +
                  (result.check ? verdict(*result.check) : "was not made"));
      const Policy policy = result.policy();
      const CheckReport report = check(c.model, policy, policy.claim.value());
      require(report.passed && report.optimality_checked, where + "check " + verdict(report));
      const auto mean = mean_of(c, c.played(policy));
      if (!c.preference.wealth.is_numeric())
        require(!result.mean && !result.expectation_policy, where + "an expectation of no numbers");
      else if (mean && result.mean)
        require_preference_mean(*result.mean, *mean, where + "the mean");
    }
  }
}

class PreferenceRefuter {
 public:
  PreferenceRefuter(const PreferenceCase& c, std::string where) : c_(c), where_(std::move(where)) {}
  void refuted(const Policy& policy, const PolicyClaim& claim, const std::string& what) const {
    const CheckReport report = check(c_.model, policy, claim);
    require(!report.passed, where_ + what + " was not noticed; check " + verdict(report));
  }

 private:
  const PreferenceCase& c_;
  std::string where_;
};

// What the claim says is so: the policy attains the class often enough, and with that probability.
bool shows(const PreferenceCase& c, const Policy& policy, const PolicyClaim& claim) {
  try {
    const Rational attained =
        at_least(c.played(policy), Rational(c.oracle.position(claim.level.value())));
    return suffices(attained, claim.tau, claim.side) && attained == claim.exact_probability;
  } catch (const std::runtime_error&) {
    return false;  // it comes to places it has no rule for
  }
}

void require_worse_is_refuted(const PreferenceCase& c,
                              const Policy& policy,
                              const PreferenceRefuter& refuter) {
  for (std::size_t i = 0; i < policy.rules.size(); ++i) {
    for (std::size_t j = 0; j < policy.rules[i].runs.size() && j < 4; ++j) {
      for (const Choice other : c.model.choices(policy.rules[i].state)) {
        Policy tampered = policy;
        tampered.rules[i].runs[j].choice = other;
        if (shows(c, tampered, *policy.claim)) continue;
        refuter.refuted(tampered, *policy.claim, "a worse action");
      }
    }
    Policy tampered = policy;
    tampered.rules.erase(tampered.rules.begin() + static_cast<std::ptrdiff_t>(i));
    if (!shows(c, tampered, *policy.claim)) try {
        refuter.refuted(tampered, *policy.claim, "a missing rule");
      } catch (const Error& e) {
        require(e.code() == ErrorCode::bad_policy, std::string("a missing rule: ") + e.what());
      }
  }
}

QUANTIPLAN_PREFERENCE(FalsePreferenceClaimsAreRefuted, tiny_preference, 0.1) {
  Options options;
  options.arithmetic = Arithmetic::exact;
  for (const Result& result : solve(c.model, c.query(), options).results) {
    const Policy policy = result.policy();
    const PolicyClaim& claim = policy.claim.value();
    const PreferenceRefuter refuter(c,
                                    "tau " + shown(result.tau) + " " +
                                        std::string(to_text(result.side)) + ", class " +
                                        claim.level.value_or("none") + ": ");
    for (std::size_t i = 1; i <= c.oracle.class_count(); ++i) {
      PolicyClaim wrong = claim;
      wrong.level = c.oracle.text(i);
      if (wrong.level == claim.level) continue;
      refuter.refuted(policy, wrong, "class " + *wrong.level);
      // Not even with the probability of its own.
      wrong.exact_probability = at_least(c.played(policy), Rational(i));
      wrong.probability = to_nearest_double(*wrong.exact_probability);
      refuter.refuted(policy, wrong, "class " + *wrong.level + " with its own probability");
    }
    PolicyClaim wrong = claim;
    wrong.exact_probability = *claim.exact_probability - Rational(0x1p-900);
    refuter.refuted(policy, wrong, "a wrong exact probability");
    wrong = claim;
    wrong.exact_probability.reset();
    wrong.probability = claim.probability > 0.5 ? claim.probability * 0.999 : 0.75;
    refuter.refuted(policy, wrong, "a wrong probability");
    require_worse_is_refuted(c, policy, refuter);
  }
}

}  // namespace
}  // namespace quantiplan::testing
