#include "promise/promise_search.hpp"

#include <algorithm>

#include "numbers/rounding_bound.hpp"

namespace quantiplan {
namespace {

// Of the gap that is good enough: for less a pass is not worth its cost. On random Garnets 99 taus
// take 109 passes instead of 149, and one of the means loses 0.01 % of what its promise can cost.
const Rational kFlat(1, 100);

class Search {
 public:
  Search(const PromiseSearch& search,
         const std::vector<Promise>& promises,
         Limits& limits,
         Work& work)
      : search_(search),
        promises_(promises),
        limits_(limits),
        work_(work),
        open_(promises.size()) {}

  std::vector<PromiseFound> run() {
    if (begin()) {
      while (const auto next = widest()) {
        if (limits_.ended()) break;
        if (is_flat(*next)) {
          for (const std::size_t k : alike(*next)) open_[k].is_open = false;
        } else if (!try_weight(*next)) {
          break;
        }
      }
    }
    std::vector<PromiseFound> out;
    for (Open& open : open_) {
      open.found.is_finished = !open.is_open;
      out.push_back(std::move(open.found));
    }
    return out;
  }

 private:
  struct Open {
    PromiseFound found;
    Shared<Rational> range;  // E_A - E_B at the start
    // The bound within the problem of the policies: what more passes can bring. Where wealth is
    // rounded, that of the true problem stays wider.
    Shared<Rational> within;
    Shared<Rational> gap;  // as a part of the range; absent: no policy is known
    bool is_open = true;
    bool is_exhausted = false;  // no pass can bring anything
    // Whose weights are the nearest to the slope between A and B, on either side of it.
    SharedPoint flatter;
    SharedPoint steeper;  // null: the greatest probability, whose weight has no end
  };
  using Points = std::vector<SharedPoint>;  // by target

  // Promises looked at between two looks at the clock.
  static constexpr std::size_t kPromisesPerPoll = 1024;
  // Calls `visit(i)` for each promise; false if the limits ended it.
  template <class Visit>
  bool for_each_promise(const Visit& visit) {
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (i % kPromisesPerPoll == 0 && limits_.ended()) return false;
      visit(i);
    }
    return true;
  }

  static Points points_of(const Aim& aim, std::vector<Prospect>& found) {
    Points out;
    out.reserve(found.size());
    for (Prospect& prospect : found)
      out.push_back(std::make_shared<const PointOfHull>(PointOfHull{aim, std::move(prospect)}));
    return out;
  }

  // The passes for A and B.
  bool begin() {
    const Aim first = Aim::probability_first();
    auto greatest = search_.policies.run(first, limits_, work_);
    if (!greatest) return false;
    const Points above = points_of(first, *greatest);
    const bool is_begun = for_each_promise([&](std::size_t i) {
      open_[i].found.above = above[promises_[i].target];
      keep(i, open_[i].found.above);
      if (!search_.mean_first) open_[i].is_open = false;
    });
    if (!search_.mean_first || !is_begun) return is_begun;
    const Aim mean = Aim::weighted(0);
    auto best = search_.policies.run(mean, limits_, work_);
    if (!best) return false;
    surely_ = above;
    const auto is_sure = [](const Promise& promise) { return promise.theta == 1; };
    if (search_.bounds != nullptr && std::ranges::any_of(promises_, is_sure)) {
      auto surely = search_.bounds->run(first, limits_, work_);
      surely_ = surely ? points_of(first, *surely) : Points();
    }
    const Points below = points_of(mean, *best);
    for (std::size_t k = 0; k < below.size(); ++k)
      at_start_.push_back({*below[k]->at.optimum, Rational(below[k]->at.mean - above[k]->at.mean)});
    return for_each_promise([&](std::size_t i) { start(i, below[promises_[i].target]); });
  }

  void start(std::size_t i, SharedPoint mean) {
    Open& open = open_[i];
    const Promise& promise = promises_[i];
    const Start& at_start = at_start_[promise.target];
    open.found.bound = at_start.optimum;
    open.found.weight = no_weight_;
    open.within = at_start.optimum;
    const bool reached = keep(i, mean);
    open.found.below = std::move(mean);
    open.flatter = open.found.below;
    // An exact probability is another point, of the same means.
    open.range = at_start.range;
    // The bound of theta = 1 is that of the promise kept surely, which the first pass attains.
    if (promise.theta == 1) {
      if (!surely_.empty()) {
        const Prospect& surely = surely_[promise.target]->at;
        open.found.bound = Rational(surely.mean + surely.mean_error);
        open.found.weight.reset();
      }
      open.is_open = false;
    }
    if (reached || *open.range <= 0) open.is_open = false;
    close_narrow(i);
  }

  // Keeps the point if it is a better policy for the promise than any before; true if it keeps it.
  bool keep(std::size_t i, SharedPoint& point) {
    const Rational* before = best_mean(i);
    const bool is_better = before == nullptr || point->at.mean > *before;
    if (is_better) settle(i, point);
    if (!certainly_keeps(promises_[i], point->at)) return false;
    if (is_better) open_[i].found.kept = point;
    return true;
  }

  // Rationals tell whether a policy keeps the promise where doubles cannot.
  void settle(std::size_t i, SharedPoint& point) {
    const Promise& promise = promises_[i];
    if (certainly_keeps(promise, point->at)) return;
    if (!reaches(point->at.probability.greatest(), promise.theta, promise.side)) return;
    const auto exact = search_.policies.exact_probability(point->aim, promise.target, limits_);
    if (!exact) return;
    PointOfHull settled = *point;
    settled.at.probability = Value::exactly(*exact);
    point = std::make_shared<const PointOfHull>(std::move(settled));
  }

  // Null: none is known.
  [[nodiscard]] const Rational* best_mean(std::size_t i) const {
    if (open_[i].found.kept) return &open_[i].found.kept->at.mean;
    return promises_[i].known_mean ? &*promises_[i].known_mean : nullptr;
  }

  void close_narrow(std::size_t i) {
    Open& open = open_[i];
    const Rational* mean = best_mean(i);
    if (mean != nullptr) {
      const Rational gap = *open.within - *mean;
      if (gap <= search_.gap * *open.range) open.is_open = false;
      if (open.is_open) open.gap = Rational(gap / *open.range);
    }
  }

  // The open promise whose gap is the widest part of what it can cost.
  [[nodiscard]] std::optional<std::size_t> widest() const {
    std::optional<std::size_t> out;
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (open_[i].is_open && (!out || gap_of(i) > gap_of(*out))) out = i;
    return out;
  }
  [[nodiscard]] const Rational& gap_of(std::size_t i) const {
    static const Rational kUnknown(2);
    return open_[i].gap ? *open_[i].gap : kUnknown;
  }

  // Whether two promises lie between the same points: what a pass says of the one holds for both.
  [[nodiscard]] bool are_alike(std::size_t i, std::size_t k) const {
    const PromiseFound& one = open_[i].found;
    const PromiseFound& other = open_[k].found;
    return promises_[i].target == promises_[k].target && one.below->aim == other.below->aim &&
           one.above->aim == other.above->aim;
  }
  [[nodiscard]] std::vector<std::size_t> alike(std::size_t i) const {
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < open_.size(); ++k)
      if (open_[k].is_open && are_alike(i, k)) out.push_back(k);
    return out;
  }
  void close(const std::vector<std::size_t>& which) {
    for (const std::size_t i : which) {
      open_[i].is_open = false;
      // Bounds of another problem may still come nearer.
      open_[i].is_exhausted = search_.bounds == nullptr;
    }
  }

  // Whether the hull lies above the line from A to B by no more than a small part of the gap that is
  // good enough: a pass would show little but that. The maximum of E + l P is convex in l, so the
  // weights on either side of the slope bound it there; beyond the last it rises by at most P_B.
  [[nodiscard]] bool is_flat(std::size_t i) const {
    if (search_.gap == 0) return false;
    const Open& open = open_[i];
    const Prospect& a = open.found.below->at;
    const Prospect& b = open.found.above->at;
    const Rational rise = b.chance - a.chance;
    if (rise <= 0) return false;
    const Rational slope = (a.mean - b.mean) / rise;
    const Rational& weight = *open.flatter->aim.weight;
    const Rational& optimum = *open.flatter->at.optimum;
    Rational rate = b.chance;
    if (open.steeper)
      rate = (*open.steeper->at.optimum - optimum) / (*open.steeper->aim.weight - weight);
    const Rational most = optimum + (slope - weight) * rate;
    return most - (a.mean + slope * a.chance) <= kFlat * search_.gap * *open.range;
  }

  // A pass for the slope of one promise; false if the limits ended it.
  bool try_weight(std::size_t i) {
    const Prospect& a = open_[i].found.below->at;
    const Prospect& b = open_[i].found.above->at;
    const Rational rise = b.chance - a.chance;
    const Rational fall = a.mean - b.mean;
    if (rise <= 0 || fall <= 0) {
      close(alike(i));
      return true;
    }
    const Aim aim = Aim::weighted(search_.policies.rounded(fall / rise));
    if (*aim.weight <= 0 || std::ranges::find(tried_, *aim.weight) != tried_.end()) {
      close(alike(i));
      return true;
    }
    auto found = search_.policies.run(aim, limits_, work_);
    if (!found) return false;
    std::optional<std::vector<Prospect>> bounds;
    if (search_.bounds != nullptr) {
      bounds = search_.bounds->run(aim, limits_, work_);
      if (!bounds) return false;
    }
    tried_.push_back(*aim.weight);
    const Points points = points_of(aim, *found);
    // No point of the hull lies above the line between A and B.
    const bool is_last =
        *points[promises_[i].target]->at.optimum <= a.mean + *aim.weight * a.chance;
    const std::vector<std::size_t> same = alike(i);
    bool has_moved = false;
    const bool is_used = for_each_promise([&](std::size_t k) {
      if (!open_[k].found.bound || open_[k].is_exhausted) return;
      const std::size_t own = promises_[k].target;
      const bool moved = use(k, points[own], *(bounds ? (*bounds)[own] : points[own]->at).optimum);
      if (k == i) has_moved = moved;
      if (open_[k].is_open) close_narrow(k);
    });
    if (is_last || !has_moved) close(same);
    return is_used;
  }

  // True if it brings A and B nearer to each other.
  bool use(std::size_t i, SharedPoint point, const Rational& optimum) {
    PromiseFound& found = open_[i].found;
    const Rational offset = *point->aim.weight * promises_[i].theta;
    if (Rational bound = optimum - offset; bound < *found.bound) {
      found.bound = std::move(bound);
      found.weight = *point->aim.weight;
    }
    if (Rational within = *point->at.optimum - offset; within < *open_[i].within)
      open_[i].within = std::move(within);
    const bool keeps = keep(i, point);
    if (!open_[i].is_open) return false;
    SharedPoint& side = keeps ? open_[i].steeper : open_[i].flatter;
    const bool is_nearer = side == nullptr || (keeps ? *point->aim.weight < *side->aim.weight
                                                     : *point->aim.weight > *side->aim.weight);
    if (is_nearer) side = point;
    SharedPoint& end = keeps ? found.above : found.below;
    const Rational& chance = point->at.chance;
    if (chance <= found.below->at.chance || chance >= found.above->at.chance) return false;
    end = std::move(point);
    return true;
  }

  // Of a target: the greatest mean, and by how much it exceeds that of the greatest probability.
  struct Start {
    Shared<Rational> optimum;
    Shared<Rational> range;
  };

  const PromiseSearch& search_;
  const std::vector<Promise>& promises_;
  Limits& limits_;
  Work& work_;
  std::vector<Open> open_;
  std::vector<Rational> tried_;
  std::vector<Start> at_start_;
  const Shared<Rational> no_weight_{Rational(0)};
  Points surely_;  // the best mean of a promise that is kept surely
};

}  // namespace

bool certainly_keeps(const Promise& promise, const Prospect& prospect) {
  return reaches(prospect.probability.least(), promise.theta, promise.side);
}

std::vector<PromiseFound> search_promises(const PromiseSearch& search,
                                          const std::vector<Promise>& promises,
                                          Limits& limits,
                                          Work& work) {
  return Search(search, promises, limits, work).run();
}

}  // namespace quantiplan
