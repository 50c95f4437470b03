// The whole solve with dense functions, by kernel: how much of the kernel's speed the pass keeps.
#include <fmt/format.h>

#include "agreement.hpp"
#include "cases.hpp"
#include "kernels/backup.hpp"
#include "quantiplan/solve.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

// Sums of rewards drawn per outcome soon fill every level: the natural case for arrays.
Case dense_case(bool quick) {
  GarnetParameters p;
  p.states = quick ? 40 : 1000;
  p.actions = 4;
  p.branching = 16;
  p.horizon = quick ? 5 : 20;
  p.greatest_reward = quick ? 20 : 100;
  p.reward_of = GarnetParameters::RewardOf::outcome;
  return garnet_of(p);
}

}  // namespace

Section dense_pass_section(const Plan& plan) {
  const Case subject = dense_case(plan.quick);
  Section section{
      "The dense pass by kernel",
      fmt::format("{}, one thread, functions as arrays.", subject.name),
      {"kernel", "best time", "multiply-adds", "multiply-adds per second", "loads", "peak memory"},
      {},
      {}};
  std::vector<Contender> contenders;
  for (const Kernel& kernel : kernels()) {
    if (!kernel.supported()) continue;
    Options options = options_of(Engine::steps);
    options.representation = Representation::dense;
    options.kernel = kernel.name;
    contenders.push_back(
        {options.kernel, [&subject, options] { return solve(subject.model, one_tau(), options); }});
  }
  const auto runs = race(
      contenders,
      [&](const std::vector<Timed>& answers) {
        for (const Timed& run : answers) {
          require_equal(subject.name, subject.model, answers[0].answer, run.answer);
        }
      },
      plan.effort);
  for (const Timed& run : runs) {
    const Work& work = run.answer.work;
    const double per_second = static_cast<double>(work.multiply_adds) / run.seconds;
    section.rows.push_back({run.name,
                            Quantity{run.seconds, "s"},
                            work.multiply_adds,
                            Quantity{per_second, "/s"},
                            Quantity{8 * per_second, "B/s"},
                            Quantity{static_cast<double>(work.peak_bytes), "B"}});
  }
  section.ratios.push_back({"reference / best kernel, whole solve",
                            runs.front().seconds / runs.back().seconds,
                            Ratio::Bound::none,
                            0});
  return section;
}

}  // namespace quantiplan::bench
