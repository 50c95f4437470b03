// Curves, evaluations, simulations, checks and infos of costs, goals and infinite horizons.
#include <gtest/gtest.h>

#include <cmath>

#include "report/holds.hpp"
#include "report/sample_answer.hpp"

namespace quantiplan {
namespace {

ModelFacts cost_facts() {
  ModelFacts facts = commute_facts();
  facts.cost = true;
  return facts;
}

// Costs of 2, 3.5 and 5, then no end of them.
Frontier cost_frontier() {
  Frontier frontier;
  frontier.model = cost_facts();
  frontier.model.horizon = kInfiniteHorizon;
  frontier.model.goal_states = 1;
  frontier.status = Status::solved;
  frontier.steps = {{Total::minus_infinity(), exact_value("0.9")},
                    {-5, exact_value("0.8")},
                    {Rational(-7, 2), exact_value("0.7")},
                    {-2, exact_value("0.4")}};
  frontier.quantiles = {
      {Rational(1, 2), Side::upper, Certificate::bracket, Rational(-7, 2), -2},
      {Rational(1, 20), Side::upper, Certificate::exact, Total::miss(), Total::miss()}};
  frontier.upto = Total(-5);
  return frontier;
}

TEST(FrontierOfCosts, AscendsByCostAndSaysWhereItStops) {
  const std::string text = frontier_text(cost_frontier());
  EXPECT_TRUE(holds(text,
                    "horizon infinite, discount 1, from 'home' to 1 goal state; costs\n"
                    "\n"
                    "cost c  best P(C <= c)\n"
                    "     2             0.4  ################\n"
                    "   3.5             0.7  ############################\n"
                    "     5             0.8  ################################\n"
                    "   inf             0.9  ####################################\n"
                    "\n"
                    "The curve was followed up to a cost of 5, and goes on beyond it.\n"
                    "\n"
                    "tau   side   quantile  certificate\n"
                    "0.5   upper  [2, 3.5]  bracket\n"
                    "0.05  upper      miss  exact\n"))
      << text;
  const std::string json = frontier_json(cost_frontier());
  EXPECT_TRUE(holds(json, R"(  "steps": [
    {"wealth": 2, "probability": 0.4, "probability_exact": "0.4"},
    {"wealth": 3.5, "probability": 0.7, "probability_exact": "0.7"},
    {"wealth": 5, "probability": 0.8, "probability_exact": "0.8"},
    {"wealth": "inf", "probability": 0.9, "probability_exact": "0.9"}
  ],
  "upper_steps": null,
  "upto": 5,
  "relative_error": 0,
  "quantiles": [
    {
      "tau": "0.5",
      "side": "upper",
      "quantile": 3.5,
      "bracket": [2, 3.5],
      "certificate": "bracket"
    },
    {
      "tau": "0.05",
      "side": "upper",
      "quantile": "miss",
      "bracket": ["miss", "miss"],)"))
      << json;
}

TEST(FrontierOfCosts, ShowsABracketOfCurvesByCost) {
  Frontier frontier = cost_frontier();
  frontier.model.adversarial = true;
  frontier.upper_steps = {{-4, exact_value("0.9")}, {-1, exact_value("0.5")}};
  frontier.upto.reset();
  const std::string text = frontier_text(frontier);
  EXPECT_TRUE(holds(text,
                    "        guaranteed P(C <= c)\n"
                    "cost c  at least  at most\n"
                    "     2       0.4      0.5  ################\n"
                    "   3.5       0.7      0.5  ############################\n"
                    "     5       0.8      0.9  ################################\n"
                    "   inf       0.9      0.9  ####################################\n"))
      << text;
}

TEST(FrontierReport, SaysWhereACurveWithoutEndStops) {
  Frontier frontier = cost_frontier();
  frontier.model.cost = false;
  EXPECT_TRUE(holds(frontier_text(frontier),
                    "The curve was followed down to a total of -5, and goes on beyond it.\n"))
      << frontier_text(frontier);
  frontier.upto = Total(0);
  EXPECT_TRUE(holds(frontier_text(frontier),
                    "The curve was followed up to a total of 0, and goes on beyond it.\n"));
}

// Costs of 25 and 55, a miss, and what was not followed.
Evaluation cost_evaluation() {
  Evaluation evaluation{cost_facts(), "p.json", two_point_distribution(), {}, {}};
  evaluation.model.goal_states = 2;
  Distribution& d = evaluation.distribution;
  d.atoms = {
      {Total::miss(), exact_value("0.1")}, {-55, exact_value("0.2")}, {-25, exact_value("0.7")}};
  d.mean = Value{std::nan(""), std::nullopt};
  return evaluation;
}

TEST(EvaluationOfCosts, AscendsByCostWithMissesLast) {
  Evaluation evaluation = cost_evaluation();
  evaluation.quantiles = {evaluation.distribution.quantile(Rational(1, 5), Side::lower),
                          evaluation.distribution.quantile(Rational(1, 20), Side::lower)};
  evaluation.at_least = {{-30, evaluation.distribution.at_least(-30)},
                         {Total::minus_infinity(), exact_value("0.9")}};
  EXPECT_EQ(evaluation_text(evaluation),
            "'commute': 3 states, 3 choices, 5 outcomes; horizon 3, discount 1, from 'home' to 2 "
            "goal states; costs\n"
            "Policy 'p.json'\n"
            "\n"
            "Mean undefined; 2 different costs from 25 to 55; miss with probability 0.1\n"
            "\n"
            "cost  probability\n"
            "  25          0.7  ########################################\n"
            "  55          0.2  ###########\n"
            "miss          0.1  ######\n"
            "\n"
            "tau   side   quantile\n"
            "0.2   lower        55\n"
            "0.05  lower      miss\n"
            "\n"
            "cost c  P(C <= c)\n"
            "    30        0.7\n"
            "   inf        0.9\n");
  const std::string json = evaluation_json(evaluation);
  EXPECT_TRUE(holds(json, R"(  "distribution": [
    {"wealth": 25, "probability": 0.7, "probability_exact": "0.7"},
    {"wealth": 55, "probability": 0.2, "probability_exact": "0.2"},
    {"wealth": "miss", "probability": 0.1, "probability_exact": "0.1"}
  ],
  "mean": null,
  "quantiles": [
    {
      "tau": "0.2",
      "side": "lower",
      "quantile": 55,
      "bracket": [55, 55]
    },)"))
      << json;
  EXPECT_TRUE(holds(json, R"(  "at_least": [
    {"wealth": 30, "probability": 0.7, "probability_exact": "0.7", "probability_is": "exact"},
    {"wealth": "inf", "probability": 0.9, "probability_exact": "0.9", "probability_is": "exact"}
  ],)"))
      << json;
}

TEST(EvaluationOfCosts, RoundsAndSamplesTheOtherWay) {
  Evaluation evaluation{cost_facts(), "p.json", two_point_distribution(), {}, {}};
  Distribution& d = evaluation.distribution;
  d.slack = Rational(3, 10);
  d.sample = Sample{10000, 7, 0.99, 0.016276};
  evaluation.quantiles = {
      {Rational(1, 100), Side::lower, -55, Number("-54.7").rational(), true, false}};
  const std::string text = evaluation_text(evaluation);
  EXPECT_TRUE(holds(text, "Mean [30.7, 31] of the sample; 2 different costs from 25 to 55\n"))
      << text;
  EXPECT_TRUE(holds(text, "0.01  lower  [54.7, ?]\n")) << text;
  EXPECT_TRUE(holds(text,
                    "every probability of\nkeeping to a cost is within 0.017 of the share shown.\n"
                    "Costs are rounded up: each stands for costs up to 0.3 below it.\n"))
      << text;
  EXPECT_TRUE(holds(evaluation_json(evaluation), R"(      "quantile": null,
      "bracket": [54.7, null])"))
      << evaluation_json(evaluation);
}

TEST(EvaluationReport, SaysWhatWasNotFollowedAndWhereItLies) {
  Evaluation evaluation{commute_facts(), "p.json", two_point_distribution(), {}, {}};
  Distribution& d = evaluation.distribution;
  d.rest = RestOfDistribution{-20, Total::plus_infinity(), 0.0000123};
  d.mean = Value{HUGE_VAL, std::nullopt};
  EXPECT_TRUE(evaluation_text(evaluation)
                  .ends_with("\nA probability of at most 1.3e-05 was not followed to its end: "
                             "totals from -20 to inf.\n"))
      << evaluation_text(evaluation);
  EXPECT_TRUE(holds(evaluation_text(evaluation), "Mean inf; 2 different totals from -55 to -25\n"));
  EXPECT_TRUE(holds(evaluation_json(evaluation), R"(  "mean": "inf",
)")) << evaluation_json(evaluation);
  EXPECT_TRUE(holds(evaluation_json(evaluation),
                    R"(  "rest": {"from": -20, "to": "inf", )"
                    R"("probability": 1.23e-05},
  "relative_error": 0,)"))
      << evaluation_json(evaluation);
  evaluation.model.cost = true;
  EXPECT_TRUE(
      holds(evaluation_text(evaluation), "was not followed to its end: costs from -inf to 20.\n"));
}

TEST(EvaluationReport, NamesInfinitiesWithTheirProbabilities) {
  Evaluation evaluation{commute_facts(), "p.json", two_point_distribution(), {}, {}};
  evaluation.distribution.atoms = {{Total::minus_infinity(), exact_value("0.25")},
                                   {Total::plus_infinity(), exact_value("0.75")}};
  evaluation.distribution.mean = Value{std::nan("")};
  EXPECT_TRUE(holds(evaluation_text(evaluation),
                    "Mean undefined; -inf with probability 0.25; inf with probability 0.75\n"))
      << evaluation_text(evaluation);
}

Model costly_commute_start() {
  ModelBuilder builder;
  builder.name("commute").begin_choice("home", "bike").add_outcome("office", 1, 40);
  return builder.build();
}

std::vector<Episode> two_episodes() {
  return {{-40, {{State{0}, Choice{0}, 40, State{1}}}}, {-41, {}}};
}

Simulation cost_simulation() {
  Simulation simulation;
  simulation.model = cost_facts();
  simulation.policy = "expectation";
  simulation.seed = 7;
  simulation.asked = 2;
  simulation.trace = true;
  simulation.played = tally(two_episodes());
  return simulation;
}

TEST(SimulationOfCosts, CountsCosts) {
  const Model model = costly_commute_start();
  const std::string text = simulation_text(cost_simulation(), model);
  EXPECT_TRUE(holds(text,
                    "episode 1: cost 40\n"
                    "  time  state   action  cost  next\n"
                    "     0  'home'  'bike'    40  'office'\n"))
      << text;
  EXPECT_TRUE(holds(text,
                    "2 episodes, mean cost 40.5\n"
                    "\n"
                    "cost c  episodes  share\n"
                    "    40         1    0.5  ###############\n"
                    "    41         1    0.5  ###############\n"))
      << text;
  EXPECT_TRUE(holds(simulation_json(cost_simulation(), model), R"(  "mean": 40.5,
  "mean_exact": "40.5",
  "slack": 0,
  "totals": [
    {"wealth": 40, "count": 1},
    {"wealth": 41, "count": 1}
  ],
  "episodes": [
    {
      "wealth": 40,)"))
      << simulation_json(cost_simulation(), model);
}

TEST(SimulationReport, HasNoMeanWhereEpisodesMiss) {
  const Model model = costly_commute_start();
  Simulation simulation = cost_simulation();
  simulation.trace = false;
  std::vector<Episode> episodes = two_episodes();
  episodes.push_back({Total::miss(), {}});
  simulation.played = tally(episodes);
  simulation.asked = 3;
  EXPECT_TRUE(holds(simulation_text(simulation, model),
                    "3 episodes, mean cost undefined\n"
                    "\n"
                    "cost c  episodes   share\n"
                    "    40         1  0.3333  ##########\n"
                    "    41         1  0.3333  ##########\n"
                    "  miss         1  0.3333  ##########\n"))
      << simulation_text(simulation, model);
  EXPECT_TRUE(holds(simulation_json(simulation, model), "\n  \"mean\": null,\n"));
  episodes.back().wealth = Total::minus_infinity();
  simulation.played = tally(episodes);
  EXPECT_TRUE(holds(simulation_text(simulation, model), "mean cost inf\n"));
  EXPECT_TRUE(holds(simulation_json(simulation, model), "\n  \"mean\": \"inf\",\n"));
  episodes.push_back({Total::plus_infinity(), {}});
  simulation.played = tally(episodes);
  EXPECT_TRUE(holds(simulation_text(simulation, model), "mean cost undefined\n"));
}

TEST(SimulationReport, SaysWhatTheEndWouldChange) {
  const Model model = costly_commute_start();
  Simulation simulation = cost_simulation();
  simulation.model.cost = false;
  std::vector<Episode> episodes = two_episodes();
  episodes[1].slack = Rational(1, 1000);
  simulation.played = tally(episodes);
  EXPECT_TRUE(
      holds(simulation_text(simulation, model),
            "2 episodes, mean total -40.5\n"
            "Episodes have no end: what would follow changes a total by at most 0.001.\n\n"))
      << simulation_text(simulation, model);
  EXPECT_TRUE(holds(simulation_json(simulation, model), "\n  \"slack\": 0.001,\n"));
}

TEST(SimulationOfCosts, DrawsCostsThatDoNotRepeat) {
  const Model model = costly_commute_start();
  Simulation simulation = cost_simulation();
  simulation.trace = false;
  std::vector<Episode> episodes;
  episodes.reserve(100);
  for (int i = 0; i < 100; ++i) episodes.push_back({-i, {}});
  simulation.played = tally(episodes);
  simulation.asked = 100;
  const std::string text = simulation_text(simulation, model);
  EXPECT_TRUE(holds(text, "[10, 20)          0.1  ########################################\n"))
      << text;
  EXPECT_TRUE(text.ends_with("100 different costs (use --all or --json)\n")) << text;
}

PolicyClaim threshold_claim(const Total& target) {
  PolicyClaim claim;
  claim.kind = PolicyClaim::Kind::threshold;
  claim.quantile = target;
  claim.probability = 0.73;
  claim.exact_probability = Rational(73, 100);
  return claim;
}

TEST(CheckOfAThreshold, ShowsTargetAndProbability) {
  CheckedClaim checked{
      commute_facts(), "p.json", threshold_claim(-30), {true, true, {"A finding."}}};
  EXPECT_TRUE(holds(check_text(checked),
                    "Policy 'p.json': the total is at least -30 with probability 0.73, and no "
                    "policy does better\n\n"
                    "  A finding.\n"
                    "Check passed.\n"))
      << check_text(checked);
  EXPECT_TRUE(holds(check_json(checked), R"(  "claim": {
    "target": -30,
    "probability": 0.73,
    "probability_exact": "0.73",
    "most_probability": null
  },)"))
      << check_json(checked);
  checked.claim.exact_probability.reset();
  checked.claim.most_probability = 0.75;
  EXPECT_TRUE(holds(check_text(checked),
                    "the total is at least -30 with probability at least 0.73, and no policy does "
                    "better than 0.75\n"))
      << check_text(checked);
  EXPECT_TRUE(holds(check_json(checked), "    \"most_probability\": 0.75\n"));
}

TEST(CheckOfAThreshold, SpeaksOfCostsGoalsAndAdversaries) {
  CheckedClaim checked{
      cost_facts(), "p.json", threshold_claim(Total::minus_infinity()), {true, false, {}}};
  checked.model.goal_states = 1;
  checked.model.adversarial = true;
  EXPECT_TRUE(holds(check_text(checked),
                    "Policy 'p.json', the adversary's: the goal is reached with probability 0.73, "
                    "and no more is guaranteed\n\n"
                    "Check passed for the policy; whether all others keep the promise was too "
                    "large to recheck. W is minus the cost.\n"))
      << check_text(checked);
  EXPECT_TRUE(holds(check_json(checked), "    \"target\": \"inf\",\n"));
}

TEST(CheckOfAQuantile, ShowsCosts) {
  CheckedClaim checked{cost_facts(),
                       "p.json",
                       {Rational(1, 10), Side::upper, -40, 0.9, {}, Rational(-35)},
                       {true, true, {}}};
  EXPECT_TRUE(holds(check_text(checked),
                    "Policy 'p.json': upper 0.1-quantile in [35, 40], its upper end kept to with "
                    "probability at least 0.9\n"))
      << check_text(checked);
  EXPECT_TRUE(holds(check_json(checked), "    \"upper\": 35\n"));
  EXPECT_TRUE(holds(check_json(checked), "    \"quantile\": 40,\n"));
  // An adversary's probability is that of keeping to no more; of a bracket, to its better end.
  checked.model.adversarial = true;
  EXPECT_TRUE(holds(check_text(checked),
                    "Policy 'p.json', the adversary's: upper 0.1-quantile in [35, 40] is "
                    "guaranteed, but no less: P(C >= 35) is at least 0.9 with it\n"))
      << check_text(checked);
  checked.claim.upper.reset();
  checked.model.cost = false;
  EXPECT_TRUE(holds(check_text(checked),
                    "Policy 'p.json', the adversary's: upper 0.1-quantile -40 is guaranteed, but "
                    "no more: P(W <= -40) is 0.9 with it\n"))
      << check_text(checked);
}

TEST(InfoReport, ShowsCostsGoalsAndNoEnd) {
  ModelInfo info;
  info.facts = cost_facts();
  info.facts.goal_states = 2;
  info.terminal_states = 1;
  info.reachable_states = 3;
  info.least_reward = 10;
  info.greatest_reward = 45;
  info.model_bytes = 500;
  info.has_setting = true;
  info.wealth_is_exact = true;
  info.wealth_unit = 5;
  info.least_wealth = -65;
  info.greatest_wealth = -25;
  info.estimated_bytes = 2048;
  EXPECT_TRUE(holds(info_text(info),
                    "initial      'home'\n"
                    "goal         2 states\n"
                    "horizon      3\n"
                    "discount     1\n"
                    "costs        10 to 45\n"
                    "totals       25 to 65\n"
                    "exact        yes: every cost is a multiple of 5\n"))
      << info_text(info);
  EXPECT_TRUE(holds(info_json(info), R"(  "rewards": [10, 45],)"));
  EXPECT_TRUE(holds(info_json(info), R"(    "least": 25,
    "greatest": 65)"));
  info.facts.horizon = kInfiniteHorizon;
  EXPECT_TRUE(holds(info_text(info),
                    "horizon      infinite\n"
                    "discount     1\n"
                    "costs        10 to 45\n"
                    "totals       unknown: there is no end to the steps\n"
                    "exact        yes: every cost is a multiple of 5\n"
                    "memory       500 bytes for the model (100.0 bytes per outcome, states and "
                    "choices included)\n"))
      << info_text(info);
  EXPECT_TRUE(holds(info_json(info), R"(  "wealth": {
    "exact": true,
    "unit": 5,
    "least": null,
    "greatest": null
  },
  "estimated_bytes": null
)")) << info_json(info);
  // Nor is it known there whether the totals have a unit, unless it is said.
  info.wealth_is_exact = false;
  EXPECT_TRUE(holds(info_text(info),
                    "totals       unknown: there is no end to the steps\n"
                    "memory       500 bytes for the model (100.0 bytes per outcome, states and "
                    "choices included)\n"))
      << info_text(info);
  EXPECT_TRUE(holds(info_json(info), "  \"wealth\": null,\n  \"estimated_bytes\": null\n"));
}

}  // namespace
}  // namespace quantiplan
