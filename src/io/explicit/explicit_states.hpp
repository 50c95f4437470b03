// From explicit files, which name states and choices by number, to a builder.
//
//     choices      named by their labels (choice_names.hpp)
//     rewards      those of a state are collected on leaving it: added to each outcome
//     deadlock     a state with this label whose only choice leads back to it, without a reward of
//                  its own, is terminal: model checkers add that loop where a state has no choice
//     init         the label of the initial state; neither of the two is kept as a label
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/placed_problems.hpp"
#include "model/choice_names.hpp"
#include "numbers/interner.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

constexpr std::string_view kInitLabel = "init";
constexpr std::string_view kDeadlockLabel = "deadlock";

// Numbers where there are no names.
struct StateNames {
  std::vector<std::string> names;
  [[nodiscard]] std::string operator[](std::size_t i) const {
    return names.empty() ? std::to_string(i) : names[i];
  }
};

// The states 0 .. count - 1 of the model, before anything else of it.
void declare_states(ModelBuilder& builder, const StateNames& names, std::size_t count);

// Sets of states by name, in the order in which the names were met.
class LabelSets {
 public:
  // The position of a label, new or known.
  std::uint32_t add(std::string_view name);
  // False if it is the last state that was given the label.
  bool give(std::uint32_t label, State s);
  [[nodiscard]] bool has(std::string_view name) const { return names_.find(name).has_value(); }
  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] std::string_view name(std::uint32_t label) const { return names_[label]; }
  [[nodiscard]] std::vector<bool> deadlocks(std::size_t state_count) const;
  // Labels and initial states; a notice if there is none.
  void hand_over(ModelBuilder& builder,
                 const StateNames& names,
                 const std::string& source,
                 std::vector<std::string>& notices) const;

 private:
  NameInterner names_;
  std::vector<std::vector<State>> states_;
};

// One state after the other, each with its choices.
class ExplicitStates {
 public:
  ExplicitStates(ModelBuilder& builder, PlacedProblems& problems)
      : builder_(builder), problems_(problems) {}

  void begin_state(State s, bool is_deadlock);
  // `label` must live until end_state; empty: none.
  void begin_choice(std::string_view label, std::uint64_t line);
  // Changes the label of the choice that was begun last.
  void set_label(std::string_view label) { choices_.back().label = label; }
  // `others`: in the other reward structures, the same number of them every time.
  void add_outcome(State next,
                   const Number& probability,
                   const Number& reward,
                   std::span<const Number> others,
                   std::uint64_t line);
  void end_state(const Number& state_reward, std::span<const Number> others);

  [[nodiscard]] bool has_choice() const { return !choices_.empty(); }
  [[nodiscard]] std::size_t choice_count() const { return choices_.size(); }
  [[nodiscard]] std::string_view label() const { return choices_.back().label; }
  // After the last state: what was done and must be said.
  void add_notices(std::vector<std::string>& notices) const;

 private:
  struct ChoiceDraft {
    std::string_view label;
    std::size_t outcome_begin;
    std::uint64_t line;
  };
  struct OutcomeDraft {
    State next;
    Number probability;
    Number reward;
    std::uint64_t line;
  };
  [[nodiscard]] bool is_terminal() const;
  void check_repeated(std::size_t begin, std::size_t end);

  ModelBuilder& builder_;
  PlacedProblems& problems_;
  State state_{0};
  bool is_deadlock_ = false;
  std::vector<ChoiceDraft> choices_;
  std::vector<OutcomeDraft> outcomes_;
  std::vector<Number> others_;                         // of all outcomes
  std::vector<std::pair<State, std::uint64_t>> next_;  // of one choice: next states and lines
  ChoiceNames names_;
  std::size_t rewards_left_ = 0;  // of terminal states
};

}  // namespace quantiplan
