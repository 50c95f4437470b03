// The grid of a policy file: does it fit the horizon, the target and the rules?
//
//     index = target / unit at time 0, `upto` bounds indices     both whole, below 2^62 in size
//
// A policy that compares a fraction with an index, or starts between two of them, is none that a
// pass on the grid has made: it would run, and its claim would say nothing.
#include "io/policy/policy_reader.hpp"
#include "model/shown.hpp"

namespace quantiplan {
namespace {

constexpr unsigned kIndexBits = 62;
// A step of gamma^T, gamma >= 1/2 and T = 10^5, needs no more; each doubles what is computed with.
constexpr std::size_t kMostHalvings = 100'000;

bool is_index(const Rational& value) {
  return value.get_den() == 1 && mpz_sizeinbase(value.get_num_mpz_t(), 2) <= kIndexBits;
}

}  // namespace

void PolicyReader::read_unit(JsonValue found) {
  const auto unit = rational(found);
  if (!unit) return;
  policy_.grid->unit = *unit;
  if (*unit <= 0) problem(line(), "unit: found " + shown(*unit) + ", must be above 0");
}

void PolicyReader::read_halving(JsonValue found) {
  const auto time = whole(found);
  if (!time) return;
  std::vector<std::uint64_t>& times = policy_.grid->halved_at;
  halved_line_ = line();
  if (*time == 0) {
    problem(line(), label() + "found 0, must be at least 1");
  } else if (!times.empty() && *time < times.back()) {
    problem(line(),
            label() + "found " + std::to_string(*time) + " after " + std::to_string(times.back()) +
                ", must ascend");
  } else if (times.size() == kMostHalvings) {
    problem(line(),
            label() + "found more than " + std::to_string(kMostHalvings) +
                " times, must have at most so many");
  } else {
    times.push_back(*time);
  }
}

void PolicyReader::check_grid() {
  const PolicyGrid& grid = *policy_.grid;
  if (is_stationary()) {
    problem(line_of("grid"), "grid: a policy without 'time' must have none");
  } else if (!grid.halved_at.empty()) {
    const std::uint64_t last = grid.halved_at.back();
    const std::uint64_t horizon = policy_.setting.horizon;
    if (!policy_.truncated_at && last >= horizon) {
      problem(halved_line_,
              "in 'halved_at': found " + std::to_string(last) + ", must be below the horizon " +
                  std::to_string(horizon));
    } else if (policy_.truncated_at && last > *policy_.truncated_at) {
      problem(halved_line_,
              "in 'halved_at': found " + std::to_string(last) +
                  ", must be at most 'truncated_at', " + std::to_string(*policy_.truncated_at));
    }
  }
  if (!policy_.target) {
    problem(line_of("grid"), "grid: the policy has no 'target', must have one to count from");
  } else {
    const Rational index = *policy_.target / grid.unit;
    if (!is_index(index)) {
      problem(line_of("target"),
              "target: found " + shown(*policy_.target) +
                  ", must be a whole multiple of the grid's unit " + shown(grid.unit) +
                  ", below 2^62 of it");
    }
  }
  for (std::size_t i = 0; i < policy_.rules.size(); ++i) {
    const PolicyRule& rule = policy_.rules[i];
    for (const PolicyRun& run : rule.runs) {
      if (!run.upto || is_index(*run.upto)) continue;
      problem(rule_lines_[i],
              where(rule) + "'upto' is " + shown(*run.upto) +
                  ", must be a whole number below 2^62 in size, as the policy has a grid");
      break;
    }
  }
}

}  // namespace quantiplan
