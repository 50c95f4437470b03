#include "harness/harness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/random_model.hpp"
#include "harness/shrink.hpp"

namespace quantiplan::testing {
namespace {

std::filesystem::path failure_folder() {
  if (const char* folder = std::getenv("QUANTIPLAN_FAILURES")) return folder;
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  return none ? std::filesystem::temp_directory_path() : program.parent_path();
}

std::string save(const Property& property, std::uint64_t seed, const PlainModel& plain) {
  const std::filesystem::path folder = failure_folder();
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const std::filesystem::path file =
      folder / (std::string(property.name) + "-" + std::to_string(seed) + ".json");
  std::ofstream(file) << json_text(plain);
  return file.string();
}

std::vector<Rational> interesting_taus(std::uint64_t seed,
                                       Reference& reference,
                                       const std::optional<std::vector<Law>>& laws) {
  constexpr std::size_t kMostOfEach = 6;
  Dice dice(seed ^ 0x746175U);
  std::vector<Rational> taus{0, 1, Rational(static_cast<unsigned long>(dice.between(1, 96)), 97)};
  const auto steps = reference.steps();
  for (std::size_t i = 0; i < std::min(steps.size(), kMostOfEach); ++i)
    taus.emplace_back(1 - dice.pick(steps).probability);
  for (std::size_t i = 0; laws && i < kMostOfEach; ++i) {
    const Law& law = dice.pick(*laws);
    auto atom = law.begin();
    std::advance(atom, static_cast<std::ptrdiff_t>(dice.below(law.size())));
    taus.emplace_back(1 - at_least(law, atom->first));
  }
  std::sort(taus.begin(), taus.end());
  taus.erase(std::unique(taus.begin(), taus.end()), taus.end());
  return taus;
}

}  // namespace

Case::Case(std::uint64_t case_seed, PlainModel plain_model)
    : seed(case_seed),
      plain(std::move(plain_model)),
      model(build(plain)),
      reference(plain),
      outlook(plain),
      laws_(plain.states.size() <= 5 ? all_laws(plain, kMostLaws) : std::nullopt) {
  taus = interesting_taus(seed, reference, laws_);
}

Optimum Case::expected(const Rational& tau, Side side) {
  return laws_ ? optimum(*laws_, tau, side) : reference.optimum(tau, side);
}

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw Violation(otherwise);
}

std::string shown(const Rational& value) {
  const std::string text = value.get_str();
  return text.size() <= 60 ? text : text.substr(0, 25) + "..." + text.substr(text.size() - 25);
}
std::string shown(const Total& value) {
  return value.is_finite() ? shown(value.value()) : to_text(value);
}
std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::vector<Property>& properties() {
  static std::vector<Property> all;
  return all;
}

std::string violation(const Property& property, std::uint64_t seed, const PlainModel& plain) {
  if (!property.fits(plain)) return {};
  try {
    property.body(seed, plain);
  } catch (const std::exception& e) {
    return *e.what() == '\0' ? "an exception without a word" : e.what();
  }
  return {};
}

std::uint64_t case_count(double share) {
  const char* text = std::getenv("QUANTIPLAN_PROPERTY_CASES");
  const double cases = text != nullptr ? std::strtod(text, nullptr) : 600;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(cases * share));
}

void run_property(const char* name, MakeModel make, std::uint64_t cases) {
  const auto property =
      std::find_if(properties().begin(), properties().end(), [&](const Property& p) {
        return p.name == std::string(name);
      });
  ASSERT_NE(property, properties().end());
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const PlainModel model = make(seed);
    const std::string found = violation(*property, seed, model);
    if (found.empty()) continue;
    // A model that the library rightly refuses shows nothing.
    const auto fails = [&](const PlainModel& candidate) {
      try {
        static_cast<void>(resolve(build(candidate), {}));
      } catch (const Error&) {
        return false;
      }
      return !violation(*property, seed, candidate).empty();
    };
    const PlainModel small = shrink(model, fails);
    FAIL() << "seed " << seed << ": " << found << "\nshrunk: " << violation(*property, seed, small)
           << "\n"
           << json_text(small) << "saved as " << save(*property, seed, small);
  }
}

}  // namespace quantiplan::testing
