#include "finite/criteria/rounded_optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "numbers/directed.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

using Kind = Criterion::Kind;

// As for quantiles (brackets.cpp).
constexpr unsigned long kFiner = 8;
constexpr double kCheapGrid = 2e7;
// A utility with steps may never be narrow, and mean-variance takes many passes: finer grids are tried while they
// are affordable, in multiply-adds.
constexpr int kMostRounds = 6;
constexpr double kAffordableGrid = 2e8;

Total moved(const Total& total, const Rational& by) {
  return total.is_finite() ? Total(Rational(total.value() + by)) : total;
}

// sqrt, at least.
Rational root_above(const Rational& square) {
  return Rational(round_up(Rational(std::sqrt(std::max(0.0, round_up(square))) * (1 + 0x1p-50))));
}

}  // namespace

RoundedOptimum::RoundedOptimum(std::shared_ptr<FiniteLayout> layout,
                               CriterionQuestions& asked,
                               Work& work)
    : layout_(std::move(layout)),
      asked_(asked),
      work_(work),
      choice_(*layout_->stages, &layout_->limits),
      open_(std::max<std::size_t>(1, asked.taus.size())) {}

bool RoundedOptimum::is_cash_additive() const {
  return asked_.criterion.kind == Kind::cvar || asked_.criterion.kind == Kind::mean_cvar;
}

std::shared_ptr<FiniteLayout> RoundedOptimum::make(const Grid& grid, Rounding rounding) {
  auto rounded = std::make_shared<FiniteLayout>(layout_, grid, rounding);
  if (layout_->limits.ended()) return nullptr;
  if (!rounded->stages->has_keys())
    throw Error(ErrorCode::refused,
                "wealth",
                "the rewards are too large for brackets, expected magnitudes below 1e300");
  return rounded->lay_out() ? rounded : nullptr;
}

// What windows alone tell, and how fine the grid must be.
bool RoundedOptimum::begin() {
  const Grid finest = choice_.finest();
  const auto down = make(finest, Rounding::down);
  const auto up = down ? make(finest, Rounding::up) : nullptr;
  if (!up) return false;
  choice_.weigh(*down->stages, *down->windows);
  const auto at = [](const FiniteLayout& rounded, std::int64_t key) {
    return rounded.stages->scale().wealth({key});
  };
  const Window low = down->windows->start();
  const Window high = up->windows->start();
  range_ = at(*up, high.possible) - at(*down, low.least);
  Rational range = at(*down, low.possible) - at(*up, high.least);
  // One total, but for rounding.
  if (range <= 0) range = 1'000'000 * range_;
  if (range <= 0) range = 1;
  grid_epsilon_ = epsilon_ = layout_->options.epsilon.value_or(range / 1000);
  const Criterion& criterion = asked_.criterion;
  if (criterion.kind == Kind::mean_variance) {
    grid_epsilon_ = epsilon_ / (4 + 4 * criterion.parameter * range_);
  } else if (criterion.kind == Kind::utility) {
    const double least =
        criterion.utility->enclose(Rational(at(*down, low.least) + asked_.least_more)).lower;
    const double most =
        criterion.utility->enclose(Rational(at(*up, high.possible) + asked_.most_more)).upper;
    if (std::isfinite(least) && std::isfinite(most)) {
      if (!layout_->options.epsilon && most > least) epsilon_ = Rational(most - least) / 1000;
      // If u were a line.
      if (most > least) grid_epsilon_ = epsilon_ * range / Rational(most - least) / 2;
    } else {
      grid_epsilon_ = range / 1000;
    }
    if (std::isfinite(least)) open_[0].lower = Total(Rational(least));
    if (std::isfinite(most)) open_[0].upper = Total(Rational(most));
  } else {
    for (Open& open : open_) {
      open.lower = Total(Rational(at(*down, low.sure) + asked_.least_more));
      open.upper = Total(Rational(at(*up, high.possible) + asked_.most_more));
    }
  }
  return true;
}

bool RoundedOptimum::is_narrow(const Open& open) const {
  return open.lower.is_finite() && open.upper.is_finite() &&
         open.upper.value() - open.lower.value() <= epsilon_;
}

bool RoundedOptimum::is_done() const {
  return std::ranges::all_of(open_, [&](const Open& o) { return o.from && is_narrow(o); });
}

// A lower end with a policy is worth more than the same without.
void RoundedOptimum::raise(const std::shared_ptr<FiniteLayout>& from,
                           std::vector<LevelFound> found) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    Open& open = open_[i];
    if (found[i].lower < open.lower && open.from) continue;
    open.lower = std::max(open.lower, found[i].lower);
    open.from = from;
    open.found = std::move(found[i]);
  }
}

bool RoundedOptimum::refine_both(const Grid& grid) {
  const Rational& least_more = is_cash_additive() ? asked_.least_more : Rational(0);
  const Rational& most_more = is_cash_additive() ? asked_.most_more : Rational(0);
  const auto down = make(grid, Rounding::down);
  if (!down) return false;
  auto low = Optimiser<double>(down, asked_, 0, 0, work_).run();
  if (!low) return false;
  for (LevelFound& each : *low) each.lower = moved(each.lower, least_more);
  // Of the whole curve the first round finds the taus.
  open_.resize(low->size(), open_.front());
  raise(down, *std::move(low));
  const auto up = make(grid, Rounding::up);
  if (!up) return false;
  const auto high = Optimiser<double>(up, asked_, 0, 0, work_).run();
  if (!high) return false;
  is_beyond_doubles_ = high->front().is_beyond_doubles;
  const Rational beyond = is_cash_additive() ? up->stages->scale().beyond_target() : Rational(0);
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const Total upper = moved((*high)[i].upper, beyond + most_more);
    open_[i].upper = std::max(open_[i].lower, std::min(open_[i].upper, upper));
  }
  return true;
}

bool RoundedOptimum::refine_deviation(const Grid& grid) {
  const auto down = make(grid, Rounding::down);
  if (!down) return false;
  auto found = Optimiser<double>(down, asked_, 0, epsilon_ / 8, work_).run();
  if (!found) return false;
  const Rational d = down->stages->scale().slack() + (asked_.most_more - asked_.least_more);
  std::vector<Total> upper;
  for (LevelFound& each : *found) {
    const Rational& lambda = asked_.is_whole ? each.lambda : asked_.criterion.parameter;
    const Rational own = root_above(each.deviation_square + each.variance_error);
    Rational most = range_ / 2;
    // Of whoever is as good as this policy.
    if (lambda > 0)
      most = std::min<Rational>(
          most, d / 2 + root_above((each.greatest_mean + d - each.lower.value()) / lambda));
    upper.push_back(moved(each.upper, asked_.least_more + d * (1 + lambda * most)));
    each.lower = moved(each.lower, asked_.least_more - lambda * (own + d / 4) * d);
  }
  open_.resize(found->size());
  raise(down, *std::move(found));
  for (std::size_t i = 0; i < open_.size(); ++i)
    open_[i].upper = std::max(open_[i].lower, std::min(open_[i].upper, upper[i]));
  return true;
}

bool RoundedOptimum::refine(const Grid& grid) {
  const bool done =
      asked_.criterion.kind == Kind::mean_variance ? refine_deviation(grid) : refine_both(grid);
  if (!done) return false;
  ++rounds_;
  if (open_[0].lower.is_finite() && open_[0].upper.is_finite())
    layout_->limits.show_bracket(
        {to_nearest_double(open_[0].lower.value()), to_nearest_double(open_[0].upper.value())});
  return true;
}

// In multiply-adds. A utility is spelt at every level of the last step, which takes some hundred of them each.
double RoundedOptimum::cost_of(const Grid& grid) const {
  constexpr double kSpelling = 200;
  double cost = choice_.cost_of(grid);
  if (asked_.criterion.kind == Kind::utility) {
    const double unit = to_nearest_double(grid.unit);
    const double halvings = grid.halvings.empty() ? 0 : static_cast<double>(grid.halvings.back());
    cost += kSpelling * to_nearest_double(range_) / unit * std::exp2(halvings);
  }
  return cost;
}

// Every lambda has a bracket of its own, which grows with it: one grid serves them all, the finest that is wanted
// and affordable. Of equal steps, for where nothing narrows over time finer ones at the end are many.
void RoundedOptimum::draw_variances() {
  constexpr double kMostOfPass = 3e8;
  Rational epsilon = grid_epsilon_;
  for (int tries = 0; tries < 200 && !layout_->limits.ended(); ++tries, epsilon *= 2) {
    const Grid grid = choice_.equal_within(epsilon);
    const auto down = make(grid, Rounding::down);
    if (!down) return;
    const auto size = Optimiser<double>(down, asked_, 0, 0, work_).size();
    if (!size) return;
    const bool fits =
        size->bytes < 1e15 && layout_->limits.would_fit(static_cast<std::uint64_t>(size->bytes));
    if (size->multiply_adds > kMostOfPass || !fits) continue;
    (void)refine(grid);
    return;
  }
}

void RoundedOptimum::run() {
  if (!begin()) return;
  try {
    if (asked_.is_whole && asked_.criterion.kind == Kind::mean_variance) return draw_variances();
    std::vector<Grid> grids{choice_.within(grid_epsilon_)};
    Rational coarser = grid_epsilon_;
    for (int tries = 0;
         tries < 200 && cost_of(grids.back()) > kCheapGrid && !layout_->limits.ended();
         ++tries) {
      coarser *= Rational(kFiner);
      Grid grid = choice_.within(coarser);
      if (grid.unit != grids.back().unit) grids.push_back(std::move(grid));
    }
    // An epsilon that was asked for is worth some waiting.
    const double affordable = (layout_->options.epsilon ? 100 : 1) * kAffordableGrid;
    for (std::size_t i = grids.size(); i-- > 0 && !is_done();) {
      if (!is_cash_additive() && rounds_ > 0 && cost_of(grids[i]) > affordable) return;
      if (!refine(grids[i]) || is_beyond_doubles_) return;
    }
    // The slope of a utility is not known beforehand.
    for (int tries = 0; !is_cash_additive() && tries < kMostRounds && !is_done(); ++tries) {
      grid_epsilon_ /= Rational(kFiner);
      const Grid grid = choice_.within(grid_epsilon_);
      if (grid.unit == grids.front().unit || cost_of(grid) > affordable) return;
      if (!refine(grid)) return;
    }
  } catch (const Error& error) {
    // What the rounds before found still holds.
    if (error.code() != ErrorCode::refused) throw;
    lacked_memory_ = true;
  }
}

Status RoundedOptimum::status(const Open& open) const {
  const bool is_curve = asked_.is_whole && asked_.criterion.kind == Kind::mean_variance;
  if (open.from && (is_curve || is_narrow(open))) return Status::solved;
  if (layout_->limits.ended()) return layout_->limits.status();
  return lacked_memory_ || rounds_ == 0 ? Status::limit_reached : Status::unsettled;
}

std::string RoundedOptimum::summary() const {
  return fmt::format("{} round{}, dense, double", rounds_, rounds_ == 1 ? "" : "s");
}

}  // namespace quantiplan
