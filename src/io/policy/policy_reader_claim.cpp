// The claim of a policy file: about a quantile, or about a threshold.
#include "base/quoted.hpp"
#include "io/policy/policy_reader.hpp"
#include "model/shown.hpp"

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

void PolicyReader::finish_claim() {
  const bool is_threshold = has("target");
  if (is_threshold) claim_.kind = PolicyClaim::Kind::threshold;
  for (const char* key : {"tau", "side", "quantile"}) {
    if (!is_threshold) require(key);
  }
  require("probability");
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

// Totals that the setting does not know, and bounds that contradict each other.
void PolicyReader::check_claim() {
  if (!policy_.claim) return;
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
  if (claim_.most_probability && !policy_.setting.adversarial &&
      *claim_.most_probability < claim_.probability) {
    problem(line_of("claim"), "most_probability: must be at least 'probability'");
  }
}

}  // namespace quantiplan
