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

  void read_initial_probability(JsonValue found);

  // Choices (json_model_reader_choices.cpp).
  void begin_choice();
  void finish_choice();
  void report_faults();
  bool begin_mapped_outcome(std::string_view name);
  void read_mapped_probability(JsonValue found);
  void finish_outcome();
  OutcomeDraft& add_outcome();
  OutcomeDraft& outcome() { return draft_.outcomes[draft_.count - 1]; }
  [[nodiscard]] bool is_repeated(std::string_view name);

  // Rewards (json_model_reader_rewards.cpp).
  RewardDraft& reward() { return in_outcome_ ? outcome().reward : draft_.reward; }
  void read_reward(JsonValue found);
  bool begin_vector();
  void read_component(JsonValue found);
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
  std::string initial_name_;
  ChoiceDraft draft_;
  bool in_choice_ = false;
  bool in_outcome_ = false;  // of a list
  std::uint64_t choices_met_ = 0;
};

}  // namespace quantiplan
