#include "bracket_optimality.hpp"

#include <cmath>

#include "index_reach.hpp"

namespace quantiplan::checking {
namespace {

constexpr int kMostRefinements = 12;
constexpr int kMostCoarsenings = 40;
// A grid that proved the upper end is worth seconds; a coarser one will rarely do.
constexpr std::uint64_t kMostFineProducts = 1'000'000'000;
constexpr std::uint64_t kMostCoarseProducts = 100'000'000;

// A thousand steps over the rewards of one time, halved as they shrink.
PolicyGrid own_grid(const Model& model, const ResolvedSetting& setting) {
  Rational largest = 0;
  for (std::size_t c = 0; c < model.choice_count(); ++c)
    for (const Outcome& o : model.outcomes(Choice{static_cast<std::uint32_t>(c)}))
      if (const Rational size = abs(model.reward(o)); size > largest) largest = size;
  PolicyGrid grid;
  grid.unit = largest > 0 ? Rational(largest / 1024) : Rational(1);
  if (setting.discount == 1) return grid;
  // Any times make a grid: doubles are good enough to place them.
  const double rate = -std::log2(setting.discount.get_d());
  constexpr std::size_t kMostHalvings = 200;
  while (grid.halved_at.size() < kMostHalvings) {
    const double time = std::ceil(static_cast<double>(grid.halved_at.size() + 1) / rate);
    if (!(time >= 1) || time >= static_cast<double>(setting.horizon)) break;
    grid.halved_at.push_back(static_cast<std::uint64_t>(time));
  }
  return grid;
}

class UpperEnd {
 public:
  UpperEnd(const Model& model,
           const Policy& policy,
           const Demand& demand,
           const Rational& upper,
           CheckClock& clock,
           Findings& findings)
      : model_(model),
        setting_(policy.setting),
        demand_(demand),
        upper_(upper),
        clock_(clock),
        findings_(findings),
        grid_(policy.grid ? *policy.grid : own_grid(model, policy.setting)) {}

  bool run() {
    Reach up = counted(Rounding::up);
    for (int i = 0; i < kMostCoarsenings && up.extent == Extent::too_large; ++i) {
      grid_.unit *= 2;
      most_products_ = kMostCoarseProducts;
      up = counted(Rounding::up);
    }
    for (int i = 0; i < kMostRefinements && up.extent == Extent::fits; ++i) {
      if (settled(up)) return true;
      grid_.unit /= 2;
      up = counted(Rounding::up);
    }
    return false;
  }

 private:
  Reach counted(Rounding rounding) {
    auto problem =
        IndexProblem::make(model_, setting_, {grid_, rounding, 0, upper_, /*more_than=*/true});
    Reach none;
    none.extent = Extent::too_large;
    return problem ? best_reach_of(*problem, demand_, most_products_, clock_) : none;
  }

  bool settled(const Reach& up) {
    const std::string level = level_text(upper_);
    const std::string chance = "the greatest P(W > " + level + ") of any policy ";
    if (up.met == Verdict::no) {
      findings_.optimality_was_checked();
      findings_.say("No policy has a quantile above " + level + ": " + chance +
                    shown_at_most(up.bounds) + ", which is not " + demand_.text() +
                    " (rewards rounded up on a grid of " + level_text(grid_.unit) + ").");
      return true;
    }
    const Reach down = counted(Rounding::down);
    if (down.extent != Extent::fits || down.met != Verdict::yes) return false;
    findings_.optimality_was_checked();
    findings_.refute("Some policy has a quantile above " + level + ": " + chance +
                     shown_at_least(down.bounds) + ", which is " + demand_.text() +
                     " (rewards rounded down on a grid of " + level_text(grid_.unit) + ").");
    return true;
  }

  const Model& model_;
  const ResolvedSetting& setting_;
  const Demand& demand_;
  const Rational& upper_;
  CheckClock& clock_;
  Findings& findings_;
  PolicyGrid grid_;
  std::uint64_t most_products_ = kMostFineProducts;
};

}  // namespace

bool settle_upper_end(const Model& model,
                      const Policy& policy,
                      const Demand& demand,
                      const Rational& upper,
                      CheckClock& clock,
                      Findings& findings) {
  return UpperEnd(model, policy, demand, upper, clock, findings).run();
}

}  // namespace quantiplan::checking
