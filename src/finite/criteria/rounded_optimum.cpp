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
    grid_epsilon_ = epsilon_ / 4;
  } else if (criterion.kind == Kind::utility) {
    const double least =
        criterion.utility->enclose(Rational(at(*down, low.least) + asked_.least_more)).lower;
    const double most =
        criterion.utility->enclose(Rational(at(*up, high.possible) + asked_.most_more)).upper;
    if (std::isfinite(least) && std::isfinite(most)) {
      const bool is_one = at(*down, low.possible) <= at(*up, high.least);
      if (!layout_->options.epsilon && most > least)
        epsilon_ = Rational(most - least) * (is_one ? Rational(1000) : Rational(1, 1000));
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

// A lower end is one that its policy has: what windows of the finest grid are sure of is another policy's.
void RoundedOptimum::raise(const std::shared_ptr<FiniteLayout>& from,
                           std::vector<LevelFound> found) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    Open& open = open_[i];
    if (found[i].lower < open.lower && open.from) continue;
    // What no total is worth less than, every policy has.
    const bool holds_for_all = asked_.criterion.kind == Kind::utility;
    open.lower = holds_for_all ? std::max(open.lower, found[i].lower) : found[i].lower;
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

// Where nothing is known outside windows, a pass is as wide as what can be met: what it takes is counted, not guessed. A
// utility is spelt at every level, which takes as long as some thousand multiply-adds.
bool RoundedOptimum::is_affordable(const Grid& grid) {
  constexpr double kMostOfPass = 1e9;
  constexpr double kSpelling = 2000;
  const auto down = make(grid, Rounding::down);
  const auto size = down ? Optimiser<double>(down, asked_, 0, 0, work_).size() : std::nullopt;
  if (!size) return false;
  double cost = size->multiply_adds;
  if (asked_.criterion.kind == Kind::utility)
    cost += kSpelling * to_nearest_double(Rational(range_ / grid.unit));
  // An epsilon that was asked for is worth some waiting.
  return cost < (layout_->options.epsilon ? 30 : 1) * kMostOfPass && size->bytes < 1e15 &&
         layout_->limits.would_fit(static_cast<std::uint64_t>(size->bytes));
}

// Every lambda has a bracket of its own, which grows with it: one grid serves them all, the finest that is wanted
// and affordable.
void RoundedOptimum::draw_variances() {
  Rational epsilon = grid_epsilon_;
  for (int tries = 0; tries < 200 && !layout_->limits.ended(); ++tries, epsilon *= 2) {
    const Grid grid = choice_.equal_within(epsilon);
    if (!is_affordable(grid)) continue;
    (void)refine(grid);
    return;
  }
}

// How fine a grid must be is not known beforehand: finer and finer ones, of equal steps, for where nothing narrows over
// time finer ones at the end are many.
void RoundedOptimum::refine_spelt() {
  constexpr int kMostRounds = 20;
  Rational epsilon = range_ / 8;
  for (int tries = 0; tries < kMostRounds && !is_done(); ++tries, epsilon /= 4) {
    const Grid grid = choice_.equal_within(epsilon);
    if (rounds_ > 0 && !is_affordable(grid)) return;
    if (!refine(grid) || is_beyond_doubles_) return;
  }
}

void RoundedOptimum::run() {
  if (!begin()) return;
  try {
    if (asked_.is_whole && asked_.criterion.kind == Kind::mean_variance) return draw_variances();
    if (!is_cash_additive()) return refine_spelt();
    std::vector<Grid> grids{choice_.within(grid_epsilon_)};
    Rational coarser = grid_epsilon_;
    for (int tries = 0;
         tries < 200 && choice_.cost_of(grids.back()) > kCheapGrid && !layout_->limits.ended();
         ++tries) {
      coarser *= Rational(kFiner);
      Grid grid = choice_.within(coarser);
      if (grid.unit != grids.back().unit) grids.push_back(std::move(grid));
    }
    for (std::size_t i = grids.size(); i-- > 0 && !is_done();)
      if (!refine(grids[i])) return;
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
