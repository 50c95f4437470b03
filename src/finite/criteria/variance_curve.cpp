#include "finite/criteria/variance_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <queue>

namespace quantiplan {
namespace {

// More of either is for nobody to look at.
constexpr std::size_t kMostKnown = 4096;
constexpr std::size_t kMostVertices = 400;

Rational second_moment(const QuadraticProbe& p) { return 2 * p.c * p.mean - p.value; }
// Of a probe's line at another c.
Rational line_at(const QuadraticProbe& p, const Rational& c) {
  return p.value + 2 * p.mean * (c - p.c);
}
bool has_errors(const QuadraticProbe& p) { return p.value_error != 0 || p.mean_error != 0; }

// Evenly, with both ends.
template <class T>
std::vector<T> thinned(std::vector<T> all, std::size_t most) {
  if (all.size() <= most) return all;
  const std::size_t every = all.size() / most + 1;
  std::vector<T> out;
  for (std::size_t i = 0; i + 1 < all.size(); i += every) out.push_back(std::move(all[i]));
  out.push_back(std::move(all.back()));
  return out;
}

class CurveSearch {
 public:
  explicit CurveSearch(VarianceSearch search)
      : in_(std::move(search)), known_(thinned(std::move(in_.known), kMostKnown)) {}

  bool run() { return extend() && refine(); }

  [[nodiscard]] VarianceCurve curve() const {
    VarianceCurve out;
    const std::size_t all = envelope(out);
    out.vertices = thinned(std::move(out.vertices), kMostVertices);
    out.is_complete = is_closed_ && out.vertices.size() == all;
    for (VarianceVertex& vertex : out.vertices) add_bounds(vertex);
    return out;
  }

 private:
  // Beyond the last c nothing is left to gain once the mean is the greatest.
  bool extend() {
    Rational step = std::max<Rational>(1, known_.back().c - known_.front().c);
    // Both have the error of means.
    while (known_.back().mean + 3 * known_.back().mean_error < in_.greatest_mean) {
      if (!may_probe()) return true;
      auto next = in_.probe(known_.back().c + step);
      if (!next) return false;
      known_.push_back(*std::move(next));
      step *= 4;
    }
    return true;
  }

  // Where most of V is left open comes first.
  bool refine() {
    std::map<Rational, QuadraticProbe> by_c;
    for (const QuadraticProbe& p : known_) by_c.emplace(p.c, p);
    std::priority_queue<Gap> open;
    const auto look = [&](std::map<Rational, QuadraticProbe>::const_iterator left) {
      const auto right = std::next(left);
      if (right == by_c.end()) return;
      if (auto gap = gap_between(left->second, right->second)) open.push(*std::move(gap));
    };
    for (auto at = by_c.cbegin(); at != by_c.cend(); ++at) look(at);
    while (!open.empty() && may_probe()) {
      const Rational c = open.top().c;
      open.pop();
      auto between = in_.probe(c);
      if (!between) return false;
      Rational key = between->c;
      const auto at = by_c.emplace(std::move(key), *std::move(between)).first;
      look(std::prev(at));
      look(at);
    }
    known_.clear();
    for (auto& [c, p] : by_c) known_.push_back(std::move(p));
    return true;
  }

  bool may_probe() {
    if (probes_++ < in_.most_probes) return true;
    is_closed_ = false;
    return false;
  }

  // c is more than the mean of the policy that it is for: between these there is none.
  static bool is_below_means(const QuadraticProbe& left, const QuadraticProbe& right) {
    return right.c <= left.mean - left.mean_error;
  }

  // Where the lines of two neighbours meet, if something may lie above them there.
  struct Gap {
    double size;  // of V
    Rational c;
    bool operator<(const Gap& other) const {
      return size != other.size ? size < other.size : c > other.c;
    }
  };
  [[nodiscard]] std::optional<Gap> gap_between(const QuadraticProbe& left,
                                               const QuadraticProbe& right) const {
    const Rational steeper = 2 * (right.mean - left.mean);
    if (steeper <= 0 || is_below_means(left, right)) return std::nullopt;
    Rational c = (second_moment(right) - second_moment(left)) / steeper;
    if (has_errors(left) && std::isfinite(to_nearest_double(c))) c = to_nearest_double(c);
    if (c <= left.c || c >= right.c) return std::nullopt;
    const Rational slope = (right.value - left.value) / (right.c - left.c);
    const Rational above = left.value + slope * (c - left.c) - line_at(left, c) -
                           4 * (left.value_error + right.value_error);
    if (above <= 0) return std::nullopt;
    // lambda is 1 / (2 h), and h what c is more than a mean.
    const double h = to_nearest_double(Rational(c - slope / 2));
    const double size = to_nearest_double(above) / (2 * std::max(h, 1e-3 * rough_range()));
    if (size <= to_nearest_double(in_.gap)) return std::nullopt;
    return Gap{size, std::move(c)};
  }

  // The upper envelope of E - lambda Var; how many vertices it has.
  std::size_t envelope(VarianceCurve& out) const {
    std::vector<VarianceVertex> lines;
    for (const QuadraticProbe& p : known_) {
      const Rational moment_error = 2 * abs(p.c) * p.mean_error + p.value_error;
      lines.push_back({p,
                       0,
                       std::max<Rational>(0, second_moment(p) - p.mean * p.mean),
                       moment_error + (2 * abs(p.mean) + p.mean_error) * p.mean_error,
                       0,
                       0});
    }
    // The greatest mean is first, of equal ones the least variance; then less and less of both.
    std::ranges::sort(lines, [](const VarianceVertex& a, const VarianceVertex& b) {
      return a.at.mean != b.at.mean ? a.at.mean > b.at.mean : a.variance < b.variance;
    });
    std::vector<VarianceVertex>& hull = out.vertices;
    for (VarianceVertex& line : lines) {
      // What errors hide is no less variance.
      if (!hull.empty() &&
          line.variance + line.variance_error + hull.back().variance_error >= hull.back().variance)
        continue;
      while (!hull.empty()) {
        const VarianceVertex& last = hull.back();
        line.lambda = (last.at.mean - line.at.mean) / (last.variance - line.variance);
        if (line.lambda > last.lambda) break;
        hull.pop_back();
      }
      if (hull.empty()) line.lambda = 0;
      hull.push_back(std::move(line));
    }
    for (VarianceVertex& vertex : hull)
      if (has_errors(vertex.at)) vertex.lambda = shown_lambda(vertex.lambda);
    return hull.size();
  }
  static Rational shown_lambda(const Rational& lambda) {
    return Number::parse(fmt::format("{:.9g}", to_nearest_double(lambda))).rational();
  }

  void add_bounds(VarianceVertex& vertex) const {
    const Rational& lambda = vertex.lambda;
    const Rational off = vertex.at.mean_error + lambda * vertex.variance_error;
    const Rational own = vertex.at.mean - lambda * vertex.variance;
    vertex.lower = own - off;
    vertex.upper = own + off;
    if (lambda == 0) {
      vertex.upper = std::max(vertex.upper, in_.greatest_mean);
      return;
    }
    // Near enough to the greatest, as doubles see it, to be looked at.
    const double slack = 1e-9 * (std::abs(to_nearest_double(own)) + rough_range());
    const double best = to_nearest_double(own);
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (i + 1 < known_.size() && is_below_means(known_[i], known_[i + 1])) continue;
      const Chord chord = chord_after(i);
      if (to_nearest_double(chord.bound(lambda)) < best - slack) continue;
      vertex.upper = std::max(vertex.upper, chord.bound(lambda));
    }
  }
  [[nodiscard]] double rough_range() const {
    return to_nearest_double(Rational(known_.back().mean - known_.front().mean));
  }

  struct Chord {
    Rational mean;    // half its slope
    Rational moment;  // minus its value at c = 0
    Rational from;
    std::optional<Rational> upto;

    [[nodiscard]] Rational bound(const Rational& lambda) const {
      const Rational h = 1 / (2 * lambda);
      Rational e = std::max<Rational>(mean, from - h);
      if (upto) e = std::min<Rational>(e, *upto - h);
      return mean + lambda * (2 * e * mean - moment - e * e);
    }
  };
  [[nodiscard]] Chord chord_after(std::size_t i) const {
    const QuadraticProbe& left = known_[i];
    const Rational low = left.value + left.value_error;
    Chord out{in_.greatest_mean, 0, left.c, std::nullopt};
    if (i + 1 < known_.size()) {
      const QuadraticProbe& right = known_[i + 1];
      out.mean = (right.value + right.value_error - low) / (right.c - left.c) / 2;
      out.upto = right.c;
    }
    out.moment = 2 * left.c * out.mean - low;
    return out;
  }

  VarianceSearch in_;
  std::vector<QuadraticProbe> known_;
  std::size_t probes_ = 0;
  bool is_closed_ = true;
};

}  // namespace

std::optional<VarianceCurve> find_variance_curve(VarianceSearch search) {
  CurveSearch found(std::move(search));
  if (!found.run()) return std::nullopt;
  return found.curve();
}

}  // namespace quantiplan
