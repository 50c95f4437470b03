// The attitudes of a plain problem: a finite horizon, no goal, rewards as they are.
//
//     lay out, exact or rounded down to a grid -> what each self wants (selves.hpp), once for all
//     -> the policy of each attitude and question -> its greatest regret
//
// Exact levels wherever solve() would take them. A grid otherwise: steps H_t of about gamma^t H_0, so
// that a self of any time sees its own future equally fine, as far as keys of 64 bits go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quantiplan/attitude.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan {

// What the first self gets, where wealth was rounded: of the true problem, by what the rounded one
// says. Elsewhere the policy is to be evaluated.
struct FirstSelf {
  Rational lower;  // its quantile is no less,
  Rational upper;  // and no more
  Value probability;
  std::optional<Value> mean = std::nullopt;
};

struct FoundAttitude {
  Status status = Status::not_called;
  std::optional<Policy> policy = std::nullopt;
  std::optional<FirstSelf> first = std::nullopt;
  std::optional<Regret> regret = std::nullopt;
  std::optional<Rational> nested = std::nullopt;
  std::string left_out = {};
};
struct FoundAttitudes {
  // Question by question, each with all attitudes.
  std::vector<FoundAttitude> results;
  Rational slack = 0;
  EngineReport engine;
  Work work;
};

// The model must outlive the call only.
FoundAttitudes find_attitudes(const Model& model,
                              const ResolvedSetting& setting,
                              const std::vector<Attitude>& attitudes,
                              const std::vector<Question>& questions,
                              const Options& options);

}  // namespace quantiplan
