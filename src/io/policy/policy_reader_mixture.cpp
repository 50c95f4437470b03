// The parts of a mixture: each is read, and checked, as a policy of its own in the file's setting.
#include <utility>

#include "io/policy/policy_reader.hpp"
#include "model/shown.hpp"

namespace quantiplan {

// Whatever a part may have of its own; the setting stays.
void PolicyReader::exchange_with(PartDraft& part) {
  std::swap(policy_.target, part.policy.target);
  std::swap(policy_.grid, part.policy.grid);
  std::swap(policy_.truncated_at, part.policy.truncated_at);
  std::swap(policy_.rules, part.policy.rules);
  std::swap(policy_.claim, part.policy.claim);
  std::swap(claim_, part.claim);
  std::swap(halved_line_, part.halved_line);
  std::swap(rule_lines_, part.rule_lines);
  std::swap(rule_times_, part.rule_times);
}

void PolicyReader::begin_part() {
  part_ = {};
  part_.line = line();
  exchange_with(part_);
}

void PolicyReader::finish_part() {
  exchange_with(part_);
  if (part_.weight <= 0)
    problem(part_.line, "weight: found " + shown(part_.weight) + ", must be above 0");
  watch_.before_push(parts_);
  parts_.push_back(std::move(part_));
}

void PolicyReader::finish_policy() {
  if (!has("mixture")) {
    require("rules");
    return;
  }
  for (const char* key : {"target", "grid", "truncated_at", "rules"}) {
    if (has(key))
      problem(
          JsonWalk::line_of(key),
          std::string(key) + ": must be left out beside a 'mixture', whose parts have their own");
  }
  const std::uint64_t at = JsonWalk::line_of("mixture");
  if (parts_.empty()) problem(at, "mixture: is empty, must have a part");
  if (!is_sum()) problem(at, "mixture: must be left out but where the wealth is the sum");
}

void PolicyReader::for_each_part(void (PolicyReader::*check)()) {
  for (PartDraft& part : parts_) {
    exchange_with(part);
    part_line_ = part.line;
    (this->*check)();
    part_line_ = 0;
    exchange_with(part);
  }
}

void PolicyReader::check_part() {
  check_setting();
  check_claim();
  check_rules();
}

void PolicyReader::check_weights() {
  Rational sum = 0;
  for (PartDraft& part : parts_) {
    sum += part.weight;
    part.policy.setting = policy_.setting;
    policy_.mixture.push_back({part.weight, std::move(part.policy)});
  }
  if (!parts_.empty() && sum != 1)
    problem(JsonWalk::line_of("mixture"),
            "mixture: the weights sum to " + shown(sum) + ", must be 1");
}

}  // namespace quantiplan
