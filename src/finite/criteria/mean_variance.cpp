#include "finite/criteria/mean_variance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace quantiplan {
namespace {

// Doubles may leave open what lies between two probes for ever.
constexpr int kMostProbes = 200;

class MeanVarianceSearch {
 public:
  using Probe = std::function<std::optional<QuadraticProbe>(const Rational&)>;
  MeanVarianceSearch(const Rational& lambda, const Rational& gap, const Probe& probe)
      : lambda_(lambda), h_(1 / (2 * lambda)), gap_(gap), probe_(probe) {}

  std::optional<MeanVarianceFound> run(const Rational& least, const Rational& most) {
    const auto first = look(least + h_);
    const auto last = first ? look(most + h_) : std::nullopt;
    if (!last) return std::nullopt;
    if (least < most) open_.push_back(part(*first, *last));
    for (int probes = 2; probes < kMostProbes; ++probes) {
      const auto widest = std::ranges::max_element(open_, {}, &Part::bound);
      if (widest == open_.end() || widest->bound <= found_.lower + gap_ + 4 * error_) break;
      const Part at = *widest;
      const Rational c = meeting(at);
      if (c <= at.left.c || c >= at.right.c) break;
      const auto between = look(c);
      if (!between) return std::nullopt;
      open_.erase(widest);
      open_.push_back(part(at.left, *between));
      open_.push_back(part(*between, at.right));
      std::erase_if(open_, [&](const Part& p) { return p.bound <= found_.lower; });
    }
    found_.upper = std::max(found_.upper, found_.lower);
    for (const Part& each : open_) found_.upper = std::max(found_.upper, each.bound);
    return found_;
  }

 private:
  struct Part {
    QuadraticProbe left;
    QuadraticProbe right;
    Rational bound;  // of lambda (G(c) - (c - h)^2) between them
  };

  // E W^2 of a probe's policy.
  static Rational square(const QuadraticProbe& p) { return 2 * p.c * p.mean - p.value; }

  std::optional<QuadraticProbe> look(const Rational& c) {
    auto p = probe_(c);
    if (!p) return std::nullopt;
    const Rational error = 2 * abs(p->c) * p->mean_error + p->value_error;
    const Rational off =
        p->mean_error + lambda_ * (error + (2 * abs(p->mean) + p->mean_error) * p->mean_error);
    const Rational own = p->mean - lambda_ * (square(*p) - p->mean * p->mean) - off;
    error_ = std::max(error_, off);
    if (is_first_ || own > found_.lower) {
      found_.best = *p;
      found_.lower = own;
    }
    // What the policy itself may have, with the errors on the other side.
    const Rational most = own + 2 * off;
    if (is_first_ || most > found_.upper) found_.upper = most;
    is_first_ = false;
    return p;
  }

  // The chord, with the errors of its ends.
  [[nodiscard]] Part part(const QuadraticProbe& left, const QuadraticProbe& right) const {
    const Rational low = left.value + left.value_error;
    const Rational slope = (right.value + right.value_error - low) / (right.c - left.c);
    const Rational c = std::clamp<Rational>(h_ + slope / 2, left.c, right.c);
    const Rational chord = low + slope * (c - left.c);
    return {left, right, lambda_ * (chord - (c - h_) * (c - h_))};
  }

  // Where the lines of the two policies meet; in the middle, where errors hide it.
  [[nodiscard]] static Rational meeting(const Part& at) {
    const Rational steeper = 2 * (at.right.mean - at.left.mean);
    Rational middle = (at.left.c + at.right.c) / 2;
    if (steeper <= 0) return middle;
    Rational c = (square(at.right) - square(at.left)) / steeper;
    // Long fractions say nothing more where values are doubles.
    if (at.left.value_error != 0 && std::isfinite(to_nearest_double(c))) c = to_nearest_double(c);
    return c > at.left.c && c < at.right.c ? c : middle;
  }

  Rational lambda_;
  Rational h_;
  Rational gap_;
  const Probe& probe_;
  std::vector<Part> open_;
  MeanVarianceFound found_;
  Rational error_ = 0;  // the greatest of any probe's policy
  bool is_first_ = true;
};

}  // namespace

std::optional<MeanVarianceFound> search_mean_variance(
    const Rational& lambda,
    const Rational& least,
    const Rational& most,
    const Rational& gap,
    const std::function<std::optional<QuadraticProbe>(const Rational& c)>& probe) {
  return MeanVarianceSearch(lambda, gap, probe).run(least, most);
}

}  // namespace quantiplan
