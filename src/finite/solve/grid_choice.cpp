#include "finite/solve/grid_choice.hpp"

#include <algorithm>
#include <cmath>

namespace quantiplan {
namespace {

// Keys of the finest equal steps, and of any grid: sums must fit 60 bits.
constexpr int kFinestBits = 45;
constexpr int kMostBits = 57;

// Greatest common divisor of the rewards, or 1 if its parts are too long to be of use.
Rational common_divisor(const Stages& stages, bool& found) {
  Rational g = 0;
  found = true;
  for (const NumberId id : stages.rewards().distinct) {
    const Rational r = stages.model().rewards().rational(id);
    g = Rational(gcd(g.get_num() * r.get_den(), r.get_num() * g.get_den()),
                 g.get_den() * r.get_den());
    g.canonicalize();
    if (mpz_sizeinbase(g.get_den_mpz_t(), 2) > 62 || mpz_sizeinbase(g.get_num_mpz_t(), 2) > 62) {
      found = false;
      return 1;
    }
  }
  return g == 0 ? Rational(1) : g;
}

// anchor * 2^exponent
Rational scaled(const Rational& anchor, int exponent) {
  Rational out;
  if (exponent >= 0) {
    mpq_mul_2exp(out.get_mpq_t(), anchor.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  } else {
    mpq_div_2exp(out.get_mpq_t(), anchor.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  }
  return out;
}

// floor(log2(value)) or one less; value > 0 of any size.
int log2_below(const Rational& value) {
  return static_cast<int>(mpz_sizeinbase(value.get_num_mpz_t(), 2)) -
         static_cast<int>(mpz_sizeinbase(value.get_den_mpz_t(), 2)) - 1;
}

}  // namespace

GridChoice::GridChoice(const Stages& stages, const Limits* limits)
    : limits_(limits),
      horizon_(stages.horizon()),
      last_reward_time_(stages.rewards().last_reward_time) {
  // Without discounting the exact scale has found the divisor already.
  bool found = stages.has_keys() && stages.setting().discount == 1 && !stages.scale().grid();
  anchor_ = found ? stages.scale().unit() : common_divisor(stages, found);
  exact_at_anchor_ = found && stages.setting().discount == 1;
  Rational greatest = 0;
  for (const NumberId id : stages.rewards().distinct) {
    greatest = std::max<Rational>(greatest, abs(stages.model().rewards().rational(id)));
  }
  Rational steps = Rational(static_cast<unsigned long>(last_reward_time_)) + 1;
  if (stages.setting().discount < 1)
    steps = std::min<Rational>(steps, 1 / (1 - stages.setting().discount));
  const Rational most = greatest == 0 ? Rational(1) : Rational(greatest * steps / anchor_);
  finest_exponent_ = log2_below(most) + 2 - kMostBits;
  weight_.assign(horizon_ + 1, 1);
  log_step_.assign(horizon_ + 1, 0);
}

Grid GridChoice::finest() const { return grid_of(std::vector<int>(horizon_ + 1, finest_equal())); }

void GridChoice::weigh(const Stages& stages, const Windows& windows) {
  const Model& model = stages.model();
  const double unit = to_nearest_double(stages.scale().unit());
  for (std::uint64_t t = 0; t <= horizon_ && !ended(); ++t) {
    double weight = 0;
    for (std::size_t slot = 0; slot < stages.layer(t).size(); ++slot) {
      double outcomes = 0;
      for (const Choice c : model.choices(stages.layer(t).state(slot)))
        outcomes += static_cast<double>(model.outcomes(c).size());
      outcomes_ += outcomes;
      weight += outcomes * static_cast<double>(windows.at(t, slot).width()) * unit;
    }
    weight_[t] = weight;
  }
  constexpr double kNothing = -1e6;
  double log_step = kNothing;
  for (std::uint64_t t = horizon_ + 1; t-- > 0;) {
    if (weight_[t] > 0) log_step = std::max(log_step, std::log2(weight_[t]) / 2);
    log_step_[t] = log_step;
  }
  // Where nothing is left to decide the steps do not matter: as before.
  for (std::uint64_t t = 1; t <= horizon_; ++t) {
    if (log_step_[t] == kNothing) log_step_[t] = log_step_[t - 1];
  }
}

std::vector<int> GridChoice::exponents(double log_scale) const {
  std::vector<int> out(horizon_ + 1);
  for (std::uint64_t t = 0; t <= horizon_; ++t) {
    const double exponent = std::floor(std::clamp(log_step_[t] + log_scale, -4000.0, 4000.0));
    out[t] = std::max(static_cast<int>(exponent), least());
  }
  return out;
}

Rational GridChoice::total(const std::vector<int>& exponents) const {
  // Targets are read on the steps of time 0 at both ends, totals are finer.
  const bool exact = exact_at_anchor_ && exponents[0] == 0;
  Rational sum = exact ? Rational(0) : Rational(2 * scaled(anchor_, exponents[0]));
  // Runs of one exponent, not times: a horizon may be long.
  for (std::uint64_t t = 0; t <= last_reward_time_ && t < horizon_;) {
    std::uint64_t end = t;
    while (end <= last_reward_time_ && end < horizon_ && exponents[end] == exponents[t]) ++end;
    if (!exact_at_anchor_ || exponents[t] > 0)
      sum += scaled(anchor_, exponents[t]) * Rational(static_cast<unsigned long>(end - t));
    t = end;
  }
  return sum;
}

Grid GridChoice::within(const Rational& epsilon) const {
  // In sixteenths of a power of two, the coarsest scale that keeps within epsilon.
  const double start = static_cast<double>(log2_below(epsilon / anchor_)) + 2 - log_step_[0];
  double scale = start;
  constexpr int kMostTries = 16 * 2200;
  for (int tries = 0; tries < kMostTries; ++tries, scale -= 1.0 / 16) {
    const std::vector<int> candidate = exponents(scale);
    const bool finest = std::ranges::all_of(candidate, [&](int e) { return e == least(); });
    if (finest || ended() || total(candidate) <= epsilon) return grid_of(candidate);
  }
  return grid_of(exponents(scale));
}

Grid GridChoice::equal_for(double cost) const {
  int exponent = finest_equal();
  Grid grid = grid_of(std::vector<int>(horizon_ + 1, exponent));
  while (cost_of(grid) > cost && !ended())
    grid = grid_of(std::vector<int>(horizon_ + 1, ++exponent));
  return grid;
}

Grid GridChoice::equal_within(const Rational& epsilon) const {
  const Rational times = Rational(static_cast<unsigned long>(last_reward_time_)) + 1;
  int exponent = finest_equal();
  while (times * scaled(anchor_, exponent + 1) <= epsilon) ++exponent;
  return grid_of(std::vector<int>(horizon_ + 1, exponent));
}

int GridChoice::finest_equal() const {
  const int exponent = finest_exponent_ + kMostBits - kFinestBits;
  return exact_at_anchor_ ? std::max(exponent, 0) : exponent;
}

Grid GridChoice::grid_of(const std::vector<int>& exponents) const {
  Grid grid;
  grid.unit = scaled(anchor_, exponents[0]);
  for (const int e : exponents)
    grid.halvings.push_back(static_cast<std::uint32_t>(exponents[0] - e));
  return grid;
}

double GridChoice::cost_of(const Grid& grid) const {
  double cost = 0;
  const double unit = to_nearest_double(grid.unit);
  for (std::uint64_t t = 0; t <= horizon_; ++t) {
    cost += weight_[t] / std::ldexp(unit, -static_cast<int>(grid.halvings[t]));
  }
  return cost;
}

}  // namespace quantiplan
