// What must not matter, and what must move along: threads, and rewards shifted or scaled.
#include <gtest/gtest.h>

#include "harness/comparisons.hpp"
#include "harness/configurations.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

bool same(const Value& a, const Value& b) { return a.nearest == b.nearest && a.exact == b.exact; }

bool same(const Result& a, const Result& b) {
  return a.status == b.status && a.certificate == b.certificate && a.quantile == b.quantile &&
         a.upper == b.upper && same(*a.probability, *b.probability) && same(*a.mean, *b.mean) &&
         same(a.expectation_policy->mean, b.expectation_policy->mean) &&
         a.expectation_policy->quantile == b.expectation_policy->quantile &&
         same(a.expectation_policy->probability, b.expectation_policy->probability);
}

bool same(const Policy& a, const Policy& b) {
  if (a.target != b.target || a.rules.size() != b.rules.size()) return false;
  for (std::size_t i = 0; i < a.rules.size(); ++i) {
    if (a.rules[i].time != b.rules[i].time || a.rules[i].state != b.rules[i].state ||
        a.rules[i].runs.size() != b.rules[i].runs.size())
      return false;
    for (std::size_t j = 0; j < a.rules[i].runs.size(); ++j)
      if (a.rules[i].runs[j].upto != b.rules[i].runs[j].upto ||
          a.rules[i].runs[j].choice != b.rules[i].runs[j].choice)
        return false;
  }
  return true;
}

void require_threads_do_not_matter(Case& c) {
  for (Configuration configuration : some_configurations(c.seed)) {
    configuration.options.threads = 1;
    const Answer one = solve(c.model, c.query(), configuration.options);
    for (const std::uint32_t threads : {1U, 2U, 3U}) {
      configuration.options.threads = threads;
      const Answer many = solve(c.model, c.query(), configuration.options);
      const std::string where = configuration.name + " with " + std::to_string(threads) + ": ";
      require(
          one.work.backups == many.work.backups && one.work.breakpoints == many.work.breakpoints &&
              one.work.multiply_adds == many.work.multiply_adds &&
              one.work.passes == many.work.passes && one.work.exact_nodes == many.work.exact_nodes,
          where + "the work differs");
      for (std::size_t i = 0; i < one.results.size(); ++i)
        require(same(one.results[i], many.results[i]), where + "the answer differs");
      require(same(one.results.front().policy(), many.results.front().policy()),
              where + "the policy differs");
    }
  }
}

QUANTIPLAN_PROPERTY(ThreadsDoNotMatter, tiny_model, 0.05) { require_threads_do_not_matter(c); }
QUANTIPLAN_PROPERTY(ThreadsDoNotMatterInLargerModels, larger_model, 0.003) {
  require_threads_do_not_matter(c);
}

// Every reward r becomes scale * r + shift.
PlainModel changed(PlainModel plain, const Rational& scale, const Rational& shift) {
  for (PlainState& state : plain.states)
    for (PlainChoice& choice : state.choices)
      for (PlainOutcome& o : choice.outcomes) o.reward = scale * o.reward + shift;
  return plain;
}

// Every quantile q must become scale * q + shift.
void require_moves_along(Case& c,
                         const Model& other,
                         const Rational& scale,
                         const Rational& shift) {
  for (const Configuration& configuration : some_configurations(c.seed)) {
    const Answer before = solve(c.model, c.query(), configuration.options);
    const Answer after = solve(other, c.query(), configuration.options);
    for (std::size_t i = 0; i < before.results.size(); ++i) {
      const Result& a = before.results[i];
      const Result& b = after.results[i];
      const std::string where = place(configuration.name, a.tau, a.side);
      require(*b.quantile == Rational(a.quantile->value() * scale + shift),
              where + shown(*a.quantile) + " became " + shown(*b.quantile));
      require_probability(
          c, *b.probability, c.expected(a.tau, a.side).probability, where + "probability");
    }
  }
}

QUANTIPLAN_PROPERTY(QuantilesScaleWithTheRewards, tiny_model, 0.05) {
  for (const Rational& scale : {Rational(3), Rational(1, 7), Rational(5, 2)})
    require_moves_along(c, build(changed(c.plain, scale, 0)), scale, 0);
}

QUANTIPLAN_PROPERTY(QuantilesShiftWithTheRewardsOfEpisodesOfOneLength, tiny_model, 0.1) {
  for (const PlainState& state : c.plain.states)
    if (state.choices.empty()) return;
  Rational steps = 0;  // 1 + gamma + ... + gamma^(T-1)
  for (std::uint64_t t = 0; t < c.plain.horizon; ++t) steps = 1 + c.plain.discount * steps;
  for (const Rational& shift : {Rational(-4), Rational(1, 3)})
    require_moves_along(c, build(changed(c.plain, 1, shift)), 1, shift * steps);
}

}  // namespace
}  // namespace quantiplan::testing
