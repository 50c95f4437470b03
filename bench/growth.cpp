// How the single pass grows: one quantity doubles, the others stay.
//
// Expected of the dense pass: multiply-adds are linear in states and in the reward range (the
// windows' width) and quadratic in the horizon (as many steps times as wide windows). Sparse
// functions grow more slowly until they fill their windows.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "cases.hpp"
#include "quantiplan/solve.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

GarnetParameters base(bool quick) {
  GarnetParameters p;
  p.states = quick ? 40 : 1000;
  p.actions = 4;
  p.branching = 8;
  p.horizon = quick ? 4 : 6;
  p.greatest_reward = quick ? 20 : 200;
  p.reward_of = GarnetParameters::RewardOf::outcome;
  return p;
}

struct Doubling {
  std::string name;
  std::function<void(GarnetParameters&)> twice;
};

const std::vector<Doubling>& doublings() {
  static const std::vector<Doubling> doublings{
      {"states", [](GarnetParameters& p) { p.states *= 2; }},
      {"horizon", [](GarnetParameters& p) { p.horizon *= 2; }},
      {"reward range", [](GarnetParameters& p) { p.greatest_reward *= 2; }}};
  return doublings;
}

}  // namespace

Section growth_section(const Plan& plan) {
  Section section{"Growth of the single pass",
                  "Each block doubles one quantity; 2^exponent is the factor per doubling.",
                  {"doubled",
                   "model",
                   "best time",
                   "breakpoints",
                   "multiply-adds",
                   "peak memory",
                   "exponent (time)",
                   "exponent (work)"},
                  {},
                  {}};
  const int times = plan.quick ? 1 : 3;
  for (const Doubling& doubling : doublings()) {
    GarnetParameters parameters = base(plan.quick);
    double seconds_before = 0;
    double work_before = 0;
    for (int i = 0; i <= times; ++i) {
      const Case subject = garnet_of(parameters);
      const Contender run{"steps", [&subject] {
                            return solve(subject.model, one_tau(), options_of(Engine::steps));
                          }};
      const Timed timed = race({run}, {}, plan.effort).front();
      const Work& work = timed.answer.work;
      const auto multiply_adds = static_cast<double>(work.multiply_adds);
      const auto exponent = [i](double now, double before) -> Cell {
        if (i == 0) return std::string("-");
        return fmt::format("{:.2f}", std::log2(now / before));
      };
      section.rows.push_back({doubling.name,
                              subject.name,
                              Quantity{timed.seconds, "s"},
                              work.breakpoints,
                              work.multiply_adds,
                              Quantity{static_cast<double>(work.peak_bytes), "B"},
                              exponent(timed.seconds, seconds_before),
                              exponent(multiply_adds, work_before)});
      seconds_before = timed.seconds;
      work_before = multiply_adds;
      doubling.twice(parameters);
    }
  }
  return section;
}

}  // namespace quantiplan::bench
