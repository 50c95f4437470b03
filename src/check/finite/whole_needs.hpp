// Exact sums by windows: wealth in whole units, counted as needs, an array for each time and state.
//
//     need at time t:  j = j_0 - W'_t / unit        W' >= level  iff  j <= 0 at the end
//
// For models whose places are too many to list one by one: there the levels of wealth fill their
// windows, and a backward pass over arrays (index_recursion.hpp) takes a nanosecond for each outcome
// of each. Nothing is rounded but probabilities, first in doubles and then in long doubles, both with
// a derived bound; what these leave open stays open here. Needs ends that are not cut off.
#pragma once

#include <cstdint>
#include <optional>

#include "check/common/chance.hpp"
#include "check/common/check_case.hpp"
#include "check/common/ends.hpp"
#include "check/common/rule_book.hpp"
#include "check/common/wealth_ledger.hpp"
#include "check/finite/index_windows.hpp"

namespace quantiplan::checking {

// A policy by its wealth so far, as needs (index_course.hpp).
class NeedCourse {
 public:
  NeedCourse(const Policy& policy, const IntegerLedger& ledger, const IndexProblem& problem)
      : rules_(policy), ledger_(ledger), first_(problem.first()) {}

  template <class Visit>
  bool for_each_run(
      std::uint64_t time, State s, std::int64_t low, std::int64_t high, const Visit& visit) {
    const auto rule = rules_.rule(ledger_, time, s);
    if (!rule) return false;
    for (std::size_t i = 0; i < rule->choices.size() && low <= high; ++i) {
      // The last run takes the rest. Wealths and needs stay below 2^62.
      const std::int64_t upto =
          i < rule->least.size() ? std::min(high, first_ - rule->least[i]) : high;
      if (upto < low) continue;
      visit(rule->choices[i], low, upto);
      low = upto + 1;
    }
    return true;
  }
  [[nodiscard]] static bool is_unclear() { return false; }

 private:
  RuleBook rules_;
  const IntegerLedger& ledger_;
  std::int64_t first_;
};

struct WholeChance {
  Chance chance;
  std::uint64_t places = 0;  // values that were computed, whether or not their need can be met
  // Of a policy: is there a history with W' = level? Absent if rounding leaves it open.
  std::optional<bool> some_at;
};

// Of a policy that has a rule wherever it comes. Nullopt if it was not settled: the event compares no
// numbers, there are too many values, or the bounds leave something open.
std::optional<WholeChance> whole_chance(const CheckCase& task,
                                        const Ends& ends,
                                        const IntegerLedger& ledger);
// The greatest of all policies, sharp enough to say whether it meets the demand.
std::optional<WholeChance> greatest_whole_chance(const CheckCase& task,
                                                 const Ends& ends,
                                                 const IntegerLedger& ledger);

}  // namespace quantiplan::checking
