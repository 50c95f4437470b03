// The infinite horizon: what is refused, what must not matter, and what long horizons tend to.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/aimed_case.hpp"
#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "oracles/play.hpp"
#include "oracles/unfolding.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/report.hpp"

namespace quantiplan::testing {
namespace {

class MixedCase {
 public:
  MixedCase(std::uint64_t case_seed, PlainModel plain_model)
      : seed(case_seed), plain(std::move(plain_model)), model(build(plain)) {}
  static bool fits(const PlainModel& plain) {
    return plain.is_infinite() && plain.discount == 1 && shape_of(plain) == Shape::mixed;
  }
  std::uint64_t seed;
  PlainModel plain;
  Model model;
};

// True if the text names a reachable choice with a reward of this sign.
bool names_choice(const MixedCase& c, const std::string& text, int sign) {
  const std::vector<bool> reached = reachable_states(c.plain);
  for (std::size_t s = 0; s < c.plain.states.size(); ++s) {
    if (!reached[s] || c.plain.ends_at(s)) continue;
    for (std::size_t i = 0; i < c.plain.states[s].choices.size(); ++i)
      for (const PlainOutcome& o : c.plain.states[s].choices[i].outcomes)
        if (sgn(o.reward) == sign && text.find("state 's" + std::to_string(s) + "', choice 'a" +
                                               std::to_string(i) + "'") != std::string::npos)
          return true;
  }
  return false;
}

QUANTIPLAN_PROPERTY_OF(MixedCase, MixedSignsWithCyclesAreRefusedByName, mixed_model, 0.2) {
  const auto require_refusal = [&](const std::string& what, auto&& call) {
    try {
      call();
    } catch (const Error& e) {
      const std::string text = e.what();
      require(e.code() == ErrorCode::refused, what + ": another error: " + text);
      require(names_choice(c, text, 1) && names_choice(c, text, -1),
              what + " does not name two choices: " + text);
      require(text.find("--horizon") != std::string::npos &&
                  text.find("--discount") != std::string::npos,
              what + " does not say what to do: " + text);
      return;
    }
    throw Violation(what + ": mixed signs are not refused");
  };
  for (const Aim aim : kBothAims) {
    const Setting setting = AimedCase::setting(aim);
    const Query query{{Rational(1, 2)}, Sides::both, setting, false};
    require_refusal("solve", [&] { static_cast<void>(solve(c.model, query)); });
    require_refusal("frontier", [&] { static_cast<void>(frontier(c.model, query)); });
    require_refusal("threshold", [&] { static_cast<void>(threshold(c.model, {{0}, setting})); });
  }
}

// All that an answer says, but for how much work it was.
std::string bytes_of(const AimedCase& c, Answer answer) {
  answer.work = {};
  ReportOptions with_distributions;
  with_distributions.distributions = true;
  std::string text = answer_json(answer, with_distributions);
  for (const Result& result : answer.results)
    if (result.policy) text += format_policy(result.policy(), c.model);
  return text;
}

QUANTIPLAN_PROPERTY_OF(InfiniteCase,
                       InfiniteAnswersAreTheSameBytesWithAnyThreads,
                       infinite_model,
                       0.02) {
  for (const Aim aim : kBothAims) {
    for (const Arithmetic arithmetic :
         {Arithmetic::automatic, Arithmetic::exact, Arithmetic::floating}) {
      Options options;
      options.arithmetic = arithmetic;
      options.threads = 1;
      const std::string expected = bytes_of(c, solve(c.model, c.query(aim), options));
      options.threads = 3;
      const std::string found = bytes_of(c, solve(c.model, c.query(aim), options));
      require(found == expected,
              std::string("3 threads: other bytes\n")
                  .append(found)
                  .append("instead of\n")
                  .append(expected));
    }
  }
}

// With T steps at most, what is to be reached is reached less often; without a goal, and where
// wealth never rises, a target is kept more often.
QUANTIPLAN_PROPERTY_OF(InfiniteCase, LongHorizonsTendToTheInfiniteAnswer, infinite_model, 0.05) {
  const bool from_above = c.plain.goal.empty() && shape_of(c.plain) == Shape::never_rises;
  for (const Aim aim : kBothAims) {
    const std::vector<Total> targets{0, Rational(c.unit()), Rational(-c.unit()), 3, -3};
    const ThresholdAnswer infinite = threshold(c.model, {targets, c.setting(aim)});
    std::vector<double> off(targets.size(), 1);
    for (const unsigned horizon : {5U, 25U, 125U}) {
      Setting setting = c.setting(aim);
      setting.horizon = horizon;
      const ThresholdAnswer finite = threshold(c.model, {targets, setting});
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const double truth = infinite.results[i].probability->nearest;
        const double found = finite.results[i].probability->nearest;
        const std::string where = name_of(aim) + ", target " + shown(targets[i]) + ", horizon " +
                                  std::to_string(horizon) + ": " + shown(found);
        constexpr double kRounding = 0x1p-40;
        require(from_above ? found >= truth - kRounding : found <= truth + kRounding,
                where + " is beyond the limit " + shown(truth));
        require(std::abs(found - truth) <= off[i] + kRounding,
                where + " is further from the limit " + shown(truth) + " than before");
        off[i] = std::abs(found - truth);
      }
    }
  }
}

// Hoeffding, as for policies with a grid.
QUANTIPLAN_PROPERTY_OF(InfiniteCase,
                       SimulatedSharesAgreeWithInfinitePolicies,
                       infinite_model,
                       0.02) {
  constexpr std::uint64_t kEpisodes = 500;
  const double band = std::sqrt(std::log(2 / 1e-9) / (2.0 * kEpisodes));
  Dice dice(c.seed ^ 0x73696DU);
  for (const Aim aim : kBothAims) {
    const Answer answer = solve(c.model, c.query(aim));
    for (const Result& result : answer.results) {
      if (!result.policy || !dice.one_in(3)) continue;
      const std::string where = name_of(aim) + ", tau " + shown(result.tau) + " " +
                                std::string(to_text(result.side)) + ": ";
      const Policy policy = result.policy();
      const Play play(c.plain, c.model, policy);
      const auto episodes = simulate(c.model, policy, {kEpisodes, c.seed});
      require(episodes.size() == kEpisodes, where + "episodes are missing");
      for (const Total& w : {Total(0),
                             Total(Rational(c.unit())),
                             Total(Rational(-c.unit())),
                             Total::minus_infinity(),
                             Total::plus_infinity(),
                             result.quantile->total()}) {
        std::uint64_t reached = 0;
        for (const Episode& episode : episodes)
          if (episode.wealth >= w) ++reached;
        const double share = static_cast<double>(reached) / kEpisodes;
        const double truth = to_nearest_double(play.at_least(w));
        require(std::abs(share - truth) <= band,
                where + "share of W >= " + shown(w) + " is " + shown(share) + " instead of " +
                    shown(truth));
      }
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
