#include "infinite/sure_arrival.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace quantiplan {
namespace {

// Each one that finds nothing new ends it; of many, none would be faster than to solve the model.
constexpr int kMostWalks = 24;

// States that can be met before a goal, and which choices lead to each of them.
class Ways {
 public:
  Ways(const Model& model, const ResolvedSetting& setting) : model_(model) {
    kind_.assign(model.state_count(), Kind::unmet);
    for (const State s : setting.goal) kind_[index(s)] = Kind::unmet_goal;
    for (const State s : setting.initial.states()) meet(s);
    for (std::size_t i = 0; i < met_.size(); ++i) {
      for (const Choice c : model.choices(met_[i])) {
        for (const Outcome& o : model.outcomes(c)) meet(o.next);
      }
    }
  }

  [[nodiscard]] bool meets_goal() const { return !goals_.empty(); }
  [[nodiscard]] const std::vector<State>& met() const { return met_; }
  [[nodiscard]] const std::vector<State>& goals() const { return goals_; }
  [[nodiscard]] bool is_goal(State s) const { return kind_[index(s)] == Kind::goal; }
  [[nodiscard]] bool is_met(State s) const { return kind_[index(s)] == Kind::met; }

  void find_choices_into() {
    owner_.resize(model_.choice_count());
    begin_.assign(model_.state_count() + 1, 0);
    for_each_outcome([&](Choice, State next) { ++begin_[index(next)]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    into_.resize(begin_.back());
    for_each_outcome([&](Choice c, State next) {
      into_[--begin_[index(next)]] = static_cast<std::uint32_t>(index(c));
    });
    for (const State s : met_) {
      for (const Choice c : model_.choices(s)) owner_[index(c)] = s;
    }
  }
  // visit(choice, its state)
  template <class Visit>
  void for_choices_into(State s, const Visit& visit) const {
    for (std::uint64_t i = begin_[index(s)]; i < begin_[index(s) + 1]; ++i)
      visit(into_[i], owner_[into_[i]]);
  }

 private:
  enum class Kind : std::uint8_t { unmet, unmet_goal, met, goal };

  void meet(State s) {
    Kind& kind = kind_[index(s)];
    if (kind == Kind::unmet) {
      kind = Kind::met;
      met_.push_back(s);
    } else if (kind == Kind::unmet_goal) {
      kind = Kind::goal;
      goals_.push_back(s);
    }
  }
  template <class Visit>
  void for_each_outcome(const Visit& visit) const {
    for (const State s : met_) {
      for (const Choice c : model_.choices(s)) {
        for (const Outcome& o : model_.outcomes(c)) visit(c, o.next);
      }
    }
  }

  const Model& model_;
  std::vector<Kind> kind_;  // by state
  std::vector<State> met_;  // no goals
  std::vector<State> goals_;
  std::vector<State> owner_;          // by choice
  std::vector<std::uint64_t> begin_;  // by state
  std::vector<std::uint32_t> into_;
};

// Takes states away for good, and with them those all of whose choices lead out of what is left.
class Remaining {
 public:
  Remaining(const Model& model, const Ways& ways)
      : ways_(ways), left_(model.state_count(), 0), is_out_(model.choice_count(), false) {
    for (const State s : ways.met())
      left_[index(s)] = static_cast<std::uint32_t>(model.choice_count(s));
    is_in_.assign(model.state_count(), false);
    for (const State s : ways.met()) is_in_[index(s)] = true;
    count_ = ways.met().size();
  }
  [[nodiscard]] bool has(State s) const { return is_in_[index(s)]; }
  [[nodiscard]] bool allows(std::uint32_t choice) const { return !is_out_[choice]; }
  [[nodiscard]] std::size_t count() const { return count_; }

  // `s`: of those that are left, or a goal.
  void take(State s) {
    open_.push_back(s);
    if (is_in_[index(s)]) drop(s);
    while (!open_.empty()) {
      const State lost = open_.back();
      open_.pop_back();
      ways_.for_choices_into(lost, [&](std::uint32_t c, State from) {
        if (is_out_[c]) return;
        is_out_[c] = true;
        if (--left_[index(from)] != 0 || !is_in_[index(from)]) return;
        drop(from);
        open_.push_back(from);
      });
    }
  }

 private:
  void drop(State s) {
    is_in_[index(s)] = false;
    --count_;
  }

  const Ways& ways_;
  std::vector<std::uint32_t> left_;  // by state: choices that are not out
  std::vector<bool> is_out_;         // by choice
  std::vector<bool> is_in_;          // by state
  std::size_t count_ = 0;
  std::vector<State> open_;
};

std::optional<bool> least(const Model& model, const ResolvedSetting& setting, Ways& ways) {
  Remaining avoiding(model, ways);
  for (const State goal : ways.goals()) avoiding.take(goal);
  if (avoiding.count() == 0) return true;
  const std::vector<State> initial = setting.initial.states();
  const bool avoids = std::ranges::all_of(initial, [&](State s) { return avoiding.has(s); });
  return avoids ? std::optional(false) : std::nullopt;
}

std::optional<bool> greatest(const Model& model,
                             const ResolvedSetting& setting,
                             const Ways& ways,
                             const Limits& limits) {
  const std::vector<State> initial = setting.initial.states();
  Remaining within(model, ways);
  for (int walk = 0; walk < kMostWalks && !limits.ended(); ++walk) {
    // What can reach a goal without leaving what is left.
    std::vector<bool> reaches(model.state_count(), false);
    std::vector<State> open = ways.goals();
    while (!open.empty()) {
      const State s = open.back();
      open.pop_back();
      ways.for_choices_into(s, [&](std::uint32_t c, State from) {
        if (reaches[index(from)] || !within.has(from) || !within.allows(c)) return;
        reaches[index(from)] = true;
        open.push_back(from);
      });
    }
    const std::size_t before = within.count();
    for (const State s : ways.met()) {
      if (within.has(s) && !reaches[index(s)]) within.take(s);
    }
    const auto is_lost = [&](State s) { return !ways.is_goal(s) && !within.has(s); };
    if (std::ranges::any_of(initial, is_lost)) return std::nullopt;
    if (within.count() == before) return true;
  }
  return std::nullopt;
}

}  // namespace

std::optional<bool> sure_arrival(const Model& model,
                                 const ResolvedSetting& setting,
                                 Limits& limits) {
  const std::uint64_t bytes =
      4 * model.outcome_count() + 17 * model.state_count() + 8 * model.choice_count();
  if (!limits.would_fit(bytes)) return std::nullopt;
  limits.take(bytes, "the ways to the goal");
  std::optional<bool> out;
  Ways ways(model, setting);
  if (!ways.meets_goal()) {
    out = false;
  } else if (!limits.ended()) {
    ways.find_choices_into();
    out =
        setting.adversarial ? least(model, setting, ways) : greatest(model, setting, ways, limits);
  }
  limits.give_back(bytes);
  return limits.ended() ? std::nullopt : out;
}

}  // namespace quantiplan
