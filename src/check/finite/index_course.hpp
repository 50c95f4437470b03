// What a policy on a grid goes by, as a need (index_problem.hpp), wherever it comes.
//
// Where the outcome is decided a need may lie anywhere. One that leaves 62 bits is only known to be
// far below or far above from then on: beyond every `upto` that is not nearly as far.
#pragma once

#include <cstdint>

#include "check/common/demand.hpp"
#include "check/common/rule_book.hpp"
#include "check/finite/index_windows.hpp"

namespace quantiplan::checking {

class IndexCourse {
 public:
  using Key = std::int64_t;
  static constexpr std::size_t kMostPlaces = IntegerLedger::kMostPlaces;
  IndexCourse(const Policy& policy, IndexProblem& problem) : rules_(policy), problem_(problem) {}

  [[nodiscard]] Key start() const { return problem_.first(); }
  [[nodiscard]] static std::uint64_t bytes() { return 0; }
  void move_to(std::uint64_t time) { problem_.move_to(time); }
  template <class Visit>
  bool for_each_run(std::uint64_t time, State s, Key low, Key high, const Visit& visit) {
    const PolicyRule* rule = rules_.find(time, s);
    if (rule == nullptr) return false;
    for (const PolicyRun& run : rule->runs) {
      if (!run.upto) {
        visit(run.choice, low, high);
        break;
      }
      const Key upto = problem_.need(*run.upto);
      const Verdict decides_low = is_within(low, upto);
      const Verdict decides_high = is_within(high, upto);
      if (decides_low == Verdict::no) continue;
      visit(run.choice, low, decides_high == Verdict::no ? upto : high);
      if (decides_high == Verdict::yes) break;
      if (decides_low == Verdict::yes) low = upto + 1;
    }
    return true;
  }
  [[nodiscard]] Key after(Key key, const Outcome& o) {
    if (!is_known(key)) return key;
    const Key left = key - problem_.key(o.reward);
    const unsigned shift = problem_.shift();
    if (left > kFarNeed >> shift) return kEveryNeed;
    if (left < -(kFarNeed >> shift)) return kNoNeed;
    return left * (Key{1} << shift) - problem_.delta();
  }
  [[nodiscard]] static bool is_known(Key key) { return key != kNoNeed && key != kEveryNeed; }

 private:
  // Whether a need is at most `upto`. What is far away stays so, by what all rewards can change.
  [[nodiscard]] Verdict is_within(Key key, Key upto) const {
    if (key == kNoNeed) return upto > -problem_.near() ? Verdict::yes : Verdict::open;
    if (key == kEveryNeed) return upto < problem_.near() ? Verdict::no : Verdict::open;
    return key <= upto ? Verdict::yes : Verdict::no;
  }

  RuleBook rules_;
  IndexProblem& problem_;
};

}  // namespace quantiplan::checking
