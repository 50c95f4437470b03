#include <gtest/gtest.h>

#include "numbers/thrown.hpp"
#include "quantiplan/model_checkers.hpp"

namespace quantiplan {
namespace {

Property one(const std::string& text) { return parse_properties(text, "--prop").properties.at(0); }
std::string property_problem(const std::string& text) {
  return thrown(ErrorCode::bad_request, [&] { static_cast<void>(one(text)); });
}

TEST(Properties, AreSorted) {
  Property p = one("Pmax=? [F{\"time\"}<=6 \"done\"]");
  EXPECT_EQ(p.kind, Property::Kind::probability);
  p = one("\"fast\": Pmin>=1/2 [ F{\"time\"}<=(2*N) x=3 & \"done\" ];");
  EXPECT_EQ(p.name, "fast");
  EXPECT_EQ(p.direction, Property::Direction::min);
  EXPECT_EQ(p.comparison, ">=");
  EXPECT_EQ(p.probability, "1/2");
  EXPECT_EQ(p.reward, "time");
  EXPECT_EQ(p.bound, "(2*N)");
  EXPECT_FALSE(p.at_least);
  EXPECT_EQ(p.goal, "x=3 & \"done\"");
  p = one("quantile(max B, Pmax>0.9 [F{\"gain\"}>=B \"done\"])");
  EXPECT_EQ(p.kind, Property::Kind::quantile);
  EXPECT_EQ(p.sought, Property::Direction::max);
  EXPECT_TRUE(p.at_least);
  p = one("R{\"time\"}max=? [C<=10]");
  EXPECT_EQ(p.kind, Property::Kind::expectation);
  EXPECT_EQ(p.steps, "10");
  p = one("P=? [true U<5 \"done\"]");
  EXPECT_EQ(p.steps, "(5)-1");
}

TEST(Properties, StandInFilesWithNamesAndConstants) {
  const PropertyList list = parse_properties(
      "// a comment\nconst int k = 2+3;\nconst int N;\n\"a\": Pmax=? [F \"x\"];\nPmin=? [F y=1];\n",
      "m.props");
  ASSERT_EQ(list.properties.size(), 2U);
  EXPECT_EQ(list.properties[0].name, "a");
  EXPECT_EQ(list.properties[1].name, "");
  EXPECT_EQ(list.undefined, std::vector<std::string>{"N"});
  EXPECT_EQ(constant_value(list.constants, "k*2", "--prop"), 10);
}

TEST(Properties, NameWhatIsOutOfScope) {
  EXPECT_EQ(property_problem("S=? [\"done\"]"),
            "--prop: column 1: found 'S', a steady-state question, which is out of scope; expected "
            "P, R or quantile of F or C<=k");
  EXPECT_EQ(property_problem("Pmax=? [F{\"a\"}<=1,{\"b\"}<=2 \"done\"]"),
            "--prop: column 18: found ',', expected a condition; bounds of several rewards are out "
            "of scope");
  EXPECT_EQ(property_problem("quantile(min B, min D, Pmax>0.1 [F{\"a\"}<=B \"done\"])"),
            "--prop: column 17: found 'min', expected a "
            "probability; quantiles of several variables are out of scope");
  EXPECT_EQ(property_problem("Pmax=? [F<=3"),
            "--prop: column 13: found the end of the text, expected an expression");
}

TEST(GoingOn, LetsThePathPassTheGoal) {
  ModelBuilder builder;
  builder.initial("a").goal("b").horizon(kInfiniteHorizon);
  builder.begin_choice("a", "x").add_outcome("b", 1, 1);
  builder.begin_choice("b", "x").add_outcome("a", 1, 1);
  const Model model = builder.build();
  const GoingOn going = go_on_at_goals(model, {});
  EXPECT_EQ(going.model.state_count(), 3U);
  EXPECT_EQ(*going.setting.goal, std::vector<std::string>{"(stopped)"});
  EXPECT_TRUE(going.model.find_choice(*going.model.find_state("b"), "stop"));
  EXPECT_FALSE(going.model.find_choice(*going.model.find_state("a"), "stop"));
  Setting costs;
  costs.cost = true;
  EXPECT_EQ(go_on_at_goals(model, costs).model.state_count(), 2U);
  Setting three;
  three.horizon = 3;
  EXPECT_EQ(go_on_at_goals(model, three).setting.horizon, 4U);
}

TEST(AlikeStarts, HaveOneAnswer) {
  ModelBuilder builder;
  builder.goal("end").horizon(kInfiniteHorizon);
  builder.begin_choice("a", "x")
      .add_outcome("end", Number("1/2"), 1)
      .add_outcome("b", Number("1/2"), 1);
  builder.begin_choice("b", "y")
      .add_outcome("a", Number("1/2"), 1)
      .add_outcome("end", Number("1/2"), 1);
  builder.begin_choice("c", "x")
      .add_outcome("end", Number("1/2"), 2)
      .add_outcome("c", Number("1/2"), 1);
  builder.begin_choice("d", "x")
      .add_outcome("end", Number("1/2"), 1)
      .add_outcome("a", Number("1/2"), 1);
  builder.begin_choice("d", "z").add_outcome("c", 1, 1);
  const Model model = builder.build();
  std::vector<State> starts;
  for (const char* name : {"c", "b", "d", "a", "end"}) starts.push_back(*model.find_state(name));
  EXPECT_EQ(alike_starts(model, starts, {}), (std::vector<std::size_t>{0, 1, 2, 1, 4}));
  Options options;
  options.reduce = Reduce::none;
  EXPECT_EQ(alike_starts(model, starts, {}, options), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace quantiplan
