// The members of Optimiser that are about mean minus lambda times variance: for one lambda, and for all of them.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "finite/criteria/optimiser.hpp"
#include "finite/criteria/variance_curve.hpp"
#include "numbers/directed.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

Rational key_as_number(std::int64_t key) { return {static_cast<long>(key)}; }

// (twice - total) total, by bounds of the factor 2 c: from a key in steps of its time.
Utility::Bounds square_bounds(
    const Rational& twice, double low, double high, std::int64_t key, unsigned shift) {
  constexpr std::int64_t kMostExactKey = std::int64_t{1} << 53U;
  if (std::abs(key) <= kMostExactKey) {
    const double total = std::ldexp(static_cast<double>(key), -static_cast<int>(shift));
    const double one = std::nextafter(low - total, -HUGE_VAL) * total;
    const double other = std::nextafter(high - total, HUGE_VAL) * total;
    return {std::nextafter(std::min(one, other), -HUGE_VAL),
            std::nextafter(std::max(one, other), HUGE_VAL)};
  }
  Rational total = key_as_number(key);
  mpq_div_2exp(total.get_mpq_t(), total.get_mpq_t(), shift);
  const Rational value = (twice - total) * total;
  return {round_down(value), round_up(value)};
}

// What may be spent on vertices between levels: passes, and in doubles multiply-adds.
constexpr std::size_t kMostCurveProbes = 1000;
constexpr std::size_t kFewProbes = 60;
constexpr std::uint64_t kMostWorkOfProbes = 2'000'000'000;

}  // namespace

template <class N>
std::optional<QuadraticProbe> Optimiser<N>::probe(const Rational& c) {
  const WealthScale& scale = layout_->stages->scale();
  const Rational twice = 2 * c;
  Worth worth;
  worth.with_mean = true;
  worth.exact = [&](std::int64_t key) {
    const Rational total = key_as_number(key);
    return Rational((twice - total) * total);
  };
  const double low = round_down(twice);
  const double high = round_up(twice);
  worth.bounds = [&](std::uint64_t t, std::int64_t key) {
    return square_bounds(twice, low, high, key, scale.shift_until(t));
  };
  const auto found = curve(worth, 0, 0);
  if (!found) return std::nullopt;
  if (found->is_open_below || found->is_open_above)
    throw Error(ErrorCode::bad_request,
                "--criterion",
                "found " + to_text(asked_.criterion) +
                    ", so small a lambda that doubles cannot tell it from 0; expected a greater "
                    "one, or expectation");
  probed_.push_back({found->rules, 0});
  return QuadraticProbe{c,
                        Rational(found->worth[0]),
                        Rational(found->mean[0]),
                        Rational(found->error),
                        Rational(found->mean_error),
                        probed_.size() - 1};
}

// Of u(x) = -x^2, x = W - c: G(c) = c^2 + U(c).
template <class N>
std::optional<std::vector<QuadraticProbe>> Optimiser<N>::probe_levels() {
  const Window window = layout_->windows->start();
  const WealthScale& scale = layout_->stages->scale();
  Worth worth;
  worth.with_mean = true;
  worth.at_every_level = true;
  worth.exact = [](std::int64_t key) {
    const Rational x = key_as_number(key);
    return Rational(-x * x);
  };
  worth.bounds = [&](std::uint64_t t, std::int64_t key) {
    return square_bounds(0, 0, 0, key, scale.shift_until(t));
  };
  const auto found = curve(worth, window.least, window.possible);
  if (!found) return std::nullopt;
  std::vector<QuadraticProbe> out;
  for (std::size_t i = 0; i < found->levels.size(); ++i) {
    const Rational c = key_as_number(found->levels[i]);
    probed_.push_back({found->rules, found->levels[i]});
    out.push_back({c,
                   c * c + Rational(found->worth[i]),
                   Rational(found->mean[i]),
                   Rational(found->error),
                   Rational(found->mean_error),
                   probed_.size() - 1});
  }
  return out;
}

template <class N>
Rational Optimiser<N>::greatest_mean(const Rational& error) const {
  return Rational(layout_->stages->template drawn<N>(
             [&](std::size_t slot) { return expectation_->value(0, slot); })) +
         error;
}

template <class N>
std::optional<std::vector<LevelFound>> Optimiser<N>::mean_variance() {
  const Window window = layout_->windows->start();
  const Rational unit = layout_->stages->scale().unit();
  const auto found = search_mean_variance(asked_.criterion.parameter * unit,
                                          key_as_number(window.least),
                                          key_as_number(window.possible),
                                          gap_ / unit,
                                          [this](const Rational& c) { return probe(c); });
  if (!found) return std::nullopt;
  const QuadraticProbe& best = found->best;
  const Rational variance = 2 * best.c * best.mean - best.value - best.mean * best.mean +
                            2 * abs(best.c) * best.mean_error + best.value_error +
                            (2 * abs(best.mean) + best.mean_error) * best.mean_error;
  LevelFound out{wealth(found->lower), wealth(found->upper), 0, probed_[best.policy].rules};
  out.deviation_square = variance * unit * unit;
  out.mean = best.mean * unit;
  out.mean_error = best.mean_error * unit;
  out.greatest_mean = greatest_mean(best.mean_error) * unit;
  return std::vector<LevelFound>{std::move(out)};
}

template <class N>
std::optional<std::vector<LevelFound>> Optimiser<N>::variance_curve() {
  constexpr bool kIsExact = std::is_same_v<N, Rational>;
  VarianceSearch search;
  const std::uint64_t before = work_.multiply_adds;
  auto known = probe_levels();
  if (!known) return std::nullopt;
  search.known = *std::move(known);
  const std::uint64_t pass = 1 + work_.multiply_adds - before;
  search.greatest_mean = greatest_mean(search.known.front().mean_error);
  const Rational most_mean = search.greatest_mean;
  const Window window = layout_->windows->start();
  const Rational range = key_as_number(window.possible - window.least);
  search.gap = kIsExact ? Rational(0) : Rational(range / 1'000'000);
  search.most_probes =
      kIsExact ? kMostCurveProbes
               : std::clamp<std::size_t>(kMostWorkOfProbes / pass, kFewProbes, kMostCurveProbes);
  search.probe = [this](const Rational& c) { return probe(c); };
  const auto found = find_variance_curve(std::move(search));
  if (!found) return std::nullopt;
  asked_.is_complete = found->is_complete;
  const Rational unit = layout_->stages->scale().unit();
  std::vector<LevelFound> out;
  for (const VarianceVertex& vertex : found->vertices) {
    const Probed& policy = probed_[vertex.at.policy];
    LevelFound each{wealth(vertex.lower), wealth(vertex.upper), policy.level, policy.rules};
    each.lambda = vertex.lambda / unit;
    each.deviation_square = vertex.variance * unit * unit;
    each.variance_error = vertex.variance_error * unit * unit;
    each.mean = vertex.at.mean * unit;
    each.mean_error = vertex.at.mean_error * unit;
    each.greatest_mean = most_mean * unit;
    out.push_back(std::move(each));
  }
  return out;
}

template std::optional<QuadraticProbe> Optimiser<double>::probe(const Rational&);
template std::optional<QuadraticProbe> Optimiser<Rational>::probe(const Rational&);
template std::optional<std::vector<QuadraticProbe>> Optimiser<double>::probe_levels();
template std::optional<std::vector<QuadraticProbe>> Optimiser<Rational>::probe_levels();
template Rational Optimiser<double>::greatest_mean(const Rational&) const;
template Rational Optimiser<Rational>::greatest_mean(const Rational&) const;
template std::optional<std::vector<LevelFound>> Optimiser<double>::mean_variance();
template std::optional<std::vector<LevelFound>> Optimiser<Rational>::mean_variance();
template std::optional<std::vector<LevelFound>> Optimiser<double>::variance_curve();
template std::optional<std::vector<LevelFound>> Optimiser<Rational>::variance_curve();

}  // namespace quantiplan
