#include "io/format_table.hpp"

#include <gtest/gtest.h>

#include "io/format_of.hpp"

namespace quantiplan {
namespace {

TEST(FormatTable, HasARowForEachFormatAtItsPlace) {
  ASSERT_EQ(format_table().size(), static_cast<std::size_t>(Format::storm_tra) + 1);
  for (std::size_t i = 0; i < format_table().size(); ++i) {
    const auto format = static_cast<Format>(i);
    EXPECT_EQ(row_of(format).info.format, format);
    EXPECT_EQ(model_formats().at(i).name, row_of(format).info.name);
  }
}

TEST(FormatTable, EndingsSayTheFormat) {
  for (const FormatRow& row : format_table()) {
    if (row.info.endings.empty()) continue;  // a variant, which has to be asked for
    EXPECT_EQ(row.info.endings.front(), "." + std::string(row.info.name));
    for (const std::string_view ending : row.info.endings)
      EXPECT_EQ(format_of_ending("model" + std::string(ending)), row.info.format) << ending;
  }
  EXPECT_EQ(format_of_ending("MODEL.DTMC"), Format::prism);
  EXPECT_EQ(format_of_ending("model.txt"), std::nullopt);
}

TEST(FormatTable, NamesStandInARow) {
  EXPECT_EQ(format_names(".", ", ", " or "), ".json, .csv, .prism, .tra, .drn or .umb");
  EXPECT_EQ(format_names("", "|", "|"), "json|csv|prism|tra|drn|umb|tra-decimals|storm-tra");
}

TEST(FormatTable, WhatARowWritesItReads) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "go").add_outcome("s", "1/3", 2).add_outcome("end", "2/3", 2);
  const Model model = b.build();
  for (const FormatRow& row : format_table()) {
    if (row.format == nullptr) continue;
    const std::string text = format_model(model, row.info.format);
    const Model read = parse_model(text, row.info.format, "written").model;
    const Outcome& back = read.outcomes(Choice{0})[0];
    EXPECT_EQ(read.probability(back), Rational(1, 3)) << row.info.name;
    EXPECT_EQ(read.reward(back), 2) << row.info.name;
  }
  EXPECT_EQ(files_written("a/m.tra", Format::tra),
            (std::vector<std::string>{"a/m.tra", "a/m.lab", "a/m.sta", "a/m.srew", "a/m.trew"}));
  EXPECT_EQ(files_written("a/m.drn", Format::drn), std::vector<std::string>{"a/m.drn"});
}

}  // namespace
}  // namespace quantiplan
