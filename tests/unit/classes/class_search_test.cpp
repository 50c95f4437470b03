#include "classes/class_search.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

// Classes whose greatest chances are given.
class GivenChances : public PreferenceProblem {
 public:
  explicit GivenChances(std::vector<Rational> chances) : chances_(std::move(chances)) {}
  bool lay_out(Limits&) override { return true; }
  [[nodiscard]] std::vector<WealthId> classes() const override {
    return std::vector<WealthId>(chances_.size());
  }
  std::optional<std::vector<double>> chances(std::span<const std::uint32_t> classes,
                                             Limits&) override {
    ++passes;
    std::vector<double> out;
    out.reserve(classes.size());
    for (const std::uint32_t k : classes) out.push_back(to_nearest_double(chances_[k]));
    return out;
  }
  std::optional<Rational> exact_chance(std::uint32_t k, Limits&) override { return chances_[k]; }
  std::optional<bool> is_sure(std::uint32_t k, Limits&) override { return chances_[k] == 1; }
  std::optional<bool> is_possible(std::uint32_t k, Limits&) override { return chances_[k] > 0; }
  Policy policy(std::uint32_t, PreferenceMethod, Limits&) override { return {}; }
  [[nodiscard]] std::uint64_t products() const override { return 1; }
  [[nodiscard]] bool answers_all_at_once() const override { return false; }
  [[nodiscard]] std::string name() const override { return "given"; }
  void add_work(Work&) const override {}

  int passes = 0;

 private:
  std::vector<Rational> chances_;
};

class ClassSearchTest : public ::testing::Test {
 protected:
  ClassSearch search(std::vector<Rational> chances, bool exactly = false) {
    problem_ = std::make_shared<GivenChances>(std::move(chances));
    return {problem_, RoundingBound::of_backward_pass(1, 2), exactly, limits_};
  }
  Options options_;
  Limits limits_{options_};
  std::shared_ptr<GivenChances> problem_;
};

TEST_F(ClassSearchTest, FindsTheGreatestClassWhoseChanceMeetsTheDemand) {
  ClassSearch all = search({1, Rational(4, 5), Rational(1, 2), Rational(1, 5)});
  const FoundClass found = all.find({Rational(3, 10), Side::lower});
  EXPECT_EQ(found.position, 1U);
  EXPECT_EQ(found.beyond, 2U);
  EXPECT_LE(found.probability.least(), Rational(4, 5));
  EXPECT_GE(found.probability.greatest(), Rational(4, 5));
}

TEST_F(ClassSearchTest, TellsTheSidesApartAtATie) {
  for (const bool exactly : {false, true}) {
    ClassSearch all = search({1, Rational(4, 5), Rational(1, 2)}, exactly);
    EXPECT_EQ(all.find({Rational(1, 5), Side::lower}).position, 0U);
    EXPECT_EQ(all.find({Rational(1, 5), Side::upper}).position, 1U);
    EXPECT_EQ(all.find({Rational(1, 2), Side::lower}).position, 1U);
    EXPECT_EQ(all.find({Rational(1, 2), Side::upper}).position, 2U);
  }
}

TEST_F(ClassSearchTest, AsksTheGraphWhatIsSureAndWhatIsPossible) {
  ClassSearch all = search({1, 1, Rational(1, 1000), 0});
  EXPECT_EQ(all.find({Rational(0), Side::upper}).position, 1U);
  EXPECT_EQ(all.find({Rational(1), Side::lower}).position, 2U);
}

TEST_F(ClassSearchTest, AsksForAllAtOnceWhereThatIsFewer) {
  ClassSearch all = search({1, Rational(4, 5), Rational(1, 2), Rational(1, 5)});
  all.prepare(1);
  EXPECT_TRUE(all.asked_all_at_once());
  EXPECT_EQ(problem_->passes, 1);
  EXPECT_EQ(all.find({Rational(9, 10), Side::lower}).position, 3U);
  EXPECT_EQ(problem_->passes, 1);
}

TEST_F(ClassSearchTest, KnowsTheChanceOfEveryClass) {
  ClassSearch all = search({1, Rational(4, 5), 0}, true);
  const auto chances = all.all();
  ASSERT_TRUE(chances);
  ASSERT_EQ(chances->size(), 3U);
  EXPECT_EQ(*(*chances)[1].exact, Rational(4, 5));
  EXPECT_EQ(*(*chances)[2].exact, 0);
}

TEST_F(ClassSearchTest, KnowsTheChanceOfOneClass) {
  ClassSearch rounded = search({1, 1, Rational(1, 3), 0});
  rounded.ask_together({1, 2, 3});
  EXPECT_EQ(problem_->passes, 1);
  EXPECT_EQ(rounded.chance(0)->low.exact, Rational(1));
  EXPECT_EQ(rounded.chance(1)->high.exact, Rational(1));
  EXPECT_EQ(rounded.chance(1)->method, PreferenceMethod::sure);
  const ClassChance third = *rounded.chance(2);
  EXPECT_FALSE(third.low.exact);
  EXPECT_LT(third.low.least(), Rational(1, 3));
  EXPECT_GT(third.high.greatest(), Rational(1, 3));
  EXPECT_EQ(third.method, PreferenceMethod::real);
  EXPECT_EQ(rounded.chance(3)->high.exact, Rational(0));
  EXPECT_EQ(problem_->passes, 1);
  ClassSearch exact = search({1, 1, Rational(1, 3), 0}, true);
  EXPECT_EQ(exact.chance(2)->low.exact, Rational(1, 3));
  EXPECT_EQ(exact.chance(2)->method, PreferenceMethod::exact);
}

}  // namespace
}  // namespace quantiplan
