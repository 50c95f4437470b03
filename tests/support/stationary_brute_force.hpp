// Every stationary policy of a tiny model at the infinite horizon, each by the equations of its own
// chain, in rationals.
//
//     P = P(ends well),  K = E[W; ends well]     ends well: at the goal; without one, the total stays
//                                                what it is from some time on
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::testing {

struct TinyOutcome {
  std::size_t next;
  Rational probability;
  int reward;  // counted: a cost is negative
};
// The last two states are ends, the first of them the goal if there is one.
struct TinyModel {
  std::vector<std::vector<std::vector<TinyOutcome>>> states;  // choices of each
  bool has_goal = true;
  int sign = -1;

  [[nodiscard]] std::size_t goal() const { return states.size() - 2; }
};

inline TinyModel tiny_model(std::uint64_t seed, std::size_t inner, bool has_goal, int sign) {
  std::mt19937_64 dice(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<std::size_t>(dice() % n); };
  TinyModel out{{}, has_goal, sign};
  out.states.resize(inner + 2);
  for (std::size_t s = 0; s < inner; ++s) {
    const std::size_t choices = 1 + below(3);
    for (std::size_t c = 0; c < choices; ++c) {
      const int reward = sign * static_cast<int>(below(3));
      const int other = below(2) == 0 ? reward : 0;
      if (below(3) == 0) {
        out.states[s].push_back({{below(inner + 2), 1, reward}});
      } else {
        const Rational p = Rational(static_cast<int>(1 + below(3))) / 4;
        out.states[s].push_back(
            {{below(inner + 2), p, reward}, {below(inner + 2), Rational(1 - p), other}});
      }
    }
  }
  return out;
}

inline Model built(const TinyModel& tiny, std::uint64_t horizon = kInfiniteHorizon) {
  ModelBuilder b;
  b.horizon(horizon).initial("0").rewards_are_costs(tiny.sign < 0);
  if (tiny.has_goal) b.goal(std::to_string(tiny.goal()));
  for (std::size_t s = 0; s < tiny.states.size(); ++s) b.declare_state(std::to_string(s));
  for (std::size_t s = 0; s < tiny.states.size(); ++s) {
    for (std::size_t c = 0; c < tiny.states[s].size(); ++c) {
      b.begin_choice(std::to_string(s), std::to_string(c));
      for (const TinyOutcome& o : tiny.states[s][c])
        b.add_outcome(std::to_string(o.next), Number(o.probability), tiny.sign * o.reward);
    }
  }
  return b.build();
}

using Chosen = std::vector<std::size_t>;  // by state

struct ArrivalPair {
  Rational chance;
  Rational mean;
  bool is_infinite = false;  // gains without a goal: W = inf with positive probability
  friend bool operator==(const ArrivalPair&, const ArrivalPair&) = default;
  friend bool operator<(const ArrivalPair& a, const ArrivalPair& b) {
    if (a.is_infinite != b.is_infinite) return b.is_infinite;
    return a.chance != b.chance ? a.chance < b.chance : a.mean < b.mean;
  }
};

class TinyChain {
 public:
  TinyChain(const TinyModel& model, const Chosen& chosen) : model_(model), chosen_(chosen) {
    const std::size_t n = model.states.size();
    for (std::size_t s = 0; s < n; ++s) {
      reached_.push_back(reached_from(s));
      bool pays = false;
      for (const std::size_t t : reached_[s])
        for (const TinyOutcome& o : outcomes(t)) pays = pays || o.reward != 0;
      ends_well_.push_back(model.has_goal ? s == model.goal() : !pays);
    }
  }

  [[nodiscard]] ArrivalPair at_start() const {
    if (!model_.has_goal && model_.sign > 0) {
      for (const std::size_t s : reached_[0]) {
        bool recurs = !ends_well_[s];
        for (const std::size_t t : reached_[s]) recurs = recurs && reached_[t].contains(s);
        if (recurs) return {1, 0, true};
      }
    }
    const auto can = [&](std::size_t s) {
      for (const std::size_t t : reached_[s])
        if (ends_well_[t]) return true;
      return false;
    };
    std::vector<Rational> right(model_.states.size(), 0);
    for (std::size_t s = 0; s < right.size(); ++s) right[s] = ends_well_[s] ? 1 : 0;
    const std::vector<Rational> chance = solved(right, can);
    for (std::size_t s = 0; s < right.size(); ++s) {
      right[s] = 0;
      if (ends_well_[s]) continue;
      for (const TinyOutcome& o : outcomes(s))
        right[s] += o.probability * o.reward * chance[o.next];
    }
    return {chance[0], solved(right, can)[0]};
  }

 private:
  [[nodiscard]] std::vector<TinyOutcome> outcomes(std::size_t s) const {
    return model_.states[s].empty() ? std::vector<TinyOutcome>() : model_.states[s][chosen_[s]];
  }
  [[nodiscard]] std::set<std::size_t> reached_from(std::size_t first) const {
    std::set<std::size_t> met{first};
    std::vector<std::size_t> open{first};
    while (!open.empty()) {
      const std::size_t s = open.back();
      open.pop_back();
      if (model_.has_goal && s == model_.goal()) continue;
      for (const TinyOutcome& o : outcomes(s))
        if (met.insert(o.next).second) open.push_back(o.next);
    }
    return met;
  }
  // x(s) = right(s) + sum p x(s'), 0 where it cannot end well; by elimination.
  template <class Can>
  [[nodiscard]] std::vector<Rational> solved(std::vector<Rational> right, const Can& can) const {
    const std::size_t n = right.size();
    std::vector<std::vector<Rational>> matrix(n, std::vector<Rational>(n, 0));
    for (std::size_t s = 0; s < n; ++s) {
      matrix[s][s] = 1;
      if (!can(s)) right[s] = 0;
      if (!can(s) || ends_well_[s]) continue;
      for (const TinyOutcome& o : outcomes(s)) matrix[s][o.next] -= o.probability;
    }
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t pivot = k;
      while (matrix[pivot][k] == 0) ++pivot;
      std::swap(matrix[pivot], matrix[k]);
      std::swap(right[pivot], right[k]);
      for (std::size_t i = 0; i < n; ++i) {
        if (i == k || matrix[i][k] == 0) continue;
        const Rational factor = matrix[i][k] / matrix[k][k];
        for (std::size_t j = k; j < n; ++j) matrix[i][j] -= factor * matrix[k][j];
        right[i] -= factor * right[k];
      }
    }
    for (std::size_t s = 0; s < n; ++s) right[s] /= matrix[s][s];
    return right;
  }

  const TinyModel& model_;
  const Chosen& chosen_;
  std::vector<std::set<std::size_t>> reached_;
  std::vector<bool> ends_well_;
};

// Calls visit(chosen) for every stationary policy.
template <class Visit>
void for_each_policy(const TinyModel& model, const Visit& visit) {
  Chosen chosen(model.states.size(), 0);
  for (bool more = true; more;) {
    visit(chosen);
    more = false;
    for (std::size_t s = 0; s < chosen.size() && !more; ++s) {
      more = chosen[s] + 1 < model.states[s].size();
      chosen[s] = more ? chosen[s] + 1 : 0;
    }
  }
}

inline ArrivalPair best_of_all(const TinyModel& model) {
  ArrivalPair best{-1, 0};
  for_each_policy(model, [&](const Chosen& chosen) {
    const ArrivalPair pair = TinyChain(model, chosen).at_start();
    if (best < pair) best = pair;
  });
  return best;
}

// Of a stationary policy, whose rules are of time 0.
inline Chosen choices_of(const TinyModel& tiny, const Model& model, const Policy& policy) {
  Chosen chosen(tiny.states.size(), 0);
  for (const PolicyRule& rule : policy.rules)
    chosen[index(rule.state)] =
        index(rule.runs.front().choice) - index(model.choices(rule.state).front());
  return chosen;
}

}  // namespace quantiplan::testing
