// What a narrower bracket must do: lie within the wider one, and meet those of other engines.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/bracket_runs.hpp"
#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "kernels/backup.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/report.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

std::string shown_bracket(const Result& result) {
  return "[" + shown(*result.quantile) + ", " + shown(*result.upper) + "]";
}

QUANTIPLAN_PROPERTY(NarrowerBracketsLieWithinWiderOnes, awkward_model, 0.05) {
  Dice dice(c.seed ^ 0x6E657374U);
  const Query query = some_query(c, dice);
  for (const Engine engine : {Engine::lattice, Engine::levels}) {
    Options options;
    options.engine = engine;
    options.threads = 1;
    options.memory_limit_bytes = kMemoryLimit;
    static const std::vector<unsigned long> parts = {3, 1'000, 30'000};
    options.epsilon = range_of(c) > 0 ? Rational(range_of(c) / dice.pick(parts)) : Rational(1);
    const std::string name = name_of(engine) + ", epsilon " + shown(*options.epsilon);
    Answer wide = solve(c.model, query, options);
    for (const char* part : {"/8", "/64"}) {
      *options.epsilon /= 8;
      Answer narrow = solve(c.model, query, options);
      for (std::size_t i = 0; i < wide.results.size(); ++i) {
        const Result& a = wide.results[i];
        const Result& b = narrow.results[i];
        require(*a.quantile <= *b.quantile && *b.upper <= *a.upper,
                place(name + part, a.tau, a.side) + shown_bracket(b) + " is not within " +
                    shown_bracket(a));
      }
      wide = std::move(narrow);
    }
  }
}

QUANTIPLAN_PROPERTY(BracketsOfAllEnginesIntersect, awkward_model, 0.05) {
  Dice dice(c.seed ^ 0x6D656574U);
  const Query query = some_query(c, dice);
  std::vector<Result> meet;  // greatest lower end, least upper end so far
  for (const Engine engine : rounding_engines()) {
    const BracketRun run = some_run(c, engine, dice);
    const Answer answer = solve(c.model, query, run.options);
    if (meet.empty()) meet = answer.results;
    for (std::size_t i = 0; i < meet.size(); ++i) {
      const Result& found = answer.results[i];
      meet[i].quantile = std::max(*meet[i].quantile, *found.quantile);
      meet[i].upper = std::min(*meet[i].upper, *found.upper);
      require(*meet[i].quantile <= *meet[i].upper,
              place(run.name, found.tau, found.side) + shown_bracket(found) +
                  " does not meet those before");
    }
  }
}

// All that an answer says, but for how much work it was.
std::string bytes_of(const Case& c, Answer answer) {
  answer.work = {};
  ReportOptions with_distributions;
  with_distributions.distributions = true;
  std::string text = answer_json(answer, with_distributions);
  for (const Result& result : answer.results) text += format_policy(result.policy(), c.model);
  return text;
}

QUANTIPLAN_PROPERTY(BracketsAreTheSameBytesWithEveryKernelAndThread, awkward_model, 0.02) {
  Dice dice(c.seed ^ 0x6279746573U);
  Query query = some_query(c, dice);
  query.taus.resize(std::min<std::size_t>(query.taus.size(), 4));
  for (const Engine engine : rounding_engines()) {
    BracketRun run = some_run(c, engine, dice);
    run.options.kernel = "reference";
    run.options.threads = 1;
    const std::string expected = bytes_of(c, solve(c.model, query, run.options));
    for (const Kernel& kernel : kernels()) {
      if (!kernel.supported()) continue;
      run.options.kernel = kernel.name;
      run.options.threads = static_cast<std::uint32_t>(dice.between(1, 3));
      const std::string found = bytes_of(c, solve(c.model, query, run.options));
      require(found == expected,
              fmt::format("{}, but kernel {} and {} threads: other bytes\n{}instead of\n{}",
                          run.name,
                          run.options.kernel,
                          run.options.threads,
                          found,
                          expected));
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
