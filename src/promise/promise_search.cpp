#include "promise/promise_search.hpp"

#include <algorithm>

#include "numbers/rounding_bound.hpp"

namespace quantiplan {
namespace {

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
        if (limits_.ended() || !try_weight(*next)) break;
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
    Rational range;  // E_A - E_B at the start
    // The bound within the problem of the policies: what more passes can bring. Where wealth is
    // rounded, that of the true problem stays wider.
    Rational within;
    bool is_open = true;
  };

  // The passes for A and B.
  bool begin() {
    const Aim first = Aim::probability_first();
    const auto greatest = search_.policies.run(first, limits_, work_);
    if (!greatest) return false;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      open_[i].found.above = PointOfHull{first, (*greatest)[i]};
      keep(i, *open_[i].found.above);
      if (!search_.mean_first) open_[i].is_open = false;
    }
    if (!search_.mean_first) return true;
    const Aim mean = Aim::weighted(0);
    const auto best = search_.policies.run(mean, limits_, work_);
    if (!best) return false;
    surely_ = greatest;
    const auto is_sure = [](const Promise& promise) { return promise.theta == 1; };
    if (search_.bounds != nullptr && std::ranges::any_of(promises_, is_sure))
      surely_ = search_.bounds->run(first, limits_, work_);
    for (std::size_t i = 0; i < open_.size(); ++i) start(i, {mean, (*best)[i]});
    return true;
  }

  void start(std::size_t i, PointOfHull mean) {
    Open& open = open_[i];
    open.found.bound = mean.at.optimum;
    open.found.weight = 0;
    open.within = *mean.at.optimum;
    const Promise& promise = promises_[i];
    const bool reached = keep(i, mean);
    open.found.below = std::move(mean);
    const Prospect& b = open.found.above->at;
    open.range = open.found.below->at.mean - b.mean;
    // The bound of theta = 1 is that of the promise kept surely, which the first pass attains.
    if (promise.theta == 1) {
      if (surely_) {
        open.found.bound = (*surely_)[i].mean + (*surely_)[i].mean_error;
        open.found.weight.reset();
      }
      open.is_open = false;
    }
    if (reached || open.range <= 0) open.is_open = false;
    close_narrow(i);
  }

  // Keeps the point if it is a better policy for the promise than any before; true if it keeps it.
  bool keep(std::size_t i, PointOfHull& point) {
    const auto before = best_mean(i);
    const bool is_better = !before || point.at.mean > *before;
    if (is_better) settle(i, point);
    if (!certainly_keeps(promises_[i], point.at)) return false;
    if (is_better) open_[i].found.kept = point;
    return true;
  }

  // Rationals tell whether a policy keeps the promise where doubles cannot.
  void settle(std::size_t i, PointOfHull& point) {
    const Promise& promise = promises_[i];
    if (certainly_keeps(promise, point.at)) return;
    if (!reaches(point.at.probability.greatest(), promise.theta, promise.side)) return;
    const auto exact = search_.policies.exact_probability(point.aim, i, limits_);
    if (exact) point.at.probability = Value::exactly(*exact);
  }

  [[nodiscard]] std::optional<Rational> best_mean(std::size_t i) const {
    if (open_[i].found.kept) return open_[i].found.kept->at.mean;
    return promises_[i].known_mean;
  }

  void close_narrow(std::size_t i) {
    Open& open = open_[i];
    const auto mean = best_mean(i);
    if (mean && open.within - *mean <= search_.gap * open.range) open.is_open = false;
  }

  // The open promise whose gap is the widest part of what it can cost.
  [[nodiscard]] std::optional<std::size_t> widest() const {
    std::optional<std::size_t> out;
    Rational most = 0;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (!open_[i].is_open) continue;
      const auto mean = best_mean(i);
      const Rational gap = mean ? Rational((open_[i].within - *mean) / open_[i].range) : 2;
      if (out && gap <= most) continue;
      out = i;
      most = gap;
    }
    return out;
  }

  // A pass for the slope of one promise; false if the limits ended it.
  bool try_weight(std::size_t i) {
    Open& open = open_[i];
    const Prospect& a = open.found.below->at;
    const Prospect& b = open.found.above->at;
    const Rational rise = b.chance - a.chance;
    const Rational fall = a.mean - b.mean;
    if (rise <= 0 || fall <= 0) {
      open.is_open = false;
      return true;
    }
    const Aim aim = Aim::weighted(search_.policies.rounded(fall / rise));
    if (*aim.weight <= 0 || std::ranges::find(tried_, *aim.weight) != tried_.end()) {
      open.is_open = false;
      return true;
    }
    const auto found = search_.policies.run(aim, limits_, work_);
    if (!found) return false;
    auto upper = found;
    if (search_.bounds != nullptr) upper = search_.bounds->run(aim, limits_, work_);
    if (!upper) return false;
    tried_.push_back(*aim.weight);
    // No point of the hull lies above the line between A and B.
    const bool is_last = *(*found)[i].optimum <= a.mean + *aim.weight * a.chance;
    for (std::size_t k = 0; k < open_.size(); ++k) {
      if (!open_[k].found.bound) continue;
      const bool moved = use(k, {aim, (*found)[k]}, *(*upper)[k].optimum);
      if (k == i && (is_last || !moved)) open_[k].is_open = false;
      if (open_[k].is_open) close_narrow(k);
    }
    return true;
  }

  // True if it brings A and B nearer to each other.
  bool use(std::size_t i, PointOfHull point, const Rational& optimum) {
    PromiseFound& found = open_[i].found;
    const Rational offset = *point.aim.weight * promises_[i].theta;
    if (const Rational bound = optimum - offset; bound < *found.bound) {
      found.bound = bound;
      found.weight = *point.aim.weight;
    }
    open_[i].within = std::min<Rational>(open_[i].within, *point.at.optimum - offset);
    const bool keeps = keep(i, point);
    if (!open_[i].is_open) return false;
    std::optional<PointOfHull>& end = keeps ? found.above : found.below;
    const Rational& chance = point.at.chance;
    if (chance <= found.below->at.chance || chance >= found.above->at.chance) return false;
    end = std::move(point);
    return true;
  }

  const PromiseSearch& search_;
  const std::vector<Promise>& promises_;
  Limits& limits_;
  Work& work_;
  std::vector<Open> open_;
  std::vector<Rational> tried_;
  std::optional<std::vector<Prospect>> surely_;  // the best mean of a promise that is kept surely
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
