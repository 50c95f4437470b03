#include "harness/golden_case.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace quantiplan::testing {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return fs::path(QUANTIPLAN_SOURCE_DIR) / "tests/golden"; }

}  // namespace

std::vector<std::string> golden_cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder()))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string test_name(std::string golden_case) {
  std::replace(golden_case.begin(), golden_case.end(), '-', '_');
  return golden_case;
}

Rational number_in(const rapidjson::Value& value) {
  return Number::parse(value.GetString()).rational();
}

Total total_in(const rapidjson::Value& value) {
  const std::string text = value.GetString();
  if (text == "miss") return Total::miss();
  if (text == "-inf") return Total::minus_infinity();
  if (text == "inf") return Total::plus_infinity();
  return number_in(value);
}

Side side_in(const rapidjson::Value& value) {
  return std::string(value.GetString()) == "lower" ? Side::lower : Side::upper;
}

GoldenCase::GoldenCase(std::string name)
    : read(read_model((folder() / name / "model.json").string())), name_(std::move(name)) {
  expected = json("expected.json");
}

fs::path GoldenCase::file(const char* name) const { return folder() / name_ / name; }

rapidjson::Document GoldenCase::json(const char* name) const {
  rapidjson::Document document;
  document.Parse(read_text(file(name).string()).c_str());
  if (document.HasParseError()) throw std::runtime_error("no JSON: " + file(name).string());
  return document;
}

Query GoldenCase::query() const {
  const rapidjson::Document text = json("query.json");
  Query query;
  for (const rapidjson::Value& tau : text["taus"].GetArray()) query.taus.push_back(number_in(tau));
  const std::string sides = text["sides"].GetString();
  query.sides = sides == "both" ? Sides::both : sides == "lower" ? Sides::lower : Sides::upper;
  query.prefer = Prefer::probability;
  query.setting.adversarial = text.HasMember("adversarial") && text["adversarial"].GetBool();
  return query;
}

}  // namespace quantiplan::testing
