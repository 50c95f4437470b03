#include "check/means/mean_bound.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "check/finite/bracket_optimality.hpp"
#include "check/finite/cut_ends.hpp"
#include "check/finite/index_course.hpp"
#include "check/finite/index_recursion.hpp"
#include "check/finite/optimality.hpp"
#include "check/means/priced_mixes.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::uint64_t kMostPricedProducts =
    100'000'000;  // on grids, which are tried one after another
constexpr std::uint64_t kMostUnitProducts = 4'000'000'000;
constexpr std::uint64_t kMostExactPricedProducts = 200'000;
constexpr std::size_t kMostPricedValues = 20'000'000;  // of one layer
constexpr int kMostFinerGrids = 2;
constexpr std::uint64_t kShortSteps = 40;  // in rationals

// What is known of V: nullopt is -infinity, which nobody can be charged.
using PricedBounds = std::optional<Bounds>;

// All that recursions need, and what they find: M - l theta, between two bounds.
class Dual {
 public:
  Dual(const CheckCase& task, const Ends& ends, const Potential& potential)
      : task_(task), ends_(ends), potential_(potential), tariff_{potential, task.claim.weight} {}

  [[nodiscard]] const Tariff& tariff() const { return tariff_; }

  // Of V in long doubles.
  [[nodiscard]] std::optional<Bounds> rough(long double value) const {
    if (std::isnan(value) || value == HUGE_VALL) return std::nullopt;
    const Integer steps(static_cast<unsigned long>(ends_.sums() + 1));
    const Integer outcomes(static_cast<unsigned long>(ends_.most_terms(task_.model)));
    const Rational error = Rational(steps * (outcomes + 8)) * long_roundoff();
    if (is_weighted()) {
      const Rational v = to_rational(std::max(value, 0.0L));
      return of(Bounds{v - error, v + error});
    }
    if (std::isinf(value)) return of(std::nullopt);
    const auto paid = sum_of_prices(value, ends_.sums() + 1, ends_.most_terms(task_.model));
    if (!paid) return std::nullopt;
    return of(Bounds{-paid->high, -paid->low});
  }
  [[nodiscard]] Bounds exact(const Rational& value) const { return of(Bounds::of(value)); }
  [[nodiscard]] Bounds exact(const SureValue& value) const {
    return of(value.number ? PricedBounds(Bounds::of(*value.number)) : std::nullopt);
  }
  // Where the outcome is decided at the start.
  [[nodiscard]] Bounds decided(bool is_met) const {
    if (is_weighted()) return exact(Rational(is_met ? 1 : 0));
    return of(is_met ? PricedBounds(Bounds::of(0)) : std::nullopt);
  }
  [[nodiscard]] bool is_weighted() const { return task_.claim.weight.has_value(); }

 private:
  [[nodiscard]] Bounds of(const PricedBounds& value) const {
    const Rational& first = potential_.first();
    // Nobody meets the target surely: whatever is said of those who do holds.
    if (!value) return {kNothing, kNothing};
    Bounds dual = *value;
    if (is_weighted()) {
      const Rational& theta = task_.claim.demand.theta;
      dual = {*task_.claim.weight * (value->low - theta),
              *task_.claim.weight * (value->high - theta)};
    }
    return {first + dual.low - potential_.slack(), first + dual.high};
  }

  // Below all that can be claimed.
  inline static const Rational kNothing{-Rational(std::numeric_limits<double>::max()) * 2};
  const CheckCase& task_;
  const Ends& ends_;
  const Potential& potential_;
  Tariff tariff_;
};

class MeanBound {
 public:
  MeanBound(const CheckCase& task, const EndsPair& ends)
      : task_(task),
        ends_(ends),
        bound_(task.claim.mean_bound->exact ? *task.claim.mean_bound->exact
                                            : Rational(task.claim.mean_bound->nearest)),
        high_(potential(ends.high)),
        low_(ends.low.is_cut() ? potential(ends.low) : std::nullopt) {}

  void run() {
    const bool has_prices = high_ && (low_ || !ends_.high.is_cut());
    if (has_prices && settle()) return;
    // What was proved instead is bounded as sharply as the policy counts, and sharper.
    if (least_proved_ && !task_.limits.ended(0))
      refute("which proves " + level_text(*least_proved_) + " only");
    else
      leave_out();
  }

 private:
  // Exactly where the bound is claimed exactly.
  [[nodiscard]] std::optional<Potential> potential(const Ends& ends) const {
    const bool exactly = task_.claim.mean_bound->exact.has_value();
    return Potential::make(task_.model, ends, exactly, task_.limits);
  }

  bool settle() {
    if (task_.claim.weight && *task_.claim.weight == 0) {
      const bool is_cut = ends_.high.is_cut();
      const auto greatest = [](const Potential& p) {
        return Bounds{p.first() - p.slack(), p.first()};
      };
      return settled(greatest(*high_), is_cut, "") || (is_cut && is_refuted(greatest(*low_), ""));
    }
    const Rational reserve =
        std::max<Rational>(ends_.low.largest_tail(), ends_.high.largest_tail());
    auto integers = IntegerLedger::make(task_.model, ends_.high.setting(), reserve);
    if (integers && !ends_.high.is_cut() &&
        (settle_places(*integers, kFewPlaces) || settle_units(integers->unit())))
      return true;
    if (integers && settle_places(*integers)) return true;
    if ((task_.policy.grid || ends_.high.is_cut() || !integers) && settle_grids()) return true;
    if (integers || ends_.high.horizon() > kShortSteps) return false;
    RationalLedger rationals(task_.model, ends_.high.setting());
    return settle_places(rationals);
  }

  template <class Ledger>
  bool settle_places(Ledger& ledger, std::size_t most_places = kMostPlaces) {
    const auto most = by_places(ends_.high, *high_, ledger, most_places);
    if (most && settled(*most, ends_.high.is_cut(), "")) return true;
    if (!most || !ends_.high.is_cut()) return false;
    const auto least = by_places(ends_.low, *low_, ledger, most_places);
    return least && is_refuted(*least, "");
  }

  // Where places are too many to be listed, but levels fill their windows: by whole units.
  bool settle_units(const Rational& unit) {
    PolicyGrid grid;
    grid.unit = unit;
    most_products_ = kMostUnitProducts;
    const auto most = by_index(ends_.high, *high_, {grid, Rounding::up, /*start=*/0});
    most_products_ = kMostPricedProducts;
    return most && settled(*most, /*is_one_sided=*/false, "");
  }

  // By the policy's grid where that can be walked. One that only holds a sure level may be far too
  // fine; rewards rounded up bound the mean on any grid, so the checker's own does as well.
  bool settle_grids() {
    std::optional<bool> found;
    if (task_.policy.grid) found = settle_from(*task_.policy.grid);
    if (!found) {
      is_own_grid_ = true;
      found = settle_from(own_grid(task_.model, ends_.high.setting()));
    }
    return found.value_or(false);
  }

  // On the grid and on finer ones; nullopt if not even the first can be walked.
  std::optional<bool> settle_from(PolicyGrid grid) {
    for (int i = 0; i <= kMostFinerGrids; ++i, grid.unit /= 4) {
      const std::string how = ", on a grid of " + level_text(grid.unit);
      const auto most = by_index(ends_.high, *high_, {grid, Rounding::up, /*start=*/0});
      if (!most) return i == 0 ? std::nullopt : std::optional(false);
      if (settled(*most, /*is_one_sided=*/true, how)) return true;
      const auto least = by_index(
          ends_.low, ends_.high.is_cut() ? *low_ : *high_, {grid, Rounding::down, /*start=*/0});
      if (least && is_refuted(*least, how)) return true;
    }
    return false;
  }

  // M - l theta of the places that can be reached; nullopt if they are too many.
  template <class Ledger>
  std::optional<Bounds> by_places(const Ends& ends,
                                  const Potential& potential,
                                  Ledger& ledger,
                                  std::size_t most_places) {
    const std::uint64_t horizon = ends.horizon();
    if (horizon >= kMostBounds / task_.model.state_count() ||
        horizon > kMostBoundSteps / (1 + task_.model.outcome_count()))
      return std::nullopt;
    SumCourse<Ledger> course(task_.model, ledger);
    const WholeReach<Ledger> reach(task_.model, ends);
    const Prospects prospects(task_.model, ends, ends, reach, course, ledger, task_.limits);
    Optimality optimality(task_.model, ends, course, prospects, task_.limits);
    if (!optimality.expand(most_places)) return std::nullopt;
    const Dual dual(task_, ends, potential);
    return dual.is_weighted() ? best_of<PricedLongMix, PricedRationalMix>(optimality, dual)
                              : best_of<SureLongMix, SureRationalMix>(optimality, dual);
  }

  template <class LongKind, class RationalKind, class AnyOptimality>
  std::optional<Bounds> best_of(AnyOptimality& optimality, const Dual& dual) {
    std::optional<Bounds> found;
    if (!task_.claim.mean_bound->exact) {
      if (const auto value = optimality.best(LongKind(task_.model, dual.tariff())))
        found = dual.rough(*value);
      if (found && says_something(*found)) return found;
    }
    if (const auto value = optimality.best(RationalKind(task_.model, dual.tariff())))
      return dual.exact(*value);
    return found;
  }

  // The same on a grid.
  std::optional<Bounds> by_index(const Ends& ends,
                                 const Potential& potential,
                                 const IndexQuestion& question) {
    auto problem = IndexProblem::make(task_.model, ends, question, task_.limits);
    if (!problem) return std::nullopt;
    AllChoices choices(task_.model);
    IndexWindows windows(*problem, task_.limits);
    if (windows.find(choices) != Extent::fits) return std::nullopt;
    const Dual dual(task_, ends, potential);
    if (const auto decided = windows.decided_at_start()) return dual.decided(*decided);
    return dual.is_weighted()
               ? recursion_of<PricedLongMix, PricedRationalMix>(*problem, windows, choices, dual)
               : recursion_of<SureLongMix, SureRationalMix>(*problem, windows, choices, dual);
  }

  template <class LongKind, class RationalKind>
  std::optional<Bounds> recursion_of(IndexProblem& problem,
                                     const IndexWindows& windows,
                                     AllChoices& choices,
                                     const Dual& dual) {
    std::optional<Bounds> found;
    IndexRecursion<AllChoices, LongKind> rough(problem,
                                               windows,
                                               choices,
                                               LongKind(task_.model, dual.tariff()),
                                               {most_products_, kMostPricedValues},
                                               task_.limits);
    long double value = 0;
    if (rough.run(value) != Extent::fits) return std::nullopt;
    found = dual.rough(value);
    if (found && says_something(*found)) return found;
    if (rough.products() > kMostExactPricedProducts) return found;
    IndexRecursion<AllChoices, RationalKind> exact(problem,
                                                   windows,
                                                   choices,
                                                   RationalKind(task_.model, dual.tariff()),
                                                   {most_products_, kMostPricedValues},
                                                   task_.limits);
    typename RationalKind::Value exactly = RationalKind::zero();
    if (exact.run(exactly) != Extent::fits) return found;
    return dual.exact(exactly);
  }

  [[nodiscard]] bool says_something(const Bounds& dual) const {
    return dual.high <= bound_ || dual.low > bound_;
  }
  // `is_one_sided`: what was computed is no less than M - l theta, and may be more.
  bool settled(const Bounds& dual, bool is_one_sided, const std::string& how) {
    // A grid of the checker's own may be coarser than what was counted with.
    const bool is_as_fine = !is_own_grid_ || how.empty();
    if (is_as_fine && (!least_proved_ || dual.high < *least_proved_)) least_proved_ = dual.high;
    if (dual.high <= bound_) {
      task_.findings.say("No policy that keeps the promise has a mean above " +
                         mean_text(*task_.claim.mean_bound) + ": proved " + by_weight() + how +
                         ".");
      return true;
    }
    return !is_one_sided && is_refuted(dual, how);
  }
  bool is_refuted(const Bounds& dual, const std::string& how) {
    if (dual.low <= bound_) return false;
    refute("which shows no less than " + level_text(dual.low) + how);
    return true;
  }
  void refute(const std::string& instead) {
    task_.findings.refute("The bound of the mean, " + mean_text(*task_.claim.mean_bound) +
                          ", is not proved " + by_weight() + ", " + instead + ".");
  }
  void leave_out() {
    const std::string why =
        task_.limits.ended(0) ? task_.limits.reason() : "too many places can be reached.";
    task_.findings.leave_out("The bound of the mean was not rechecked: " + why);
  }
  [[nodiscard]] std::string by_weight() const {
    return task_.claim.weight ? "with the weight " + level_text(*task_.claim.weight)
                              : "for those who keep it surely";
  }

  const CheckCase& task_;
  const EndsPair& ends_;
  Rational bound_;
  std::optional<Potential> high_;
  std::optional<Potential> low_;
  std::optional<Rational> least_proved_;
  bool is_own_grid_ = false;
  std::uint64_t most_products_ = kMostPricedProducts;
};

}  // namespace

void confirm_mean_bound(const CheckCase& task) {
  try {
    MeanBound(task, ends_of_best(task.model, task.policy, task.claim.own, task.limits)).run();
  } catch (const LimitMet&) {
    task.findings.leave_out("The bound of the mean was not rechecked: " + task.limits.reason());
  }
}

}  // namespace quantiplan::checking
