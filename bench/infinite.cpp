// The infinite horizon: a level's cost, against one sweep of a plain value iteration on the product
// of the model with the levels, and how it grows.
//
// The floor of a level is one reading of every outcome. A sweep reads them once as well, but a
// level takes several until it has converged, and even then nothing is certified. Expected: time a
// level and outcome does not depend on the number of states until they leave the caches, nor on the
// number of levels; memory is that of the levels within the greatest cost.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "agreement.hpp"
#include "cases.hpp"
#include "quantiplan/solve.hpp"
#include "relay.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

constexpr double kChange = 1e-9;

Options one_thread() {
  Options options;
  options.threads = 1;
  options.arithmetic = Arithmetic::floating;
  return options;
}

// The least cost whose chance is above theta, as the plain iteration has it.
void prove(const PlainIteration& plain, const Result& result) {
  const double theta = to_nearest_double(1 - result.tau);
  std::uint64_t cost = 0;
  while (cost < plain.value.size() && plain.value[cost] <= theta) ++cost;
  const Total known = Rational(-static_cast<long>(cost));
  if (result.certificate == Certificate::exact && *result.quantile == known) return;
  throw Disagreement(fmt::format(
      "relay: found {}, the plain iteration {}", to_text(*result.quantile), to_text(known)));
}

struct RelayAxis {
  const char* name;
  std::vector<RelayParameters> points;
};

std::vector<RelayAxis> relay_axes(bool quick) {
  RelayAxis states{"states", {}};
  for (const std::uint64_t n : quick ? std::vector<std::uint64_t>{300}
                                     : std::vector<std::uint64_t>{333, 3333, 33'333, 333'333}) {
    states.points.push_back({n, 4, 1});
  }
  RelayAxis levels{"levels", {}};
  for (const std::uint64_t k :
       quick ? std::vector<std::uint64_t>{8} : std::vector<std::uint64_t>{4, 16, 64, 256}) {
    levels.points.push_back({quick ? 300U : 3333U, k, 1});
  }
  return {states, levels};
}

}  // namespace

Section infinite_section(const Plan& plan) {
  Section section{"Infinite horizon",
                  "The least cost that is enough with probability above 0.9 (relay), one thread, "
                  "beside a plain value iteration that sweeps each level until changes are below "
                  "1e-9.",
                  {"grows",
                   "states",
                   "outcomes",
                   "levels",
                   "best time",
                   "per level and outcome",
                   "plain sweep, per outcome",
                   "sweeps a level",
                   "plain / ours",
                   "peak memory"},
                  {},
                  {}};
  double last_ratio = 0;
  for (const RelayAxis& axis : relay_axes(plan.quick)) {
    for (const RelayParameters& p : axis.points) {
      const Model model = relay(p);
      const Contender run{"epochs",
                          [&model] { return solve(model, one_tau_bare(), one_thread()); }};
      PlainIteration plain;
      const auto against_plain = [&](const std::vector<Timed>& timed) {
        const Work& work = timed.front().answer.work;
        plain = iterate_plainly(model, work.levels, kChange);
        prove(plain, timed.front().answer.results.front());
      };
      const Timed timed = race({run}, against_plain, plan.effort).front();
      const Work& work = timed.answer.work;
      const auto outcomes = static_cast<double>(model.outcome_count());
      const auto levels = static_cast<double>(work.levels);
      const double plain_seconds = plain.seconds_per_sweep * static_cast<double>(plain.sweeps);
      last_ratio = plain_seconds / timed.seconds;
      section.rows.push_back({std::string(axis.name),
                              model.state_count(),
                              model.outcome_count(),
                              work.levels,
                              Quantity{timed.seconds, "s"},
                              fmt::format("{:.2f} ns", 1e9 * timed.seconds / levels / outcomes),
                              fmt::format("{:.2f} ns", 1e9 * plain.seconds_per_sweep / outcomes),
                              fmt::format("{:.1f}", static_cast<double>(plain.sweeps) / levels),
                              fmt::format("{:.1f}", last_ratio),
                              Quantity{static_cast<double>(work.peak_bytes), "B"}});
      if (&p == &axis.points.back()) {
        section.ratios.push_back(
            {fmt::format("plain value iteration / epochs, {} states, {} levels",
                         model.state_count(),
                         work.levels),
             last_ratio,
             Ratio::Bound::at_least,
             1});
      }
    }
  }
  return section;
}

}  // namespace quantiplan::bench
