// Wealth that is no sum, for the passes over the steps of a finite horizon (forward_pass.hpp): what
// it becomes, what a policy does by it, and which final wealths are within the event.
#pragma once

#include <cstdint>
#include <optional>

#include "check/classes/wealth_level.hpp"
#include "check/classes/wealth_rule_book.hpp"
#include "check/common/ends.hpp"
#include "check/finite/prospects.hpp"

namespace quantiplan::checking {

// As for numbers (check_limits.hpp): a wealth is looked up to be updated.
inline std::uint64_t bytes_beside(WealthId) { return 0; }
inline std::uint64_t nanoseconds_of(WealthId) { return 200; }

class ClassCourse {
 public:
  using Key = WealthId;
  static constexpr std::size_t kMostPlaces = 4'000'000;  // of one layer
  ClassCourse(Structure& structure, const Policy& policy)
      : structure_(structure), rules_(structure, policy) {}

  [[nodiscard]] Key start() const { return structure_.initial(); }
  [[nodiscard]] std::uint64_t bytes() const { return structure_.bytes(); }
  void move_to(std::uint64_t) {}
  [[nodiscard]] std::optional<Choice> decide(std::uint64_t time, State s, Key key) {
    return rules_.decide(time, s, key);
  }
  template <class Visit>
  bool for_each_run(std::uint64_t time, State s, Key key, Key, const Visit& visit) {
    const auto choice = decide(time, s, key);
    if (choice) visit(*choice, key, key);
    return choice.has_value();
  }
  [[nodiscard]] Key after(Key key, const Outcome& o) { return structure_.update(key, o.reward); }
  [[nodiscard]] static bool is_known(Key) { return true; }

 private:
  Structure& structure_;
  WealthRuleBook rules_;
};

// The same of all policies together: which wealths there are.
class WholeCourse {
 public:
  using Key = WealthId;
  static constexpr std::size_t kMostPlaces = 300'000;
  WholeCourse(const Model& model, Structure& structure) : model_(model), structure_(structure) {}

  [[nodiscard]] Key start() const { return structure_.initial(); }
  [[nodiscard]] std::uint64_t bytes() const { return structure_.bytes(); }
  void move_to(std::uint64_t) {}
  template <class Visit>
  bool for_each_run(std::uint64_t, State s, Key key, Key, const Visit& visit) {
    for (const Choice c : model_.choices(s)) visit(c, key, key);
    return true;
  }
  [[nodiscard]] Key after(Key key, const Outcome& o) { return structure_.update(key, o.reward); }
  [[nodiscard]] static bool is_known(Key) { return true; }

 private:
  const Model& model_;
  Structure& structure_;
};

// Nothing is decided before the end.
class ClassOutlook {
 public:
  ClassOutlook(const Ends& ends, const WealthLevel& level) : ends_(ends), level_(level) {}

  [[nodiscard]] std::optional<Decided> decided(std::uint64_t time, State s, WealthId wealth) const {
    if (time < ends_.horizon() && !ends_.is_end(s)) return std::nullopt;
    return Decided{is_within(wealth), level_.contains(wealth)};
  }
  [[nodiscard]] EndWorth end(State, WealthId wealth) const {
    const int worth = is_within(wealth) ? 1 : 0;
    return {worth, worth, level_.contains(wealth)};
  }

 private:
  [[nodiscard]] bool is_within(WealthId wealth) const {
    return ends_.event().is_strict() ? level_.is_exceeded_by(wealth) : level_.is_reached_by(wealth);
  }

  const Ends& ends_;
  const WealthLevel& level_;
};

}  // namespace quantiplan::checking
