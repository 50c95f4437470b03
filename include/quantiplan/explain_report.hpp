// Explanations of a policy in sentences, and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/explain.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/report.hpp"

namespace quantiplan {

struct Account {
  ModelFacts model;
  std::string policy;            // a file, "expectation", or "tau 0.1, lower side"
  std::optional<Total> promise;  // the total it was made for, in wealth
  std::optional<std::string> promised_class = std::nullopt;  // instead, where wealth is no sum
  // Of a solve that ended early, with the best policy known by then: no policy promises more.
  std::optional<Level> no_more_than = std::nullopt;
  std::optional<Rational> grid_unit;  // of a policy that goes by a grid, at time 0
  // One of the three: a point, the ranges of a state, or what the policy is like.
  std::optional<Explanation> point = std::nullopt;
  struct AtTime {
    std::uint64_t time = 0;
    std::vector<ActionRange> ranges;
  };
  std::optional<State> state = std::nullopt;  // whose ranges are given
  std::vector<AtTime> times = {};
  std::optional<PolicySummary> summary = std::nullopt;
};

// What is taken at a point of an episode, what each other action would give, and why: a sentence each.
// `promise`: the total the policy was made for, in wealth.
std::vector<std::string> explanation_sentences(const Explanation& point,
                                               const Model& model,
                                               const Total& promise,
                                               bool is_cost);

std::string account_text(const Account& account,
                         const Model& model,
                         const ReportOptions& options = {});
std::string account_json(const Account& account, const Model& model);

}  // namespace quantiplan
