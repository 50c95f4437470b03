#include "policy_reader.hpp"

#include <algorithm>
#include <array>

#include "nearest_name.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quoted.hpp"
#include "setting_range.hpp"
#include "shown.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kFormat = "quantiplan-policy/1";

enum PolicyKey {
  kFormatKey,
  kModelKey,
  kHorizonKey,
  kDiscountKey,
  kInitialKey,
  kTargetKey,
  kGridKey,
  kClaimKey,
  kRulesKey
};
constexpr std::array<std::string_view, 9> kPolicyKeys{
    "format", "model", "horizon", "discount", "initial", "target", "grid", "claim", "rules"};
enum GridKey { kUnitKey, kHalvedAtKey };
constexpr std::array<std::string_view, 2> kGridKeys{"unit", "halved_at"};
enum ClaimKey { kTauKey, kSideKey, kQuantileKey, kProbabilityKey, kExactProbabilityKey, kUpperKey };
constexpr std::array<std::string_view, 6> kClaimKeys{
    "tau", "side", "quantile", "probability", "exact_probability", "upper"};
enum RuleKey { kTimeKey, kStateKey, kChooseKey };
constexpr std::array<std::string_view, 3> kRuleKeys{"time", "state", "choose"};
enum RunKey { kUptoKey, kActionKey };
constexpr std::array<std::string_view, 2> kRunKeys{"upto", "action"};

}  // namespace

JsonWalk::Shape PolicyReader::shape(Node node) const {
  switch (node) {
    case kPolicy:
      return {"the policy", kPolicyKeys};
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
      rule_.runs.push_back({std::nullopt, "", line()});
      return kRun;
    case kPolicy:
      if (current_key() == kGridKey && object) {
        policy_.grid.emplace();
        grid_line_ = line();
        return kGrid;
      }
      if (current_key() == kClaimKey && object) return kClaim;
      if (current_key() == kRulesKey && !object) return kRules;
      break;
    case kGrid:
      if (current_key() == kHalvedAtKey && !object) return kHalvedAt;
      break;
    case kRule:
      if (current_key() == kChooseKey && !object) return kChoose;
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
      require({kFormatKey, kHorizonKey, kDiscountKey, kInitialKey, kRulesKey});
      break;
    case kGrid:
      require({kUnitKey});
      break;
    case kClaim:
      require({kTauKey, kSideKey, kQuantileKey, kProbabilityKey});
      if (has(kQuantileKey) && claim_.upper && *claim_.upper < claim_.quantile) {
        problem(line(),
                "upper: found " + shown(*claim_.upper) + ", must be at least the quantile " +
                    shown(claim_.quantile));
      }
      policy_.claim = claim_;
      break;
    case kRule:
      require({kTimeKey, kStateKey, kChooseKey});
      finish_rule();
      break;
    case kRun:
      require({kActionKey});
      break;
    default:
      break;
  }
}

void PolicyReader::value(JsonKind kind, std::string_view text) {
  switch (node()) {
    case kPolicy:
      policy_value(kind, text);
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
    default:
      wrong_kind(kind, "an object");
  }
}

void PolicyReader::policy_value(JsonKind kind, std::string_view text) {
  switch (current_key()) {
    case kFormatKey:
      if (const auto name = string(kind, text); name && *name != kFormat) {
        is_foreign_ = true;
        problem(line(),
                "format: found " + quoted(*name) + ", must be '" + std::string(kFormat) + "'");
      }
      break;
    case kModelKey:
      string(kind, text);
      break;  // for people: a renamed model keeps its policies
    case kHorizonKey:
      if (const auto steps = whole(kind, text)) {
        policy_.setting.horizon = *steps;
        if (const auto wrong = wrong_horizon(*steps); !wrong.empty())
          problem(line(), "horizon: " + wrong);
      }
      break;
    case kDiscountKey:
      if (const auto gamma = number(kind, text)) {
        policy_.setting.discount = *gamma;
        if (const auto wrong = wrong_discount(*gamma); !wrong.empty())
          problem(line(), "discount: " + wrong);
      }
      break;
    case kInitialKey:
      if (const auto name = string(kind, text)) read_initial(*name);
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

void PolicyReader::read_initial(const std::string& name) {
  if (const auto state = model_.find_state(name)) {
    policy_.setting.initial = *state;
    return;
  }
  problem(line(),
          "initial: unknown state " + quoted(name) + ", must be a state of the model" +
              suggest_state(model_, name));
}

void PolicyReader::grid_value(JsonKind kind, std::string_view text) {
  if (current_key() == kHalvedAtKey) {
    wrong_kind(kind, "a list");
  } else if (const auto unit = number(kind, text)) {
    policy_.grid->unit = *unit;
    if (*unit <= 0) problem(line(), "unit: found " + shown(*unit) + ", must be above 0");
  }
}

void PolicyReader::claim_value(JsonKind kind, std::string_view text) {
  switch (current_key()) {
    case kTauKey:
      claim_.tau = probability(kind, text).value_or(0);
      break;
    case kSideKey:
      read_side(kind, text);
      break;
    case kQuantileKey:
      claim_.quantile = number(kind, text).value_or(0);
      break;
    case kProbabilityKey:
      claim_.probability = to_nearest_double(probability(kind, text).value_or(0));
      break;
    case kExactProbabilityKey:
      claim_.exact_probability = probability(kind, text);
      break;
    default:
      claim_.upper = number(kind, text);
  }
}

void PolicyReader::read_side(JsonKind kind, std::string_view text) {
  const auto name = string(kind, text);
  if (!name) return;
  if (*name == to_text(Side::lower)) {
    claim_.side = Side::lower;
  } else if (*name == to_text(Side::upper)) {
    claim_.side = Side::upper;
  } else {
    problem(line(), "side: found " + quoted(*name) + ", must be 'lower' or 'upper'");
  }
}

void PolicyReader::rule_value(JsonKind kind, std::string_view text) {
  switch (current_key()) {
    case kTimeKey:
      rule_.time = whole(kind, text);
      break;
    case kStateKey:
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
  } else if (auto action = string(kind, text)) {
    run.action = *std::move(action);
  }
}

Policy PolicyReader::read(std::string_view text) {
  auto fault = check_text(text);
  if (!fault) fault = read_json(text, *this);
  if (fault) problem(fault->line, fault->message);
  if (faults_.empty()) check_rules();
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
  return PolicyReader(model, source).read(text);
}

Policy read_policy(const std::string& path, const Model& model) {
  return parse_policy(read_text(path), model, path == "-" ? "standard input" : path);
}

}  // namespace quantiplan
