// One thread against two, at equal answers.
#include <fmt/format.h>

#include <thread>

#include "agreement.hpp"
#include "cases.hpp"
#include "quantiplan/solve.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

std::vector<Case> thread_cases(bool quick) {
  std::vector<Case> cases;
  cases.push_back(garnet_of_paper(quick ? 50 : 4000));
  cases.push_back(quick ? datacenter_of(4, 6) : datacenter_of(20, 10));
  return cases;
}

}  // namespace

Section threads_section(const Plan& plan) {
  Section section{"One thread against two",
                  fmt::format("The whole solve, 0.1-quantile; this machine has {} core(s).",
                              std::thread::hardware_concurrency()),
                  {"model", "threads", "best time", "multiply-adds", "multiply-adds per second"},
                  {},
                  {}};
  for (const Case& subject : thread_cases(plan.quick)) {
    const auto with = [&subject](std::uint32_t threads) -> Contender {
      return {fmt::format("{}", threads), [&subject, threads] {
                return solve(subject.model, one_tau(), options_of(Engine::steps, threads));
              }};
    };
    const auto runs = race(
        {with(1), with(2)},
        [&](const std::vector<Timed>& pair) {
          require_equal(subject.name, subject.model, pair[0].answer, pair[1].answer);
        },
        plan.effort);
    for (const Timed& run : runs) {
      const std::uint64_t multiply_adds = run.answer.work.multiply_adds;
      section.rows.push_back({subject.name,
                              run.name,
                              Quantity{run.seconds, "s"},
                              multiply_adds,
                              Quantity{static_cast<double>(multiply_adds) / run.seconds, "/s"}});
    }
    section.ratios.push_back({fmt::format("{}: 1 thread / 2 threads", subject.name),
                              runs[0].seconds / runs[1].seconds,
                              Ratio::Bound::at_least,
                              1.6});
  }
  return section;
}

}  // namespace quantiplan::bench
