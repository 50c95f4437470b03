// The price of a promise: what is lost in the mean by promising more.
//
//     by level         tau given:     q -> the best mean of all policies with P(W >= q) >= 1 - tau
//                                     (lower side: >), from the quantile of the mean-optimal policy
//                                     up to the greatest quantile
//     by probability   target given:  the upper hull of all attainable (P(W >= target), mean): its
//                                     vertices, from the greatest mean to the greatest probability
//
// Every point comes with a policy that attains it, and with a bound that no policy, randomised or
// not, exceeds in the mean if it promises as much. Between two neighbours of a curve by probability
// a coin between their policies attains every point of the line.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/total.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan {

struct TradeoffQuery {
  // One of the two.
  std::optional<Rational> tau = std::nullopt;
  std::optional<Rational> target = std::nullopt;  // in wealth: of a cost c, -c
  Side side = Side::lower;                        // of tau
  Setting setting = {};
  // As in Query; of a curve by probability, how far it may lie below the hull.
  std::optional<Rational> mean_gap = std::nullopt;
  // More levels than this are thinned evenly, the first and the last among them; at least 2.
  std::size_t most_points = 100;
};

struct TradeoffPoint {
  Total level;        // q, or the target
  Value probability;  // P(W >= level) under the policy
  Value mean;         // of the policy
  Value mean_bound;   // of all policies that promise as much
  // As in Result. It claims its probability, as for a threshold.
  Later<Policy> policy;
};

struct Tradeoff {
  ModelFacts model;
  Status status = Status::not_called;
  std::optional<Rational> tau;  // absent: by probability
  Side side = Side::lower;
  // Ascending level, or ascending probability; means descend. A call that ended early has those that
  // it was sure of by then, if any.
  std::vector<TradeoffPoint> points;
  std::size_t levels = 0;  // by level: how many there are; more than points: they were thinned
  // By probability: no policy lies above the line through the points by more, in the mean.
  std::optional<Value> above = std::nullopt;
  EngineReport engine;
  Work work;
};

// Throws Error as solve does; refused for goals, adversaries, wealth that is no sum, and an infinite
// horizon without a discount.
Tradeoff tradeoff(const Model& model, const TradeoffQuery& query, const Options& options = {});

}  // namespace quantiplan
