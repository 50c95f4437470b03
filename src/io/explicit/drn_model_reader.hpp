// Reads Storm's explicit format (docs/model-checkers.md).
//
//     sections    @type: MDP, @value_type: double, @parameters, @placeholders, @reward_models,
//                 @nr_states, @nr_choices; then @model, the last
//     model       state 0 [1, 0] init "a label"        rewards of the state, labels
//                 // name: home                        ours; or //[x=1 & y=2], as Storm writes it
//                     action a [0, 2]                  rewards of the choice
//                         1 : 0.5
//
// Two passes over the states: the first counts and names them, since transitions lead forward, too.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/explicit/explicit_states.hpp"
#include "io/text/placed_problems.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {

class DrnModelReader {
 public:
  DrnModelReader(std::string_view text,
                 const std::string& source,
                 const ReadOptions& options,
                 ModelBuilder& builder);
  // Returns notices; throws Error(bad_model), Error(bad_request).
  std::vector<std::string> read();

 private:
  // Lines.
  bool next_line();
  void problem(std::string message) { problems_.add(line_, std::move(message)); }

  // Sections (drn_header.cpp).
  void read_header();
  void read_section();
  void read_type(std::string_view type);
  void read_value_type(std::string_view type);
  void read_placeholders();
  [[nodiscard]] std::string_view line_below();
  struct SaidCount {
    std::uint64_t count;
    std::uint64_t line;
  };
  std::optional<SaidCount> count_below();

  // In the structure that counts, and in the others if they are kept.
  struct Rewards {
    Number counted;
    std::vector<Number> others;
  };

  // States.
  void name_states();
  void read_states();
  void begin_state(std::string_view rest);
  void end_state();
  void read_labels(std::string_view rest);
  void give_label(std::string_view name);
  void begin_action(std::string_view rest);
  void read_transition();
  void check_counts();
  // "[1, 0.5] rest": zeros without a list.
  Rewards take_rewards(std::string_view& rest);
  std::optional<Number> number(std::string_view text, const char* what);

  std::string_view rest_;
  std::string_view row_;  // the current line without blanks around
  std::uint64_t line_ = 0;
  const ReadOptions& options_;
  ModelBuilder& builder_;
  Problems all_;
  PlacedProblems problems_;
  std::vector<std::string> notices_;

  bool has_type_ = false;
  bool has_model_ = false;
  bool is_dtmc_ = false;
  std::vector<std::string> reward_models_;
  std::optional<std::size_t> chosen_;
  std::map<std::string, Number, std::less<>> placeholders_;
  std::optional<SaidCount> states_said_;
  std::optional<SaidCount> choices_said_;

  StateNames names_;
  std::uint64_t state_count_ = 0;
  ExplicitStates states_;
  LabelSets labels_;
  std::uint64_t states_met_ = 0;  // the current one included
  std::uint64_t choices_met_ = 0;
  bool is_deadlock_ = false;
  std::size_t other_rewards_ = 0;  // how many others are kept
  Rewards state_reward_;
  Rewards choice_reward_;
};

}  // namespace quantiplan
