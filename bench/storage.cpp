// Bytes of a built model per outcome, and the time to generate and build it.
//
// Floor: an outcome is 12 bytes (next state, two number ids). Above it come the choice and state
// tables, the names and the distinct numbers.
#include <fmt/format.h>

#include "cases.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

constexpr double kFloorBytes = sizeof(Outcome);

GarnetParameters ten_million_outcomes(bool quick) {
  GarnetParameters p;
  p.states = quick ? 500 : 100'000;
  p.actions = 5;
  p.branching = 20;
  return p;
}

}  // namespace

Section storage_section(const Plan& plan) {
  Section section{"Size of a model",
                  fmt::format("Everything held by the built model; an outcome alone is {} bytes.",
                              sizeof(Outcome)),
                  {"model",
                   "states",
                   "choices",
                   "outcomes",
                   "numbers",
                   "generate + build",
                   "bytes",
                   "bytes per outcome"},
                  {},
                  {}};
  const std::vector<std::function<Case()>> makers{
      [&] { return garnet_of(ten_million_outcomes(plan.quick)); },
      [&] { return plan.quick ? datacenter_of(5, 10) : datacenter_of(30, 10); }};
  for (const auto& make : makers) {
    std::optional<Case> built;
    const double seconds = seconds_of([&] { built.emplace(make()); });
    const Model& model = built->model;
    const auto bytes = static_cast<double>(model.bytes());
    const double per_outcome = bytes / static_cast<double>(model.outcome_count());
    section.rows.push_back({built->name,
                            model.state_count(),
                            model.choice_count(),
                            model.outcome_count(),
                            model.probabilities().size() + model.rewards().size(),
                            Quantity{seconds, "s"},
                            Quantity{bytes, "B"},
                            Quantity{per_outcome, "B"}});
    section.ratios.push_back({fmt::format("{}: bytes / bytes of the outcomes alone", built->name),
                              per_outcome / kFloorBytes,
                              Ratio::Bound::none,
                              0});
  }
  return section;
}

}  // namespace quantiplan::bench
