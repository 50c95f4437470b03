// What the documents show is what the readers accept.
#include <gtest/gtest.h>

#include "quantiplan/formats.hpp"

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

TEST(Documents, ThePoliciesShownAreReadAndWrittenAsShown) {
  const Model model = parse_model(block("model-format.md", "json"), Format::json, "").model;
  for (const int skipped : {0, 1}) {
    const std::string shown = block("policy-format.md", "json", skipped);
    EXPECT_EQ(format_policy(parse_policy(shown, model, ""), model), shown);
  }
}

TEST(Documents, TheIndicesOfThePolicyOnAGridAreThoseShown) {
  const Model model = parse_model(block("model-format.md", "json"), Format::json, "").model;
  const Policy policy = parse_policy(block("policy-format.md", "json", 1), model, "");
  EXPECT_EQ(policy.first_residual(), -12);
  EXPECT_EQ(policy.next_residual(0, -12, -10), -14);
  EXPECT_EQ(policy.next_residual(1, -14, -15), 0);
}

}  // namespace
}  // namespace quantiplan
