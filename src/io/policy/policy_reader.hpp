// Reads the format "quantiplan-policy/1" (docs/policy-format.md) against the model it is for.
//
//     document -> policy -> goal: [state...]
//                        -> grid -> halved_at: [time...]
//                        -> claim
//                        -> rules: [rule...] -> choose: [run...] -> wealth: [text...]
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
  PolicyReader(const Model& model, std::string source, WorkWatch& watch)
      : model_(model), source_(std::move(source)), watch_(watch) {}
  Policy read(std::string_view text);

 private:
  enum : Node {
    kPolicy = 1,
    kGoal,
    kGrid,
    kHalvedAt,
    kClaim,
    kRules,
    kRule,
    kChoose,
    kRun,
    kWealths
  };
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

  [[nodiscard]] Shape shape(Node node) const override;
  Node enter(JsonKind kind) override;
  void leave(Node node) override;
  void value(JsonKind kind, std::string_view text) override;
  void problem(std::uint64_t line, std::string message) override;
  [[nodiscard]] bool is_enough() const override;

  void policy_value(JsonKind kind, std::string_view text);
  void goal_value(JsonKind kind, std::string_view text);
  void grid_value(JsonKind kind, std::string_view text);
  void halving(JsonKind kind, std::string_view text);
  void claim_value(JsonKind kind, std::string_view text);
  void rule_value(JsonKind kind, std::string_view text);
  void run_value(JsonKind kind, std::string_view text);
  void read_side(JsonKind kind, std::string_view text);
  void read_horizon(JsonKind kind, std::string_view text);
  void read_rewards(JsonKind kind, std::string_view text);
  std::optional<State> state_named(const std::string& name, const std::string& where);
  void finish_goal();
  void finish_claim();
  void finish_rule();
  std::optional<PolicyRule> settled(const RuleDraft& draft);
  // Runs that go by residuals, or by wealths.
  void check_upto(const RuleDraft& draft, const std::string& place);
  void check_setting();
  void check_claim();
  void check_times();
  void check_rules();
  void check_grid();

  // Other wealths than sums (policy_reader_wealth.cpp).
  [[nodiscard]] bool is_sum() const { return !names_wealth_ && model_.wealth().is_sum(); }
  void wealth_text(JsonKind kind, std::string_view text);
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

  std::optional<Rational> number(JsonKind kind, std::string_view text);
  std::optional<Total> total(JsonKind kind, std::string_view text);
  std::optional<Rational> probability(JsonKind kind, std::string_view text);
  std::optional<std::uint64_t> whole(JsonKind kind, std::string_view text);
  std::optional<std::string> string(JsonKind kind, std::string_view text);

  const Model& model_;
  std::string source_;
  WorkWatch& watch_;
  Policy policy_;
  NameInterner wealths_;  // in the order of the file
  PolicyClaim claim_;
  RuleDraft rule_;
  struct GoalState {
    State state;
    std::uint64_t line;
  };
  std::vector<GoalState> goal_;
  bool horizon_is_known_ = false;
  bool names_wealth_ = false;  // rules go by wealth, as those of sums may
  // Lines of keys, for what is checked at the end.
  std::uint64_t discount_line_ = 0;
  std::uint64_t rewards_line_ = 0;
  std::uint64_t adversarial_line_ = 0;
  std::uint64_t goal_line_ = 0;
  std::uint64_t truncated_line_ = 0;
  std::uint64_t grid_line_ = 0;
  std::uint64_t halved_line_ = 0;  // of the last entry
  std::uint64_t target_line_ = 0;
  std::uint64_t claim_line_ = 0;
  std::vector<std::uint64_t> rule_lines_;  // of policy_.rules
  struct RuleTime {
    std::uint64_t line;
    bool is_given;
  };
  std::vector<RuleTime> rule_times_;  // of all rules, damaged ones too
  bool is_foreign_ = false;
  std::vector<TextFault> faults_;  // the first Problems::kMost
  bool more_faults_ = false;
};

}  // namespace quantiplan
