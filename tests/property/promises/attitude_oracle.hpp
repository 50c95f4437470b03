// Attitudes by their definitions, in rationals, on models that can be taken apart.
//
//     q_k(s)     by all history-dependent policies where they can be counted, else by the recursion
//     D^a, q^a   by the recursion of G*, after the choice a
//     laws       as maps from wealth to probability
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "oracles/brute_force.hpp"
#include "oracles/plain_model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::testing {

// Of a policy of (time, state): what it does with k steps to go, and the law of what it collects.
struct MarkovTruth {
  std::vector<std::vector<std::size_t>> choice;  // by steps to go and state
  std::vector<std::vector<Law>> law;
};

class AttitudeOracle {
 public:
  AttitudeOracle(const PlainModel& model, const Rational& tau, Side side);

  [[nodiscard]] std::size_t initial() const noexcept { return model_.initial; }
  // What the self with k steps to go from s could have.
  Rational best(std::uint64_t k, std::size_t s);
  MarkovTruth replan();
  MarkovTruth subgame_perfect();
  MarkovTruth recursive();
  // V_T(s0), after recursive().
  [[nodiscard]] Rational nested() const { return nested_; }
  // The optimum over policies whose choices are within delta; absent: over all.
  Optimum within(const std::optional<Rational>& delta);
  // The greatest regret of a later self under a policy.
  Rational regret(const Model& built, const Policy& policy);

 private:
  [[nodiscard]] bool is_over(std::uint64_t k, std::size_t s) const {
    return k == 0 || model_.ends_at(s);
  }
  // Every amount that may be collected, and the greatest chance of at least y of it.
  const std::set<Rational>& levels(std::uint64_t k, std::size_t s);
  Rational chance(std::uint64_t k, std::size_t s, const Rational& y);
  // The same after a choice.
  Rational chance(std::uint64_t k, std::size_t s, std::size_t choice, const Rational& y);
  Rational quantile_of_choice(std::uint64_t k, std::size_t s, std::size_t choice);
  Law law_after(const MarkovTruth& truth, std::uint64_t k, std::size_t s, std::size_t choice) const;
  // The choice with the greatest mean, the first of equals, is taken.
  void take(MarkovTruth& truth,
            std::uint64_t k,
            std::size_t s,
            const std::vector<std::size_t>& candidates) const;
  template <class Candidates>
  MarkovTruth markov(const Candidates& candidates);
  // The law of what a policy still collects, by time, state and residual.
  using Rests = std::map<std::tuple<std::uint64_t, std::size_t, Rational>, Law>;
  const Law& rest(const Model& built,
                  const Policy& policy,
                  std::uint64_t time,
                  std::size_t s,
                  const Rational& residual,
                  Rests& known) const;

  const PlainModel& model_;
  Rational tau_;
  Side side_;
  std::map<std::pair<std::uint64_t, std::size_t>, std::set<Rational>> levels_;
  std::map<std::tuple<std::uint64_t, std::size_t, Rational>, Rational> chances_;
  std::map<std::pair<std::uint64_t, std::size_t>, Rational> best_;
  Rational nested_;
};

}  // namespace quantiplan::testing
