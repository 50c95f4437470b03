#include "finite/solve/brackets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "finite/pass/possible.hpp"
#include "finite/solve/rough_bracket.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// A round costs about eight times the one before: those before the last cost a seventh of it.
constexpr unsigned long kRefinement = 8;
// A pass this cheap needs none before it to narrow it, in multiply-adds.
constexpr double kCheapRound = 2e7;
// A default epsilon is only what counts as solved: one more round goes on to the finest grid, of at
// most so many times less, whose pass costs no more than this many multiply-adds, unless time is
// short. Passes that choose among the policies that keep the promise are small then as well.
constexpr unsigned long kMostSpared = 16;
constexpr double kSparePass = 2e7;
constexpr double kShortTime = 10;  // seconds
// Ties are settled in rationals up to this many nodes: a few seconds.
constexpr std::uint64_t kMostExactNodes = 2'000'000;
// Probability levels of the first and the last round.
constexpr std::uint64_t kFewestLevels = 1U << 8U;
constexpr std::uint64_t kMostLevels = 1U << 20U;

// The levels are tried first where a pass over them costs this many times less than the last grid.
constexpr double kLevelsPay = 20;

std::int64_t floor_of(const Rational& value) {
  Integer down;
  mpz_fdiv_q(down.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return static_cast<std::int64_t>(down.get_si());
}

}  // namespace

Brackets::Brackets(std::shared_ptr<FiniteLayout> layout,
                   const Plan& plan,
                   std::vector<Question> asked,
                   bool compare,
                   Work& work)
    : layout_(std::move(layout)),
      plan_(plan),
      compare_(compare),
      work_(work),
      choice_(*layout_->stages, &layout_->limits) {
  for (Question& question : asked) open_.push_back({std::move(question), 0, 0, nullptr, {}});
}

Brackets::Rounded Brackets::make(const Grid& grid, Rounding rounding) {
  auto rounded = std::make_shared<FiniteLayout>(layout_, grid, rounding);
  if (layout_->limits.ended()) return nullptr;
  if (!rounded->stages->has_keys()) {
    throw Error(ErrorCode::refused,
                "wealth",
                "the rewards are too large for brackets, expected magnitudes below 1e300");
  }
  if (!rounded->lay_out()) return nullptr;
  return std::make_shared<Solver<double>>(rounded, plan_, false, work_);
}

// What is known without any pass: between what is sure and what is possible.
bool Brackets::begin() {
  const Grid finest = choice_.finest();
  finest_ = make(finest, Rounding::down);
  finest_up_ = finest_ ? make(finest, Rounding::up) : nullptr;
  if (!finest_up_) return false;
  const Rounded& up = finest_up_;
  choice_.weigh(*finest_->layout()->stages, *finest_->layout()->windows);
  const Window low = finest_->layout()->windows->start();
  const Window high = up->layout()->windows->start();
  // From inside, so that a thousandth of it is no more than asked for.
  Rational range = finest_->wealth(low.possible) - up->wealth(high.least);
  // A single attainable return, as far as the finest steps tell: then they are good enough.
  if (range <= 0) range = 1000 * (up->wealth(high.possible) - finest_->wealth(low.least));
  epsilon_ = layout_->options.epsilon.value_or(range / 1000);
  const PossibleRange possible(layout_->model, layout_->setting);
  // Possibility is a question about the graph.
  std::optional<Settled> possibly;
  if (std::ranges::any_of(open_, [](const Open& o) { return o.question.tau == 1; })) {
    const FiniteLayout& own = *finest_->layout();
    possibly = settle_possible(*own.stages, *own.windows, layout_->limits);
  }
  for (Open& open : open_) {
    const bool surely = open.question.tau == 0;
    open.from = finest_;
    open.located = {{low.sure, low.sure}, std::nullopt};
    open.lower = finest_->wealth(low.sure);
    open.upper =
        std::min<Rational>(up->wealth(surely ? high.sure : high.possible), possible.greatest);
    if (open.question.tau == 1 && possibly) {
      open.located = {{low.possible, low.possible}, possibly};
      open.lower = finest_->wealth(low.possible);
    }
  }
  begun_ = true;
  return true;
}

bool Brackets::is_done() const {
  return std::ranges::all_of(open_, [&](const Open& o) { return o.width() <= epsilon_; });
}

// The levels of a rounded problem that the brackets leave open, all questions together.
Interval Brackets::targets(const Rounded& rounded) const {
  const Rational& unit = rounded->layout()->stages->scale().unit();
  Interval out;
  for (const Open& open : open_) {
    if (open.width() <= epsilon_) continue;
    // From the lower end itself on; levels above the upper end do not count.
    out.cover(floor_of(open.lower / unit) - 1, floor_of(open.upper / unit) + 1);
  }
  return out;
}

// Mass that may be dropped in a backup: over all of them far less than any theta asked for. None
// where possibility itself is asked for.
double Brackets::drop() const {
  Rational least = 1;
  for (const Open& open : open_) {
    const Rational& tau = open.question.tau;
    if (tau == 1) return 0;
    if (tau > 0) least = std::min<Rational>(least, std::min<Rational>(tau, 1 - tau));
  }
  const double horizon = static_cast<double>(layout_->stages->horizon()) + 1;
  return to_nearest_double(least) * 0x1p-44 / horizon;
}

void Brackets::show() const {
  const auto widest = std::ranges::max_element(
      open_, [](const Open& a, const Open& b) { return a.width() < b.width(); });
  if (widest == open_.end()) return;
  layout_->limits.show_bracket(
      {to_nearest_double(widest->lower), to_nearest_double(widest->upper)});
}

void Brackets::narrow_lower(const Rounded& down) {
  for (Open& open : open_) {
    if (layout_->limits.ended()) return;
    if (open.width() <= epsilon_) continue;  // no target of the pass
    Located located = down->level_of(open.question);
    const Rational lower = down->wealth(located.range.lower);
    // At equal ends a pass's policy, which looks at probabilities, is worth more than the sure one.
    if (lower < open.lower || (lower == open.lower && open.from != finest_)) continue;
    open.lower = lower;
    open.from = down;
    open.located = std::move(located);
  }
}

void Brackets::narrow_upper(const Rounded& up) {
  for (Open& open : open_) {
    if (layout_->limits.ended()) return;
    if (open.width() <= epsilon_) continue;  // no target of the pass
    const Rational upper = up->wealth(up->level_of(open.question).range.upper) + beyond(up);
    // Both are bounds: the better one holds, and never below the lower end.
    open.upper = std::max<Rational>(open.lower, std::min<Rational>(open.upper, upper));
  }
}

bool Brackets::narrow(const Grid& grid, const Focus& focus) {
  Focus down_focus = focus;
  const Rounded down = make(grid, Rounding::down);
  if (!down) return false;
  down_focus.targets = targets(down);
  if (!down->run_passes(down_focus)) return false;
  narrow_lower(down);
  down_ = down;
  show();
  ++rounds_;
  if (is_done()) return true;
  const Rounded up = make(grid, Rounding::up);
  if (!up) return false;
  Focus up_focus = focus;
  up_focus.decisions = false;
  up_focus.targets = targets(up);
  if (!up->run_passes(up_focus)) return false;
  narrow_upper(up);
  up_ = up;
  show();
  return true;
}

bool Brackets::refine(const Grid& grid, bool may_drop) {
  Focus focus;
  focus.drop = may_drop ? drop() : 0;
  focus.most_exact_nodes = kMostExactNodes;
  return narrow(grid, focus);
}

Rational Brackets::widest() const {
  Rational width = 0;
  for (const Open& open : open_) width = std::max<Rational>(width, open.width());
  return width;
}

bool Brackets::run_lattice() {
  const Grid last = choice_.within(epsilon_);
  // Where steps are many, levels of probability may be few: both bracket the same quantiles. They
  // go on while they leave less open than a grid of the same cost would; its width times its cost
  // is the same on all grids.
  const double cost = choice_.cost_of(last);
  for (std::uint64_t levels = fewest_levels(); levels <= kMostLevels && !is_done(); levels *= 4) {
    const double cost_here = cost_of_levels(levels);
    if (cost < kLevelsPay * cost_here) break;
    if (!refine_levels(levels)) return false;
    if (to_nearest_double(widest()) * cost_here > to_nearest_double(epsilon_) * cost) break;
  }
  std::vector<std::pair<Grid, Rational>> rounds{{last, epsilon_}};
  Rational coarser_epsilon = epsilon_;
  for (int tries = 0; tries < 200 && !layout_->limits.ended() &&
                      choice_.cost_of(rounds.back().first) > kCheapRound;
       ++tries) {
    coarser_epsilon *= Rational(kRefinement);
    Grid coarser = choice_.within(coarser_epsilon);
    // An epsilon below the finest steps gives the same grid for a while.
    if (coarser.unit != rounds.back().first.unit)
      rounds.emplace_back(std::move(coarser), coarser_epsilon);
  }
  for (std::size_t i = rounds.size(); i-- > 0 && !is_done();) {
    // A round that could not narrow the brackets to less than they are is left out.
    if (i > 0 && rounds[i].second >= widest()) continue;
    try {
      if (!refine(rounds[i].first, true)) return false;
    } catch (const Error& error) {
      // Not even the coarsest fits the memory: coarser still, and then as far as it goes.
      if (error.code() != ErrorCode::refused || rounds_ > 0 || i + 1 < rounds.size()) throw;
      const Rational epsilon = rounds[i].second * Rational(kRefinement);
      if (epsilon >= widest() * Rational(kRefinement)) throw;
      rounds.emplace_back(choice_.within(epsilon), epsilon);
      i = rounds.size();
    }
  }
  // Dropped mass can blur a tie with theta: then the last round once more without.
  return is_done() || refine(last, false);
}

void Brackets::spend_spare_work() {
  const Options& options = layout_->options;
  const bool is_short = options.time_limit_seconds > 0 && options.time_limit_seconds < kShortTime;
  if (options.epsilon || is_short || !is_done() || rounds_ == 0) return;
  const Rational enough = epsilon_;
  for (unsigned long times = kMostSpared; times > 1; --times) {
    epsilon_ = enough / times;
    const Grid grid = choice_.within(epsilon_);
    if (choice_.cost_of(grid) > kSparePass) continue;
    try {
      if (!is_done()) refine(grid, true);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused) throw;
    }
    break;
  }
  epsilon_ = enough;
}

// Levels lose up to T / J in probability: no fewer than leave an eighth of what is asked about.
std::uint64_t Brackets::fewest_levels() const {
  double least = 0.5;
  for (const Open& open : open_) {
    const double tau = to_nearest_double(open.question.tau);
    if (tau > 0 && tau < 1) least = std::min({least, tau, 1 - tau});
  }
  std::uint64_t levels = kFewestLevels;
  const double wanted = 8 * static_cast<double>(layout_->stages->horizon()) / least;
  while (levels < kMostLevels && static_cast<double>(levels) < wanted) levels *= 2;
  return levels;
}

// Multiply-adds of a pass whose functions have this many steps, by breakpoints: each costs as much
// as eight on arrays, and as many again for sorting.
double Brackets::cost_of_levels(std::uint64_t levels) const {
  return 16 * static_cast<double>(levels) * choice_.outcomes();
}

bool Brackets::refine_levels(std::uint64_t levels) {
  Focus focus;
  focus.probability_levels = levels;
  focus.most_exact_nodes = 0;  // ties are for a grid with fewer levels of wealth
  if (!narrow(choice_.finest(), focus)) return false;
  levels_ = levels;
  return true;
}

bool Brackets::run_levels() {
  for (std::uint64_t levels = fewest_levels(); levels <= kMostLevels && !is_done(); levels *= 4) {
    if (!refine_levels(levels)) return false;
  }
  return true;
}

// The paper's search with one functional backward induction for each target, to epsilon: the level
// found counts in the problem rounded down, the next does not, and W <= W^- + slack.
bool Brackets::run_paper() {
  const WealthScale& scale = finest_->layout()->stages->scale();
  Focus focus;
  focus.most_exact_nodes = kMostExactNodes;
  focus.search_gap = std::max<std::int64_t>(1, floor_of((epsilon_ - scale.slack()) / scale.unit()));
  if (!finest_->run_passes(focus)) return false;
  for (Open& open : open_) {
    open.located = finest_->level_of(open.question);
    open.lower = finest_->wealth(open.located.range.lower);
    // The next level does not count; on an exact scale there is nothing between them.
    const Rational upper =
        scale.slack() == 0
            ? finest_->wealth(open.located.range.upper)
            : Rational(finest_->wealth(open.located.range.upper + 1) + scale.slack());
    open.upper = std::max<Rational>(open.lower, std::min<Rational>(open.upper, upper));
    if (layout_->limits.ended()) return false;
  }
  ++rounds_;
  down_ = finest_;
  up_ = finest_up_;
  return true;
}

// A search that does not fit the memory leaves the rest to the lattice.
bool Brackets::try_search() {
  try {
    return run_search();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    return false;
  }
}

void Brackets::run() {
  if (!begin()) return;
  show();
  try {
    if (plan_.engine == Engine::levels) {
      run_levels();
    } else if (plan_.engine == Engine::paper) {
      run_paper();
    } else if (plan_.engine != Engine::search || !try_search()) {
      if (run_lattice()) spend_spare_work();
    }
  } catch (const Error& error) {
    // What the rounds before found still holds.
    if (error.code() != ErrorCode::refused) throw;
    lacked_memory_ = true;
  }
}

// One pass each way for the whole curve; on a coarser grid if the one asked for does not fit.
void Brackets::run_whole(bool decisions) {
  if (!begin()) return;
  Focus focus;
  focus.decisions = decisions;
  focus.most_exact_nodes = kMostExactNodes;
  Rational epsilon = epsilon_;
  for (int tries = 0; tries < 20 && rounds_ == 0; ++tries, epsilon *= Rational(kRefinement)) {
    const Grid grid = choice_.within(epsilon);
    try {
      const Rounded down = make(grid, Rounding::down);
      const Rounded up = down ? make(grid, Rounding::up) : nullptr;
      if (!up || !down->run_passes(focus) || !up->run_passes(focus)) return;
      down_ = down;
      up_ = up;
      ++rounds_;
      is_coarser_ = tries > 0;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused) throw;
      lacked_memory_ = true;
    }
  }
  if (rounds_ == 0) return;
  narrow_lower(down_);
  narrow_upper(up_);
}

Status Brackets::status() const {
  if (finest_ && rounds_ > 0 && is_done() && !is_coarser_) return Status::solved;
  if (layout_->limits.ended()) return layout_->limits.status();
  return lacked_memory_ || rounds_ == 0 ? Status::limit_reached : Status::unsettled;
}

}  // namespace quantiplan
