// Policy iteration in doubles over a cycle of n groups, whose policies all leave it almost surely.
//
//     x_g = max over options o of  c_o + sum over inner arcs of p_o x
//
// The arcs belong to the cycle; c comes with each level. Factors of a policy are kept while the policy lasts. What it
// finds is as good as doubles are: whoever needs a bound proves it (fixpoint.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "infinite/linear/sparse_factors.hpp"

namespace quantiplan {

class CyclePolicies {
 public:
  // Options in the order of their groups; p times the factor of the option.
  void add_arc(std::uint32_t to, double p) { arcs_.add(to, p); }
  void close_option() { arcs_.close_row(); }
  void close_group() { option_begin_.push_back(static_cast<std::uint32_t>(arcs_.size())); }

  [[nodiscard]] std::size_t groups() const noexcept { return option_begin_.size() - 1; }
  [[nodiscard]] std::size_t options() const noexcept { return arcs_.size(); }

  // From `policy` (by group: one of its options, counted through) to one that no option is better than by more than
  // `margin`, and its values. False if the limits ended it, or elimination takes more than thousands of sweeps would.
  bool improve(const std::vector<double>& constant,
               std::vector<std::uint32_t>& policy,
               std::vector<double>& x,
               double margin,
               const Limits& limits);

 private:
  bool sweep(const std::vector<double>& constant,
             std::vector<std::uint32_t>& policy,
             std::vector<double>& x,
             double margin,
             bool backwards) const;
  bool factor(const std::vector<std::uint32_t>& policy, const Limits& limits);
  [[nodiscard]] double worth(std::uint32_t option,
                             const std::vector<double>& constant,
                             const std::vector<double>& x) const {
    double sum = constant[option];
    for (std::uint64_t i = arcs_.begin[option]; i < arcs_.begin[option + 1]; ++i)
      sum += arcs_.value[i] * x[arcs_.column[i]];
    return sum;
  }

  SparseRows<double> arcs_;  // by option
  std::vector<std::uint32_t> option_begin_{0};
  std::vector<std::uint32_t> factored_;  // the policy of the factors
  SparseFactors<DoubleField> factors_;
  std::vector<double> values_;  // of that policy
  bool is_too_dense_ = false;
};

}  // namespace quantiplan
