#include "check/criteria/optimum_searches.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "check/criteria/step_recursions.hpp"
#include "numbers/enclosure.hpp"

namespace quantiplan::checking {
namespace {

constexpr int kMostRecursions = 300;

// ---- mean minus lambda times variance

struct QuadraticPoint {
  Rational c;
  Rational value;  // G(c)
  Rational mean;   // of a policy that has it

  [[nodiscard]] Rational square() const { return 2 * c * mean - value; }
};

class VarianceBound {
 public:
  VarianceBound(BestWorth& best, const Rational& lambda, const Rational& claimed)
      : best_(best), lambda_(lambda), h_(1 / (2 * lambda)), claimed_(claimed) {}

  std::optional<ValueBounds> run() {
    const std::set<Rational> totals = best_.totals();
    QuadraticPoint left = look(*totals.begin() + h_);
    std::vector<QuadraticPoint> ahead;
    if (totals.size() > 1) ahead.push_back(look(*totals.rbegin() + h_));
    while (!ahead.empty() && own_ <= claimed_) {
      const QuadraticPoint& right = ahead.back();
      const Rational bound = chord_bound(left, right);
      const auto c = bound > claimed_ ? meeting(left, right) : std::nullopt;
      if (c && count_ < kMostRecursions) {
        ahead.push_back(look(*c));
        continue;
      }
      if (bound > claimed_) return std::nullopt;
      most_ = std::max(most_, bound);
      left = right;
      ahead.pop_back();
    }
    return ValueBounds{own_, std::max(most_, own_)};
  }

 private:
  QuadraticPoint look(const Rational& c) {
    ++count_;
    const auto found =
        best_.best_with_mean([&](const Rational& w) { return Rational((2 * c - w) * w); });
    QuadraticPoint at{c, found.value, found.mean};
    const Rational own = at.mean - lambda_ * (at.square() - at.mean * at.mean);
    if (count_ == 1 || own > own_) own_ = own;
    if (count_ == 1) most_ = own;
    return at;
  }

  [[nodiscard]] Rational chord_bound(const QuadraticPoint& left,
                                     const QuadraticPoint& right) const {
    const Rational slope = (right.value - left.value) / (right.c - left.c);
    const Rational c = std::clamp<Rational>(h_ + slope / 2, left.c, right.c);
    return lambda_ * (left.value + slope * (c - left.c) - (c - h_) * (c - h_));
  }

  static std::optional<Rational> meeting(const QuadraticPoint& left, const QuadraticPoint& right) {
    if (right.mean <= left.mean) return std::nullopt;
    Rational c = (right.square() - left.square()) / (2 * (right.mean - left.mean));
    if (c <= left.c || c >= right.c) return std::nullopt;
    return c;
  }

  BestWorth& best_;
  const Rational& lambda_;
  Rational h_;
  const Rational& claimed_;
  Rational own_;   // of the best policy met
  Rational most_;  // of what is bounded so far
  int count_ = 0;
};

// ---- EVaR

class EvarBound {
 public:
  EvarBound(const Course& course,
            const Policy& policy,
            bool best,
            const Rational& tau,
            const Rational& claimed)
      : course_(course),
        policy_(policy),
        best_(best),
        claimed_(claimed),
        loss_(-log(Enclosure(tau))) {}

  // `mean`: the greatest of all; `least`: no total is below.
  std::optional<ValueBounds> run(const Rational& mean, const Rational& least) {
    ValueBounds out{least, std::min(mean, claimed_)};
    if (mean <= claimed_) return out;
    if (claimed_ < least) return ValueBounds{least, mean};
    const Rational small = loss_.lower_exactly();
    // A little before, for it is looked at where doubles are.
    const Rational start = small / (mean - claimed_) * Rational(1 - 0x1p-40);
    auto left = look(start, out);
    std::vector<Point> ahead;
    while (left) {
      if (out.lower > claimed_) return ValueBounds{out.lower, mean};
      if (ahead.empty()) {
        // Beyond: no more than h there.
        if (left->upper <= claimed_) return out;
        auto next = look(left->beta * 4, out);
        if (!next) return std::nullopt;
        ahead.push_back(*std::move(next));
        continue;
      }
      const Point& right = ahead.back();
      if (bound(*left, right, least, small) <= claimed_) {
        left = right;
        ahead.pop_back();
        continue;
      }
      auto between = look((left->beta + right.beta) / 2, out);
      if (!between) return std::nullopt;
      ahead.push_back(*std::move(between));
    }
    return std::nullopt;
  }

 private:
  struct Point {
    Rational beta;
    Rational upper;  // of h there
  };

  std::optional<Point> look(const Rational& beta, ValueBounds& out) {
    if (++count_ > kMostRecursions) return std::nullopt;
    // A short one will do as well.
    const Rational near(to_nearest_double(beta));
    const auto found = entropic_value(course_, policy_, best_, near);
    if (!found) return std::nullopt;
    const Rational value = found->lower - loss_.upper_exactly() / near;
    out.lower = std::max(out.lower, value);
    return Point{near, found->upper};
  }

  static Rational bound(const Point& one,
                        const Point& two,
                        const Rational& least,
                        const Rational& loss) {
    const Rational first = 1 / two.beta;
    const Rational last = 1 / one.beta;
    const Rational rise = two.beta * (two.upper - least);
    if (rise <= loss) return least + first * (rise - loss);
    const Rational meet = rise > 0 ? Rational((one.upper - least) / rise) : last;
    const Rational x = std::clamp<Rational>(meet, first, last);
    return std::min<Rational>(one.upper, least + rise * x) - loss * x;
  }

  const Course& course_;
  const Policy& policy_;
  bool best_;
  const Rational& claimed_;
  Enclosure loss_;  // -ln tau
  int count_ = 0;
};

}  // namespace

std::optional<ValueBounds> bound_mean_variance(BestWorth& best,
                                               const Rational& lambda,
                                               const Rational& claimed) {
  return VarianceBound(best, lambda, claimed).run();
}

std::optional<ValueBounds> bound_evar(const Course& course,
                                      const Policy& policy,
                                      bool best,
                                      const Rational& tau,
                                      const Rational& claimed) {
  const auto mean = step_bounds(course, policy, best ? Whose::best : Whose::policy, MeanOfStep{});
  const auto least =
      step_bounds(course, policy, best ? Whose::worst : Whose::policy, LeastOfStep{});
  if (!mean || !least) return std::nullopt;
  return EvarBound(course, policy, best, tau, claimed).run(mean->upper, least->lower);
}

std::optional<ValueBounds> evar_of_steps(const Course& course,
                                         const Policy& policy,
                                         const Rational& tau,
                                         const Rational& claimed) {
  const auto mean = step_bounds(course, policy, Whose::policy, MeanOfStep{});
  const auto least = step_bounds(course, policy, Whose::policy, LeastOfStep{});
  if (!mean || !least) return std::nullopt;
  const Rational loss = (-log(Enclosure(tau))).upper_exactly();
  ValueBounds out{least->lower, mean->upper};
  const double range = to_nearest_double(mean->upper - least->lower);
  if (range <= 0) return out;
  // f is concave in 1/beta: the golden section of its logarithm, in units of the range.
  const auto at = [&](double power) {
    const Rational beta(std::exp2(-power) / range);
    const auto found = entropic_value(course, policy, false, beta);
    if (!found) return -range + to_nearest_double(least->lower);
    const Rational value = found->lower - loss / beta;
    out.lower = std::max(out.lower, value);
    return to_nearest_double(value);
  };
  constexpr double kGolden = 0.6180339887498949;
  double low = -30;
  double high = 10;
  double one = high - kGolden * (high - low);
  double two = low + kGolden * (high - low);
  double at_one = at(one);
  double at_two = at(two);
  for (int i = 0; i < 50 && out.lower < claimed; ++i) {
    if (at_one >= at_two) {
      high = std::exchange(two, one);
      at_two = at_one;
      at_one = at(one = high - kGolden * (high - low));
    } else {
      low = std::exchange(one, two);
      at_one = at_two;
      at_two = at(two = low + kGolden * (high - low));
    }
  }
  if (out.lower >= claimed) return out;
  const Rational between = (out.lower + claimed) / 2;
  const auto proved = EvarBound(course, policy, false, tau, between).run(mean->upper, least->lower);
  if (proved) out.upper = std::min(out.upper, proved->upper);
  return out;
}

}  // namespace quantiplan::checking
