#include "check/finite/bracket_optimality.hpp"

#include <cmath>

#include "check/finite/index_reach.hpp"

namespace quantiplan::checking {
namespace {

constexpr int kMostRefinements = 10;
constexpr int kMostCoarsenings = 20;
// What the first grid may take, and the finest: a tenth of a second, and some seconds. Whatever is
// proved on a coarse grid is proved.
constexpr std::uint64_t kMostFirstProducts = 20'000'000;
constexpr std::uint64_t kMostLastProducts = 1'000'000'000;

class UpperEnd {
 public:
  UpperEnd(const CheckCase& task, const Ends& low, const Ends& high)
      : task_(task),
        low_(low),
        high_(high),
        grid_(task.policy.grid ? *task.policy.grid : own_grid(task.model, low.setting())) {}

  bool run() {
    Reach up = counted(Rounding::up);
    for (int i = 0; i < kMostCoarsenings && up.extent == Extent::too_large; ++i) {
      grid_.unit *= 16;
      up = counted(Rounding::up);
    }
    most_products_ = kMostLastProducts;
    for (int i = 0; i < kMostRefinements && up.extent == Extent::fits; ++i) {
      if (settled(up)) return true;
      grid_.unit /= 4;
      up = counted(Rounding::up);
    }
    return false;
  }

 private:
  Reach counted(Rounding rounding) {
    const Ends& ends = rounding == Rounding::up ? high_ : low_;
    auto problem =
        IndexProblem::make(task_.model, ends, {grid_, rounding, /*start=*/0}, task_.limits);
    Reach none;
    none.extent = Extent::too_large;
    if (!problem) return none;
    return best_reach_of(*problem, task_.claim.beyond_demand, most_products_, task_.limits);
  }

  bool settled(const Reach& up) {
    if (up.met == Verdict::no) {
      task_.optimum().confirm(up.bounds,
                              "rewards rounded up on a grid of " + level_text(grid_.unit));
      return true;
    }
    const Reach down = counted(Rounding::down);
    if (down.extent != Extent::fits || down.met != Verdict::yes) return false;
    task_.optimum().refute(down.bounds,
                           "rewards rounded down on a grid of " + level_text(grid_.unit));
    return true;
  }

  const CheckCase& task_;
  const Ends& low_;
  const Ends& high_;
  PolicyGrid grid_;
  std::uint64_t most_products_ = kMostFirstProducts;
};

}  // namespace

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

bool settle_upper_end(const CheckCase& task, const Ends& low, const Ends& high) {
  return UpperEnd(task, low, high).run();
}

}  // namespace quantiplan::checking
