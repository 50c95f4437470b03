// Who chooses on the grid: anybody, for the best of all policies, or a policy by its own index.
//
// Both call visit(range, choice) for parts of a range of needs, such that every choice that counts
// for a need is named; where a policy has no rule, none is.
#pragma once

#include <optional>
#include <string>

#include "index_windows.hpp"
#include "rule_book.hpp"

namespace quantiplan::checking {

class AllChoices {
 public:
  template <class Visit>
  void for_each(const IndexProblem& problem,
                std::uint64_t /*time*/,
                State s,
                const NeedRange& range,
                const Visit& visit) const {
    for (const Choice c : problem.model().choices(s)) visit(range, c);
  }
};

// Needs a policy that is not malformed, and the problem moved to the time in question.
class PolicyChoices {
 public:
  explicit PolicyChoices(const Policy& policy) : rules_(policy) {}

  template <class Visit>
  void for_each(const IndexProblem& problem,
                std::uint64_t time,
                State s,
                const NeedRange& range,
                const Visit& visit) {
    const PolicyRule* rule = rules_.find(time, s);
    if (rule == nullptr) {
      if (!missing_) missing_ = describe_place(problem.model(), time, s);
      return;
    }
    std::int64_t above = range.above;
    for (const PolicyRun& run : rule->runs) {
      const std::int64_t upto =
          run.upto ? std::min(range.upto, problem.need(*run.upto)) : range.upto;
      if (upto <= above) continue;
      visit(NeedRange{above, upto}, run.choice);
      above = upto;
    }
  }

  // A place without a rule that the policy may come to.
  [[nodiscard]] const std::optional<std::string>& missing() const { return missing_; }

 private:
  RuleBook rules_;
  std::optional<std::string> missing_;
};

}  // namespace quantiplan::checking
