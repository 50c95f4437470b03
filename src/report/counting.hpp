// Totals as a report counts them: wealth as it is, or costs, its negatives, from the least up.
//
//     wealth   miss < -inf < ... < 12 < ... < inf
//     cost     -inf, ..., -12, ..., inf, miss      the same order, read from its other end
//
// Answers, policies and distributions are in wealth throughout; nothing but reports turns it round.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan {

// Of a bracket, as it is shown: `lower` first. A miss is the upper end of a bracket of costs.
struct ShownEnds {
  Total lower;
  Total upper;
};

class Counting {
 public:
  explicit Counting(const ModelFacts& facts) : is_cost_(facts.cost) {}

  [[nodiscard]] bool is_cost() const noexcept { return is_cost_; }
  [[nodiscard]] Total shown(const Total& wealth) const;
  [[nodiscard]] ShownEnds ends(const Total& lower, const Total& upper) const;
  [[nodiscard]] Value mean(const Value& mean) const;
  // With its ends, and what is open at them.
  [[nodiscard]] QuantileOfDistribution quantile(const QuantileOfDistribution& quantile) const;
  // Atoms of a distribution or steps of a curve.
  template <class Entry>
  [[nodiscard]] std::vector<Entry> entries(std::vector<Entry> entries) const {
    if (!is_cost_) return entries;
    std::ranges::reverse(entries);
    for (Entry& entry : entries) entry.wealth = shown(entry.wealth);
    return entries;
  }

  // "total" or "cost".
  [[nodiscard]] std::string_view noun() const noexcept { return is_cost_ ? "cost" : "total"; }
  [[nodiscard]] std::string_view more() const noexcept { return is_cost_ ? "less" : "more"; }
  // "total w" or "cost c", and what is asked of it: "P(W >= w)" or "P(C <= c)".
  [[nodiscard]] std::string heading() const { return is_cost_ ? "cost c" : "total w"; }
  [[nodiscard]] std::string reach() const { return reach(is_cost_ ? "c" : "w"); }
  [[nodiscard]] std::string reach(std::string_view level) const;

 private:
  bool is_cost_;
};

}  // namespace quantiplan
