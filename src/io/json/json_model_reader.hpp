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
  [[nodiscard]] bool is_in_states() const { return node() == kStates; }

 private:
  enum : Node {
    kModel = 1,
    kStates,
    kGoal,
    kLabels,
    kLabel,
    kChoices,
    kChoice,
    kNextMap,
    kNextList,
    kOutcome,
    kVectorOfChoice,
    kVectorOfOutcome
  };
  struct OutcomeDraft {
    std::string to;
    bool has_name = false;  // of a list's outcome: `to` was a string
    std::optional<Number> probability;
    Number reward;
    bool has_reward = false;
    std::uint64_t line = 0;
    bool is_complete = false;
  };
  // A choice until its end: its keys come in any order, and messages name state and action.
  struct ChoiceDraft {
    std::string state;
    std::string action;
    Number reward;
    bool has_reward = false;
    std::vector<OutcomeDraft>
        outcomes;  // the first `count` are in use, the others keep their memory
    std::size_t count = 0;
    std::unordered_set<std::string> many_names;  // of a map of more than kFewNames
    std::vector<TextFault> faults;
  };

  [[nodiscard]] Shape shape(Node node) const override;
  Node enter(JsonKind kind) override;
  void leave(Node node) override;
  void value(JsonKind kind, std::string_view text) override;
  bool map_key(std::string_view name) override;
  void problem(std::uint64_t line, std::string message) override;
  [[nodiscard]] bool is_enough() const override;

  void model_value(JsonKind kind, std::string_view text);
  void choice_value(JsonKind kind, std::string_view text);
  void outcome_value(JsonKind kind, std::string_view text);
  void read_horizon(JsonKind kind, std::string_view text);
  void read_rewards(JsonKind kind, std::string_view text);
  void report_wealth();
  void start_choice();
  void finish_choice();
  void report_faults();
  void finish_outcome();
  OutcomeDraft& add_outcome();
  [[nodiscard]] bool is_repeated(std::string_view name);

  // Rewards (json_model_reader_rewards.cpp).
  [[nodiscard]] bool has_vectors() const;
  void read_reward(JsonKind kind, std::string_view text, Number& into);
  void start_vector();
  void vector_value(JsonKind kind, std::string_view text);
  void finish_vector(Number& into);
  void check_rewards();
  [[nodiscard]] Number reward_of(const OutcomeDraft& outcome);

  std::optional<Number> number(JsonKind kind, std::string_view text, const char* label);
  bool string(JsonKind kind, std::string_view text, std::string& into);

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
  bool list_is_empty_ = false;  // of the list that was entered last
  bool is_foreign_ = false;     // the text says that it is something else
  std::uint64_t choices_met_ = 0;
};

}  // namespace quantiplan
