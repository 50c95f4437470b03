// The search from s0: bounds from two coarse passes over all states, then D at single targets.
//
//     while the bracket is wide:   target by interpolation between its ends
//         D^-(target) reaches theta:   the new lower end
//         else:                        the next candidate for the upper end, which D^+ must confirm
#include <algorithm>
#include <cmath>

#include "finite/solve/brackets.hpp"
#include "finite/solve/point_search.hpp"

namespace quantiplan {
namespace {

// Multiply-adds of each coarse pass at first, and how many times that in the last attempt. Narrower
// bounds cost more and leave fewer nodes: a target that has more than these is tried again with
// bounds four times as narrow.
constexpr double kCoarseCost = 5e6;
constexpr double kMostRefined = 256;
constexpr std::uint64_t kManyNodes = 40'000;
constexpr std::uint64_t kMostNodes = 3'000'000;
constexpr int kMostUnconfirmed = 3;
constexpr int kMostTargets = 200;

// The functions of two coarse passes as bounds on a grid 2^shift times as fine.
class CoarseBounds final : public ValueBounds {
 public:
  CoarseBounds(const LayerRecord& down, const LayerRecord& up, unsigned shift)
      : down_(down), up_(up), shift_(shift) {}
  // D does not increase: to the coarse level above for a lower bound, below for an upper one.
  [[nodiscard]] Pair at(std::uint64_t time,
                        std::size_t slot,
                        std::int64_t residual) const override {
    return {down_.at(time, slot, -((-residual) >> shift_)), up_.at(time, slot, residual >> shift_)};
  }

 private:
  const LayerRecord& down_;
  const LayerRecord& up_;
  unsigned shift_;
};

unsigned log2_of_ratio(const Rational& coarse, const Rational& fine) {
  const Rational ratio = coarse / fine;
  return static_cast<unsigned>(mpz_sizeinbase(ratio.get_num_mpz_t(), 2) - 1);
}

// Where to look next between two levels and the values found there.
class Guess {
 public:
  Guess(std::int64_t lower, std::int64_t upper, double theta)
      : lower_(lower), upper_(upper), theta_(theta) {}
  [[nodiscard]] std::int64_t lower() const { return lower_; }
  [[nodiscard]] std::int64_t upper() const { return upper_; }
  void raise(std::int64_t level, double value) {
    lower_ = level;
    lower_value_ = value;
    last_raised_ = true;
  }
  void reduce(std::int64_t level, double value) {
    upper_ = level;
    upper_value_ = value;
    last_raised_ = false;
  }
  // By interpolation, a little to the side that was not moved last, so that both ends close in;
  // every third time the middle.
  std::int64_t next(double aim) {
    const auto gap = static_cast<double>(upper_ - lower_);
    double share = 0.5;
    if (++count_ % 3 != 0 && lower_value_ > upper_value_) {
      share = (lower_value_ - theta_) / (lower_value_ - upper_value_);
      share += (last_raised_ ? 0.45 : -0.45) * aim / gap;
    }
    const auto step = static_cast<std::int64_t>(std::clamp(share, 0.02, 0.98) * gap);
    return std::clamp(lower_ + step, lower_ + 1, upper_ - 1);
  }

 private:
  std::int64_t lower_;
  std::int64_t upper_;
  double theta_;
  double lower_value_ = -1;
  double upper_value_ = 2;
  bool last_raised_ = false;
  int count_ = 0;
};

}  // namespace

bool Brackets::run_search() {
  for (double refined = 1; refined <= kMostRefined; refined *= 4) {
    const bool last = refined * 4 > kMostRefined;
    if (search_within(choice_.equal_for(refined * kCoarseCost), last ? kMostNodes : kManyNodes))
      return true;
    if (layout_->limits.ended() || tied_) return false;
  }
  return false;
}

bool Brackets::search_within(const Grid& coarse, std::uint64_t most_nodes) {
  const std::uint64_t horizon = layout_->stages->horizon();
  LayerRecord down_record(horizon);
  LayerRecord up_record(horizon);
  const Rounded down = make(coarse, Rounding::down);
  const Rounded up = down ? make(coarse, Rounding::up) : nullptr;
  if (!up) return false;
  Focus focus;
  focus.most_exact_nodes = 0;
  focus.decisions = false;
  focus.record = &down_record;
  if (!down->run_passes(focus)) return false;
  focus.record = &up_record;
  if (!up->run_passes(focus)) return false;
  narrow_upper(up);
  down_ = down;
  up_ = up;
  ++rounds_;
  ++coarse_rounds_;
  show();
  const CoarseBounds bounds(
      down_record, up_record, log2_of_ratio(coarse.unit, choice_.finest().unit));
  const bool found = std::ranges::all_of(open_, [&](Open& open) {
    return open.width() <= epsilon_ || search(open, *down, bounds, most_nodes);
  });
  down->drop_record();
  up->drop_record();
  return found;
}

// False if the limits ended it, there are too many nodes, or a tie leaves it open.
bool Brackets::search(Open& open,
                      Solver<double>& coarse,
                      const ValueBounds& bounds,
                      std::uint64_t most_nodes) {
  const Rational theta = 1 - open.question.tau;
  const Rational& unit = finest_->layout()->stages->scale().unit();
  const auto aim =
      static_cast<std::int64_t>(std::min(std::floor(to_nearest_double(epsilon_ / unit)), 0x1p60));
  const auto at = [&](const Rounded& rounded, std::int64_t target, bool whole) {
    ++searches_;
    return search_point(*rounded->layout()->stages,
                        *rounded->layout()->windows,
                        bounds,
                        target,
                        whole,
                        most_nodes,
                        layout_->limits,
                        work_);
  };
  const auto level = [&](const Rational& wealth) {
    return finest_->layout()->stages->scale().ceiling(wealth).value;
  };
  // The coarse pass has no policy to offer, but its lower end is a good place to begin.
  const Rational known = coarse.wealth(coarse.level_of(open.question).range.lower);
  Guess guess(level(std::max<Rational>(open.lower, known)),
              level(open.upper) + 1,
              to_nearest_double(theta));
  bool confirmed = true;  // the upper end is certain
  int unconfirmed = 0;
  for (int tries = 0; tries < kMostTargets; ++tries) {
    if (guess.upper() - guess.lower() <= std::max<std::int64_t>(aim, 1)) {
      if (confirmed) break;
      const auto found = at(finest_up_, guess.upper(), false);
      if (!found) return false;
      confirmed = finest_->bound().certainly_misses(found->probability, theta, open.question.side);
      // Rounding up by some of the finest steps can matter; a tie cannot be told from here.
      tied_ = !confirmed && ++unconfirmed > kMostUnconfirmed;
      if (tied_) return false;
      if (!confirmed) guess.reduce(guess.upper() + std::max<std::int64_t>(aim / 4, 1), -1);
      continue;
    }
    const std::int64_t target = guess.next(static_cast<double>(aim));
    const auto found = at(finest_, target, false);
    if (!found) return false;
    if (finest_->bound().certainly_reaches(found->probability, theta, open.question.side)) {
      guess.raise(target, found->probability);
    } else {
      guess.reduce(target, found->probability);
      confirmed = false;
    }
  }
  if (!confirmed) return false;
  open.upper = std::min<Rational>(open.upper, finest_->wealth(guess.upper()));
  const auto found = at(finest_, guess.lower(), true);
  if (!found || !finest_->bound().certainly_reaches(found->probability, theta, open.question.side))
    return false;
  open.lower = finest_->wealth(guess.lower());
  open.from = finest_;
  open.located = {
      {guess.lower(), guess.lower()},
      Settled{finest_->bound().least(found->probability), found->points, /*is_bound=*/true}};
  return open.width() <= epsilon_;
}

}  // namespace quantiplan
