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

bool PolicyReader::begin_claim() {
  claim_line_ = line();
  return true;
}

void PolicyReader::read_tau(JsonKind kind, std::string_view text) {
  claim_.tau = probability(kind, text).value_or(0);
}

void PolicyReader::read_side(JsonKind kind, std::string_view text) {
  if (!is_string(kind)) return;
  if (text == to_text(Side::lower)) {
    claim_.side = Side::lower;
  } else if (text == to_text(Side::upper)) {
    claim_.side = Side::upper;
  } else {
    problem(line(), "side: found " + in_quotes(text) + ", must be 'lower' or 'upper'");
  }
}

void PolicyReader::read_level(JsonKind kind, std::string_view text) {
  if (is_sum()) {
    claim_.quantile = total(kind, text).value_or(0);
  } else if (is_string(kind)) {
    claim_.level = model_.wealth().written(text);
  }
}

void PolicyReader::read_probability(JsonKind kind, std::string_view text) {
  claim_.probability = to_nearest_double(probability(kind, text).value_or(0));
}

void PolicyReader::read_exact_probability(JsonKind kind, std::string_view text) {
  claim_.exact_probability = probability(kind, text);
}

void PolicyReader::read_upper(JsonKind kind, std::string_view text) {
  claim_.upper = total(kind, text);
}

void PolicyReader::read_most_probability(JsonKind kind, std::string_view text) {
  if (const auto most = probability(kind, text)) claim_.most_probability = to_nearest_double(*most);
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
      problem(claim_line_,
              std::string(key) + ": found " + shown_total(total) + ", must be a number or '-inf'");
    } else if (total.is_miss() && policy_.setting.goal.empty()) {
      problem(claim_line_, std::string(key) + ": found 'miss', the policy must have a 'goal' then");
    } else if (!total.is_miss() && !merely_arrives && !policy_.setting.is_infinite()) {
      problem(claim_line_,
              std::string(key) + ": found " + shown_total(total) +
                  ", the policy's horizon must be 'infinite' then");
    }
  };
  if (is_sum()) check(is_threshold ? "target" : "quantile", claim_.quantile);
  if (claim_.upper) check("upper", *claim_.upper);
  if (claim_.most_probability && !policy_.setting.adversarial &&
      *claim_.most_probability < claim_.probability) {
    problem(claim_line_, "most_probability: must be at least 'probability'");
  }
}

}  // namespace quantiplan
