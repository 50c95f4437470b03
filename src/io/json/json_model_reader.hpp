// Reads the format "quantiplan-model/1" (docs/model-format.md), one choice in memory at a time.
//
//     document -> model -> states:  [name...]
//                       -> goal:    [name...]
//                       -> labels:  {label: [name...]}
//                       -> choices: [choice...] -> next: {name: probability} or [outcome...]
//
// How rewards are read depends on the wealth, which has been read before (json_wealth_reader.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "io/json/json_walk.hpp"
#include "io/json/json_wealth_reader.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

class JsonModelReader final : public JsonWalk {
 public:
  JsonModelReader(ModelBuilder& builder, const WealthDeclaration& declared);
  // After the last event: reports what is left over.
  void finish();
  // The text broke off within the list of states.
  [[nodiscard]] bool is_in_states() const;

 private:
  struct Shapes;  // what may stand where
  struct RewardDraft {
    Number value;
    bool is_given = false;
  };
  struct OutcomeDraft {
    std::string to;
    bool has_name = false;  // of a list's outcome: `to` was a string
    std::optional<Number> probability;
    RewardDraft reward;
    std::uint64_t line = 0;
    bool is_complete = false;
  };
  // A choice until its end: its keys come in any order, and messages name state and action.
  struct ChoiceDraft {
    std::string state;
    std::string action;
    RewardDraft reward;
    std::vector<OutcomeDraft>
        outcomes;  // the first `count` are in use, the others keep their memory
    std::size_t count = 0;
    std::unordered_set<std::string> many_names;  // of a map of more than kFewNames
    std::vector<TextFault> faults;
  };

  void problem(std::uint64_t line, std::string message) override;
  [[nodiscard]] bool is_enough() const override;

  void read_format_name(JsonKind kind, std::string_view text);
  void read_name(JsonKind kind, std::string_view text);
  void read_horizon(JsonKind kind, std::string_view text);
  void read_discount(JsonKind kind, std::string_view text);
  void read_initial(JsonKind kind, std::string_view text);
  void read_goal(JsonKind kind, std::string_view text);
  bool begin_label(std::string_view name);
  void read_labelled(JsonKind kind, std::string_view text);
  void read_rewards(JsonKind kind, std::string_view text);
  void report_wealth(JsonKind kind, std::string_view text);
  void read_declared_state(JsonKind kind, std::string_view text);
  void finish_states();
  void finish_choices();

  // Choices (json_model_reader_choices.cpp).
  bool begin_choice();
  void read_state(JsonKind kind, std::string_view text);
  void read_action(JsonKind kind, std::string_view text);
  void finish_choice();
  void report_faults();
  bool begin_mapped_outcome(std::string_view name);
  void read_mapped_probability(JsonKind kind, std::string_view text);
  bool begin_outcome();
  void read_to(JsonKind kind, std::string_view text);
  void read_probability(JsonKind kind, std::string_view text);
  void finish_outcome();
  OutcomeDraft& add_outcome();
  OutcomeDraft& outcome() { return draft_.outcomes[draft_.count - 1]; }
  [[nodiscard]] bool is_repeated(std::string_view name);

  // Rewards (json_model_reader_rewards.cpp).
  RewardDraft& reward() { return in_outcome_ ? outcome().reward : draft_.reward; }
  void read_reward(JsonKind kind, std::string_view text);
  bool begin_vector();
  void read_component(JsonKind kind, std::string_view text);
  void finish_vector();
  void check_rewards();
  [[nodiscard]] Number reward_of(const OutcomeDraft& outcome);

  ModelBuilder& builder_;
  const WealthDeclaration& declared_;
  struct VectorDraft {
    std::vector<Rational> numbers;  // no more of them than there must be
    std::size_t count = 0;
    bool is_damaged = false;
  };
  VectorDraft vector_;
  ChoiceDraft draft_;
  bool in_choice_ = false;
  bool in_outcome_ = false;  // of a list
  std::uint64_t choices_met_ = 0;
};

}  // namespace quantiplan
