#include "kernels/backup.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/backup_reference.hpp"

namespace quantiplan {
namespace {

// Sizes around one block of 32, several blocks and the tail.
constexpr std::size_t kSizes[] = {0, 1, 7, 8, 31, 32, 33, 64, 258};

double pseudo_random(std::uint64_t& state) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return static_cast<double>(state >> 11U) * 0x1p-53;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  }
  return a.size() == b.size();
}

class EveryKernel : public ::testing::TestWithParam<std::string> {
 protected:
  const Kernel& kernel() const { return *find_kernel(GetParam()); }
};

TEST_P(EveryKernel, MixesToTheBitsOfTheReference) {
  constexpr double kPoison = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t seed = 1;
  for (const std::size_t size : kSizes) {
    for (std::size_t misalignment = 0; misalignment < 4; ++misalignment) {
      std::vector<std::vector<double>> arrays;
      std::vector<MixTerm> terms;
      for (const std::int64_t width : {0, 1, 5, 31, 32, 40, 300}) {
        for (const std::int64_t shift : {-400, -33, -5, -1, 0, 3, 31, 70}) {
          auto& values =
              arrays.emplace_back(static_cast<std::size_t>(width) + 64 + misalignment, kPoison);
          double* first = values.data() + 32 + misalignment;
          for (std::int64_t i = 0; i < width; ++i) first[i] = pseudo_random(seed);
          terms.push_back({pseudo_random(seed), first, shift, width});
        }
      }
      for (const std::int64_t first : {0, 32, 100}) {
        std::vector<double> expected(size + misalignment, 0.5);
        std::vector<double> found(size + misalignment, 0.5);
        mix_reference(terms, first, std::span(expected).subspan(misalignment));
        kernel().mix(terms, first, std::span(found).subspan(misalignment));
        EXPECT_TRUE(same_bits(expected, found)) << size << " from " << first;
      }
    }
  }
}

TEST_P(EveryKernel, BacksUpToTheBitsOfTheReference) {
  std::uint64_t seed = 2;
  for (const std::size_t size : kSizes) {
    // Choices of 1 to 13 terms, coarse values so that ties occur, ends other than 1 and 0.
    std::vector<std::vector<double>> arrays;
    std::vector<MixTerm> terms;
    std::vector<ChoiceTerms> choices;
    for (std::size_t choice = 0; choice < 7; ++choice) {
      for (std::size_t term = 0; term < 1 + 2 * choice; ++term) {
        const auto width = static_cast<std::int64_t>(pseudo_random(seed) * 300);
        auto& values = arrays.emplace_back(static_cast<std::size_t>(width));
        for (double& v : values) v = static_cast<int>(pseudo_random(seed) * 4) / 4.0;
        terms.push_back({1.0 / static_cast<double>(1 + 2 * choice),
                         values.data(),
                         static_cast<std::int64_t>(pseudo_random(seed) * 200) - 100,
                         width,
                         0.75,
                         0.25});
      }
      choices.push_back(
          {terms.size(), static_cast<double>(choice), static_cast<int>(choice % 3) / 4.0 - 0.25});
    }
    std::vector<double> expected[3];
    std::vector<double> found[3];
    for (int k = 0; k < 3; ++k) expected[k] = found[k] = std::vector<double>(size, 0.5);
    for (const bool with_second : {false, true}) {
      const auto best = [&](std::vector<double>(&out)[3]) {
        return Best{size, out[0].data(), with_second ? out[1].data() : nullptr, out[2].data()};
      };
      back_up_reference(terms, choices, 5, best(expected));
      kernel().back_up(terms, choices, 5, best(found));
      for (int k = 0; k < 3; ++k) EXPECT_TRUE(same_bits(expected[k], found[k])) << size << k;
    }
    kernel().back_up(terms, choices, 5, {size, found[1].data(), nullptr, nullptr});
    EXPECT_TRUE(same_bits(expected[0], found[1])) << size;
  }
}

TEST_P(EveryKernel, AddsScaledToTheBitsOfTheReference) {
  std::uint64_t seed = 3;
  for (const std::size_t size : kSizes) {
    std::vector<double> values(size);
    std::vector<double> expected(size);
    for (std::size_t i = 0; i < size; ++i) {
      values[i] = pseudo_random(seed);
      expected[i] = pseudo_random(seed);
    }
    auto found = expected;
    add_scaled_reference(0.3, values, expected);
    kernel().add_scaled(0.3, values, found);
    EXPECT_TRUE(same_bits(expected, found));
  }
}

std::vector<std::string> supported_names() {
  std::vector<std::string> names;
  for (const Kernel& k : kernels()) {
    if (k.supported()) names.emplace_back(k.name);
  }
  return names;
}
INSTANTIATE_TEST_SUITE_P(Kernels,
                         EveryKernel,
                         ::testing::ValuesIn(supported_names()),
                         [](const auto& kernel_name) {
                           std::string name = kernel_name.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(MixReference, ReadsOneBelowTheWindowAndZeroAbove) {
  const std::vector<double> values{0.75, 0.25};
  const MixTerm term{0.5, values.data(), -1, 2};
  std::vector<double> out(4);
  mix_reference({&term, 1}, 0, out);
  EXPECT_EQ(out, (std::vector<double>{0.5, 0.375, 0.125, 0}));
}

TEST(BackUpReference, KeepsTheFirstOfEqualsAndTheRunnerUp) {
  const std::vector<double> first{0.5, 0.2};
  const std::vector<double> other{0.5, 0.6};
  const std::vector<MixTerm> terms{{1, first.data(), 0, 2}, {1, other.data(), 0, 2}};
  const std::vector<ChoiceTerms> choices{{1, 0}, {2, 1}};
  std::vector<double> best(2);
  std::vector<double> second(2);
  std::vector<double> chosen(2, 9);
  back_up_reference(terms, choices, 0, {2, best.data(), second.data(), chosen.data()});
  EXPECT_EQ(best, (std::vector<double>{0.5, 0.6}));
  EXPECT_EQ(second, (std::vector<double>{0.5, 0.2}));
  EXPECT_EQ(chosen, (std::vector<double>{0, 1}));
}

TEST(Kernels, AreFoundByNameAndUnknownOnesAreNot) {
  EXPECT_EQ(find_kernel("reference")->name, "reference");
  EXPECT_NE(find_kernel("auto"), nullptr);
  EXPECT_EQ(find_kernel("no such kernel"), nullptr);
}

}  // namespace
}  // namespace quantiplan
