#include "finite/criteria/optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "finite/criteria/bends.hpp"
#include "finite/criteria/worth_nodes.hpp"
#include "finite/criteria/worth_pass.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

using Kind = Criterion::Kind;

Rational whole(std::int64_t key) { return {static_cast<long>(key)}; }

template <class N>
WorthGround<N> ground_of(const FiniteLayout& layout,
                         const std::shared_ptr<const Expectation<N>>& expectation) {
  return {layout.stages, layout.windows, expectation, find_kernel(layout.options.kernel)};
}

// Where y + U(y) factor is greatest. U never rises, so that of a block of levels the last one and the first worth bound
// it: nearly all blocks are passed over, and many taus cost hardly more than one. What rounding may have turned round
// is within the curve's error.
std::size_t first_best(const WorthCurve<double>& curve, double factor) {
  constexpr std::size_t kBlock = 64;
  std::size_t best = 0;
  double greatest = -HUGE_VAL;
  for (std::size_t begin = 0; begin < curve.levels.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, curve.levels.size());
    const double bound = static_cast<double>(curve.levels[end - 1]) + curve.worth[begin] * factor;
    if (bound <= greatest) continue;
    for (std::size_t i = begin; i < end; ++i) {
      const double value = static_cast<double>(curve.levels[i]) + curve.worth[i] * factor;
      if (value <= greatest) continue;
      greatest = value;
      best = i;
    }
  }
  return best;
}

}  // namespace

template <class N>
Optimiser<N>::Optimiser(std::shared_ptr<FiniteLayout> layout,
                        CriterionQuestions& asked,
                        std::uint64_t most_products,
                        const Rational& gap,
                        Work& work)
    : layout_(std::move(layout)),
      asked_(asked),
      most_products_(most_products),
      gap_(gap),
      work_(work) {}

template <class N>
bool Optimiser<N>::lay_out() {
  if (expectation_) return true;
  auto found = std::make_shared<Expectation<N>>(
      *layout_->stages, layout_->limits, ChoiceFilter(), Rewards::as_keys);
  if (!found->complete()) return false;
  expectation_ = std::move(found);
  return true;
}

template <class N>
Total Optimiser<N>::wealth(const Rational& keys) const {
  return Total(Rational(keys * layout_->stages->scale().unit()));
}

// Levels from `from` on that some history attains, and `from` itself.
template <class N>
std::optional<std::vector<std::int64_t>> Optimiser<N>::levels(std::int64_t from) {
  if (!totals_) totals_ = attainable_totals(*layout_->stages, most_products_, layout_->limits);
  if (!totals_) return std::nullopt;
  std::vector<std::int64_t> out{from};
  for (const std::int64_t total : *totals_)
    if (total > from) out.push_back(total);
  return out;
}

template <class N>
std::optional<WorthCurve<N>> Optimiser<N>::curve(const Worth& worth,
                                                 std::int64_t from,
                                                 std::int64_t upto) {
  if (!lay_out()) return std::nullopt;
  const WorthGround<N> ground = ground_of(*layout_, expectation_);
  if constexpr (std::is_same_v<N, double>) {
    WorthPassInput input{ground,
                         to_nearest_double(worth.gain),
                         to_nearest_double(worth.loss),
                         nullptr,
                         {from - 1, upto},
                         worth.with_mean,
                         worth.from_above};
    if (worth.bounds)
      input.spelt = [&worth](std::uint64_t t, std::int64_t y) {
        const Utility::Bounds at = worth.bounds(t, -y);
        return WorthBounds{at.lower, at.upper};
      };
    return run_worth_pass(input, layout_->limits, work_);
  } else {
    WorthNodesInput input{ground, {worth.gain, worth.loss}, {from}, worth.with_mean};
    input.most_products = most_products_;
    if (worth.exact)
      input.worth.spelt = [&worth](std::uint64_t, std::int64_t y) { return worth.exact(-y); };
    if (!worth.exact || worth.at_every_level) {
      const auto found = levels(from);
      if (!found) return std::nullopt;
      input.targets = *found;
    }
    return find_worths(input, layout_->limits, work_);
  }
}

template <class N>
LevelFound Optimiser<N>::best_of(const WorthCurve<N>& curve, const Rational& divisor) const {
  std::size_t best = 0;
  Rational error = 0;
  if constexpr (std::is_same_v<N, double>) {
    const double factor = 1 / to_nearest_double(divisor);
    best = first_best(curve, factor);
    const double magnitude =
        std::max(std::abs(static_cast<double>(curve.levels.front())),
                 std::abs(static_cast<double>(curve.levels.back()))) +
        std::max(std::abs(curve.worth.front()), std::abs(curve.worth.back())) * factor;
    // Of the worths, and of comparing these sums in doubles.
    error = Rational(curve.error) / divisor + Rational(magnitude * 0x1p-50);
  } else {
    Rational greatest;
    for (std::size_t i = 0; i < curve.levels.size(); ++i) {
      const Rational value = whole(curve.levels[i]) + curve.worth[i] / divisor;
      if (i > 0 && value <= greatest) continue;
      greatest = value;
      best = i;
    }
  }
  const Rational value = whole(curve.levels[best]) + Rational(curve.worth[best]) / divisor;
  return {wealth(value - error), wealth(value + error), curve.levels[best], curve.rules};
}

template <class N>
std::optional<std::vector<LevelFound>> Optimiser<N>::cvar() {
  const Window window = layout_->windows->start();
  const auto found = curve({}, window.sure, window.possible);
  if (!found) return std::nullopt;
  if (asked_.is_whole && asked_.taus.empty()) {
    Bends bends = bends_of(*found);
    asked_.taus = std::move(bends.taus);
    asked_.is_complete = bends.are_all;
  }
  std::vector<LevelFound> out;
  for (const Rational& tau : asked_.taus) {
    // The worst case, a question about the graph.
    const Total sure = wealth(whole(window.sure));
    out.push_back(tau == 0 ? LevelFound{sure, sure, window.sure, found->rules}
                           : best_of(*found, tau));
  }
  return out;
}

template <class N>
std::optional<std::vector<LevelFound>> Optimiser<N>::mean_cvar() {
  const Window window = layout_->windows->start();
  const Rational& weight = asked_.criterion.parameter;
  std::vector<LevelFound> out;
  for (const Rational& tau : asked_.taus) {
    Worth worth;
    worth.gain = weight;
    worth.loss = weight + (1 - weight) / tau;
    auto found = curve(worth, window.least, window.possible);
    if (!found) return std::nullopt;
    // A constant is a double, too.
    found->error += 0x1p-52 * found->error + 0x1p-52 * to_nearest_double(worth.loss) *
                                                 (std::abs(static_cast<double>(window.least)) +
                                                  std::abs(static_cast<double>(window.possible))) *
                                                 (std::is_same_v<N, double> ? 2 : 0);
    out.push_back(best_of(*found, 1));
  }
  return out;
}

template <class N>
typename Optimiser<N>::Worth Optimiser<N>::utility_worth() const {
  const Utility& u = *asked_.criterion.utility;
  const WealthScale& scale = layout_->stages->scale();
  const bool up = scale.grid() && scale.rounding() == Rounding::up;
  // What follows the horizon adds at least the one, at most the other.
  const Rational more = up ? asked_.most_more : asked_.least_more;
  Worth worth;
  worth.bounds = [&u, &scale, more](std::uint64_t t, std::int64_t key) {
    return u.enclose(Rational(scale.wealth({key}, t) + more));
  };
  worth.exact = [&u, &scale, more](std::int64_t key) {
    return u.exactly(Rational(scale.wealth({key}) + more));
  };
  return worth;
}

template <class N>
std::optional<std::vector<LevelFound>> Optimiser<N>::utility() {
  Worth worth = utility_worth();
  const auto found = curve(worth, 0, 0);
  if (!found) return std::nullopt;
  const auto total = [](const N& value, const Rational& error) {
    if constexpr (std::is_same_v<N, double>) {
      if (!std::isfinite(value)) return Total::minus_infinity();
    }
    return Total(Rational(Rational(value) + error));
  };
  const Rational error(found->error);
  LevelFound out{total(found->worth[0], -error), total(found->worth[0], error), 0, found->rules};
  out.is_beyond_doubles = found->is_open_above || found->is_open_below;
  if (found->is_open_above) {
    out.upper = Total::plus_infinity();
  } else if (found->is_open_below) {
    // What counts as -inf is worth something after all.
    worth.from_above = true;
    const auto above = curve(worth, 0, 0);
    if (!above) return std::nullopt;
    out.upper = total(above->worth[0], Rational(above->error));
    if (!out.lower.is_finite()) out.rules = above->rules;
  }
  return std::vector<LevelFound>{std::move(out)};
}

template <class N>
std::optional<std::vector<LevelFound>> Optimiser<N>::run() {
  switch (asked_.criterion.kind) {
    case Kind::cvar:
      return cvar();
    case Kind::mean_cvar:
      return mean_cvar();
    case Kind::utility:
      return utility();
    default:
      return asked_.is_whole ? variance_curve() : mean_variance();
  }
}

template <class N>
std::optional<typename Optimiser<N>::Size> Optimiser<N>::size() {
  if constexpr (std::is_same_v<N, double>) {
    if (!lay_out()) return std::nullopt;
    const Window window = layout_->windows->start();
    const Kind kind = asked_.criterion.kind;
    WorthPassInput input{
        ground_of(*layout_, expectation_), 0, 1, nullptr, {window.sure - 1, window.possible}};
    if (kind == Kind::mean_cvar) {
      input.gain = 1;
      input.targets.above = window.least - 1;
    }
    if (kind == Kind::utility || kind == Kind::mean_variance) {
      input.spelt = [](std::uint64_t, std::int64_t) { return WorthBounds{}; };
      const bool is_curve = kind == Kind::mean_variance && asked_.is_whole;
      input.targets = is_curve ? Interval{window.least - 1, window.possible} : Interval{-1, 0};
      input.with_mean = kind == Kind::mean_variance;
    }
    const auto found = worth_pass_size(input, layout_->limits);
    if (!found) return std::nullopt;
    return Size{found->multiply_adds, found->bytes};
  } else {
    return Size{};
  }
}

template class Optimiser<double>;
template class Optimiser<Rational>;

}  // namespace quantiplan
