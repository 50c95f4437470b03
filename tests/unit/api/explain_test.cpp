#include "quantiplan/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "quantiplan/domains.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/run.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

Policy solved(const Model& model, const char* tau, Prefer prefer = Prefer::probability) {
  Query query;
  query.taus = {Number(tau).rational()};
  query.prefer = prefer;
  return solve(model, query).results.front().policy();
}

std::string text_of(const Model& model, const Explanation& explanation) {
  std::string text;
  for (const ActionOutlook& a : explanation.actions) {
    text += std::string(model.action_name(a.choice)) + (a.is_taken ? "*" : "") + " " +
            to_text(*a.probability.exact) + " " + to_text(*a.mean->exact) + "; ";
  }
  return text;
}

// +-50, then +-20 or +-100: at least -70 with probability 3/4 or more.
TEST(Explain, SaysWhatEachActionWouldComeTo) {
  const Model model = generate("gamble");
  const Policy policy = solved(model, "0.1");
  EXPECT_EQ(*policy.target, -70);
  const State second = *model.find_state("second");
  EXPECT_EQ(text_of(model, explain(model, policy, State{0}, 0, 0)), "play* 1 0; ");
  const Explanation lost = explain(model, policy, second, 1, -50);
  EXPECT_EQ(lost.left, -20);
  EXPECT_EQ(text_of(model, lost), "small* 1 -50; large 0.5 -50; ");
  EXPECT_EQ(explain(model, policy, second, 1, 50).actions[1].probability.exact, Rational(1));
}

TEST(Explain, CountsCostsAsCosts) {
  Query query;
  query.taus = {Rational(1, 10)};
  query.setting.cost = true;
  const Model model = generate("gamble");
  const Policy policy = solve(model, query).results.front().policy();
  const Explanation dear = explain(model, policy, *model.find_state("second"), 1, 50);
  EXPECT_EQ(dear.left, 20);
  EXPECT_EQ(text_of(model, dear), "small* 1 50; large 0.5 50; ");
}

// The taken action has the policy's own chance where the policy prefers probability, and all agree
// with the runs that come there.
TEST(Explain, AgreesWithRuns) {
  const Model model = generate("inventory", {{"horizon", "4"}});
  for (const char* tau : {"0.1", "0.5"}) {
    const Policy policy = solved(model, tau);
    quantiplan::Run run = start(model, policy);
    Rational collected;
    while (!run.is_over()) {
      const Explanation here = explain(model, policy, run.state(), run.time(), collected);
      EXPECT_EQ(here.left, *run.target());
      Rational best;
      for (const ActionOutlook& a : here.actions) {
        EXPECT_EQ(a.is_taken, a.choice == run.act());
        if (a.is_taken) {
          EXPECT_EQ(a.probability.exact, run.chance()->exact);
        }
        best = std::max(best, *a.probability.exact);
      }
      EXPECT_EQ(run.chance()->exact, best);
      const Outcome& o = model.outcomes(run.act()).front();
      collected += model.reward(o);
      run.observe(model.reward(o), o.next);
    }
  }
}

TEST(Explain, RefusesWhatItCannotTell) {
  const Model model = generate("gamble");
  const Policy policy = solved(model, "0.1");
  EXPECT_THROW(explain(model, policy, *model.find_state("end"), 2, 0), Error);
  EXPECT_THROW(explain(model, expectation_policy(model, {}), State{0}, 0, 0), Error);
}

}  // namespace
}  // namespace quantiplan
