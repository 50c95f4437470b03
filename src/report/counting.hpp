// Levels as a report counts them: wealth as it is; costs, its negatives, from the least up; or
// classes of wealth.
//
//     wealth   miss < -inf < ... < 12 < ... < inf
//     cost     -inf, ..., -12, ..., inf, miss      the same order, read from its other end
//     class    1 < 2 < ...                         shown as its number, else as its text
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
  Level lower;
  Level upper;
};

class Counting {
 public:
  // Classes are absent where wealth is a sum, and where a call ended before it found any.
  explicit Counting(const ModelFacts& facts, const WealthClasses* classes = nullptr)
      : is_cost_(facts.cost),
        by_class_(classes != nullptr || facts.wealth != WealthKind::sum),
        classes_(classes) {}

  [[nodiscard]] bool is_cost() const noexcept { return is_cost_; }
  [[nodiscard]] bool by_class() const noexcept { return by_class_; }
  [[nodiscard]] const WealthClasses* classes() const noexcept { return classes_; }
  [[nodiscard]] Level shown(const Level& wealth) const;
  [[nodiscard]] ShownEnds ends(const Level& lower, const Level& upper) const;
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

  // A level that is `shown`, in a table and in JSON.
  [[nodiscard]] static std::string figure(const Level& shown);
  [[nodiscard]] static std::string json(const Level& shown);
  // One level, or "[a, b]" where the two differ, "a .. b" of classes. The ends of a bracket are
  // rounded outwards, those of a tie are not.
  [[nodiscard]] static std::string figure(const ShownEnds& ends, bool is_tie = false);
  // "?" for an end that a sample leaves open.
  [[nodiscard]] static std::string figure(const QuantileOfDistribution& shown);
  // The place of a class among all of them, 1 the worst: "3 of 15".
  [[nodiscard]] static std::string rank_figure(const Level& level);

  // "total" or "cost".
  [[nodiscard]] std::string_view noun() const noexcept { return is_cost_ ? "cost" : "total"; }
  [[nodiscard]] std::string_view more() const noexcept { return is_cost_ ? "less" : "more"; }
  // "total w", "cost c" or "wealth w", and what is asked of it: "P(W >= w)" or "P(C <= c)".
  [[nodiscard]] std::string heading() const {
    return is_cost_ ? "cost c" : by_class_ ? "wealth w" : "total w";
  }
  [[nodiscard]] std::string reach() const { return reach(is_cost_ ? "c" : "w"); }
  [[nodiscard]] std::string reach(std::string_view level) const;

 private:
  bool is_cost_;
  bool by_class_;
  const WealthClasses* classes_;
};

}  // namespace quantiplan
