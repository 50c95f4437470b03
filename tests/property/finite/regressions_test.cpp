// Models that once failed: regressions/*.json, each replayed against every property.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "harness/harness.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan::testing {
namespace {

// "Name-123.json" was found with seed 123, which also drew its taus and configurations.
std::uint64_t seed_of(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
  return digits < stem.size() ? std::stoull(stem.substr(digits)) : 1;
}

TEST(Regressions, HoldForEver) {
  const std::filesystem::path folder =
      std::filesystem::path(QUANTIPLAN_SOURCE_DIR) / "tests" / "property" / "regressions";
  ASSERT_TRUE(std::filesystem::exists(folder)) << folder;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const PlainModel plain = take_apart(read_model(entry.path().string()).model);
    for (const Property& property : properties())
      EXPECT_EQ(violation(property, seed_of(entry.path()), plain), "")
          << entry.path().filename() << ", " << property.name;
  }
}

}  // namespace
}  // namespace quantiplan::testing
