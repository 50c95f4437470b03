// How the engines that bracket grow: one quantity changes, the others stay.
//
// The subject is machine replacement, which has as many states as asked for, rewards without a
// common denominator and a discount. Each row is the engine's own choice, with means left out; rows
// of the horizon also write the policy down as a table, which is what needs memory. All brackets of
// one model must have a point in common, the optimum.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "agreement.hpp"
#include "cases.hpp"
#include "domains/machine.hpp"
#include "quantiplan/solve.hpp"
#include "returns.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

struct Point {
  std::string grown;
  std::uint32_t levels = 10;
  std::uint64_t horizon = 100;
  double share = 1e-3;  // epsilon as a share of the range
  std::uint32_t threads = 1;
  bool with_policy = false;
};

std::vector<Point> points(bool quick) {
  std::vector<Point> all;
  const auto add = [&](const char* grown, auto member, auto values) {
    for (const auto value : values) {
      Point point;
      point.grown = grown;
      if (quick) point.horizon = 10;
      point.*member = value;
      all.push_back(point);
    }
  };
  using Counts = std::vector<std::uint32_t>;
  using Times = std::vector<std::uint64_t>;
  using Shares = std::vector<double>;
  add("states", &Point::levels, quick ? Counts{5, 10} : Counts{10, 20, 40, 80, 160});
  const std::size_t begin = all.size();
  add("horizon", &Point::horizon, quick ? Times{10, 20} : Times{10, 30, 100, 300, 1000});
  for (std::size_t i = begin; i < all.size(); ++i) all[i].with_policy = true;
  add("1/epsilon",
      &Point::share,
      quick ? Shares{1e-1, 1e-2} : Shares{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6});
  add("threads", &Point::threads, Counts{1, 2});
  if (!quick) {
    all[all.size() - 2].share = 1e-5;
    all[all.size() - 1].share = 1e-5;
  }
  return all;
}

Model model_of(const Point& point) {
  MachineParameters parameters;
  parameters.levels = point.levels;
  parameters.horizon = point.horizon;
  return machine(parameters);
}

std::size_t runs_of(const Policy& policy) {
  std::size_t runs = 0;
  for (const PolicyRule& rule : policy.rules) runs += rule.runs.size();
  return runs;
}

// The intersection with another bracket; throws Disagreement if it is empty.
void narrow(Answer& common, const Answer& other, const std::string& name) {
  if (common.results.empty()) common = other;
  require_meeting(name, common, other);
  Result& all = common.results.front();
  all.quantile = std::max(*all.quantile, *other.results.front().quantile);
  all.upper = std::min(*all.upper, *other.results.front().upper);
}

}  // namespace

Section bracket_growth_section(const Plan& plan) {
  Section section{"Growth of certified brackets",
                  "Machine replacement, discount 0.9, lower 0.1-quantile; epsilon is given as a "
                  "share of the range of attainable returns.",
                  {"grown",
                   "states",
                   "horizon",
                   "epsilon",
                   "threads",
                   "best time",
                   "multiply-adds",
                   "peak memory",
                   "width",
                   "policy",
                   "engine"},
                  {},
                  {}};
  // By states and horizon: what all brackets so far have in common.
  std::map<std::pair<std::uint32_t, std::uint64_t>, Answer> common;
  for (const Point& point : points(plan.quick)) {
    const Model model = model_of(point);
    const double range = attainable_returns(model).from_initial.width();
    Options options = options_of(Engine::automatic, point.threads);
    options.epsilon = Rational(point.share * range);
    const Contender run{"auto", [&] {
                          Answer answer = solve(model, one_tau_bare(), options);
                          if (point.with_policy) (void)answer.results.front().policy();
                          return answer;
                        }};
    const Timed timed =
        race(
            {run},
            [&](const std::vector<Timed>& first) {
              narrow(common[{point.levels, point.horizon}], first.front().answer, model.name());
            },
            plan.effort)
            .front();
    const Result& result = timed.answer.results.front();
    const Work& work = timed.answer.work;
    const Rational width = result.upper->value() - result.quantile->value();
    section.rows.push_back(
        {point.grown,
         std::uint64_t{model.state_count()},
         point.horizon,
         fmt::format("{:.0e}", point.share),
         std::uint64_t{point.threads},
         Quantity{timed.seconds, "s"},
         work.multiply_adds,
         Quantity{static_cast<double>(work.peak_bytes), "B"},
         fmt::format("{:.1e}", width.get_d() / range),
         point.with_policy ? Cell(fmt::format("{} runs", runs_of(result.policy()))) : Cell("-"),
         timed.answer.engine.used.substr(0, timed.answer.engine.used.find(' '))});
  }
  return section;
}

}  // namespace quantiplan::bench
