#include "io/policy/policy_reader.hpp"

#include <algorithm>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
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

struct PolicyReader::Shapes {
  using R = PolicyReader;

  static constexpr Shape kGoal{.title = "the list of goal states",
                               .items = value<&R::read_goal>(),
                               .begin = call<&R::begin_goal>,
                               .end = call<&R::finish_goal>};
  static constexpr Shape kHalvedAt{.title = "'halved_at'", .items = value<&R::read_halving>()};
  static constexpr Place kGridKeys[] = {
      value<&R::read_unit>("unit").required(),
      list("halved_at", kHalvedAt),
  };
  static constexpr Shape kGrid{
      .title = "the grid", .keys = kGridKeys, .begin = call<&R::begin_grid>};
  // A claim about a quantile has a tau and a side, one about a threshold has a target.
  static constexpr Place kClaimKeys[] = {
      value<&R::read_tau>("tau"),
      value<&R::read_side>("side"),
      value<&R::read_level>("quantile"),
      value<&R::read_level>("target"),
      value<&R::read_probability>("probability"),
      value<&R::read_exact_probability>("exact_probability"),
      value<&R::read_upper>("upper"),
      value<&R::read_most_probability>("most_probability"),
  };
  static constexpr Shape kClaim{.title = "the claim",
                                .keys = kClaimKeys,
                                .begin = call<&R::begin_claim>,
                                .end = call<&R::finish_claim>};
  static constexpr Shape kWealths{
      .title = "'wealth'", .items = value<&R::read_wealth>(), .begin = call<&R::begin_wealths>};
  // Where wealths are sums, "upto" bounds a residual; else "wealth" names wealths.
  static constexpr Place kRunKeys[] = {
      value<&R::read_upto>("upto"),
      value<&R::read_one_wealth>("wealth").or_list(kWealths),
      value<&R::read_action>("action").required(),
  };
  static constexpr Shape kRun{
      .title = "an item of 'choose'", .keys = kRunKeys, .begin = call<&R::begin_run>};
  static constexpr Shape kChoose{.title = "'choose'", .items = object("", kRun)};
  static constexpr Place kRuleKeys[] = {
      value<&R::read_time>("time"),
      value<&R::read_state>("state").required(),
      list("choose", kChoose).required(),
  };
  static constexpr Shape kRule{.title = "a rule",
                               .keys = kRuleKeys,
                               .begin = call<&R::begin_rule>,
                               .end = call<&R::finish_rule>};
  static constexpr Shape kRules{.title = "the list of rules", .items = object("", kRule)};
  static constexpr Place kPolicyKeys[] = {
      value<&R::read_format_name>("format").required(),
      value<&R::read_model>("model"),
      value<&R::read_horizon>("horizon").required(),
      value<&R::read_discount>("discount").required(),
      value<&R::read_initial>("initial").required(),
      list("goal", kGoal),
      value<&R::read_rewards>("rewards"),
      value<&R::read_adversarial>("adversarial"),
      value<&R::read_target>("target"),
      object("grid", kGrid),
      value<&R::read_truncated_at>("truncated_at"),
      object("claim", kClaim),
      list("rules", kRules).required(),
  };
  static constexpr Shape kPolicy{.title = "the policy", .keys = kPolicyKeys};
  static constexpr Place kDocument = object("", kPolicy);
};

PolicyReader::PolicyReader(const Model& model, std::string source, WorkWatch& watch)
    : JsonWalk(Shapes::kDocument), model_(model), source_(std::move(source)), watch_(watch) {}

void PolicyReader::before_value() { watch_.step(kStepsOfAValue); }

void PolicyReader::read_format_name(JsonKind kind, std::string_view text) {
  read_format(kind, text, kPolicyFormat);
}

// For people: a renamed model keeps its policies.
void PolicyReader::read_model(JsonKind kind, std::string_view /*text*/) { is_string(kind); }

void PolicyReader::read_horizon(JsonKind kind, std::string_view text) {
  const auto steps = horizon(kind, text, "a whole number or 'infinite'");
  if (!steps) return;
  policy_.setting.horizon = *steps;
  const std::string wrong = wrong_horizon(*steps);
  if (!wrong.empty()) problem(line(), "horizon: " + wrong);
  horizon_is_known_ = wrong.empty();
}

void PolicyReader::read_discount(JsonKind kind, std::string_view text) {
  const auto gamma = rational(kind, text);
  if (!gamma) return;
  policy_.setting.discount = *gamma;
  discount_line_ = line();
  if (const auto wrong = wrong_discount(*gamma); !wrong.empty())
    problem(line(), "discount: " + wrong);
}

void PolicyReader::read_initial(JsonKind kind, std::string_view text) {
  if (!is_string(kind)) return;
  if (const auto state = state_named(std::string(text), "initial: "))
    policy_.setting.initial = *state;
}

void PolicyReader::read_rewards(JsonKind kind, std::string_view text) {
  policy_.setting.cost = has_costs(kind, text).value_or(false);
  rewards_line_ = line();
}

void PolicyReader::read_adversarial(JsonKind kind, std::string_view text) {
  if (kind != JsonKind::boolean) wrong_kind(kind, "true or false");
  policy_.setting.adversarial = text == "true";
  adversarial_line_ = line();
}

void PolicyReader::read_target(JsonKind kind, std::string_view text) {
  policy_.target = rational(kind, text);
  target_line_ = line();
}

void PolicyReader::read_truncated_at(JsonKind kind, std::string_view text) {
  policy_.truncated_at = whole(kind, text);
  truncated_line_ = line();
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

bool PolicyReader::begin_goal() {
  goal_line_ = line();
  return true;
}

void PolicyReader::read_goal(JsonKind kind, std::string_view text) {
  if (!is_string(kind)) return;
  if (const auto state = state_named(std::string(text), "goal: "))
    goal_.push_back({*state, line()});
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

bool PolicyReader::is_enough() const { return more_faults_; }

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
