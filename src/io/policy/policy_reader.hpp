// Reads the format "quantiplan-policy/1" (docs/policy-format.md) against the model it is for.
//
//     document -> policy -> goal: [state...]
//                        -> grid -> halved_at: [time...]
//                        -> claim
//                        -> rules: [rule...] -> choose: [run...] -> wealth: [text...]
//                        -> mixture: [part...] -> weight, and the keys above from 'target' on
//
// Rules may stand in any order; they are sorted by (time, state) at the end. Keys may, too, so what
// depends on two of them is checked when all are known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_watch.hpp"
#include "io/json/json_walk.hpp"
#include "numbers/interner.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

class PolicyReader final : public JsonWalk {
 public:
  // Limits of `watch` end the reading: rules take several times the room of their text.
  PolicyReader(const Model& model, std::string source, WorkWatch& watch);
  Policy read(std::string_view text);

 private:
  struct Shapes;  // what may stand where
  struct RunDraft {
    std::optional<Rational> upto;
    std::string action;
    std::uint64_t line = 0;
    std::vector<std::uint32_t> wealths;  // ids of wealths_
    bool has_wealths = false;
  };
  // A rule until its end: the state may come after the actions.
  struct RuleDraft {
    std::optional<std::uint64_t> time;  // absent: the rule holds at all times
    std::optional<std::string> state;
    std::vector<RunDraft> runs;
    bool is_damaged = false;
  };

  struct RuleTime {
    std::uint64_t line;
    bool is_given;
  };
  // Of a mixture: what is read goes into the part from its beginning to its end.
  struct PartDraft {
    std::uint64_t line = 0;
    Rational weight = 0;
    Policy policy;
    PolicyClaim claim;
    std::uint64_t halved_line = 0;
    std::vector<std::uint64_t> rule_lines;
    std::vector<RuleTime> rule_times;
  };

  void before_value() override;
  void problem(std::uint64_t line, std::string message) override;
  [[nodiscard]] bool is_enough() const override;

  void begin_part();
  void finish_part();
  void finish_policy();
  void exchange_with(PartDraft& part);
  // The checks of one part after the other, as if it were the policy.
  void for_each_part(void (PolicyReader::*check)());
  void check_part();
  void check_weights();
  // Of a part, where that begins.
  [[nodiscard]] std::uint64_t line_of(std::string_view key) const {
    return part_line_ != 0 ? part_line_ : JsonWalk::line_of(key);
  }
  void read_horizon(JsonValue found);
  void read_discount(JsonValue found);
  void read_initial(JsonValue found);
  void finish_initial();
  void read_goal(JsonValue found);
  void finish_goal();
  void read_unit(JsonValue found);
  void read_halving(JsonValue found);
  void read_side(JsonValue found);
  void read_level(JsonValue found);
  void read_criterion(JsonValue found);
  void finish_criterion_claim();
  void read_mean(JsonValue found, std::optional<Value>& mean);
  void read_exact(JsonValue found, std::optional<Value>& mean);
  void read_weight(JsonValue found);
  void finish_claim();
  void begin_run();
  void read_one_wealth(JsonValue found);
  void read_wealth(JsonValue found);
  void finish_rule();
  std::optional<State> state_named(JsonValue found, const std::string& where);
  std::optional<PolicyRule> settled(const RuleDraft& draft);
  // Runs that go by residuals, or by wealths.
  void check_upto(const RuleDraft& draft, const std::string& place);
  void check_setting();
  void check_claim();
  void check_means();
  void check_times();
  void check_rules();
  void check_grid();

  // Other wealths than sums (policy_reader_wealth.cpp).
  [[nodiscard]] bool is_sum() const { return !names_wealth_ && model_.wealth().is_sum(); }
  void check_wealths(const RuleDraft& draft, const std::string& place);
  void check_wealth_setting();
  void number_wealths();

  // Every rule has time 0 and holds at all times.
  [[nodiscard]] bool is_stationary() const {
    return policy_.setting.is_infinite() && !policy_.truncated_at;
  }
  // "time 1, state 'home': "; a rule that holds at all times has no time to show.
  [[nodiscard]] std::string where(std::optional<std::uint64_t> time, std::string_view state) const;
  [[nodiscard]] std::string where(const PolicyRule& rule) const;
  [[nodiscard]] std::string place(std::uint64_t line) const;

  std::optional<Rational> rational(JsonValue found);
  std::optional<Total> total(JsonValue found);
  std::optional<Rational> probability(JsonValue found);
  std::optional<std::uint64_t> whole(JsonValue found);

  const Model& model_;
  std::string source_;
  WorkWatch& watch_;
  Policy policy_;
  NameInterner wealths_;  // in the order of the file
  PolicyClaim claim_;
  RuleDraft rule_;
  std::string initial_name_;
  std::vector<InitialStates::Drawn> initial_;
  bool initial_is_damaged_ = false;
  struct GoalState {
    State state;
    std::uint64_t line;
  };
  std::vector<GoalState> goal_;
  bool horizon_is_known_ = false;
  bool names_wealth_ = false;              // rules go by wealth, as those of sums may
  std::uint64_t halved_line_ = 0;          // of the last entry
  std::vector<std::uint64_t> rule_lines_;  // of policy_.rules
  std::vector<RuleTime> rule_times_;       // of all rules, damaged ones too
  std::vector<PartDraft> parts_;
  PartDraft part_;                 // the one that is read, or while that is read what surrounds it
  std::uint64_t part_line_ = 0;    // while a part is checked
  std::vector<TextFault> faults_;  // the first Problems::kMost
  bool more_faults_ = false;
};

}  // namespace quantiplan
