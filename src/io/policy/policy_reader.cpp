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

  static constexpr Shape kGoal{
      .title = "the list of goal states",
      .items = value("", [](R& r, JsonValue found) { r.read_goal(found); }),
      .end = last([](R& r) { r.finish_goal(); })};
  static constexpr Shape kInitial{
      .title = "'initial'",
      .items = value("", [](R& r, JsonValue found) { r.read_initial(found); }),
      .end = last([](R& r) { r.finish_initial(); }),
      .name = first([](R& r, std::string_view name) { r.initial_name_ = name; })};
  static constexpr Shape kHalvedAt{
      .title = "'halved_at'",
      .items = value("", [](R& r, JsonValue found) { r.read_halving(found); })};
  static constexpr Place kGridKeys[] = {
      value("unit", [](R& r, JsonValue found) { r.read_unit(found); }).required(),
      list("halved_at", kHalvedAt),
  };
  static constexpr Shape kGrid{.title = "the grid", .keys = kGridKeys, .begin = first([](R& r) {
                                                                         r.policy_.grid.emplace();
                                                                       })};
  // A claim about a quantile has a tau and a side, one about a threshold has a target, one about another
  // criterion its name and a value.
  static constexpr Place kClaimKeys[] = {
      value("tau", [](R& r, JsonValue found) { r.claim_.tau = r.probability(found).value_or(0); }),
      value("side", [](R& r, JsonValue found) { r.read_side(found); }),
      value("quantile", [](R& r, JsonValue found) { r.read_level(found); }),
      value("criterion", [](R& r, JsonValue found) { r.read_criterion(found); }),
      value("value", [](R& r, JsonValue found) { r.claim_.quantile = r.total(found).value_or(0); }),
      value("target", [](R& r, JsonValue found) { r.read_level(found); }),
      value("probability",
            [](R& r, JsonValue found) {
              r.claim_.probability = to_nearest_double(r.probability(found).value_or(0));
            }),
      value("exact_probability",
            [](R& r, JsonValue found) { r.claim_.exact_probability = r.probability(found); }),
      value("upper", [](R& r, JsonValue found) { r.claim_.upper = r.total(found); }),
      value("most_probability",
            [](R& r, JsonValue found) {
              if (const auto most = r.probability(found))
                r.claim_.most_probability = to_nearest_double(*most);
            }),
      value("mean", [](R& r, JsonValue found) { r.read_mean(found, r.claim_.mean); }),
      value("exact_mean", [](R& r, JsonValue found) { r.read_exact(found, r.claim_.mean); }),
      value("mean_bound", [](R& r, JsonValue found) { r.read_mean(found, r.claim_.mean_bound); }),
      value("exact_mean_bound",
            [](R& r, JsonValue found) { r.read_exact(found, r.claim_.mean_bound); }),
      value("weight", [](R& r, JsonValue found) { r.read_weight(found); }),
  };
  static constexpr Shape kClaim{
      .title = "the claim", .keys = kClaimKeys, .end = last([](R& r) { r.finish_claim(); })};
  static constexpr Shape kWealths{
      .title = "'wealth'",
      .items = value("", [](R& r, JsonValue found) { r.read_wealth(found); }),
      .begin = first([](R& r) { r.rule_.runs.back().has_wealths = true; })};
  // Where wealths are sums, "upto" bounds a residual; else "wealth" names wealths.
  static constexpr Place kRunKeys[] = {
      value("upto", [](R& r, JsonValue found) { r.rule_.runs.back().upto = r.rational(found); }),
      value("wealth", [](R& r, JsonValue found) { r.read_one_wealth(found); }).or_list(kWealths),
      value("action",
            [](R& r, JsonValue found) { r.read_string(found, r.rule_.runs.back().action); })
          .required(),
  };
  static constexpr Shape kRun{.title = "an item of 'choose'",
                              .keys = kRunKeys,
                              .begin = first([](R& r) { r.begin_run(); })};
  static constexpr Shape kChoose{.title = "'choose'", .items = object("", kRun)};
  static constexpr Place kRuleKeys[] = {
      value("time", [](R& r, JsonValue found) { r.rule_.time = r.whole(found); }),
      value("state", [](R& r, JsonValue found) { r.read_string(found, r.rule_.state); }).required(),
      list("choose", kChoose).required(),
  };
  static constexpr Shape kRule{.title = "a rule",
                               .keys = kRuleKeys,
                               .begin = first([](R& r) { r.rule_ = {}; }),
                               .end = last([](R& r) { r.finish_rule(); })};
  static constexpr Shape kRules{.title = "the list of rules", .items = object("", kRule)};
  static constexpr Place kPartKeys[] = {
      value("weight",
            [](R& r, JsonValue found) { r.part_.weight = r.probability(found).value_or(1); })
          .required(),
      value("target", [](R& r, JsonValue found) { r.policy_.target = r.rational(found); }),
      object("grid", kGrid),
      value("truncated_at", [](R& r, JsonValue found) { r.policy_.truncated_at = r.whole(found); }),
      object("claim", kClaim),
      list("rules", kRules).required(),
  };
  static constexpr Shape kPart{.title = "a part of the mixture",
                               .keys = kPartKeys,
                               .begin = first([](R& r) { r.begin_part(); }),
                               .end = last([](R& r) { r.finish_part(); })};
  static constexpr Shape kMixture{.title = "the mixture", .items = object("", kPart)};
  static constexpr Place kPolicyKeys[] = {
      value("format", [](R& r, JsonValue found) { r.read_format(found, kPolicyFormat); })
          .required(),
      // For people: a renamed model keeps its policies.
      value("model", [](R& r, JsonValue found) { r.is_string(found); }),
      value("horizon", [](R& r, JsonValue found) { r.read_horizon(found); }).required(),
      value("discount", [](R& r, JsonValue found) { r.read_discount(found); }).required(),
      value("initial",
            [](R& r, JsonValue found) {
              if (const auto state = r.state_named(found, "initial: "))
                r.policy_.setting.initial = *state;
            })
          .or_object(kInitial)
          .required(),
      list("goal", kGoal),
      value("rewards",
            [](R& r, JsonValue found) {
              r.policy_.setting.cost = r.has_costs(found).value_or(false);
            }),
      value("adversarial",
            [](R& r, JsonValue found) {
              if (found.kind != JsonKind::boolean) r.wrong_kind(found, "true or false");
              r.policy_.setting.adversarial = found.text == "true";
            }),
      value("target", [](R& r, JsonValue found) { r.policy_.target = r.rational(found); }),
      object("grid", kGrid),
      value("truncated_at", [](R& r, JsonValue found) { r.policy_.truncated_at = r.whole(found); }),
      object("claim", kClaim),
      list("rules", kRules),
      list("mixture", kMixture),
  };
  static constexpr Shape kPolicy{
      .title = "the policy", .keys = kPolicyKeys, .end = last([](R& r) { r.finish_policy(); })};
  static constexpr Place kDocument = object("", kPolicy);
};

PolicyReader::PolicyReader(const Model& model, std::string source, WorkWatch& watch)
    : JsonWalk(Shapes::kDocument), model_(model), source_(std::move(source)), watch_(watch) {}

void PolicyReader::before_value() { watch_.step(kStepsOfAValue); }

void PolicyReader::read_horizon(JsonValue found) {
  const auto steps = horizon(found, "a whole number or 'infinite'");
  if (!steps) return;
  policy_.setting.horizon = *steps;
  const std::string wrong = wrong_horizon(*steps);
  if (!wrong.empty()) problem(line(), "horizon: " + wrong);
  horizon_is_known_ = wrong.empty();
}

void PolicyReader::read_discount(JsonValue found) {
  const auto gamma = rational(found);
  if (!gamma) return;
  policy_.setting.discount = *gamma;
  if (const auto wrong = wrong_discount(*gamma); !wrong.empty())
    problem(line(), "discount: " + wrong);
}

std::optional<State> PolicyReader::state_named(JsonValue found, const std::string& where) {
  if (!is_string(found)) return std::nullopt;
  const auto state = model_.find_state(found.text);
  if (!state) {
    problem(line(),
            where + "unknown state " + in_quotes(found.text) + ", must be a state of the model" +
                suggest_state(model_, found.text));
  }
  return state;
}

void PolicyReader::read_initial(JsonValue found) {
  const auto state = model_.find_state(initial_name_);
  if (!state) {
    problem(line(),
            "initial: unknown state " + in_quotes(initial_name_) +
                ", must be a state of the model" + suggest_state(model_, initial_name_));
  }
  const auto p = probability(found);
  initial_is_damaged_ = initial_is_damaged_ || !p || !state;
  if (p && state) initial_.push_back({*state, *p});
}

void PolicyReader::finish_initial() {
  if (initial_is_damaged_) return;
  try {
    policy_.setting.initial = InitialStates(std::move(initial_));
  } catch (const Error& error) {
    for (const Problem& wrong : error.problems())
      problem(first_line(), "initial: " + wrong.message);
  }
}

void PolicyReader::read_goal(JsonValue found) {
  if (const auto state = state_named(found, "goal: ")) goal_.push_back({*state, line()});
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
  if (horizon_is_known_) {
    check_times();
    for_each_part(&PolicyReader::check_times);
  }
  if (faults_.empty()) {
    if (parts_.empty()) check_setting();
    check_claim();
    check_rules();
    number_wealths();
    for_each_part(&PolicyReader::check_part);
    check_weights();
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
