// What a ModelBuilder has collected, and the steps that turn it into a Model.
//
//     1. choices arrive one at a time; a closed choice is checked, normalised, merged and stored
//     2. the whole is checked: states, initial state, repeated actions
//     3. choices are sorted by state (stable counting sort) and the flat arrays are filled
//
// Memory while building: 12 bytes an outcome, 16 a choice (24 where lines are known), the names and
// the distinct numbers; the sort copies outcomes only if the states did not arrive in order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_watch.hpp"
#include "numbers/interner.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

struct ModelBuilder::Parts {
  explicit Parts(std::string source_name) : source(std::move(source_name)) {}

  struct LinedProblem {
    std::uint64_t line;
    std::string message;
  };
  struct ChoiceRecord {
    std::uint32_t state;
    std::uint32_t action;
    std::uint64_t outcome_end;
  };
  // Where a state name was first met in a choice.
  struct FirstUse {
    std::uint64_t line = 0;
    std::uint32_t choice = 0;
  };
  struct PendingOutcome {
    std::uint32_t next;
    NumberId reward;
    Number probability;
    std::uint32_t position = 0;  // of its other rewards, in pending_others
  };

  std::string source;
  WorkWatch* watch = nullptr;
  std::string name;
  std::optional<std::uint64_t> horizon;
  std::optional<Rational> discount;
  struct NamedState {
    std::string name;
    std::uint64_t line;
  };
  struct InitialDraft {
    NamedState state;
    Rational probability = 1;
  };
  std::vector<InitialDraft> initial;
  std::vector<NamedState> possible_initial;
  bool is_chain = false;
  bool may_lack_choices = false;
  std::vector<std::string> reward_names;
  std::size_t chosen_reward = 0;
  std::size_t other_count = 0;  // of rewards that each outcome has besides
  std::vector<NamedState> goal;
  struct LabelDraft {
    std::string name;
    std::uint64_t line;
    std::vector<NamedState> named;
    std::vector<std::uint32_t> ids;  // of states
  };
  std::vector<LabelDraft> labels;
  bool has_costs = false;
  Wealth wealth;
  bool wealth_is_damaged = false;                          // then no reward is wrong
  NameInterner reward_labels;                              // of wealth, by position
  std::map<std::vector<Rational>, std::uint32_t> vectors;  // of wealth, to positions

  NameInterner states;
  std::vector<FirstUse> first_use;  // by state id; empty if all are those of a source
  bool states_declared = false;
  std::vector<std::uint32_t> declared;  // state ids in the order of declaration
  bool declared_in_order = true;        // id = position, so that nothing is looked up
  std::vector<bool> is_declared;        // by state id
  NameInterner actions;
  NumberInterner numbers;

  std::vector<ChoiceRecord> choices;
  std::vector<std::uint64_t> choice_lines;  // empty until one is not 0
  std::vector<Outcome> outcomes;
  bool choice_is_open = false;
  bool choice_is_damaged = false;  // a problem was found in it: no others are derived from it
  bool choice_has_outcomes = false;
  std::vector<PendingOutcome> pending;
  std::vector<NumberId> pending_others;  // other_count for each
  std::vector<NumberId> other_rewards;   // of outcomes, other_count for each

  std::vector<LinedProblem> problems;  // the first Problems::kMost
  bool more_problems = false;
  bool reader_found_problems = false;
  std::vector<std::string> notices;  // once the model is built

  Rational tolerance = usual_tolerance();
  std::uint64_t normalised = 0;  // choices
  Rational worst_sum = 1;        // of them: the farthest from 1, and where
  std::string worst_place;
  std::optional<Rational> initial_sum = std::nullopt;    // of initial states that were normalised
  std::optional<std::uint32_t> decimals = std::nullopt;  // of rewards
  std::uint64_t rounded = 0;                             // rewards of outcomes
  Rational most_rounded = 0;                             // the greatest change
  std::set<NumberId> fine_rewards;  // of many decimals: the first kMostFine of them

  // Messages (builder_messages.cpp).
  [[nodiscard]] std::string place(std::uint64_t line) const;
  [[nodiscard]] std::string where(const ChoiceRecord& choice) const;
  void add_problem(std::uint64_t line, std::string message);
  void damage(std::uint64_t line, std::string message);
  void check_name(std::string_view text, const char* what, std::uint64_t line);
  void throw_problems();
  // The notices, one of each kind.
  void write_notices();

  // Limits: after a step, and before a vector grows by one.
  void count_step() {
    if (watch != nullptr) watch->step();
  }
  template <class Vector>
  void before_push(const Vector& vector) {
    if (watch != nullptr) watch->before_push(vector);
  }

  // Step 1 (builder_choice.cpp).
  [[nodiscard]] std::uint64_t line_of(const ChoiceRecord& choice) const {
    return choice_lines.empty() ? 0
                                : choice_lines[static_cast<std::size_t>(&choice - choices.data())];
  }
  [[nodiscard]] std::uint64_t line_or_choice(std::uint64_t line) const {
    return line == 0 ? line_of(choices.back()) : line;
  }
  std::uint32_t use_state(std::string_view text, std::uint64_t line);
  // The next of a source.
  void declare_next_state();
  // The id of a declared state; the first state and a problem if there is no such position.
  std::uint32_t declared_state(State position, std::uint64_t line);
  ChoiceRecord& open_choice(std::string_view action, std::uint64_t line);
  void add_outcome(std::uint32_t next,
                   const Number& probability,
                   const Number& reward,
                   std::span<const Number> others,
                   std::uint64_t line);
  // The reward as it is stored; notes what is to be said of it.
  NumberId settled_reward(const Number& reward);
  void note_fine(NumberId reward);
  void close_choice();
  void settle_probabilities();
  // The last choice was, whose probabilities summed to this.
  void count_normalised(const Rational& sum);
  void merge_equal_outcomes();

  // The same for many at a time (builder_arrays.cpp).
  class ArrayChoices;

  // Steps 2 and 3 (builder_build.cpp).
  // Before the flat arrays are made beside what was collected. Throws Error(refused).
  void ask_for_the_model();
  void check_states();
  void check_initial();
  void check_possible_initial();
  void check_goal();
  void check_labels();
  // Reports a name that is no state of the model; `what` is the key it stands at.
  void require_state(std::string_view text, const char* what, std::uint64_t line);
  void check_repeated_actions(const std::vector<std::uint32_t>& order);
  [[nodiscard]] std::vector<std::uint32_t> state_positions() const;
  // Empty where they came so.
  [[nodiscard]] std::vector<std::uint32_t> choices_by_state(
      const std::vector<std::uint32_t>& positions) const;
  void fill(Model::Body& body,
            const std::vector<std::uint32_t>& positions,
            const std::vector<std::uint32_t>& order);
  template <class Act>
  void for_each_choice(const std::vector<std::uint32_t>& order, const Act& act) const {
    for (std::uint32_t i = 0; i < choices.size(); ++i) act(order.empty() ? i : order[i]);
  }
  void fill_outcomes(Model::Body& body, const std::vector<std::uint32_t>& order);
  void fill_rewards(Model::Body& body, const std::vector<std::uint32_t>& order);
  void fill_labels(Model::Body& body, const std::vector<std::uint32_t>& positions);
  [[nodiscard]] NameTable take_state_names(const std::vector<std::uint32_t>& positions);
};

}  // namespace quantiplan
