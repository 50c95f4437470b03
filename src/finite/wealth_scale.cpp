#include "finite/wealth_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "finite/power_bounds.hpp"

namespace quantiplan {
namespace {

// Greatest g such that both are integer multiples of it; gcd(0, x) = |x|.
Rational gcd_of(const Rational& a, const Rational& b) {
  Rational g(gcd(a.get_num() * b.get_den(), b.get_num() * a.get_den()), a.get_den() * b.get_den());
  g.canonicalize();
  return g;
}

std::int64_t to_int64(const Integer& value) { return static_cast<std::int64_t>(value.get_si()); }

}  // namespace

WealthScale::WealthScale(const Model& model, const RewardsMet& met, const Rational& discount) {
  static_assert(sizeof(long) == 8, "GMP's long holds 64 bits");
  const Integer limit = Integer(1) << 61;
  Rational g = 0;
  Rational greatest = 0;
  for (const NumberId id : met.distinct) {
    const Rational reward = model.rewards().rational(id);
    g = gcd_of(g, reward);
    greatest = std::max<Rational>(greatest, abs(reward));
    // The unit only gets finer: no need to drag along a gcd of a million denominators.
    if (greatest >= g * Rational(limit)) return;
  }
  if (g == 0) g = 1;
  std::vector<Integer> multipliers;
  if (discount == 1) {
    multipliers.emplace_back(1);
    unit_ = g;
  } else {
    // den^last alone has more than `last` bits: no need to compute it to see that it does not fit.
    if (met.last_reward_time > 61) return;
    const auto last = static_cast<unsigned long>(met.last_reward_time);
    for (unsigned long t = 0; t <= last; ++t) {
      Integer up;
      Integer down;
      mpz_pow_ui(up.get_mpz_t(), discount.get_num_mpz_t(), t);
      mpz_pow_ui(down.get_mpz_t(), discount.get_den_mpz_t(), last - t);
      multipliers.emplace_back(up * down);
    }
    Integer power;
    mpz_pow_ui(power.get_mpz_t(), discount.get_den_mpz_t(), last);
    unit_ = g / Rational(power);
  }
  Integer greatest_base = 0;
  base_.assign(model.rewards().size(), 0);
  for (const NumberId id : met.distinct) {
    const Rational scaled = model.rewards().rational(id) / g;
    greatest_base = std::max(greatest_base, Integer(abs(scaled.get_num())));
    if (greatest_base < limit) base_[index(id)] = to_int64(scaled.get_num());
  }
  Integer sum = 0;
  if (discount == 1) {
    sum = Integer(static_cast<unsigned long>(met.last_reward_time)) + 1;
  } else {
    for (const Integer& multiplier : multipliers) sum += multiplier;
  }
  if (sum * greatest_base >= limit) return;
  // Where every reward is 0 the multipliers are never needed, whatever their size.
  for (const Integer& multiplier : multipliers) {
    multiplier_.push_back(greatest_base == 0 ? 1 : to_int64(multiplier));
  }
  fits_ = true;
}

namespace {

// gamma with the full length of a long double. Its t-th power by repeated multiplication errs by a
// factor within 1 +- (t + 2) 2 epsilon.
long double extended(const Rational& gamma) {
  const double head = to_nearest_double(gamma);
  return static_cast<long double>(head) +
         static_cast<long double>(to_nearest_double(gamma - Rational(head)));
}

}  // namespace

WealthScale::WealthScale(const Model& model,
                         const RewardsMet& met,
                         const Rational& discount,
                         const Grid& grid,
                         Rounding rounding,
                         const Limits* limits)
    : unit_(grid.unit), grid_(grid), rounding_(rounding) {
  position_.assign(model.rewards().size(), 0);
  real_.push_back(0);
  const double unit = to_nearest_double(unit_);
  double greatest = 0;
  for (const NumberId id : met.distinct) {
    position_[index(id)] = static_cast<std::uint32_t>(real_.size());
    const double reward = model.rewards().nearest(id);
    real_.push_back(reward / unit);
    greatest = std::max(greatest, std::abs(reward));
  }
  // The greatest |wealth| in the finest steps, with one step more for each reward rounded.
  const std::uint64_t horizon = grid.halvings.size() - 1;
  const Rational steps = Rational(static_cast<unsigned long>(met.last_reward_time)) + 1;
  Rational most = steps;
  if (discount < 1) most = std::min<Rational>(most, 1 / (1 - discount));
  // In doubles, with room for their rounding.
  const double finest = greatest * to_nearest_double(most) / to_nearest_double(grid.step(horizon)) +
                        to_nearest_double(steps);
  if (!(finest < 0x1p60)) return;
  // One row for each time that differs: without discounting, for each step.
  row_size_ = real_.size();
  std::size_t rows = 0;
  const long double gamma = extended(discount);
  long double gamma_power = 1;
  for (std::uint64_t t = 0; t <= horizon; ++t) {
    const bool same = t > met.last_reward_time ||
                      (discount == 1 && t > 0 && grid.halvings[t] == grid.halvings[t - 1]);
    if (t == 0 || !same) ++rows;
    row_of_time_.push_back(rows - 1);
    factor_.push_back(
        static_cast<double>(std::ldexp(gamma_power, static_cast<int>(grid.halvings[t]))));
    gamma_power *= gamma;
  }
  // Row by row: all of it at once may be gigabytes, between two looks at the limits.
  constexpr std::size_t kEntriesPerPoll = 65536;
  std::size_t next_poll = 0;
  table_.reserve(rows * row_size_);
  PowerBounds powers(discount);
  for (std::uint64_t t = 0; t <= std::min(horizon, met.last_reward_time); ++t) {
    if (t % 64 == 0 || table_.size() >= next_poll) {
      if (limits != nullptr && limits->ended()) return;
      next_poll = table_.size() + kEntriesPerPoll;
    }
    if (t == 0 || row_of_time_[t] != row_of_time_[t - 1]) {
      table_.resize((row_of_time_[t] + 1) * row_size_);
      const Rational step = grid.step(t);
      fill_row(model,
               met,
               discount,
               t,
               {powers.lower() / step, powers.upper() / step},
               table_.data() + row_of_time_[t] * row_size_);
    }
    powers.next();
    slack_ += inexact_at_[row_of_time_[t]] ? grid.step(t) : Rational(0);
  }
  fits_ = true;
}

// Rounds gamma^t r / H_t for every reward. In doubles where that is certain: the computed quotient
// errs by a factor within 1 +- error, and only an integer that close leaves the rounding open.
void WealthScale::fill_row(const Model& model,
                           const RewardsMet& met,
                           const Rational& discount,
                           std::uint64_t time,
                           const std::pair<Rational, Rational>& power_in_steps,
                           std::int64_t* row) {
  constexpr double kUlp = 0x1p-52;
  const double factor = factor_[time];
  const double error =
      8 * kUlp + static_cast<double>(time + 2) * 4 *
                     static_cast<double>(std::numeric_limits<long double>::epsilon());
  std::optional<Rational> exact_factor;
  bool inexact = false;
  for (const NumberId id : met.distinct) {
    const std::uint32_t at = position_[index(id)];
    const double quotient = real_[at] * factor;
    const double down = std::floor(quotient);
    const double open = std::abs(quotient) * error;
    if (factor > 0x1p-900 && std::abs(quotient) > 0x1p-900 && std::abs(quotient) < 0x1p50 &&
        quotient - down > open && down + 1 - quotient > open) {
      row[at] = static_cast<std::int64_t>(down) + (rounding_ == Rounding::up ? 1 : 0);
      inexact = true;
      continue;
    }
    const Rational reward = model.rewards().rational(id);
    const Integer low = rounded(reward * power_in_steps.first, rounding_);
    const Integer high = rounded(reward * power_in_steps.second, rounding_);
    if (low == high && power_in_steps.first != power_in_steps.second) {
      // An integer itself would be between the bounds, and round to two sides.
      row[at] = to_int64(low);
      inexact = true;
      continue;
    }
    if (!exact_factor) exact_factor = power(discount, time) / grid_->step(time);
    const Rational exact = reward * *exact_factor;
    row[at] = to_int64(rounded(exact, rounding_));
    inexact = inexact || exact.get_den() != 1;
  }
  inexact_at_.push_back(inexact);
}

Rational WealthScale::wealth(WealthKey key, std::uint64_t time) const {
  const Rational whole(static_cast<long>(key.value));
  return whole * (grid_ ? grid_->step(time) : unit_);
}

Rational WealthScale::beyond_target() const {
  const bool exact = !grid_ || (slack_ == 0 && grid_->halvings.back() == 0);
  return exact ? Rational(0) : unit_;
}

WealthKey WealthScale::ceiling(const Rational& wealth) const {
  const Rational ratio = wealth / unit_;
  Integer up;
  mpz_cdiv_q(up.get_mpz_t(), ratio.get_num_mpz_t(), ratio.get_den_mpz_t());
  const Integer limit = Integer(1) << 62;
  return {to_int64(std::clamp(up, Integer(-limit), limit))};
}

}  // namespace quantiplan
