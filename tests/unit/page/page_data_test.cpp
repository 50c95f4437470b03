#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <string>

#include "domains/garnet.hpp"
#include "page/page_json.hpp"
#include "page/page_prices.hpp"
#include "page/policy_table.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/page.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

Model example_of_page(const std::string& name) {
  return read_model(std::string(QUANTIPLAN_SOURCE_DIR) + "/examples/" + name).model;
}

rapidjson::Document parsed(const PageData& data) {
  rapidjson::Document json;
  json.Parse(data.json.c_str());
  EXPECT_FALSE(json.HasParseError());
  return json;
}

PageQuery asking(const std::string& tau) {
  PageQuery query;
  query.taus = {Number::parse(tau).rational()};
  return query;
}

TEST(PageData, HasTheTausAskedForAndNineMore) {
  const PageData data = page_data(example_of_page("commute.json"), asking("0.3"));
  const auto json = parsed(data);
  const auto& points = json["points"].GetArray();
  ASSERT_EQ(points.Size(), 10U);
  std::size_t asked = 0;
  for (const auto& point : points)
    if (point["asked"].GetBool()) ++asked;
  EXPECT_EQ(asked, 1U);
  EXPECT_STREQ(points[4]["tau"].GetString(), "0.3");
  EXPECT_STREQ(points[4]["quantile"].GetString(), "-25");
  EXPECT_TRUE(points[4]["best"].HasMember("law"));
  ASSERT_EQ(data.answer.results.size(), 1U);
  EXPECT_EQ(*data.answer.results[0].quantile, -25);
  EXPECT_TRUE(data.left_out.empty());
}

TEST(PageData, LeavesOutWhatDoesNotFitAndSaysSo) {
  PageQuery query = asking("0.1");
  query.most_bytes = 30'000;
  const PageData data = page_data(example_of_page("datacenter.json"), query);
  const auto json = parsed(data);
  const auto shown = json["play"]["shown"].GetUint64();
  EXPECT_GT(shown, 0U);
  EXPECT_LT(shown, 75U);
  EXPECT_EQ(json["play"]["reachable"].GetUint64(), 75U);
  EXPECT_LT(data.json.size(), 80'000U);  // with the curve and the sentences
  ASSERT_EQ(data.left_out.size(), 2U);
  EXPECT_NE(data.left_out[0].find("those met most"), std::string::npos) << data.left_out[0];
  EXPECT_NE(data.left_out[1].find("for the size of the file"), std::string::npos);
  // The initial state is always there.
  EXPECT_STREQ(json["play"]["states"][0].GetString(), "on=3,jobs=5");
}

TEST(PageData, HasTheDecisionsOfThePricesAsFarAsTheyFit) {
  const auto whole = parsed(page_data(example_of_page("datacenter.json"), asking("0.1")));
  const auto& points = whole["prices"][0]["points"].GetArray();
  ASSERT_GE(points.Size(), 10U);
  for (const auto& point : points) {
    ASSERT_EQ(point.Size(), 5U);
    // The target, in steps of the table, is no less than the level that is promised: a policy with
    // the best mean may promise more.
    EXPECT_STREQ(point[4]["unit"].GetString(), "1");
    EXPECT_GE(point[4]["target"].GetInt64(), std::stol(point[0].GetString()));
  }
  PageQuery query = asking("0.1");
  query.most_bytes = 60'000;
  const auto small = parsed(page_data(example_of_page("datacenter.json"), query));
  for (const auto& point : small["prices"][0]["points"].GetArray()) EXPECT_GE(point.Size(), 4U);
}

// Too much for `solve` unless it is asked for, and found for the price of the promise in any case.
TEST(PageData, TakesTheBestMeanFromThePricesWhereSolveLeavesItOut) {
  GarnetParameters parameters;
  parameters.states = 60;
  parameters.horizon = 10;
  parameters.seed = 3;
  parameters.greatest_reward = 20;
  const Model model = garnet(parameters);
  Options options;
  options.arithmetic = Arithmetic::exact;
  const PageData data = page_data(model, asking("0.1"), options);
  EXPECT_NE(data.answer.engine.left_out.find("--prefer mean"), std::string::npos);
  const auto json = parsed(data);
  for (const auto& point : json["points"].GetArray()) {
    EXPECT_EQ(point.HasMember("kept"), point["asked"].GetBool());
    if (!point["asked"].GetBool()) continue;
    Query query;
    query.taus = {Rational(1, 10)};
    query.prefer = Prefer::mean;
    const Result result = solve(model, query, options).results[0];
    EXPECT_EQ(point["kept"]["mean"][0].GetDouble(), result.mean->nearest);
    EXPECT_EQ(point["kept"]["probability"][0].GetDouble(), result.probability->nearest);
    EXPECT_TRUE(point["kept"].HasMember("law"));
    EXPECT_TRUE(point["kept"].HasMember("table"));
  }
  ASSERT_EQ(data.left_out.size(), 1U);
  EXPECT_EQ(data.left_out[0].rfind("More values of tau: the best mean", 0), 0U) << data.left_out[0];
}

TEST(PagePrices, AreTakenFromTheEndsAndThenInBetween) {
  EXPECT_EQ(spread_order(0), std::vector<std::size_t>{});
  EXPECT_EQ(spread_order(1), std::vector<std::size_t>{0});
  EXPECT_EQ(spread_order(2), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(spread_order(7), (std::vector<std::size_t>{6, 0, 3, 1, 4, 2, 5}));
}

TEST(PageData, SaysWhatASettingHasNot) {
  PageQuery query = asking("0.1");
  query.setting.adversarial = true;
  query.sides = Sides::upper;
  const PageData data = page_data(example_of_page("commute.json"), query);
  ASSERT_FALSE(data.left_out.empty());
  EXPECT_NE(data.left_out.back().find("adversary's"), std::string::npos);
  EXPECT_FALSE(parsed(data).HasMember("table"));
}

TEST(PageData, RefusesWhatSolveRefuses) {
  EXPECT_THROW(page_data(example_of_page("commute.json"), PageQuery{}), Error);
  EXPECT_THROW(page_data(example_of_page("commute.json"), asking("2")), Error);
}

TEST(PageJson, CannotEndTheScriptItStandsIn) {
  PageJson json;
  json.begin_object().key("name").name("</script><img src=x onerror=alert(1)>&\x1b");
  const std::string text = inert_json(json.end_object().str());
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  rapidjson::Document back;
  back.Parse(text.c_str());
  EXPECT_STREQ(back["name"].GetString(), "</script><img src=x onerror=alert(1)>&\\x1b");
}

TEST(PageJson, TellsWhatIsKnownOfAValue) {
  PageJson json;
  json.begin_list().value(Value::exactly(Rational(1, 3)));
  json.value(Value::between(Rational(1, 2), Rational(3, 4))).value(Value{0.25}).end_list();
  EXPECT_EQ(json.str(), R"([[0.3333333333333333,"1/3"],[0.5,null,"lower bound",0.75],[0.25]])");
}

// Rewards of 1/2 and 3/4 are multiples of 1/4; with a discount of 2/3 over 3 steps, of 1/36.
TEST(PolicyTable, CountsInAUnitThatNoRewardLeaves) {
  ModelBuilder builder;
  builder.horizon(3).initial("a");
  builder.begin_choice("a", "x").add_outcome("a", "1/2", "1/2").add_outcome("a", "1/2", "3/4");
  const Model model = builder.build();
  Policy policy;
  policy.setting = resolve(model, {});
  EXPECT_EQ(table_unit(model, policy), Rational(1, 4));
  policy.setting.discount = Rational(2, 3);
  EXPECT_EQ(table_unit(model, policy), Rational(1, 36));
  policy.grid = PolicyGrid{Rational(1, 7), {}};
  EXPECT_EQ(table_unit(model, policy), Rational(1, 7));
}

}  // namespace
}  // namespace quantiplan
