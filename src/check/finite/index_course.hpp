// Who chooses on the grid: a policy by its own index, as a need (index_problem.hpp), or anybody, for
// the best of all policies. Both name, for parts of a range of needs, every choice that counts
// there; where a policy has no rule, none does.
//
// Where the outcome is decided a need may lie anywhere. One that leaves 62 bits is only known to be
// far below or far above from then on: beyond every `upto` that is not nearly as far.
#pragma once

#include <cstdint>
#include <optional>

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
      if (is_far(upto) && (high >= kFarNeed || low <= -kFarNeed)) is_unclear_ = true;
      const Verdict decides_low = is_within(low, upto);
      const Verdict decides_high = is_within(high, upto);
      if (decides_low == Verdict::no) continue;
      visit(run.choice, low, decides_high == Verdict::no ? upto : high);
      if (decides_high == Verdict::yes) break;
      if (decides_low == Verdict::yes) low = upto + 1;
    }
    return true;
  }
  // Nullopt if there is no rule, or for a need of which it is not known which run decides.
  std::optional<Choice> decide(std::uint64_t time, State s, Key key) {
    std::optional<Choice> choice;
    int runs = 0;
    for_each_run(time, s, key, key, [&](Choice c, Key, Key) {
      choice = c;
      ++runs;
    });
    return runs == 1 ? choice : std::nullopt;
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
  // The policy made a difference between needs that are all far away for us.
  [[nodiscard]] bool is_unclear() const { return is_unclear_; }

 private:
  static bool is_far(Key need) { return need >= kFarNeed || need <= -kFarNeed; }
  // Whether a need is at most `upto`. What is far away stays so, by what all rewards can change.
  [[nodiscard]] Verdict is_within(Key key, Key upto) const {
    if (key == kNoNeed) return upto > -problem_.near() ? Verdict::yes : Verdict::open;
    if (key == kEveryNeed) return upto < problem_.near() ? Verdict::no : Verdict::open;
    return key <= upto ? Verdict::yes : Verdict::no;
  }

  RuleBook rules_;
  IndexProblem& problem_;
  bool is_unclear_ = false;
};

class AllChoices {
 public:
  explicit AllChoices(const Model& model) : model_(model) {}

  template <class Visit>
  bool for_each_run(
      std::uint64_t, State s, std::int64_t low, std::int64_t high, const Visit& visit) const {
    for (const Choice c : model_.choices(s)) visit(c, low, high);
    return true;
  }
  [[nodiscard]] static bool is_unclear() { return false; }

 private:
  const Model& model_;
};

}  // namespace quantiplan::checking
