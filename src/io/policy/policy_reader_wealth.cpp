// Policies of other wealths than sums: rules that name wealths by their text.
#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "base/quoted.hpp"
#include "io/policy/policy_reader.hpp"

namespace quantiplan {

// Instead of a list of one.
void PolicyReader::read_one_wealth(JsonValue found) {
  rule_.runs.back().has_wealths = true;
  if (found.kind == JsonKind::string) {
    read_wealth(found);
  } else {
    wrong_kind(found, "a string or a list of strings");
  }
}

void PolicyReader::read_wealth(JsonValue found) {
  if (!is_string(found)) return;
  std::vector<std::uint32_t>& wealths = rule_.runs.back().wealths;
  watch_.before_push(wealths);
  wealths.push_back(wealths_.intern(model_.wealth().written(found.text)));
}

void PolicyReader::check_wealths(const RuleDraft& draft, const std::string& place) {
  std::unordered_set<std::uint32_t> seen;
  for (std::size_t i = 0; i < draft.runs.size(); ++i) {
    const RunDraft& run = draft.runs[i];
    const bool is_last = i + 1 == draft.runs.size();
    if (run.upto) {
      problem(run.line,
              place + "an action has an 'upto', must have a 'wealth', as the wealth is '" +
                  std::string(to_text(model_.wealth().kind)) + "'");
      return;
    }
    if (is_last && run.has_wealths)
      problem(run.line, place + "the last action has a 'wealth', must have none");
    if (!is_last && run.wealths.empty()) {
      problem(run.line,
              place + (run.has_wealths ? "'wealth' is empty, must name at least one"
                                       : "an action has no 'wealth', only the last may have none"));
    }
    for (const std::uint32_t wealth : run.wealths) {
      if (seen.insert(wealth).second) continue;
      problem(
          run.line,
          place + "wealth " + in_quotes(wealths_[wealth]) + " is given twice, must be given once");
      return;
    }
  }
}

// What is known of sums only.
void PolicyReader::check_wealth_setting() {
  const auto only_of_sums = [&](bool is_given, const char* key, std::uint64_t line) {
    if (!is_given) return;
    problem(line,
            std::string(key) + ": the wealth is '" + std::string(to_text(model_.wealth().kind)) +
                "', must be left out but where it is the sum");
  };
  only_of_sums(policy_.setting.discount != 1, "discount other than 1", line_of("discount"));
  only_of_sums(!policy_.setting.goal.empty(), "goal", line_of("goal"));
  only_of_sums(policy_.setting.cost, "rewards that are costs", line_of("rewards"));
  only_of_sums(policy_.setting.adversarial, "adversarial", line_of("adversarial"));
  only_of_sums(policy_.target.has_value(), "target", line_of("target"));
  only_of_sums(policy_.grid.has_value(), "grid", line_of("grid"));
  only_of_sums(policy_.truncated_at.has_value(), "truncated_at", line_of("truncated_at"));
}

// From the order of the file to that of the texts.
void PolicyReader::number_wealths() {
  watch_.ask_if_large(wealths_.size() * (2 * sizeof(std::uint32_t) + 2 * sizeof(std::string)));
  std::vector<std::uint32_t> order(wealths_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order,
                    [this](std::uint32_t a, std::uint32_t b) { return wealths_[a] < wealths_[b]; });
  std::vector<std::uint32_t> position(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    position[order[i]] = i;
    policy_.wealths.emplace_back(wealths_[order[i]]);
    watch_.step(2);
  }
  for (PolicyRule& rule : policy_.rules) {
    for (PolicyRun& run : rule.runs) {
      for (std::uint32_t& wealth : run.wealths) wealth = position[wealth];
      std::ranges::sort(run.wealths);
    }
  }
}

}  // namespace quantiplan
