// Reads the format "quantiplan-policy/1" (docs/policy-format.md) against the model it is for.
//
//     document -> policy -> grid -> halved_at: [time...]
//                        -> claim
//                        -> rules: [rule...] -> choose: [run...]
//
// Rules may stand in any order; they are sorted by (time, state) at the end.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json_walk.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

class PolicyReader final : public JsonWalk {
 public:
  PolicyReader(const Model& model, std::string source)
      : model_(model), source_(std::move(source)) {}
  Policy read(std::string_view text);

 private:
  enum : Node { kPolicy = 1, kGrid, kHalvedAt, kClaim, kRules, kRule, kChoose, kRun };
  struct RunDraft {
    std::optional<Rational> upto;
    std::string action;
    std::uint64_t line = 0;
  };
  // A rule until its end: the state may come after the actions.
  struct RuleDraft {
    std::optional<std::uint64_t> time;
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
  void grid_value(JsonKind kind, std::string_view text);
  void halving(JsonKind kind, std::string_view text);
  void claim_value(JsonKind kind, std::string_view text);
  void rule_value(JsonKind kind, std::string_view text);
  void run_value(JsonKind kind, std::string_view text);
  void read_side(JsonKind kind, std::string_view text);
  void read_initial(const std::string& name);
  void finish_rule();
  std::optional<PolicyRule> settled(const RuleDraft& draft);
  void check_rules();
  void check_grid();
  [[nodiscard]] std::string place(std::uint64_t line) const;

  std::optional<Rational> number(JsonKind kind, std::string_view text);
  std::optional<Rational> probability(JsonKind kind, std::string_view text);
  std::optional<std::uint64_t> whole(JsonKind kind, std::string_view text);
  std::optional<std::string> string(JsonKind kind, std::string_view text);

  const Model& model_;
  std::string source_;
  Policy policy_;
  PolicyClaim claim_;
  RuleDraft rule_;
  std::uint64_t grid_line_ = 0;
  std::uint64_t halved_line_ = 0;  // of the last entry
  std::uint64_t target_line_ = 0;
  std::vector<std::uint64_t> rule_lines_;
  bool is_foreign_ = false;
  std::vector<TextFault> faults_;  // the first Problems::kMost
  bool more_faults_ = false;
};

}  // namespace quantiplan
