#include <gtest/gtest.h>

#include "report/holds.hpp"
#include "report/sample_answer.hpp"

namespace quantiplan {
namespace {

ThresholdAnswer commute_threshold() {
  ThresholdAnswer answer;
  answer.model = commute_facts();
  ThresholdResult result;
  result.target = -30;
  result.status = Status::solved;
  result.certificate = Certificate::exact;
  result.probability = exact_value("0.73");
  answer.results = {result};
  answer.engine = {"auto", "steps", "one pass answers every target"};
  answer.work.seconds = 0.01;
  return answer;
}

ThresholdAnswer bracketed() {
  ThresholdAnswer answer = commute_threshold();
  ThresholdResult& result = answer.results[0];
  result.certificate = Certificate::bracket;
  result.probability = Value{0.7299996, std::nullopt, Value::Is::lower_bound};
  result.upper = Value{0.7300004, std::nullopt, Value::Is::upper_bound};
  return answer;
}

TEST(ThresholdReport, IsATableWithASentenceForEachTarget) {
  EXPECT_EQ(threshold_text(commute_threshold()),
            "'commute': 3 states, 3 choices, 5 outcomes; horizon 3, discount 1, from 'home'\n"
            "\n"
            "target y  best P(W >= y)  certificate\n"
            "     -30            0.73  exact\n"
            "\n"
            "target -30 (exact):\n"
            "  The total is at least -30 with probability 0.73; no policy does better.\n"
            "\n"
            "Engine: steps, for --engine auto\n"
            "Why: one pass answers every target\n"
            "Work: 0.01 s, 0 passes, 0 backups, 0 breakpoints, 0 bytes\n");
}

TEST(ThresholdReport, JsonHasTheProbabilityAndWhatItIs) {
  EXPECT_TRUE(holds(threshold_json(commute_threshold()), R"({
  "format": "quantiplan-threshold/1",
  "model": {)"));
  EXPECT_TRUE(holds(threshold_json(commute_threshold()), R"(  "results": [
    {
      "target": -30,
      "status": "solved",
      "certificate": "exact",
      "probability": 0.73,
      "probability_exact": "0.73",
      "probability_is": "exact",
      "bracket": null
    }
  ],
  "engine": {)"))
      << threshold_json(commute_threshold());
  EXPECT_TRUE(holds(threshold_json(bracketed()), R"(      "certificate": "bracket",
      "probability": 0.7299996,
      "probability_is": "lower bound",
      "bracket": [0.7299996, 0.7300004]
)")) << threshold_json(bracketed());
}

TEST(ThresholdReport, BracketsAreRoundedOutwards) {
  const std::string text = threshold_text(bracketed());
  EXPECT_TRUE(holds(text, "     -30  [0.729999, 0.730001]  bracket\n")) << text;
  EXPECT_TRUE(holds(text,
                    "  The total is at least -30 with probability at least 0.729999; no policy "
                    "does better than 0.730001.\n"))
      << text;
}

// The sentence of a setting, its lines joined.
std::string threshold_sentence(const ModelFacts& facts,
                               const Total& target,
                               ThresholdAnswer answer) {
  answer.model = facts;
  answer.results[0].target = target;
  const std::string text = threshold_text(answer);
  const std::size_t begin = text.find("):\n  ") + 5;
  std::string lines = text.substr(begin, text.find("\n\n", begin) - begin);
  if (const std::size_t end = lines.find("\n  "); end != std::string::npos)
    lines.replace(end, 3, " ");
  return lines;
}

TEST(ThresholdReport, SpeaksOfCostsGoalsAndWhateverIsDone) {
  ModelFacts facts = commute_facts();
  facts.cost = true;
  EXPECT_EQ(threshold_sentence(facts, -30, commute_threshold()),
            "The cost is at most 30 with probability 0.73; no policy does better.");
  facts.goal_states = 1;
  EXPECT_EQ(threshold_sentence(facts, -30, commute_threshold()),
            "The goal is reached at a cost of at most 30 with probability 0.73; no policy does "
            "better.");
  EXPECT_EQ(threshold_sentence(facts, Total::minus_infinity(), bracketed()),
            "The goal is reached with probability at least 0.729999; no policy does better than "
            "0.730001.");
  facts.adversarial = true;
  EXPECT_EQ(threshold_sentence(facts, -30, commute_threshold()),
            "Whatever is done, the goal is reached at a cost of at most 30 with probability 0.73; "
            "no more is guaranteed.");
  facts.cost = false;
  EXPECT_EQ(threshold_sentence(facts, 12, bracketed()),
            "Whatever is done, the goal is reached with a total of at least 12 with probability at "
            "least 0.729999; no more than 0.730001 is guaranteed.");
  facts.goal_states = 0;
  EXPECT_EQ(threshold_sentence(facts, 12, commute_threshold()),
            "Whatever is done, the total is at least 12 with probability 0.73; no more is "
            "guaranteed.");
}

TEST(ThresholdReport, CostsAndInfinitiesAreTargetsAsTheUserGaveThem) {
  ThresholdAnswer answer = commute_threshold();
  answer.model.cost = true;
  answer.model.goal_states = 1;
  answer.model.adversarial = true;
  answer.results.push_back(answer.results[0]);
  answer.results[1].target = Total::minus_infinity();
  EXPECT_TRUE(holds(threshold_text(answer),
                    "target y  guaranteed P(C <= y)  certificate\n"
                    "      30                  0.73  exact\n"
                    "     inf                  0.73  exact\n"))
      << threshold_text(answer);
  EXPECT_TRUE(holds(threshold_json(answer), "\"target\": 30,"));
  EXPECT_TRUE(holds(threshold_json(answer), "\"target\": \"inf\","));
}

TEST(ThresholdReport, SaysThatItEndedEarlyAndWhatTheCheckerFound) {
  ThresholdAnswer answer = bracketed();
  ThresholdResult& result = answer.results[0];
  result.status = Status::limit_reached;
  result.check = CheckReport{true, true, {"P(W >= -30) is 0.73."}};
  EXPECT_TRUE(holds(threshold_text(answer),
                    "  Ended early, at a limit: the probability lies within the bracket.\n"
                    "  Independent check: passed.\n"
                    "    P(W >= -30) is 0.73.\n"))
      << threshold_text(answer);
  EXPECT_TRUE(holds(threshold_json(answer), R"(      "check": {
        "passed": true,)"));
  result = ThresholdResult{};
  result.status = Status::interrupted;
  EXPECT_TRUE(holds(threshold_text(answer), "Nothing is known yet: the call ended too early.\n"));
  EXPECT_TRUE(holds(threshold_json(answer), R"(      "certificate": null,
      "probability": null,
      "probability_is": null,
      "bracket": null
)")) << threshold_json(answer);
}

}  // namespace
}  // namespace quantiplan
