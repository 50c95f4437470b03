// The distribution of the total reward W under one policy, and what can be read off it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "quantiplan/level.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/structure.hpp"
#include "quantiplan/total.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan {

struct Atom {
  Level wealth;
  Value probability;
};

// A quantile of one distribution, which lies in [lower, upper]; equal where it is known exactly.
struct QuantileOfDistribution {
  Rational tau;
  Side side = Side::lower;
  Level lower;
  Level upper;
  // Only in a sample: it says nothing about how far below or above the truth may lie, and the end
  // is the least or greatest total that occurred.
  bool open_below = false;
  bool open_above = false;
};

// A probability which lies in [lower, upper]; equal where it is known exactly.
struct ProbabilityBracket {
  Rational lower;
  Rational upper;
};

// A distribution made of episodes: with `confidence`, every P(W >= w) errs by at most `band`
// (Dvoretzky, Kiefer and Wolfowitz, with Massart's constant [M]).
struct Sample {
  std::uint64_t episodes = 0;
  std::uint64_t seed = 0;
  double confidence = 0;
  double band = 0;
};

// Mass that was not followed to its end: some total in [from, to].
struct RestOfDistribution {
  Total from;
  Total to;
  double probability = 0;  // certainly no more than this
};

struct Distribution {
  std::vector<Atom> atoms;  // ascending wealth, positive probabilities
  // Present where wealth is no sum: the list that all atoms are classes of, and means are of its numbers.
  std::shared_ptr<const WealthClasses> classes = nullptr;
  // Not finite where the mean is not, or where misses leave it undefined.
  Value mean;
  // E[W; goal], to which misses add nothing: where these leave the mean undefined and atoms do not
  // tell it, because there is a rest.
  std::optional<Value> goal_mean = std::nullopt;
  // Infinite horizon: beyond the finite atoms, at one end of them.
  std::optional<RestOfDistribution> rest = std::nullopt;
  // Every probability below, and every sum of them, has at most this relative error; 0: all is
  // exact.
  double relative_error = 0;
  // Besides it, what products too small for a double may have lost: far below 1e-300.
  double absolute_error = 0;
  // Wealth was rounded down: what is counted at an atom lies in [wealth, wealth + slack].
  Rational slack = 0;
  std::optional<Sample> sample;  // present: simulated, not computed

  // P(W >= w); with slack, a lower bound of it; of a sample, the share. Exact only where the truth
  // is known exactly.
  [[nodiscard]] Value at_least(const Level& wealth) const;
  // Where P(W >= w) certainly lies: rounding, slack and band included. In a sample it does so for
  // all w at once, with the sample's confidence.
  [[nodiscard]] ProbabilityBracket at_least_bracket(const Level& wealth) const;
  // Where the quantile certainly lies, in the same sense.
  [[nodiscard]] QuantileOfDistribution quantile(const Rational& tau, Side side) const;
};

}  // namespace quantiplan
