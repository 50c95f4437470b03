// Where a policy can come, decided or not: by time and state, an interval of what it goes by.
//
//     span_0(s) = [start, start] for the initial states
//     span_{t+1}(s') holds span_t(s), cut to a run of its rule, moved by each outcome of its choice
//
// Intervals take in more than is met: who has a rule for all of them has one wherever he comes.
// What a policy goes by, its course, is the wealth so far, or an index on a grid:
//     start()                               at time 0
//     move_to(t)                            what follows is that of time t
//     for_each_run(t, s, low, high, visit)  visit(choice, low', high') for each run that decides in
//                                           [low, high], and a part that holds all where it does;
//                                           false if there is no rule
//     after(key, outcome)                   at the next time; rises with the key
//     is_known(key)                         false of a key that is only known to be far away
// and where it is followed key by key, or wealth by wealth, to the end (forward_pass.hpp):
//     decide(t, s, key)                     the choice; nullopt if there is no rule
//     bytes()                               of memory that it holds
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "check/common/check_case.hpp"
#include "check/common/ends.hpp"
#include "check/common/rule_book.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::checking {

// Where one is at some time, and with what.
template <class Key>
struct Place {
  State state;
  Key key;
  friend bool operator==(const Place&, const Place&) = default;
  friend bool operator<(const Place& a, const Place& b) {
    return a.state != b.state ? a.state < b.state : a.key < b.key;
  }
};
// Sorted, each once.
template <class Key>
void unique_places(std::vector<Place<Key>>& places, CheckLimits& limits) {
  std::sort(places.begin(), places.end(), watched(limits, std::less<>()));
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

// The wealth so far, whatever is chosen.
template <class Ledger>
class SumCourse {
 public:
  using Key = typename Ledger::Wealth;
  static constexpr std::size_t kMostPlaces = Ledger::kMostPlaces;  // of one layer
  SumCourse(const Model& model, Ledger& ledger) : model_(model), ledger_(ledger) {}

  [[nodiscard]] Key start() const { return ledger_.zero(); }
  [[nodiscard]] static std::uint64_t bytes() { return 0; }
  void move_to(std::uint64_t time) { time_ = time; }
  [[nodiscard]] Key after(const Key& key, const Outcome& o) {
    return key + ledger_.reward(time_, o.reward);
  }
  [[nodiscard]] static bool is_known(const Key&) { return true; }
  template <class Visit>
  bool for_each_run(
      std::uint64_t, State s, const Key& low, const Key& high, const Visit& visit) const {
    for (const Choice c : model_.choices(s)) visit(c, low, high);
    return true;
  }

 protected:
  const Model& model_;
  Ledger& ledger_;

 private:
  std::uint64_t time_ = 0;
};

// A policy by the wealth so far.
template <class Ledger>
class WealthCourse : public SumCourse<Ledger> {
 public:
  using Key = typename Ledger::Wealth;
  WealthCourse(const Model& model, const Policy& policy, Ledger& ledger)
      : SumCourse<Ledger>(model, ledger), rules_(policy) {}

  std::optional<Choice> decide(std::uint64_t time, State s, const Key& key) {
    if (!rule_ || rule_time_ != time || rule_state_ != s) {
      rule_ = rules_.rule(this->ledger_, time, s);
      rule_time_ = time;
      rule_state_ = s;
    }
    return rule_ ? std::optional<Choice>(rule_->decide(key)) : std::nullopt;
  }
  template <class Visit>
  bool for_each_run(
      std::uint64_t time, State s, const Key& low, const Key& high, const Visit& visit) {
    const auto rule = rules_.rule(this->ledger_, time, s);
    if (!rule) return false;
    const std::vector<Key>& least = rule->least;  // falling
    for (std::size_t i = 0; i < rule->choices.size(); ++i) {
      const bool is_below = i == 0 || low < least[i - 1];
      const bool is_above = i == least.size() || high >= least[i];
      if (!is_below || !is_above) continue;
      visit(rule->choices[i],
            i == least.size() ? low : std::max(low, least[i]),
            i == 0 ? high : std::min(high, least[i - 1]));
    }
    return true;
  }

 private:
  RuleBook rules_;
  std::optional<WealthRule<Key>> rule_;  // the last one that decided
  std::uint64_t rule_time_ = 0;
  State rule_state_{};
};

template <class Course>
class PolicyReach {
 public:
  using Key = typename Course::Key;
  struct Met {
    State state;
    Key low;
    Key high;
    bool has_rule;  // or needs none
  };

  PolicyReach(const CheckCase& task, const Ends& ends, Course& course)
      : task_(task), ends_(ends), course_(course), share_(task.limits) {
    entry_.assign(task.model.state_count(), 0);
    for (const State s : ends.initial().states()) add(s, course.start(), course.start());
    for (std::uint64_t time = 0; time < ends.horizon() && first_ < met_.size(); ++time) {
      begin_.push_back(first_);
      leave(time);
    }
    begin_.push_back(first_);
    begin_.push_back(met_.size());
    sort_layer();
  }

  [[nodiscard]] bool lacks_rules() const { return lacks_rules_; }
  // Times of which something is known: the horizon's is the last, or that after which all is over.
  [[nodiscard]] std::uint64_t times() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<const Met> layer(std::uint64_t time) const {
    return {met_.data() + begin_[time], met_.data() + begin_[time + 1]};
  }
  // The position of (time, state) in the order of all layers. Needs: it can be met.
  [[nodiscard]] std::size_t position(std::uint64_t time, State s) const {
    const auto here = layer(time);
    const auto found = std::ranges::lower_bound(here, s, {}, &Met::state);
    return begin_[time] + static_cast<std::size_t>(found - here.begin());
  }
  [[nodiscard]] std::size_t size() const { return met_.size(); }

 private:
  // From the layer that begins at first_ to the next.
  void leave(std::uint64_t time) {
    sort_layer();
    course_.move_to(time);
    const std::size_t end = met_.size();
    for (std::size_t i = first_; i < end; ++i) {
      task_.limits.require();
      const State s = met_[i].state;
      if (ends_.is_end(s)) continue;
      const Key low = met_[i].low;
      const Key high = met_[i].high;
      next_ = end;
      met_[i].has_rule =
          course_.for_each_run(time, s, low, high, [&](Choice c, const Key& from, const Key& to) {
            for (const Outcome& o : task_.model.outcomes(c)) {
              task_.limits.require(nanoseconds_of(from));
              add(o.next, course_.after(from, o), course_.after(to, o));
            }
          });
      lacks_rules_ = lacks_rules_ || !met_[i].has_rule;
    }
    first_ = end;
  }

  // entry_ is where a state stands in the layer that is being made, if that is at next_ or beyond.
  void add(State s, const Key& low, const Key& high) {
    std::size_t& entry = entry_[index(s)];
    if (entry >= next_ && entry < met_.size() && met_[entry].state == s) {
      if (low < met_[entry].low) met_[entry].low = low;
      if (met_[entry].high < high) met_[entry].high = high;
      return;
    }
    entry = met_.size();
    share_.add(2 * (sizeof(Met) + bytes_beside(low) + bytes_beside(high)));
    met_.push_back({s, low, high, true});
  }

  void sort_layer() {
    std::sort(met_.begin() + static_cast<std::ptrdiff_t>(first_),
              met_.end(),
              watched(task_.limits, [](const Met& a, const Met& b) { return a.state < b.state; }));
  }

  const CheckCase& task_;
  const Ends& ends_;
  Course& course_;
  MemoryShare share_;
  std::vector<Met> met_;  // layer by layer, each by state
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> entry_;  // by state
  std::size_t first_ = 0;
  std::size_t next_ = 0;
  bool lacks_rules_ = false;
};

}  // namespace quantiplan::checking
