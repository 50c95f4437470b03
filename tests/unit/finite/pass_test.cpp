#include "finite/pass/pass.hpp"

#include <gtest/gtest.h>

#include "small_models.hpp"

namespace quantiplan {
namespace {

template <class N>
PassOutput<N> pass_of(const Model& model,
                      Representation representation,
                      Work& work,
                      const std::string& kernel = "auto",
                      unsigned threads = 1) {
  Options options;
  options.threads = threads;
  Limits limits(options);
  const Stages stages(model, resolve(model, {}), limits);
  const Windows windows(stages, ChoiceFilter(), limits);
  const Expectation<N> expectation(stages, limits);
  const PassInput<N> input{
      stages, windows, expectation, ChoiceFilter(), true, representation, find_kernel(kernel)};
  return run_pass(input, limits, work);
}

Integer binomial(unsigned long n, unsigned long k) {
  Integer out;
  mpz_bin_uiui(out.get_mpz_t(), n, k);
  return out;
}

TEST(Pass, CountsHeadsExactly) {
  const Model model = testing::coin(20);
  Work work;
  const auto output = pass_of<Rational>(model, Representation::sparse, work);
  Rational tail = 0;
  for (unsigned long heads = 20; heads > 0; --heads) {
    tail += Rational(binomial(20, heads), Integer(1) << 20);
    EXPECT_EQ(output.curve.at(static_cast<std::int64_t>(heads)), tail);
  }
  EXPECT_EQ(output.curve.at(0), 1);
  EXPECT_EQ(output.curve.at(21), 0);
}

TEST(Pass, GivesTheSameBitsSparseAndDenseAndWithEveryKernel) {
  ModelBuilder b;
  b.horizon(9).initial("a");
  b.begin_choice("a", "x").add_outcome("a", "1/3", 2).add_outcome("b", "2/3", -1);
  b.begin_choice("a", "y").add_outcome("b", "1/7", 11).add_outcome("a", "6/7", 0);
  b.begin_choice("b", "x").add_outcome("a", "1/10", 5).add_outcome("b", "9/10", 1);
  b.begin_choice("b", "z").add_outcome("a", "1/2", -3).add_outcome("end", "1/2", 7);
  const Model model = b.build();
  Work sparse_work;
  const auto sparse = pass_of<double>(model, Representation::sparse, sparse_work);
  EXPECT_EQ(sparse.dense_layers, 0U);
  for (const Kernel& kernel : kernels()) {
    if (!kernel.supported()) continue;
    for (const unsigned threads : {1U, 3U}) {
      Work work;
      const auto dense =
          pass_of<double>(model, Representation::dense, work, std::string(kernel.name), threads);
      EXPECT_EQ(dense.dense_layers, 9U);
      for (std::int64_t y = sparse.curve.sure - 1; y <= sparse.curve.possible + 1; ++y) {
        EXPECT_EQ(dense.curve.at(y), sparse.curve.at(y));
        if (y <= sparse.curve.sure || y > sparse.curve.possible) continue;
        EXPECT_EQ(dense.decisions->at(0, 0, y).choice, sparse.decisions->at(0, 0, y).choice);
        EXPECT_EQ(dense.decisions->at(0, 0, y).contested, sparse.decisions->at(0, 0, y).contested);
      }
    }
  }
}

TEST(Pass, IsMonotoneAndWithinTheBoundOfTheExactOne) {
  const Model model = testing::coin(60);
  Work work;
  const auto exact = pass_of<Rational>(model, Representation::sparse, work);
  const auto floating = pass_of<double>(model, Representation::automatic, work);
  const Rational bound(Integer(60 * 4), (Integer(1) << 53) - 60 * 4);
  for (std::int64_t y = 1; y <= 60; ++y) {
    const Rational truth = exact.curve.at(y);
    const Rational found(floating.curve.at(y));
    EXPECT_LE(abs(found - truth), truth * bound);
    EXPECT_LE(floating.curve.at(y), floating.curve.at(y - 1));
  }
}

TEST(Pass, MarksEqualChoicesAsContestedInDoublesOnly) {
  ModelBuilder b;
  b.horizon(1).initial("s");
  b.begin_choice("s", "a").add_outcome("e", "1/2", 1).add_outcome("e", "1/2", 0);
  b.begin_choice("s", "b").add_outcome("e", "1/2", 1).add_outcome("e", "1/2", -1);
  const Model model = b.build();
  Work work;
  EXPECT_TRUE(pass_of<double>(model, Representation::dense, work).decisions->at(0, 0, 1).contested);
  EXPECT_FALSE(
      pass_of<Rational>(model, Representation::sparse, work).decisions->at(0, 0, 1).contested);
}

TEST(Pass, StaysSparseWhereRewardsAreFarApart) {
  ModelBuilder b;
  b.horizon(6).initial("s");
  b.begin_choice("s", "a").add_outcome("s", "1/2", 1).add_outcome("s", "1/2", 100'000'000);
  const Model model = b.build();
  Work work;
  const auto output = pass_of<double>(model, Representation::automatic, work);
  EXPECT_EQ(output.dense_layers, 0U);
  EXPECT_EQ(output.curve.upto.size(), 6U);
}

}  // namespace
}  // namespace quantiplan
