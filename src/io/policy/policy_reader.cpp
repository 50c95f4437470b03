#include "io/policy/policy_reader.hpp"

#include <algorithm>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "io/policy/policy_keys.hpp"
#include "io/text/format_words.hpp"
#include "io/text/watched_text.hpp"
#include "model/setting_range.hpp"
#include "model/shown.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kPolicyFormat = "quantiplan-policy/1";
// A value becomes some hundred bytes: memory is looked at after every megabyte.
constexpr std::uint64_t kStepsOfAValue = 2;

// True if an object has that key somewhere: within a string, its quotes would be escaped.
bool has_key(std::string_view text, std::string_view key) {
  const std::string wanted = '"' + std::string(key) + '"';
  for (auto at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1)) {
    const auto next = text.find_first_not_of(" \t\r\n", at + wanted.size());
    if (next != std::string_view::npos && text[next] == ':') return true;
  }
  return false;
}

}  // namespace

JsonWalk::Shape PolicyReader::shape(Node node) const {
  switch (node) {
    case kPolicy:
      return {"the policy", kPolicyKeys};
    case kGoal:
      return {"the list of goal states", {}};
    case kGrid:
      return {"the grid", kGridKeys};
    case kHalvedAt:
      return {"'halved_at'", {}};
    case kClaim:
      return {"the claim", kClaimKeys};
    case kRules:
      return {"the list of rules", {}};
    case kRule:
      return {"a rule", kRuleKeys};
    case kChoose:
      return {"'choose'", {}};
    case kRun:
      return {"an item of 'choose'", kRunKeys};
    case kWealths:
      return {"'wealth'", {}};
    default:
      return {"the text", {}};
  }
}

JsonWalk::Node PolicyReader::enter(JsonKind kind) {
  const bool object = kind == JsonKind::object;
  switch (node()) {
    case kDocument:
      return object ? Node{kPolicy} : wrong_kind(kind, "an object");
    case kRules:
      if (!object) return wrong_kind(kind, "an object");
      rule_ = {};
      return kRule;
    case kChoose:
      if (!object) return wrong_kind(kind, "an object");
      watch_.before_push(rule_.runs);
      rule_.runs.emplace_back().line = line();
      return kRun;
    case kGoal:
      return wrong_kind(kind, "a string");
    case kPolicy:
      if (current_key() == kPolicyGoalKey && !object) {
        goal_line_ = line();
        return kGoal;
      }
      if (current_key() == kGridKey && object) {
        policy_.grid.emplace();
        grid_line_ = line();
        return kGrid;
      }
      if (current_key() == kClaimKey && object) {
        claim_line_ = line();
        return kClaim;
      }
      if (current_key() == kRulesKey && !object) return kRules;
      break;
    case kGrid:
      if (current_key() == kHalvedAtKey && !object) return kHalvedAt;
      break;
    case kRule:
      if (current_key() == kChooseKey && !object) return kChoose;
      break;
    case kRun:
      if (current_key() == kRunWealthKey && !object) {
        rule_.runs.back().has_wealths = true;
        return kWealths;
      }
      break;
    default:
      break;
  }
  value(kind, "");
  return kSkipped;
}

void PolicyReader::leave(Node node) {
  switch (node) {
    case kPolicy:
      require(
          {kPolicyFormatKey, kPolicyHorizonKey, kPolicyDiscountKey, kPolicyInitialKey, kRulesKey});
      break;
    case kGoal:
      finish_goal();
      break;
    case kGrid:
      require({kUnitKey});
      break;
    case kClaim:
      finish_claim();
      break;
    case kRule:
      require({kRuleStateKey, kChooseKey});
      watch_.before_push(rule_times_);
      rule_times_.push_back({first_line(), has(kTimeKey)});
      finish_rule();
      break;
    case kRun:
      require({kRunActionKey});
      break;
    default:
      break;
  }
}

void PolicyReader::value(JsonKind kind, std::string_view text) {
  watch_.step(kStepsOfAValue);
  switch (node()) {
    case kPolicy:
      policy_value(kind, text);
      break;
    case kGoal:
      goal_value(kind, text);
      break;
    case kGrid:
      grid_value(kind, text);
      break;
    case kHalvedAt:
      halving(kind, text);
      break;
    case kClaim:
      claim_value(kind, text);
      break;
    case kRule:
      rule_value(kind, text);
      break;
    case kRun:
      run_value(kind, text);
      break;
    case kWealths:
      wealth_text(kind, text);
      break;
    default:
      wrong_kind(kind, "an object");
  }
}

void PolicyReader::policy_value(JsonKind kind, std::string_view text) {
  switch (current_key()) {
    case kPolicyFormatKey:
      if (const auto name = string(kind, text); name && *name != kPolicyFormat) {
        is_foreign_ = true;
        problem(
            line(),
            "format: found " + in_quotes(*name) + ", must be '" + std::string(kPolicyFormat) + "'");
      }
      break;
    case kModelKey:
      string(kind, text);
      break;  // for people: a renamed model keeps its policies
    case kPolicyHorizonKey:
      read_horizon(kind, text);
      break;
    case kPolicyDiscountKey:
      if (const auto gamma = number(kind, text)) {
        policy_.setting.discount = *gamma;
        discount_line_ = line();
        if (const auto wrong = wrong_discount(*gamma); !wrong.empty())
          problem(line(), "discount: " + wrong);
      }
      break;
    case kPolicyInitialKey:
      if (const auto name = string(kind, text)) {
        if (const auto state = state_named(*name, "initial: ")) policy_.setting.initial = *state;
      }
      break;
    case kPolicyRewardsKey:
      read_rewards(kind, text);
      break;
    case kAdversarialKey:
      if (kind == JsonKind::boolean) {
        policy_.setting.adversarial = text == "true";
        adversarial_line_ = line();
      } else {
        wrong_kind(kind, "true or false");
      }
      break;
    case kTruncatedAtKey:
      policy_.truncated_at = whole(kind, text);
      truncated_line_ = line();
      break;
    case kTargetKey:
      policy_.target = number(kind, text);
      target_line_ = line();
      break;
    case kGridKey:
    case kClaimKey:
      wrong_kind(kind, "an object");
      break;
    default:
      wrong_kind(kind, "a list");
  }
}

void PolicyReader::read_horizon(JsonKind kind, std::string_view text) {
  if (kind == JsonKind::string && text == kInfinite) {
    policy_.setting.horizon = kInfiniteHorizon;
    horizon_is_known_ = true;
    return;
  }
  if (kind != JsonKind::number && kind != JsonKind::string) {
    wrong_kind(kind, "a number or 'infinite'");
    return;
  }
  const auto found = Number::try_parse(text);
  const Fraction* steps = found ? found->small() : nullptr;
  if (steps == nullptr || steps->denominator != 1 || steps->numerator < 0) {
    problem(line(),
            "horizon: found " + in_quotes(text, 40) + ", must be a whole number or 'infinite'");
    return;
  }
  policy_.setting.horizon = static_cast<std::uint64_t>(steps->numerator);
  const std::string wrong = wrong_horizon(policy_.setting.horizon);
  if (!wrong.empty()) problem(line(), "horizon: " + wrong);
  horizon_is_known_ = wrong.empty();
}

void PolicyReader::read_rewards(JsonKind kind, std::string_view text) {
  const auto meaning = string(kind, text);
  if (!meaning) return;
  policy_.setting.cost = *meaning == kCost;
  rewards_line_ = line();
  if (*meaning != kCost && *meaning != kReward)
    problem(line(), "rewards: found " + in_quotes(*meaning) + ", must be 'reward' or 'cost'");
}

std::optional<State> PolicyReader::state_named(const std::string& name, const std::string& where) {
  const auto state = model_.find_state(name);
  if (!state) {
    problem(line(),
            where + "unknown state " + in_quotes(name) + ", must be a state of the model" +
                suggest_state(model_, name));
  }
  return state;
}

void PolicyReader::goal_value(JsonKind kind, std::string_view text) {
  const auto name = string(kind, text);
  if (!name) return;
  if (const auto state = state_named(*name, "goal: ")) goal_.push_back({*state, line()});
}

void PolicyReader::finish_goal() {
  std::ranges::stable_sort(goal_, {}, &GoalState::state);
  for (std::size_t i = 0; i < goal_.size(); ++i) {
    if (i > 0 && goal_[i].state == goal_[i - 1].state) {
      problem(goal_[i].line,
              "goal: state " + in_quotes(model_.state_name(goal_[i].state)) +
                  " is given twice, must be once");
    } else {
      policy_.setting.goal.push_back(goal_[i].state);
    }
  }
}

void PolicyReader::grid_value(JsonKind kind, std::string_view text) {
  if (current_key() == kHalvedAtKey) {
    wrong_kind(kind, "a list");
  } else if (const auto unit = number(kind, text)) {
    policy_.grid->unit = *unit;
    if (*unit <= 0) problem(line(), "unit: found " + shown(*unit) + ", must be above 0");
  }
}

void PolicyReader::rule_value(JsonKind kind, std::string_view text) {
  switch (current_key()) {
    case kTimeKey:
      rule_.time = whole(kind, text);
      break;
    case kRuleStateKey:
      rule_.state = string(kind, text);
      break;
    default:
      wrong_kind(kind, "a list");
  }
}

void PolicyReader::run_value(JsonKind kind, std::string_view text) {
  RunDraft& run = rule_.runs.back();
  if (current_key() == kUptoKey) {
    run.upto = number(kind, text);
  } else if (current_key() == kRunWealthKey) {
    run.has_wealths = true;
    if (kind == JsonKind::string) {
      wealth_text(kind, text);
    } else {
      wrong_kind(kind, "a string or a list of strings");
    }
  } else if (auto action = string(kind, text)) {
    run.action = *std::move(action);
  }
}

Policy PolicyReader::read(std::string_view text) {
  names_wealth_ = has_key(text, "wealth");
  auto fault = check_text(text);
  if (!fault) fault = read_json(text, *this);
  if (fault) problem(fault->line, fault->message);
  if (horizon_is_known_) check_times();
  if (faults_.empty()) {
    check_setting();
    check_claim();
    check_rules();
    number_wealths();
  }
  std::stable_sort(faults_.begin(), faults_.end(), [](const TextFault& a, const TextFault& b) {
    return a.line < b.line;
  });
  if (faults_.empty()) return std::move(policy_);
  std::vector<Problem> problems;
  for (TextFault& f : faults_) problems.push_back({place(f.line), std::move(f.message)});
  if (more_faults_) problems.back().message += " (further problems not shown)";
  throw Error(ErrorCode::bad_policy, std::move(problems));
}

std::string PolicyReader::place(std::uint64_t line) const {
  return source_.empty() ? "line " + std::to_string(line) : source_ + ":" + std::to_string(line);
}

void PolicyReader::problem(std::uint64_t line, std::string message) {
  rule_.is_damaged = true;  // while in a rule: it is not looked at any further
  if (faults_.size() == Problems::kMost) {
    more_faults_ = true;
    return;
  }
  faults_.push_back({line, std::move(message)});
}

bool PolicyReader::is_enough() const { return is_foreign_ || more_faults_; }

Policy parse_policy(std::string_view text, const Model& model, const std::string& source) {
  WorkWatch watch({source, "reading the policy", "read"}, Options{});
  return PolicyReader(model, source, watch).read(text);
}

Policy read_policy(const std::string& path, const Model& model, const Options& options) {
  const std::string name = path == "-" ? "standard input" : path;
  WorkWatch watch({name, "reading " + name, "read"}, options);
  const std::string text = read_text(path, watch);
  return PolicyReader(model, name, watch).read(text);
}

}  // namespace quantiplan
