#include <gtest/gtest.h>

#include "report/holds.hpp"
#include "report/sample_answer.hpp"

namespace quantiplan {
namespace {

Frontier long_frontier() {
  Frontier frontier;
  frontier.model = commute_facts();
  frontier.status = Status::solved;
  for (int i = 0; i < 100; ++i)
    frontier.steps.push_back({i, Value{1 - i / 100.0, Rational(100 - i, 100)}});
  for (auto& step : frontier.steps) step.probability.exact->canonicalize();
  frontier.quantiles.push_back({Rational(1, 3), Side::upper, Certificate::tie, 33, 34});
  return frontier;
}

TEST(FrontierReport, JsonHasStepsAndQuantiles) {
  const std::string json = frontier_json(long_frontier());
  EXPECT_TRUE(holds(json, "{\n  \"format\": \"quantiplan-frontier/1\",\n  \"model\": {"));
  EXPECT_TRUE(holds(json, R"(  "status": "solved",
  "epsilon": null,
  "steps": [
    {"wealth": 0, "probability": 1, "probability_exact": "1"},
    {"wealth": 1, "probability": 0.99, "probability_exact": "0.99"},)"))
      << json;
  EXPECT_TRUE(holds(json, R"(  "upper_steps": null,
  "upto": null,
  "relative_error": 0,
  "quantiles": [
    {
      "tau": "1/3",
      "side": "upper",
      "quantile": 33,
      "bracket": [33, 34],
      "certificate": "tie"
    }
  ],)"))
      << json;
}

TEST(FrontierReport, TextIsAbbreviatedUnlessAllIsAskedFor) {
  ReportOptions options;
  options.most_rows = 4;
  const std::string text = frontier_text(long_frontier(), options);
  EXPECT_TRUE(holds(text, "... 96 more (use --all or --json)\n")) << text;
  EXPECT_TRUE(holds(text, "1/3  upper  [33, 34]  tie\n")) << text;
  options.most_rows = 0;
  EXPECT_FALSE(holds(frontier_text(long_frontier(), options), "more (use"));
}

Frontier bracketed_frontier() {
  Frontier frontier;
  frontier.model = commute_facts();
  frontier.status = Status::solved;
  frontier.epsilon = Rational(1, 2);
  frontier.steps = {{0, Value{1, Rational(1)}}, {1, Value{0.7, {}}}, {3, Value{0.2, {}}}};
  frontier.upper_steps = {{1, Value{1, Rational(1)}}, {Rational(5, 2), Value{0.4, {}}}};
  frontier.relative_error = 1e-12;
  frontier.quantiles.push_back({Rational(1, 2), Side::upper, Certificate::bracket, 1, 2});
  return frontier;
}

TEST(FrontierReport, ShowsABracketOfCurves) {
  const std::string text = frontier_text(bracketed_frontier());
  EXPECT_TRUE(holds(text,
                    "         best P(W >= w)\n"
                    "total w  at least  at most\n"
                    "      0         1        1  ########################################\n"
                    "      1       0.7        1  ############################\n"
                    "      3       0.2        0  ########\n"))
      << text;
  EXPECT_TRUE(holds(text, "0.5  upper    [1, 2]  bracket\n")) << text;
  const std::string json = frontier_json(bracketed_frontier());
  EXPECT_TRUE(holds(json, R"(  "epsilon": 0.5,
  "steps": [
    {"wealth": 0, "probability": 1, "probability_exact": "1"},
    {"wealth": 1, "probability": 0.7},
    {"wealth": 3, "probability": 0.2}
  ],
  "upper_steps": [
    {"wealth": 1, "probability": 1, "probability_exact": "1"},
    {"wealth": 2.5, "probability": 0.4}
  ],
  "upto": null,
  "relative_error": 1e-12,)"))
      << json;
}

TEST(FrontierReport, SpreadsItsRowsOverABracketOfCurves) {
  Frontier frontier = long_frontier();
  frontier.upper_steps = frontier.steps;
  ReportOptions options;
  options.most_rows = 4;
  const std::string text = frontier_text(frontier, options);
  for (const char* row : {"\n      0  ", "\n     33  ", "\n     66  ", "\n     99  "})
    EXPECT_TRUE(holds(text, row)) << text;
  EXPECT_TRUE(holds(text, "4 of 100 levels (use --all or --json)\n")) << text;
}

TEST(EvaluationReport, BracketsWhatSlackLeavesOpen) {
  Evaluation evaluation{commute_facts(), "p.json", two_point_distribution(), {}, {}};
  Distribution& d = evaluation.distribution;
  d.slack = Rational(3, 10);
  evaluation.quantiles.push_back(d.quantile(Rational(1, 10), Side::lower));
  for (const char* wealth : {"-25", "-24.9"}) {
    const Rational w = Number(wealth).rational();
    evaluation.at_least.push_back({w, d.at_least(w)});
  }
  const std::string text = evaluation_text(evaluation);
  EXPECT_TRUE(holds(text, "Mean -31; 2 different totals from -55 to -25\n")) << text;
  EXPECT_TRUE(holds(text, "0.1  lower  [-55, -54.7]\n")) << text;
  EXPECT_TRUE(holds(text, "    -25        0.8\n  -24.9   [0, 0.8]\n")) << text;
  EXPECT_TRUE(
      text.ends_with("\nTotals are rounded down: each stands for totals up to 0.3 above it.\n"))
      << text;
  const std::string json = evaluation_json(evaluation);
  EXPECT_TRUE(holds(json, R"(      "quantile": -55,
      "bracket": [-55, -54.7])"))
      << json;
  EXPECT_TRUE(holds(json,
                    R"({"wealth": -24.9, "probability": 0, "probability_is": "lower bound", )"
                    R"("bracket": [0, 0.8000000000000002]})") ||
              holds(json, R"("bracket": [0, 0.8]})"))
      << json;
  EXPECT_TRUE(holds(json, "  \"relative_error\": 0,\n  \"slack\": 0.3,\n  \"sample\": null\n}"))
      << json;
}

TEST(EvaluationReport, SaysThatItSimulatedAndWithWhichConfidence) {
  Evaluation evaluation{commute_facts(), "p.json", two_point_distribution(), {}, {}};
  Distribution& d = evaluation.distribution;
  d.sample = Sample{10000, 7, 0.99, 0.016276};
  evaluation.quantiles.push_back(d.quantile(Rational(1, 100), Side::lower));
  evaluation.quantiles.push_back(d.quantile(Rational(1, 2), Side::lower));
  evaluation.at_least.push_back({-25, d.at_least(-25)});
  const std::string text = evaluation_text(evaluation);
  EXPECT_TRUE(holds(text, "Mean -31 of the sample; 2 different totals from -55 to -25\n")) << text;
  EXPECT_TRUE(holds(text, "0.01  lower  [?, -55]\n0.5   lower       -25\n")) << text;
  EXPECT_TRUE(holds(text, "    -25  [0.783724, 0.816276]\n")) << text;
  EXPECT_TRUE(
      text.ends_with("\nSimulated, not computed: 10000 episodes, seed 7. With confidence 0.99, "
                     "every probability of\n"
                     "reaching a total is within 0.017 of the share shown.\n"))
      << text;
  const std::string json = evaluation_json(evaluation);
  EXPECT_TRUE(holds(json, R"(      "quantile": null,
      "bracket": [null, -55])"))
      << json;
  EXPECT_TRUE(holds(json, R"("probability": 0.8, "probability_is": "estimate", "bracket": [0.78)"))
      << json;
  EXPECT_TRUE(holds(json, R"(  "sample": {
    "episodes": 10000,
    "seed": 7,
    "confidence": 0.99,
    "band": 0.016276
  })"))
      << json;
}

TEST(EvaluationReport, ShowsDistributionMeanQuantilesAndThresholds) {
  Evaluation evaluation{
      commute_facts(), "expectation", two_point_distribution(), {}, {{-40, exact_value("0.8")}}};
  evaluation.quantiles.push_back(evaluation.distribution.quantile(Rational(1, 10), Side::lower));
  const std::string json = evaluation_json(evaluation);
  EXPECT_TRUE(holds(json, R"(  "policy": "expectation",
  "distribution": [
    {"wealth": -55, "probability": 0.2, "probability_exact": "0.2"},
    {"wealth": -25, "probability": 0.8, "probability_exact": "0.8"}
  ],
  "mean": -31,
  "mean_exact": "-31",
  "quantiles": [
    {
      "tau": "0.1",
      "side": "lower",
      "quantile": -55,
      "bracket": [-55, -55]
    }
  ],
  "at_least": [
    {"wealth": -40, "probability": 0.8, "probability_exact": "0.8", "probability_is": "exact"}
  ],
  "measures": [],
  "rest": null,
  "relative_error": 0,
  "slack": 0,
  "sample": null
}
)")) << json;
  EXPECT_EQ(evaluation_text(evaluation),
            "'commute': 3 states, 3 choices, 5 outcomes; horizon 3, discount 1, from 'home'\n"
            "Policy 'expectation'\n"
            "\n"
            "Mean -31; 2 different totals from -55 to -25\n"
            "\n"
            "total  probability\n"
            "  -55          0.2  ##########\n"
            "  -25          0.8  ########################################\n"
            "\n"
            "tau  side   quantile\n"
            "0.1  lower       -55\n"
            "\n"
            "total w  P(W >= w)\n"
            "    -40        0.8\n");
}

Model commute_start() {
  ModelBuilder builder;
  builder.name("commute").begin_choice("home", "bike").add_outcome("office", 1, -40);
  return builder.build();
}

TEST(SimulationReport, CountsTotalsAndTracesSteps) {
  const Model model = commute_start();
  Simulation simulation;
  simulation.model = commute_facts();
  simulation.policy = "expectation";
  simulation.seed = 7;
  simulation.asked = 2;
  simulation.trace = true;
  simulation.played = tally({{-40, {{State{0}, Choice{0}, -40, State{1}}}}, {-41, {}}});
  EXPECT_TRUE(holds(simulation_json(simulation, model), R"(  "policy": "expectation",
  "seed": 7,
  "asked": 2,
  "count": 2,
  "mean": -40.5,
  "mean_exact": "-40.5",
  "slack": 0,
  "totals": [
    {"wealth": -41, "count": 1},
    {"wealth": -40, "count": 1}
  ],
  "episodes": [
    {
      "wealth": -40,
      "steps": [
        {
          "time": 0,
          "state": "home",
          "action": "bike",
          "reward": -40,
          "next": "office"
        }
      ]
    },)"))
      << simulation_json(simulation, model);
  const std::string text = simulation_text(simulation, model);
  EXPECT_TRUE(holds(text,
                    "episode 1: total -40\n"
                    "  time  state   action  reward  next\n"
                    "     0  'home'  'bike'     -40  'office'\n"))
      << text;
  EXPECT_TRUE(holds(text, "2 episodes, mean total -40.5\n")) << text;
}

TEST(SimulationReport, DrawsTotalsThatDoNotRepeat) {
  const Model model = commute_start();
  Simulation simulation;
  simulation.model = commute_facts();
  simulation.policy = "expectation";
  simulation.asked = 100;
  std::vector<Episode> episodes;
  episodes.reserve(100);
  for (int i = 0; i < 100; ++i) episodes.push_back({Rational(i), {}});
  simulation.played = tally(episodes);
  const std::string text = simulation_text(simulation, model);
  EXPECT_TRUE(holds(text, "[10, 20)          0.1  ########################################\n"))
      << text;
  EXPECT_TRUE(text.ends_with("100 different totals (use --all or --json)\n")) << text;
  ReportOptions all;
  all.most_rows = 0;
  EXPECT_TRUE(holds(simulation_text(simulation, model, all), "     99         1   0.01  #\n"));
}

ModelInfo commute_info() {
  ModelInfo info;
  info.facts = commute_facts();
  info.transitions = 4;
  info.terminal_states = 1;
  info.reachable_states = 3;
  info.least_reward = -45;
  info.greatest_reward = -10;
  info.model_bytes = 500;
  info.has_setting = true;
  info.wealth_is_exact = true;
  info.wealth_unit = 5;
  info.least_wealth = -65;
  info.greatest_wealth = -25;
  info.estimated_bytes = 2048;
  return info;
}

TEST(InfoReport, ShowsSizeRangeGridAndMemory) {
  EXPECT_EQ(info_text(commute_info()),
            "name         'commute'\n"
            "states       3 (1 terminal, 3 reachable from 'home')\n"
            "choices      3\n"
            "transitions  4\n"
            "outcomes     5: some differ in the reward alone\n"
            "initial      'home'\n"
            "horizon      3\n"
            "discount     1\n"
            "rewards      -45 to -10\n"
            "totals       -65 to -25\n"
            "exact        yes: every total is a multiple of 5\n"
            "memory       500 bytes for the model (100.0 bytes per outcome, states and choices "
            "included), about 2 KiB for the "
            "arrays of a "
            "dense solve\n");
  EXPECT_TRUE(holds(info_json(commute_info()), R"(  "terminal_states": 1,
  "reachable_states": 3,
  "rewards": [-45, -10],
  "model_bytes": 500,
  "bytes_per_outcome": 100,
  "wealth": {
    "exact": true,
    "unit": 5,
    "least": -65,
    "greatest": -25
  },
  "estimated_bytes": 2048
}
)")) << info_json(commute_info());
}

TEST(InfoReport, LeavesOpenWhatNeedsASetting) {
  ModelInfo info = commute_info();
  info.has_setting = false;
  info.facts.horizon = 0;
  info.facts.initial.clear();
  const std::string json = info_json(info);
  for (const char* part : {"\"horizon\": null",
                           "\"initial\": null",
                           "\"reachable_states\": null",
                           "\"wealth\": null",
                           "\"estimated_bytes\": null"})
    EXPECT_TRUE(holds(json, part)) << part;
  EXPECT_TRUE(holds(info_text(info), "horizon      not set\n"));
}

TEST(InfoReport, KnowsNoTotalsWithoutAGrid) {
  ModelInfo info = commute_info();
  info.wealth_is_exact = false;
  const std::string text = info_text(info);
  EXPECT_TRUE(holds(text, "totals       unknown: no exact grid of 64-bit levels\n")) << text;
  EXPECT_TRUE(holds(text, "(100.0 bytes per outcome, states and choices included)\n")) << text;
  EXPECT_TRUE(holds(info_json(info), R"(  "wealth": {
    "exact": false,
    "unit": null,
    "least": null,
    "greatest": null
  },
  "estimated_bytes": null
)")) << info_json(info);
}

TEST(SimulationReport, SaysThatItEndedEarly) {
  const Model model = commute_start();
  Simulation simulation;
  simulation.model = commute_facts();
  simulation.asked = 3;
  EXPECT_TRUE(holds(simulation_json(simulation, model),
                    "  \"asked\": 3,\n  \"count\": 0,\n  \"mean\": null,\n"));
  EXPECT_TRUE(
      simulation_text(simulation, model).ends_with("Ended early: 3 episodes were asked for.\n"));
}

TEST(CheckReportText, ShowsABracket) {
  CheckedClaim checked{commute_facts(),
                       "p.json",
                       {Rational(1, 10), Side::upper, -40, 0.9000319, {}, Rational("-119/3")},
                       {true, true, {}}};
  EXPECT_TRUE(
      holds(check_text(checked),
            "Policy 'p.json': upper 0.1-quantile in [-40, -119/3], its lower end reached with "
            "probability at least 0.900031\n"))
      << check_text(checked);
  EXPECT_TRUE(holds(check_json(checked), "    \"upper\": \"-119/3\"\n"));
}

TEST(CheckReportText, WrapsLongFindings) {
  std::string finding;
  for (int i = 0; i < 30; ++i) finding += "word ";
  finding += "end";
  const CheckedClaim checked{commute_facts(),
                             "p.json",
                             {Rational(1, 10), Side::upper, -40, 1, {}},
                             {true, true, {finding}}};
  std::string nineteen = "  word";
  for (int i = 1; i < 19; ++i) nineteen += " word";
  EXPECT_TRUE(holds(check_text(checked),
                    nineteen + "\n  word word word word word word word word word word word end\n"))
      << check_text(checked);
}

TEST(CheckReportText, ShowsTheClaimTheFindingsAndTheVerdict) {
  CheckedClaim checked{commute_facts(),
                       "policy.json",
                       {Rational(1, 10), Side::upper, -40, 1, Rational(1)},
                       {true, true, {"P(W = -40) is positive."}}};
  EXPECT_TRUE(holds(check_text(checked),
                    "Policy 'policy.json': upper 0.1-quantile -40, reached with probability 1\n\n"
                    "  P(W = -40) is positive.\n"
                    "Check passed.\n"))
      << check_text(checked);
  EXPECT_TRUE(holds(check_json(checked), R"(  "policy": "policy.json",
  "claim": {
    "tau": "0.1",
    "side": "upper",
    "quantile": -40,
    "probability": 1,
    "probability_exact": "1",
    "upper": null
  },
  "passed": true,
  "ended_early": false,
  "optimality_checked": true,
  "findings": [
    "P(W = -40) is positive."
  ]
}
)")) << check_json(checked);
  checked.report.passed = false;
  EXPECT_TRUE(holds(check_text(checked), "Check FAILED.\n"));
}

}  // namespace
}  // namespace quantiplan
