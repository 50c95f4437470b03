// The single pass against the paper's Algorithm 1 + 2, at equal answers, one thread each.
#include <fmt/format.h>

#include "agreement.hpp"
#include "cases.hpp"
#include "quantiplan/solve.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

Contender contender(const std::string& name,
                    const Model& model,
                    const Query& query,
                    Engine engine) {
  return {name, [&model, query, engine] { return solve(model, query, options_of(engine)); }};
}

Proof all_equal(const Case& subject) {
  return [&subject](const std::vector<Timed>& runs) {
    for (std::size_t i = 1; i < runs.size(); ++i) {
      require_equal(subject.name, subject.model, runs[0].answer, runs[i].answer);
    }
  };
}

std::vector<Cell> row(const std::string& subject, const Timed& run) {
  const Work& work = run.answer.work;
  return {subject,
          run.name,
          Quantity{run.seconds, "s"},
          work.passes,
          work.backups,
          work.breakpoints,
          work.multiply_adds};
}

const std::vector<std::string> kColumns{
    "model", "engine", "best time", "passes", "backups", "breakpoints", "multiply-adds"};

// Twice the paper's horizon and ten times its precision: the binary search needs more targets.
Case garnet_with_many_levels() {
  GarnetParameters p;
  p.states = 200;
  p.branching = 8;
  p.horizon = 10;
  p.greatest_reward = 10'000;
  return garnet_of(p);
}

std::vector<Case> one_tau_cases(bool quick) {
  std::vector<Case> cases;
  if (quick) {
    cases.push_back(garnet_of_paper(50));
    cases.push_back(fine_datacenter_of(3, 4));
    return cases;
  }
  cases.push_back(garnet_of_paper(2250));
  cases.push_back(garnet_of_paper(2000));
  cases.push_back(garnet_with_many_levels());
  cases.push_back(fine_datacenter_of(10, 10));
  cases.push_back(fine_datacenter_of(8, 30));
  return cases;
}

// Large enough that one tau takes some tenths of a second.
std::vector<Case> curve_cases(bool quick) {
  std::vector<Case> cases;
  cases.push_back(garnet_of_paper(quick ? 30 : 2000));
  cases.push_back(quick ? datacenter_of(3, 5) : datacenter_of(10, 20));
  return cases;
}

// Small enough that the paper's algorithm, run 99 times, takes seconds.
std::vector<Case> many_searches_cases(bool quick) {
  std::vector<Case> cases;
  cases.push_back(garnet_of_paper(quick ? 30 : 250));
  cases.push_back(quick ? datacenter_of(3, 5) : datacenter_of(8, 10));
  return cases;
}

}  // namespace

Section one_tau_section(const Plan& plan) {
  Section section{
      "Single pass against the paper's algorithm, one tau",
      "The 0.1-quantile and its policy; both engines first shown to give the same answer. "
      "The single pass saves the search: the ratio is near the number of targets tried, "
      "log2 of the levels of wealth. Third row: with means and comparison.",
      kColumns,
      {},
      {}};
  for (const Case& subject : one_tau_cases(plan.quick)) {
    const auto runs = race({contender("steps", subject.model, one_tau_bare(), Engine::steps),
                            contender("paper", subject.model, one_tau_bare(), Engine::paper),
                            contender("steps, whole", subject.model, one_tau(), Engine::steps)},
                           all_equal(subject),
                           plan.effort);
    for (const Timed& run : runs) section.rows.push_back(row(subject.name, run));
    section.ratios.push_back({fmt::format("{}: paper / steps", subject.name),
                              runs[1].seconds / runs[0].seconds,
                              Ratio::Bound::at_least,
                              10});
    section.ratios.push_back({fmt::format("{}: steps, whole / steps", subject.name),
                              runs[2].seconds / runs[0].seconds,
                              Ratio::Bound::none,
                              0});
  }
  return section;
}

Section many_taus_section(const Plan& plan) {
  Section section{"The same for 99 taus",
                  "tau = 0.01 .. 0.99 in one call; the single pass answers them all at once.",
                  kColumns,
                  {},
                  {}};
  const auto steps = [](const Case& subject, const std::string& name, const Query& query) {
    return contender(name, subject.model, query, Engine::steps);
  };
  for (const Case& subject : curve_cases(plan.quick)) {
    // Different questions: there are no answers to prove equal.
    const auto runs = race({steps(subject, "steps, 1 tau", one_tau()),
                            steps(subject, "steps, 99 taus", ninety_nine_taus())},
                           {},
                           plan.effort);
    for (const Timed& run : runs) section.rows.push_back(row(subject.name, run));
    section.ratios.push_back({fmt::format("{}: 99 taus / 1 tau", subject.name),
                              runs[1].seconds / runs[0].seconds,
                              Ratio::Bound::at_most,
                              1.2});
  }
  for (const Case& subject : many_searches_cases(plan.quick)) {
    const auto runs =
        race({steps(subject, "steps, 99 taus", ninety_nine_taus()),
              contender("paper, 99 taus", subject.model, ninety_nine_taus(), Engine::paper)},
             all_equal(subject),
             plan.effort);
    for (const Timed& run : runs) section.rows.push_back(row(subject.name, run));
    section.ratios.push_back({fmt::format("{}: paper / steps, 99 taus", subject.name),
                              runs[1].seconds / runs[0].seconds,
                              Ratio::Bound::at_least,
                              10});
  }
  return section;
}

}  // namespace quantiplan::bench
