// Models with wealth structures whose states have twins, solved as they are and reduced: the same
// classes, chances and curves, and policies of the model itself that keep what they promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <tuple>

#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "harness/twins.hpp"
#include "preferences/preference_case.hpp"
#include "preferences/preference_random.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

struct PreferenceTwins {
  static bool fits(const PreferenceModel& preference) {
    return preference.plain.states.size() <= 8;
  }
  PreferenceTwins(std::uint64_t seed, const PreferenceModel& preference)
      : dice(seed),
        states(preference.plain.states.size()),
        twins{with_twins(dice, preference.plain), preference.wealth},
        model(build(twins)) {
    query.taus = {0, Rational(1, 10), Rational(1, 2), Rational(3, 4), 1};
    query.sides = Sides::both;
    query.compare = false;
  }

  Dice dice;
  std::size_t states;
  PreferenceModel twins;
  Model model;
  Query query;
};

// Nullopt where the structure has no limit.
std::optional<Answer> answer_of(const PreferenceTwins& c, Options options, Reduce reduce) {
  options.reduce = reduce;
  options.check = reduce != Reduce::none;
  try {
    return solve(c.model, c.query, options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    return std::nullopt;
  }
}

void require_same(const Value& a, const Value& b, const std::string& where) {
  if (a.exact && b.exact) require(*a.exact == *b.exact, where + "another probability");
  require(a.least() <= b.greatest() && b.least() <= a.greatest(),
          where + "bounds exclude each other");
}

void require_same(const PreferenceTwins& c,
                  const Result& whole,
                  const Result& reduced,
                  const std::string& where) {
  require(whole.certificate == reduced.certificate && whole.status == reduced.status &&
              whole.attained == reduced.attained,
          where + "another certificate");
  require(whole.quantile->class_text() == reduced.quantile->class_text(),
          where + "quantile " + reduced.quantile->class_text() + " instead of " +
              whole.quantile->class_text());
  require(whole.quantile->position() == reduced.quantile->position(), where + "another position");
  if (whole.probability && reduced.probability)
    require_same(*whole.probability, *reduced.probability, where);
  if (reduced.check)
    require(reduced.check->passed || reduced.check->nothing_to_check,
            where + "check " + verdict(*reduced.check));
  if (!reduced.policy || !reduced.probability) return;
  const Policy read = parse_policy(format_policy(reduced.policy(), c.model), c.model, "policy");
  const CheckReport again = check(c.model, read, read.claim.value(), {});
  require(again.passed, where + "the policy's file does not pass: " + verdict(again));
}

void require_same_answers(const PreferenceTwins& c, Arithmetic arithmetic) {
  Options options;
  options.arithmetic = arithmetic;
  const auto whole = answer_of(c, options, Reduce::none);
  const auto reduced = answer_of(c, options, Reduce::bisimulation);
  require(whole.has_value() == reduced.has_value(), "one of them was refused");
  if (!whole) return;
  require(whole->classes->size() == reduced->classes->size(), "other classes");
  for (std::size_t i = 0; i < whole->results.size(); ++i) {
    const Result& result = whole->results[i];
    require_same(
        c, result, reduced->results[i], place({"reduced", options}, result.tau, result.side));
  }
  if (const auto& reduction = reduced->engine.reduction)
    require(reduction->by == "bisimulation" && reduction->solved_as <= c.states, "twins are apart");
}

void require_same_curves(const PreferenceTwins& c) {
  Options options;
  options.arithmetic = Arithmetic::exact;
  options.reduce = Reduce::none;
  const Frontier whole = frontier(c.model, c.query, options);
  options.reduce = Reduce::bisimulation;
  const Frontier reduced = frontier(c.model, c.query, options);
  require(whole.steps.size() == reduced.steps.size(), "other steps");
  ThresholdQuery targets;
  for (std::size_t i = 0; i < whole.steps.size(); ++i) {
    require(whole.steps[i].wealth.class_text() == reduced.steps[i].wealth.class_text(),
            "a step is elsewhere");
    require_same(whole.steps[i].probability, reduced.steps[i].probability, "curve: ");
    targets.levels.push_back(whole.steps[i].wealth.class_text());
  }
  const ThresholdAnswer found = threshold(c.model, targets, options);
  for (std::size_t i = 0; i < whole.steps.size(); ++i)
    require_same(whole.steps[i].probability, *found.results[i].probability, "threshold: ");
}

QUANTIPLAN_PREFERENCE_OF(PreferenceTwins, ClassesOfTwinsAreOne, tiny_preference, 0.3) {
  require_same_answers(c, Arithmetic::automatic);
  require_same_answers(c, Arithmetic::exact);
  require_same_curves(c);
}

QUANTIPLAN_PREFERENCE_OF(PreferenceTwins,
                         ClassesOfTwinsAreOneWithoutEnd,
                         infinite_preference,
                         0.2) {
  require_same_answers(c, Arithmetic::automatic);
  require_same_answers(c, Arithmetic::exact);
}

struct TwinsOfSums {
  static bool fits(const PlainModel& plain) {
    return plain.states.size() <= 8 && plain.goal.empty() && !plain.cost && plain.discount == 1 &&
           !plain.is_infinite();
  }
  TwinsOfSums(std::uint64_t seed, const PlainModel& plain)
      : dice(seed), model(build(with_twins(dice, plain))) {}
  Dice dice;
  Model model;
};

// A structure of one's own: the longest run of rewards that do not fall.
struct LongestClimb {
  struct Wealth {
    Rational last;
    int now = 0;
    int best = 0;
    friend bool operator<(const Wealth& a, const Wealth& b) {
      return std::tie(a.best, a.now, a.last) < std::tie(b.best, b.now, b.last);
    }
  };
  [[nodiscard]] Wealth initial() const { return {}; }
  [[nodiscard]] Wealth update(const Wealth& w, const Reward& r) const {
    const int now = w.now > 0 && r.number < w.last ? 1 : w.now + 1;
    return {r.number, now, std::max(w.best, now)};
  }
  [[nodiscard]] std::weak_ordering order(const Wealth& a, const Wealth& b) const {
    return a.best <=> b.best;
  }
  [[nodiscard]] std::string text(const Wealth& w) const {
    return std::to_string(w.best) + "/" + std::to_string(w.now) + "/" + w.last.get_str();
  }
  [[nodiscard]] std::string class_text(const Wealth& w) const {
    return std::to_string(w.best) + " in a row";
  }
};

QUANTIPLAN_PROPERTY_OF(TwinsOfSums, TwinsAreOneToAStructureOfOnesOwn, tiny_model, 0.1) {
  Query query{{Rational(1, 10), Rational(1, 2)}, Sides::both, {}, false};
  query.setting.structure = make_structure(c.model, LongestClimb{});
  Options options;
  options.reduce = Reduce::none;
  const Answer whole = solve(c.model, query, options);
  options.reduce = Reduce::bisimulation;
  options.check = true;
  const Answer reduced = solve(c.model, query, options);
  for (std::size_t i = 0; i < whole.results.size(); ++i) {
    const Result& a = whole.results[i];
    const Result& b = reduced.results[i];
    require(a.quantile->class_text() == b.quantile->class_text(), "another class");
    require_same(*a.probability, *b.probability, "own structure: ");
    require(!b.check || b.check->passed, "own structure: check " + verdict(*b.check));
  }
}

}  // namespace
}  // namespace quantiplan::testing
