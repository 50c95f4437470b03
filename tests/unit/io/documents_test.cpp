// What the documents show is what the readers accept.
#include <gtest/gtest.h>

#include "policy/residual_rules.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/run.hpp"

namespace quantiplan {
namespace {

// The first ```language block of a document, or the first after `skipped` others.
std::string block(const std::string& document, const std::string& language, int skipped = 0) {
  const std::string text = read_text(QUANTIPLAN_SOURCE_DIR "/docs/" + document);
  const std::string fence = "```" + language + "\n";
  std::size_t begin = text.find(fence) + fence.size();
  for (; skipped > 0; --skipped) begin = text.find(fence, begin) + fence.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

TEST(Documents, TheModelsShownAreRead) {
  EXPECT_EQ(parse_model(block("model-format.md", "json"), Format::json, "").model.outcome_count(),
            5U);
  EXPECT_EQ(parse_model(block("model-format.md", "csv"), Format::csv, "").model.outcome_count(),
            5U);
}

TEST(Documents, TheModelWithoutEndIsReadAndWrittenAsShown) {
  const std::string shown = block("model-format.md", "json", 1);
  const Model model = parse_model(shown, Format::json, "").model;
  EXPECT_EQ(format_model(model, Format::json), shown);
  EXPECT_EQ(model.horizon(), kInfiniteHorizon);
}

TEST(Documents, TheModelsOfOtherWealthsAreReadAndWrittenAsShown) {
  constexpr int kFirst = 2;
  constexpr int kModels = 7;
  for (int i = kFirst; i < kFirst + kModels; ++i) {
    const std::string shown = block("model-format.md", "json", i);
    const Model model = parse_model(shown, Format::json, "").model;
    EXPECT_FALSE(model.wealth().is_sum()) << shown;
    EXPECT_EQ(format_model(model, Format::json), shown);
  }
}

TEST(Documents, TheWeightsShownFitTheModel) {
  std::string text = read_text(QUANTIPLAN_SOURCE_DIR "/examples/service.json");
  const std::string document = read_text(QUANTIPLAN_SOURCE_DIR "/docs/model-format.md");
  const std::string begin = "    \"wealth\": {\"kind\": \"weighted counts\"";
  const std::size_t shown = document.find(begin);
  ASSERT_NE(shown, std::string::npos);
  const std::size_t replaced = text.find("  \"wealth\"");
  text.replace(replaced,
               text.find('\n', replaced) - replaced,
               document.substr(shown, document.find('\n', shown) - shown) + ",");
  EXPECT_EQ(parse_model(text, Format::json, "").model.wealth().weights[2], Rational(7, 2));
}

TEST(Documents, ThePolicyThatGoesByWealthIsReadAndWrittenAsShown) {
  const Model model = read_model(QUANTIPLAN_SOURCE_DIR "/examples/service.json").model;
  const std::string shown = block("policy-format.md", "json", 3);
  const Policy policy = parse_policy(shown, model, "");
  EXPECT_EQ(policy.wealths, std::vector<std::string>{"2 gold, 1 silver"});
  EXPECT_EQ(format_policy(policy, model), shown);
}

TEST(Documents, ThePolicyWithoutEndWaitsTwiceAndThenWalks) {
  const Model model = parse_model(block("model-format.md", "json", 1), Format::json, "").model;
  const std::string shown = block("policy-format.md", "json", 1);
  const Policy policy = parse_policy(shown, model, "");
  EXPECT_EQ(format_policy(policy, model), shown);
  auto run = start(model, policy);
  for (const int may_spend : {8, 7}) {
    EXPECT_EQ(run.target(), may_spend);
    EXPECT_EQ(model.action_name(run.act()), "wait");
    run.observe(1, run.state());
  }
  EXPECT_EQ(run.target(), 6);
  EXPECT_EQ(model.action_name(run.act()), "walk");
}

TEST(Documents, TheMixtureIsReadAndWrittenAsShown) {
  const Model model = parse_model(block("model-format.md", "json"), Format::json, "").model;
  const std::string shown = block("policy-format.md", "json", 4);
  const Policy policy = parse_policy(shown, model, "");
  ASSERT_EQ(policy.mixture.size(), 2U);
  EXPECT_EQ(policy.mixture[0].weight, Rational(50, 99));
  EXPECT_EQ(policy.mixture[1].policy.setting.horizon, 3U);
  EXPECT_EQ(format_policy(policy, model), shown);
}

TEST(Documents, ThePoliciesShownAreReadAndWrittenAsShown) {
  const Model model = parse_model(block("model-format.md", "json"), Format::json, "").model;
  for (const int skipped : {0, 2}) {
    const std::string shown = block("policy-format.md", "json", skipped);
    EXPECT_EQ(format_policy(parse_policy(shown, model, ""), model), shown);
  }
}

TEST(Documents, TheIndicesOfThePolicyOnAGridAreThoseShown) {
  const Model model = parse_model(block("model-format.md", "json"), Format::json, "").model;
  const Policy policy = parse_policy(block("policy-format.md", "json", 2), model, "");
  EXPECT_EQ(first_residual(policy), -12);
  EXPECT_EQ(next_residual(policy, 0, -12, -10), -14);
  EXPECT_EQ(next_residual(policy, 1, -14, -15), 0);
}

}  // namespace
}  // namespace quantiplan
