// Writes the format "quantiplan-policy/1": one rule a line.
#include <fmt/format.h>

#include <algorithm>

#include "io/text/format_words.hpp"
#include "io/text/json_text.hpp"
#include "io/text/watched_text.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

void append_value(std::string& out, std::string_view key, const Value& value) {
  // The shortest text that reads back as the same double.
  out += fmt::format(", \"{}\": {}", key, value.nearest);
  // A number of thousands of digits could not be read back, and the double is there as well.
  if (!value.exact || !is_readable(*value.exact)) return;
  out += fmt::format(", \"exact_{}\": ", key);
  append_json_number(out, *value.exact);
}

// A double stands for an exact bound if it is not below it.
Value written_bound(const Value& bound) {
  if (!bound.exact || is_readable(*bound.exact)) return bound;
  return Value::no_more_than(*bound.exact);
}

void append_means(std::string& out, const PolicyClaim& claim) {
  if (!claim.mean) return;
  append_value(out, "mean", *claim.mean);
  // Nothing is proved by a weight that cannot be read back.
  if (!claim.mean_bound || (claim.weight && !is_readable(*claim.weight))) return;
  append_value(out, "mean_bound", written_bound(*claim.mean_bound));
  if (!claim.weight) return;
  out += ", \"weight\": ";
  append_json_number(out, *claim.weight);
}

// Where no exact text stands beside it, a double is a bound: what is claimed is written down on its
// safe side.
Value written_probability(const PolicyClaim& claim) {
  Value written{claim.probability, claim.exact_probability};
  if (!written.exact || is_readable(*written.exact)) return written;
  return {std::min(written.nearest, Value::at_least(*written.exact).nearest)};
}

std::optional<double> written_most(const PolicyClaim& claim) {
  const auto& exact = claim.exact_probability;
  const bool stands_alone = exact && !is_readable(*exact) && !claim.most_probability &&
                            claim.kind == PolicyClaim::Kind::threshold;
  return stands_alone ? std::optional(Value::at_most(*exact).nearest) : claim.most_probability;
}

// Keys of a policy stand below each other, in a column of their own; those of a part of a mixture
// further to the right.
constexpr std::string_view kMargin = "  ";
constexpr std::string_view kPartMargin = "      ";

void append_key(std::string& out, std::string_view margin, std::string_view key) {
  out.append(",\n").append(margin).append("\"").append(key).append("\": ");
}

// A utility of very many points would be larger than the policy: then nothing is claimed.
bool has_text(const PolicyClaim& claim) {
  constexpr std::size_t kMostPoints = 1000;
  return !claim.criterion || !claim.criterion->utility ||
         claim.criterion->utility->points().size() <= kMostPoints;
}

std::string whole_text(const Criterion& criterion) {
  return criterion.utility ? "utility:" + to_whole_text(*criterion.utility) : to_text(criterion);
}

void append_criterion_claim(std::string& out, const PolicyClaim& claim) {
  out += "{\"criterion\": ";
  append_json_string(out, whole_text(*claim.criterion));
  if (claim.criterion->takes_tau()) {
    out += ", \"tau\": ";
    append_json_number(out, claim.tau);
  }
  out += ", \"value\": ";
  append_json_total(out, claim.quantile);
  if (claim.upper) {
    out += ", \"upper\": ";
    append_json_total(out, *claim.upper);
  }
  out += "}";
}

void append_claim(std::string& out, const PolicyClaim& claim, std::string_view margin) {
  if (!has_text(claim)) return;
  append_key(out, margin, "claim");
  if (claim.kind == PolicyClaim::Kind::criterion) {
    append_criterion_claim(out, claim);
    return;
  }
  if (claim.kind == PolicyClaim::Kind::quantile) {
    out += "{\"tau\": ";
    append_json_number(out, claim.tau);
    out.append(", \"side\": \"").append(to_text(claim.side)).append("\", \"quantile\": ");
  } else {
    out += "{\"target\": ";
  }
  if (claim.level) {
    append_json_string(out, *claim.level);
  } else {
    append_json_total(out, claim.quantile);
  }
  append_value(out, "probability", written_probability(claim));
  if (claim.upper) {
    out += ", \"upper\": ";
    append_json_total(out, *claim.upper);
  }
  if (const auto most = written_most(claim))
    out += fmt::format(", \"most_probability\": {}", *most);
  append_means(out, claim);
  out += "}";
}

void append_grid(std::string& out, const PolicyGrid& grid, std::string_view margin) {
  append_key(out, margin, "grid");
  out += "{\"unit\": ";
  append_json_number(out, grid.unit);
  out += fmt::format(", \"halved_at\": [{}]}}", fmt::join(grid.halved_at, ", "));
}

void append_setting(std::string& out, const Policy& policy, const Model& model) {
  const ResolvedSetting& setting = policy.setting;
  out += ",\n  \"horizon\": ";
  append_json_horizon(out, setting.horizon);
  out += ",\n  \"discount\": ";
  append_json_number(out, setting.discount);
  append_json_initial(out, model, setting.initial);
  if (!setting.goal.empty()) append_json_states(out, "goal", model, setting.goal);
  if (setting.cost) out.append(",\n  \"rewards\": \"").append(kCost).append("\"");
  if (setting.adversarial) out += ",\n  \"adversarial\": true";
}

void append_wealths(std::string& out,
                    const std::vector<std::uint32_t>& positions,
                    const std::vector<std::string>& wealths) {
  append_json_items(out, "\"wealth\": [", positions, "], ", [&](std::uint32_t position) {
    append_json_string(out, wealths[position]);
  });
}

void append_rule(std::string& out,
                 const PolicyRule& rule,
                 const Policy& policy,
                 const Model& model,
                 WorkWatch& watch,
                 std::string_view margin) {
  const bool has_time = !policy.setting.is_infinite() || policy.truncated_at;
  out.append(margin).append("  {");
  if (has_time) out += fmt::format("\"time\": {}, ", rule.time);
  out += "\"state\": ";
  append_json_string(out, model.state_name(rule.state));
  append_json_items(out, ", \"choose\": [", rule.runs, "]}", [&](const PolicyRun& run) {
    out += "{";
    if (run.upto) {
      out += "\"upto\": ";
      append_json_number(out, *run.upto);
      out += ", ";
    }
    if (!run.wealths.empty()) append_wealths(out, run.wealths, policy.wealths);
    out += "\"action\": ";
    append_json_string(out, model.action_name(run.choice));
    out += "}";
    look_at_text(out, &watch);
  });
}

// All but the setting; of a mixture, its parts.
void append_body(std::string& out,
                 const Policy& policy,
                 const Model& model,
                 WorkWatch& watch,
                 std::string_view margin) {
  if (policy.target) {
    append_key(out, margin, "target");
    append_json_number(out, *policy.target);
  }
  if (policy.grid) append_grid(out, *policy.grid, margin);
  if (policy.truncated_at) {
    append_key(out, margin, "truncated_at");
    out += std::to_string(*policy.truncated_at);
  }
  if (policy.claim) append_claim(out, *policy.claim, margin);
  const auto append_part = [&](const MixturePart& part) {
    out.append("    {\n").append(kPartMargin).append("\"weight\": ");
    append_json_number(out, part.weight);
    append_body(out, part.policy, model, watch, kPartMargin);
    out += "\n    }";
  };
  if (!policy.mixture.empty()) {
    append_key(out, margin, "mixture");
    append_json_items(out, "[\n", policy.mixture, "\n  ]", append_part, ",\n");
    return;
  }
  const bool is_empty = policy.rules.empty();
  const std::string end = is_empty ? "]" : "\n" + std::string(margin) + "]";
  const auto append = [&](const PolicyRule& rule) {
    append_rule(out, rule, policy, model, watch, margin);
  };
  append_key(out, margin, "rules");
  append_json_items(out, is_empty ? "[" : "[\n", policy.rules, end, append, ",\n");
}

}  // namespace

std::string format_policy(const Policy& policy, const Model& model, const Options& options) {
  WorkWatch watch({"policy", "writing the policy", "written"}, options);
  std::string out = "{\n  \"format\": \"quantiplan-policy/1\"";
  if (!model.name().empty()) {
    out += ",\n  \"model\": ";
    append_json_string(out, model.name());
  }
  append_setting(out, policy, model);
  append_body(out, policy, model, watch, kMargin);
  return out + "\n}\n";
}

void write_policy(const Policy& policy, const Model& model, const std::string& path) {
  write_text(path, format_policy(policy, model));
}

}  // namespace quantiplan
