#include "finite/criteria/bends.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quantiplan {
namespace {

constexpr std::size_t kMostBends = 1000;

double distance(double, std::int64_t from, std::int64_t to) {
  return static_cast<double>(to - from);
}
Rational distance(const Rational&, std::int64_t from, std::int64_t to) {
  return {static_cast<long>(to - from)};
}

Rational shown_tau(double tau) { return Number::parse(fmt::format("{:.15g}", tau)).rational(); }
Rational shown_tau(const Rational& tau) { return tau; }

}  // namespace

template <class N>
Bends bends_of(const WorthCurve<N>& curve) {
  // The shortfall H = -U from the left: a vertex goes if the edge to it is no less steep than the next.
  std::vector<std::size_t> hull;
  const auto slope = [&](std::size_t a, std::size_t b) -> N {
    return N(curve.worth[a] - curve.worth[b]) / distance(N(0), curve.levels[a], curve.levels[b]);
  };
  for (std::size_t i = 0; i < curve.levels.size(); ++i) {
    while (hull.size() > 1 && slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), i))
      hull.pop_back();
    hull.push_back(i);
  }
  std::vector<Rational> taus{0};
  const std::size_t every = 1 + hull.size() / kMostBends;
  for (std::size_t k = 1; k < hull.size(); k += every) {
    const Rational tau = shown_tau(slope(hull[k - 1], hull[k]));
    if (tau > taus.back() && tau < 1) taus.push_back(tau);
  }
  taus.emplace_back(1);
  return {std::move(taus), every == 1};
}

template Bends bends_of(const WorthCurve<double>&);
template Bends bends_of(const WorthCurve<Rational>&);

}  // namespace quantiplan
