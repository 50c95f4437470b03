#include "attitudes/attitude_grid.hpp"

#include <algorithm>
#include <cmath>

#include "finite/solve/grid_choice.hpp"

namespace quantiplan {
namespace {

// Multiply-adds of the pass over all choices: some ten seconds.
constexpr double kMostWork = 2e9;
// Of a finest grid, totals have 45 bits, and keys may have 57.
constexpr int kBitsToSpare = 12;

// `doublings` coarser than the finest at time 0.
Grid grid_for(const Grid& finest, const Rational& gamma, int doublings) {
  Grid grid;
  mpq_mul_2exp(grid.unit.get_mpq_t(), finest.unit.get_mpq_t(), static_cast<mp_bitcnt_t>(doublings));
  const double a_step = -std::log2(to_nearest_double(gamma));
  const double most = kBitsToSpare + doublings;
  for (std::size_t t = 0; t < finest.halvings.size(); ++t) {
    grid.halvings.push_back(
        static_cast<std::uint32_t>(std::min(most, std::floor(static_cast<double>(t) * a_step))));
  }
  return grid;
}

Rational sum_of_steps(const Grid& grid) {
  Rational sum = 0;
  for (std::size_t t = 0; t + 1 < grid.halvings.size();) {
    std::size_t end = t;
    while (end + 1 < grid.halvings.size() && grid.halvings[end] == grid.halvings[t]) ++end;
    sum += grid.step(t) * Rational(static_cast<unsigned long>(end - t));
    t = end;
  }
  return sum;
}

}  // namespace

std::optional<Grid> attitude_grid(const std::shared_ptr<FiniteLayout>& layout) {
  const Limits& limits = layout->limits;
  GridChoice choice(*layout->stages, &limits);
  const Grid finest = choice.finest();
  FiniteLayout fine(layout, finest, Rounding::down);
  if (!fine.lay_out()) return std::nullopt;
  choice.weigh(*fine.stages, *fine.windows);
  const Window window = fine.windows->start();
  const Rational range = fine.stages->scale().wealth({window.possible - window.least + 1});
  const Rational epsilon = layout->options.epsilon.value_or(range / 1000);
  const Rational& gamma = layout->setting.discount;
  constexpr int kMostDoublings = 44;
  int doublings = 0;
  for (; doublings < kMostDoublings && !limits.ended(); ++doublings) {
    const Grid coarser = grid_for(finest, gamma, doublings + 1);
    const bool is_fine_enough = sum_of_steps(coarser) <= epsilon;
    if (!is_fine_enough && choice.cost_of(grid_for(finest, gamma, doublings)) <= kMostWork) break;
  }
  if (limits.ended()) return std::nullopt;
  return grid_for(finest, gamma, doublings);
}

}  // namespace quantiplan
