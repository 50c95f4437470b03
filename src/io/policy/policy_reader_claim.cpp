// The claim of a policy file: about a quantile, or about a threshold.
#include <cmath>
#include <utility>

#include "base/quoted.hpp"
#include "io/policy/policy_reader.hpp"
#include "model/shown.hpp"
#include "quantiplan/criterion.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

std::string shown_total(const Total& total) {
  return total.is_finite() ? shown(total.value()) : in_quotes(to_text(total));
}

}  // namespace

void PolicyReader::read_side(JsonValue found) {
  if (!is_string(found)) return;
  if (found.text == to_text(Side::lower)) {
    claim_.side = Side::lower;
  } else if (found.text == to_text(Side::upper)) {
    claim_.side = Side::upper;
  } else {
    problem(line(), "side: found " + in_quotes(found.text) + ", must be 'lower' or 'upper'");
  }
}

void PolicyReader::read_level(JsonValue found) {
  if (is_sum()) {
    claim_.quantile = total(found).value_or(0);
  } else if (is_string(found)) {
    claim_.level = model_.wealth().written(found.text);
  }
}

void PolicyReader::read_criterion(JsonValue found) {
  if (!is_string(found)) return;
  // A file must not make the reader open another one.
  constexpr std::string_view kUtility = "utility:";
  const bool is_named = !found.text.starts_with(kUtility) ||
                        is_utility_name(std::string_view(found.text).substr(kUtility.size()));
  try {
    if (is_named) claim_.criterion = parse_criterion(found.text, "criterion");
  } catch (const Error&) {
  }
  if (!claim_.criterion || claim_.criterion->kind == Criterion::Kind::quantile)
    problem(line(),
            "criterion: found " + in_quotes(found.text, 40) + ", must be one such as 'cvar'");
}

// About another criterion than the quantile.
void PolicyReader::finish_criterion_claim() {
  claim_.kind = PolicyClaim::Kind::criterion;
  require("value");
  if (claim_.criterion && claim_.criterion->takes_tau()) require("tau");
  for (const std::string_view key : {"side",
                                     "quantile",
                                     "target",
                                     "probability",
                                     "exact_probability",
                                     "most_probability",
                                     "mean",
                                     "exact_mean",
                                     "mean_bound",
                                     "exact_mean_bound",
                                     "weight"}) {
    if (has(key))
      problem(first_line(),
              "key " + in_quotes(key) + " in a claim with 'criterion', must be left out");
  }
  for (const Total* total : {&claim_.quantile, claim_.upper ? &*claim_.upper : &claim_.quantile}) {
    if (total->is_finite()) continue;
    problem(line(), "value: found " + shown_total(*total) + ", must be a number");
    return;
  }
  if (claim_.upper && *claim_.upper < claim_.quantile)
    problem(line(),
            "upper: found " + shown_total(*claim_.upper) + ", must be at least the value " +
                shown_total(claim_.quantile));
  policy_.claim = claim_;
}

// Either key may come first.
void PolicyReader::read_mean(JsonValue found, std::optional<Value>& mean) {
  const auto value = rational(found);
  if (!value) return;
  const double nearest = to_nearest_double(*value);
  if (!std::isfinite(nearest)) {
    problem(line(), label() + "found " + in_quotes(found.text, 40) + ", must fit a double");
    return;
  }
  if (!mean) mean.emplace();
  mean->nearest = nearest;
}

void PolicyReader::read_exact(JsonValue found, std::optional<Value>& mean) {
  const auto value = rational(found);
  if (!value) return;
  if (!mean) mean.emplace();
  mean->exact = *value;
}

void PolicyReader::read_weight(JsonValue found) {
  claim_.weight = rational(found);
  if (claim_.weight && *claim_.weight < 0)
    problem(line(), "weight: found " + shown(*claim_.weight) + ", must be at least 0");
}

void PolicyReader::finish_claim() {
  if (has("criterion")) {
    finish_criterion_claim();
    return;
  }
  if (has("value"))
    problem(first_line(), "key 'value' in a claim without 'criterion', must be left out");
  const bool is_threshold = has("target");
  if (is_threshold) claim_.kind = PolicyClaim::Kind::threshold;
  for (const char* key : {"tau", "side", "quantile"}) {
    if (!is_threshold) require(key);
  }
  require("probability");
  // Exact means, a bound and its weight stand beside what they are more about.
  constexpr std::pair<const char*, const char*> kNeeded[] = {{"exact_mean", "mean"},
                                                             {"mean_bound", "mean"},
                                                             {"exact_mean_bound", "mean_bound"},
                                                             {"weight", "mean_bound"}};
  for (const auto& [key, needed] : kNeeded) {
    if (has(key)) require(needed);
  }
  for (const std::string_view key : {"tau", "side", "quantile", "upper", "most_probability"}) {
    if (!has(key) || is_threshold == (key == "most_probability")) continue;
    problem(first_line(),
            "key " + in_quotes(key) + " in a claim " + (is_threshold ? "with" : "without") +
                " 'target', must be left out");
  }
  if (!is_sum() && has("upper")) {
    problem(first_line(),
            "key 'upper' in a claim, must be left out but where the wealth is the sum");
  }
  if (is_sum() && has("quantile") && claim_.upper && *claim_.upper < claim_.quantile) {
    problem(line(),
            "upper: found " + shown_total(*claim_.upper) + ", must be at least the quantile " +
                shown_total(claim_.quantile));
  }
  policy_.claim = claim_;
}

// Means that the setting does not have, and bounds that contradict them or lack their proof.
void PolicyReader::check_means() {
  if (!claim_.mean) return;
  const auto wrong = [&](const std::string& message) { problem(line_of("claim"), message); };
  const ResolvedSetting& setting = policy_.setting;
  if (!model_.wealth().is_numeric() || !setting.goal.empty() || setting.adversarial ||
      (setting.is_infinite() && setting.discount == 1)) {
    wrong(
        "mean: must be left out but with numbers, without a goal or an adversary, whose horizon is "
        "finite or discounted");
    return;
  }
  if (claim_.kind == PolicyClaim::Kind::threshold && claim_.mean_bound) {
    wrong("mean_bound: must be left out but with a quantile");
    return;
  }
  if (setting.is_infinite() && !claim_.mean->exact) claim_.mean->is = Value::Is::lower_bound;
  if (!claim_.mean_bound) return;
  const Value& bound = *claim_.mean_bound;
  const bool is_below = bound.nearest < claim_.mean->nearest ||
                        (bound.exact && claim_.mean->exact && *bound.exact < *claim_.mean->exact);
  if (is_below) wrong("mean_bound: must be at least 'mean'");
  if (!claim_.weight && claim_.tau != 0)
    wrong("mean_bound: must have a 'weight' that proves it, as tau is not 0");
  if (!bound.exact) claim_.mean_bound->is = Value::Is::upper_bound;
}

// Totals that the setting does not know, and bounds that contradict each other.
void PolicyReader::check_claim() {
  if (!policy_.claim || claim_.kind == PolicyClaim::Kind::criterion) return;
  const bool is_threshold = claim_.kind == PolicyClaim::Kind::threshold;
  const auto check = [&](const char* key, const Total& total) {
    if (total.is_finite()) return;
    const bool merely_arrives = is_threshold && total == Total::minus_infinity();
    if (is_threshold && !merely_arrives) {
      problem(line_of("claim"),
              std::string(key) + ": found " + shown_total(total) + ", must be a number or '-inf'");
    } else if (total.is_miss() && policy_.setting.goal.empty()) {
      problem(line_of("claim"),
              std::string(key) + ": found 'miss', the policy must have a 'goal' then");
    } else if (!total.is_miss() && !merely_arrives && !policy_.setting.is_infinite()) {
      problem(line_of("claim"),
              std::string(key) + ": found " + shown_total(total) +
                  ", the policy's horizon must be 'infinite' then");
    }
  };
  if (is_sum()) check(is_threshold ? "target" : "quantile", claim_.quantile);
  if (claim_.upper) check("upper", *claim_.upper);
  check_means();
  if (claim_.most_probability && !policy_.setting.adversarial &&
      *claim_.most_probability < claim_.probability) {
    problem(line_of("claim"), "most_probability: must be at least 'probability'");
  }
}

}  // namespace quantiplan
