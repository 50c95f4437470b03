#include "finite/promise/hull.hpp"

#include <algorithm>
#include <map>

namespace quantiplan {
namespace {

class HullTracer {
 public:
  HullTracer(const HullSearch& search, Limits& limits, Work& work)
      : search_(search), limits_(limits), work_(work) {}

  Hull run() {
    Hull out;
    if (begin()) {
      bool goes_on = true;
      while (goes_on) {
        const auto next = widest();
        out.is_finished = !next;
        goes_on = next && corners_.size() < search_.most_points && !limits_.ended() && split(*next);
      }
    }
    drop_flat();
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const Rational bound = bound_at(corners_[i].point.at.probability.least());
      out.vertices.push_back({corners_[i].point, bound});
    }
    if (!out.vertices.empty()) out.above = greatest_gap();
    return out;
  }

 private:
  struct Corner {
    PointOfHull point;
    bool is_open = true;  // between it and the next

    [[nodiscard]] const Rational& chance() const { return point.at.chance; }
    [[nodiscard]] const Rational& mean() const { return point.at.mean; }
  };

  bool begin() {
    auto best = find(Aim::weighted(0));
    if (!best) return false;
    corners_.push_back({*std::move(best)});
    auto surest = find(Aim::probability_first());
    if (!surest) return true;
    const Corner& a = corners_.front();
    range_ = a.mean() - surest->at.mean;
    // As good in both: only ties, or rounding, tell them apart.
    if (range_ <= 0) corners_.clear();
    if (range_ <= 0 || surest->at.chance > a.chance()) corners_.push_back({*std::move(surest)});
    return true;
  }

  // The point of an aim, and its tangent.
  std::optional<PointOfHull> find(const Aim& aim) {
    const auto found = search_.policies.run(aim, limits_, work_);
    if (!found) return std::nullopt;
    if (aim.weight) {
      auto upper = found;
      if (search_.bounds != nullptr) upper = search_.bounds->run(aim, limits_, work_);
      if (!upper) return std::nullopt;
      tangents_.emplace(*aim.weight, *upper->front().optimum);
    }
    return PointOfHull{aim, found->front()};
  }

  static Rational slope(const Corner& left, const Corner& right) {
    return (left.mean() - right.mean()) / (right.chance() - left.chance());
  }

  // The open side whose tangents leave the most room above it, if that is too much.
  [[nodiscard]] std::optional<std::size_t> widest() const {
    std::optional<std::size_t> out;
    Rational most = search_.gap * range_;
    for (std::size_t i = 0; i + 1 < corners_.size(); ++i) {
      if (!corners_[i].is_open) continue;
      const Rational height = room(corners_[i], corners_[i + 1]);
      if (height <= most) continue;
      most = height;
      out = i;
    }
    return out;
  }

  // Between the tangents of two neighbours and the line through them.
  static Rational room(const Corner& left, const Corner& right) {
    const Rational& l = *left.point.aim.weight;
    const Rational at_left = *left.point.at.optimum;
    Rational p = right.chance();
    if (const auto& r = right.point.aim.weight; r && *r > l)
      p = std::clamp<Rational>(
          (*right.point.at.optimum - at_left) / (*r - l), left.chance(), right.chance());
    return at_left - l * p - left.mean() + slope(left, right) * (p - left.chance());
  }

  // A pass for the slope of a side; false if the limits ended it.
  bool split(std::size_t i) {
    corners_[i].is_open = false;
    const Rational weight = search_.policies.rounded(slope(corners_[i], corners_[i + 1]));
    if (weight <= 0 || tangents_.contains(weight)) return true;
    auto found = find(Aim::weighted(weight));
    if (!found) return false;
    const Corner& left = corners_[i];
    const Rational line = left.mean() + weight * left.chance();
    const bool is_above = found->at.mean + weight * found->at.chance > line;
    const bool is_between =
        found->at.chance > left.chance() && found->at.chance < corners_[i + 1].chance();
    if (!is_above || !is_between) return true;
    corners_[i].is_open = true;
    corners_.insert(corners_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                    Corner{*std::move(found)});
    return true;
  }

  // In doubles a point may lie on the line of its neighbours, or a hair below it.
  void drop_flat() {
    for (std::size_t i = 1; i + 1 < corners_.size();) {
      const bool is_flat =
          slope(corners_[i - 1], corners_[i]) >= slope(corners_[i], corners_[i + 1]);
      if (is_flat) corners_.erase(corners_.begin() + static_cast<std::ptrdiff_t>(i));
      i = is_flat ? std::max<std::size_t>(i, 2) - 1 : i + 1;
    }
  }

  // Of the mean, for whoever has at least this probability.
  [[nodiscard]] Rational bound_at(const Rational& probability) const {
    std::optional<Rational> least;
    for (const auto& [weight, optimum] : tangents_) {
      const Rational bound = optimum - weight * probability;
      if (!least || bound < *least) least = bound;
    }
    return *least;
  }

  // Above a line of slope s the tangent with the greatest weight up to s rises, that with the least
  // weight from s on falls: nothing is above the point where they meet.
  [[nodiscard]] Rational greatest_gap() const {
    Rational most = 0;
    for (std::size_t i = 0; i + 1 < corners_.size(); ++i) {
      const Corner& left = corners_[i];
      const Corner& right = corners_[i + 1];
      const Rational s = slope(left, right);
      const auto steeper = tangents_.lower_bound(s);
      const bool is_own = steeper != tangents_.end() && steeper->first == s;
      const auto& [l, at_left] = is_own ? *steeper : *std::prev(steeper);
      Rational p = right.chance();
      if (!is_own && steeper != tangents_.end())
        p = std::clamp<Rational>(
            (steeper->second - at_left) / (steeper->first - l), left.chance(), right.chance());
      const Rational gap = at_left - l * p - left.mean() + s * (p - left.chance());
      most = std::max<Rational>(most, gap + left.point.at.mean_error);
    }
    return most;
  }

  const HullSearch& search_;
  Limits& limits_;
  Work& work_;
  std::vector<Corner> corners_;            // ascending P
  std::map<Rational, Rational> tangents_;  // weight l: M_l of all policies
  Rational range_ = 0;                     // E_A - E_B
};

}  // namespace

Hull trace_hull(const HullSearch& search, Limits& limits, Work& work) {
  return HullTracer(search, limits, work).run();
}

}  // namespace quantiplan
