// Who chooses on the grid: anybody, for the best of all policies, or a policy by its own index.
//
// Both call visit(range, choice) for parts of a range of needs, such that every choice that counts
// for a need is named; where a policy has no rule, none is.
#pragma once

#include "check/common/rule_book.hpp"
#include "check/finite/index_windows.hpp"

namespace quantiplan::checking {

class AllChoices {
 public:
  static constexpr bool kAreAll = true;
  template <class Visit>
  void for_each(const IndexProblem& problem,
                std::uint64_t /*time*/,
                State s,
                const NeedRange& range,
                const Visit& visit) const {
    for (const Choice c : problem.model().choices(s)) visit(range, c);
  }
  [[nodiscard]] static bool is_unclear() { return false; }
};

// Needs a policy that is not malformed, and the problem moved to the time in question.
class PolicyChoices {
 public:
  static constexpr bool kAreAll = false;
  explicit PolicyChoices(const Policy& policy) : rules_(policy) {}

  template <class Visit>
  void for_each(const IndexProblem& problem,
                std::uint64_t time,
                State s,
                const NeedRange& range,
                const Visit& visit) {
    const PolicyRule* rule = rules_.find(time, s);
    // An interval may come to where the policy does not.
    if (rule == nullptr) return;
    std::int64_t above = range.above;
    for (const PolicyRun& run : rule->runs) {
      const std::int64_t bound = run.upto ? problem.need(*run.upto) : range.upto;
      const std::int64_t upto = std::min(range.upto, bound);
      if (run.upto && is_far(bound) && (range.upto >= kFarNeed || range.above < -kFarNeed))
        is_unclear_ = true;
      if (upto <= above) continue;
      visit(NeedRange{above, upto}, run.choice);
      above = upto;
    }
  }

  // The policy makes a difference between needs that are all far away for us.
  [[nodiscard]] bool is_unclear() const { return is_unclear_; }

 private:
  static bool is_far(std::int64_t need) { return need >= kFarNeed || need <= -kFarNeed; }

  RuleBook rules_;
  bool is_unclear_ = false;
};

}  // namespace quantiplan::checking
