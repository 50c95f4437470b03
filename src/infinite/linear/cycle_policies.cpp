#include "infinite/linear/cycle_policies.hpp"

#include <algorithm>

namespace quantiplan {

bool CyclePolicies::factor(const std::vector<std::uint32_t>& policy, const Limits& limits) {
  if (!factors_.empty() && policy == factored_) return true;
  // As much as so many sweeps, which have not been enough.
  constexpr std::uint64_t kMostSweeps = 5'000;
  SparseRows<double> matrix;
  for (std::uint32_t g = 0; g < groups(); ++g) {
    matrix.add(g, 1);
    for (std::uint64_t i = arcs_.begin[policy[g]]; i < arcs_.begin[policy[g] + 1]; ++i)
      matrix.add(arcs_.column[i], -arcs_.value[i]);
    matrix.close_row_of_sums();
  }
  if (!factors_.factor(matrix, kMostSweeps * (arcs_.column.size() + groups()), limits)) {
    is_too_dense_ = !limits.ended();
    return false;
  }
  factored_ = policy;
  return true;
}

// Better options, with the values that they come to; whether there were any.
bool CyclePolicies::sweep(const std::vector<double>& constant,
                          std::vector<std::uint32_t>& policy,
                          std::vector<double>& x,
                          double margin,
                          bool backwards) const {
  bool changed = false;
  const auto count = static_cast<std::uint32_t>(groups());
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t g = backwards ? count - 1 - k : k;
    double most = worth(policy[g], constant, x);
    for (std::uint32_t o = option_begin_[g]; o < option_begin_[g + 1]; ++o) {
      const double other = worth(o, constant, x);
      if (!(other > most + margin)) continue;
      most = other;
      policy[g] = o;
      changed = true;
    }
    x[g] = std::max(x[g], most);
  }
  return changed;
}

bool CyclePolicies::improve(const std::vector<double>& constant,
                            std::vector<std::uint32_t>& policy,
                            std::vector<double>& x,
                            double margin,
                            const Limits& limits) {
  constexpr int kMostPolicies = 1000;
  // What is better for one is better for those before it: sweeps tell them, cheaper than a solve for each.
  constexpr int kSweeps = 16;
  for (int i = 0; i < kMostPolicies; ++i) {
    if (is_too_dense_ || limits.ended() || !factor(policy, limits)) return false;
    x.resize(groups());
    for (std::uint32_t g = 0; g < groups(); ++g) x[g] = constant[policy[g]];
    factors_.solve(x);
    values_ = x;
    bool changed = false;
    bool goes_on = true;
    for (int k = 0; k < kSweeps && goes_on; ++k) {
      goes_on = sweep(constant, policy, x, margin, k % 2 != 0);
      changed = changed || goes_on;
    }
    if (!changed) break;
  }
  x = values_;
  return true;
}

}  // namespace quantiplan
