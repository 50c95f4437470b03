// The claim of a policy file: about a quantile, or about a threshold.
#include "base/quoted.hpp"
#include "io/policy/policy_keys.hpp"
#include "io/policy/policy_reader.hpp"
#include "model/shown.hpp"

namespace quantiplan {
namespace {

std::string shown_total(const Total& total) {
  return total.is_finite() ? shown(total.value()) : in_quotes(to_text(total));
}

}  // namespace

void PolicyReader::claim_value(JsonKind kind, std::string_view text) {
  switch (current_key()) {
    case kTauKey:
      claim_.tau = probability(kind, text).value_or(0);
      break;
    case kSideKey:
      read_side(kind, text);
      break;
    case kQuantileKey:
    case kClaimTargetKey:
      if (!is_sum()) {
        claim_.level = string(kind, text);
        if (claim_.level) claim_.level = model_.wealth().written(*claim_.level);
        break;
      }
      claim_.quantile = total(kind, text).value_or(0);
      break;
    case kClaimProbabilityKey:
      claim_.probability = to_nearest_double(probability(kind, text).value_or(0));
      break;
    case kExactProbabilityKey:
      claim_.exact_probability = probability(kind, text);
      break;
    case kMostProbabilityKey:
      if (const auto most = probability(kind, text))
        claim_.most_probability = to_nearest_double(*most);
      break;
    default:
      claim_.upper = total(kind, text);
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
    problem(line(), "side: found " + in_quotes(*name) + ", must be 'lower' or 'upper'");
  }
}

void PolicyReader::finish_claim() {
  const bool is_threshold = has(kClaimTargetKey);
  if (is_threshold) {
    claim_.kind = PolicyClaim::Kind::threshold;
    require({kClaimProbabilityKey});
  } else {
    require({kTauKey, kSideKey, kQuantileKey, kClaimProbabilityKey});
  }
  for (const int key : {kTauKey, kSideKey, kQuantileKey, kUpperKey, kMostProbabilityKey}) {
    if (!has(key) || is_threshold == (key == kMostProbabilityKey)) continue;
    problem(first_line(),
            "key " + in_quotes(kClaimKeys[static_cast<std::size_t>(key)]) + " in a claim " +
                (is_threshold ? "with" : "without") + " 'target', must be left out");
  }
  if (!is_sum() && has(kUpperKey)) {
    problem(first_line(),
            "key 'upper' in a claim, must be left out but where the wealth is the sum");
  }
  if (is_sum() && has(kQuantileKey) && claim_.upper && *claim_.upper < claim_.quantile) {
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
