// What the documents show is what the readers accept.
#include <gtest/gtest.h>

#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

// The first ```language block of a document.
std::string block(const std::string& document, const std::string& language) {
  const std::string text = read_text(QUANTIPLAN_SOURCE_DIR "/docs/" + document);
  const std::string fence = "```" + language + "\n";
  const std::size_t begin = text.find(fence) + fence.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

TEST(Documents, TheModelsShownAreRead) {
  EXPECT_EQ(parse_model(block("model-format.md", "json"), Format::json, "").model.outcome_count(),
            5U);
  EXPECT_EQ(parse_model(block("model-format.md", "csv"), Format::csv, "").model.outcome_count(),
            5U);
}

TEST(Documents, ThePolicyShownIsReadAndWrittenAsShown) {
  const Model model = parse_model(block("model-format.md", "json"), Format::json, "").model;
  const std::string shown = block("policy-format.md", "json");
  EXPECT_EQ(format_policy(parse_policy(shown, model, ""), model), shown);
}

}  // namespace
}  // namespace quantiplan
