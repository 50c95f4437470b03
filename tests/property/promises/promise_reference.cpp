#include "promises/promise_reference.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "oracles/brute_force.hpp"

namespace quantiplan::testing {
namespace {

// A point of the plane in which a hull is taken: x is the promise, y what is to be great.
struct PlanePoint {
  Rational x, y;
};

bool more_promise(const Fate& a, const Fate& b) {
  return std::tie(a.promise, a.arrival, a.gain) > std::tie(b.promise, b.arrival, b.gain);
}

bool less_worth(const Fate& a, const Fate& b) {
  return std::tie(a.arrival, a.gain, a.promise) < std::tie(b.arrival, b.gain, b.promise);
}

// Ascending in the promise, hence descending in (arrival, gain).
std::vector<Fate> undominated(std::vector<Fate> fates) {
  std::sort(fates.begin(), fates.end(), more_promise);
  std::vector<Fate> front;
  for (Fate& fate : fates)
    if (front.empty() ||
        std::tie(fate.arrival, fate.gain) > std::tie(front.back().arrival, front.back().gain))
      front.push_back(std::move(fate));
  std::reverse(front.begin(), front.end());
  return front;
}

// Positions of the vertices of the upper hull, x ascending and y strictly descending. Of `points`,
// x ascends and y does not ascend.
std::vector<std::size_t> upper_hull(const std::vector<PlanePoint>& points) {
  std::vector<std::size_t> hull;
  const auto turns_left = [&](std::size_t a, std::size_t b, std::size_t c) {
    return (points[b].x - points[a].x) * (points[c].y - points[a].y) >=
           (points[b].y - points[a].y) * (points[c].x - points[a].x);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    while (!hull.empty() && points[hull.back()].y <= points[i].y) hull.pop_back();
    while (hull.size() > 1 && turns_left(hull[hull.size() - 2], hull.back(), i)) hull.pop_back();
    hull.push_back(i);
  }
  return hull;
}

// The supremum of y over the points of the hull with x >= theta, or x > theta.
std::optional<Rational> supremum(const std::vector<PlanePoint>& points,
                                 const Rational& theta,
                                 Side side) {
  if (points.empty() || !keeps(points.back().x, theta, side)) return std::nullopt;
  const std::vector<std::size_t> hull = upper_hull(points);
  if (theta <= points[hull.front()].x) return points[hull.front()].y;
  for (std::size_t i = 1;; ++i) {
    const PlanePoint& a = points[hull[i - 1]];
    const PlanePoint& b = points[hull[i]];
    if (theta <= b.x) return a.y + (b.y - a.y) * (theta - a.x) / (b.x - a.x);
  }
}

std::vector<PlanePoint> in_plane(const std::vector<Fate>& fates, Rational Fate::*worth) {
  std::vector<PlanePoint> points;
  points.reserve(fates.size());
  for (const Fate& fate : fates) points.push_back({fate.promise, fate.*worth});
  return points;
}

// Of an undominated front, in the plane of the promise and this.
std::vector<Fate> vertices(const std::vector<Fate>& front, Rational Fate::*worth) {
  std::vector<Fate> found;
  for (const std::size_t i : upper_hull(in_plane(front, worth))) found.push_back(front[i]);
  return found;
}

// What comes first after the promise.
Rational Fate::*first_worth(const PlainModel& model) {
  return model.goal.empty() ? &Fate::gain : &Fate::arrival;
}

}  // namespace

bool keeps(const Rational& promise, const Rational& theta, Side side) {
  return side == Side::upper ? promise >= theta : promise > theta;
}

PromiseReference::PromiseReference(PlainModel model, KeepFates keep, std::size_t most_fates)
    : model_(std::move(model)), keep_(keep), most_fates_(most_fates) {}

std::vector<Fate> PromiseReference::kept(std::vector<Fate> fates) const {
  if (keep_ == KeepFates::all) {
    std::sort(fates.begin(), fates.end(), more_promise);
    std::reverse(fates.begin(), fates.end());
    fates.erase(std::unique(fates.begin(), fates.end()), fates.end());
  } else {
    fates = undominated(std::move(fates));
  }
  if (keep_ == KeepFates::hull) fates = vertices(fates, first_worth(model_));
  if (fates.size() > most_fates_) throw std::length_error("too many policies to tell apart");
  return fates;
}

// Every sum goes on with every fate after the outcome.
void PromiseReference::add(std::vector<Fate>& sums,
                           const PlainOutcome& outcome,
                           const std::vector<Fate>& next) {
  const Rational& p = outcome.probability;
  const Rational reward = model_.counted(outcome);
  std::vector<Fate> longer;
  if (sums.size() * next.size() > 100 * most_fates_)
    throw std::length_error("too many policies to count");
  longer.reserve(sums.size() * next.size());
  for (const Fate& fate : next) {
    const Fate share{p * fate.promise,
                     p * fate.arrival,
                     p * (reward * fate.arrival + model_.discount * fate.gain)};
    for (const Fate& sum : sums)
      longer.push_back(
          {sum.promise + share.promise, sum.arrival + share.arrival, sum.gain + share.gain});
  }
  sums = kept(std::move(longer));
}

const std::vector<Fate>& PromiseReference::after(std::uint64_t steps_to_go,
                                                 std::size_t state,
                                                 const Rational& residual) {
  const auto key = std::tuple(steps_to_go, state, residual);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::vector<Fate> result;
  if (steps_to_go == 0 || model_.ends_at(state)) {
    const bool counts = model_.goal.empty() || model_.is_goal(state);
    result.push_back({counts && residual <= 0 ? 1 : 0, counts ? 1 : 0, 0});
  } else {
    for (const PlainChoice& choice : model_.states[state].choices) {
      std::vector<Fate> sums{{0, 0, 0}};
      for (const PlainOutcome& o : choice.outcomes)
        add(sums,
            o,
            after(steps_to_go - 1,
                  o.next,
                  Rational((residual - model_.counted(o)) / model_.discount)));
      result.insert(
          result.end(), std::make_move_iterator(sums.begin()), std::make_move_iterator(sums.end()));
    }
  }
  return known_.emplace(key, kept(std::move(result))).first->second;
}

const std::vector<Fate>& PromiseReference::fates(const Rational& level) {
  return after(model_.horizon, model_.initial, level);
}

Fate PromiseReference::surest(const Rational& level) {
  const std::vector<Fate>& all = fates(level);
  return *std::min_element(all.begin(), all.end(), more_promise);
}

Fate PromiseReference::richest(const Rational& level) {
  const std::vector<Fate>& all = fates(level);
  return *std::max_element(all.begin(), all.end(), less_worth);
}

std::optional<Fate> PromiseReference::best(const Rational& level,
                                           const Rational& theta,
                                           Side side) {
  std::optional<Fate> found;
  for (const Fate& fate : fates(level))
    if (keeps(fate.promise, theta, side) && (!found || less_worth(*found, fate))) found = fate;
  return found;
}

std::optional<Rational> PromiseReference::mean_bound(const Rational& level,
                                                     const Rational& theta,
                                                     Side side) {
  return supremum(in_plane(undominated(fates(level)), &Fate::gain), theta, side);
}

bool PromiseReference::bound_is_attained(const Rational& level, const Rational& theta, Side side) {
  return side == Side::upper || richest(level).promise > theta;
}

std::optional<Rational> PromiseReference::arrival_bound(const Rational& level,
                                                        const Rational& theta,
                                                        Side side) {
  return supremum(in_plane(undominated(fates(level)), &Fate::arrival), theta, side);
}

std::vector<Fate> PromiseReference::curve(const Rational& level) {
  return vertices(undominated(fates(level)), first_worth(model_));
}

std::vector<Fate> PromiseReference::curve_of_arriving(const Rational& level) {
  std::vector<Fate> arriving = undominated(fates(level));
  const Rational most = richest(level).arrival;
  std::erase_if(arriving, [&](const Fate& fate) { return fate.arrival < most; });
  return vertices(arriving, &Fate::gain);
}

std::vector<PricedLevel> PromiseReference::prices(const Rational& theta, Side side) {
  std::vector<PricedLevel> priced;
  for (const Rational& level : Reference(model_).levels())
    if (const std::optional<Fate> found = best(level, theta, side))
      priced.push_back({level, found->gain, *mean_bound(level, theta, side)});
  return priced;
}

}  // namespace quantiplan::testing
