// A policy as one follows it, step by step: whatever it goes by is carried along.
//
//     start, then for t = 0, 1, ...     choose(t, s)     collect(t, outcome)
//
//     SumFollower          a residual, the index of a grid, or nothing but time and state
//     StationaryFollower   what was counted so far, in whole units; infinite horizon, no discount
//     WealthFollower       the wealth so far
//
// Run (quantiplan/run.hpp) and the players of episodes (evaluate/player.hpp) follow policies by
// these alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

class Follower {
 public:
  Follower() = default;
  Follower& operator=(const Follower&) = delete;
  virtual ~Follower() = default;

  // Stands where this one does, and shares what was prepared: cheap.
  [[nodiscard]] virtual std::unique_ptr<Follower> copy() const = 0;

  virtual void start() = 0;
  // Throws Error(bad_policy) where the policy has no rule.
  [[nodiscard]] virtual Choice choose(std::uint64_t time, State state) = 0;
  // An outcome of the choice made last.
  virtual void collect(std::uint64_t time, const Outcome& outcome) = 0;

  // The residual, or with a grid the index, that the rules look at from now on; nullopt if they
  // look at none.
  [[nodiscard]] virtual std::optional<Rational> residual(std::uint64_t time) const = 0;
  // The wealth so far, of a policy that goes by it.
  [[nodiscard]] virtual std::optional<WealthId> wealth() const { return std::nullopt; }

 protected:
  Follower(const Follower&) = default;
};

// Null structure: of sums. All must outlive it. Throws Error(bad_policy) if the policy makes no
// sense.
std::unique_ptr<Follower> follower_of(const Model& model,
                                      Structure* structure,
                                      const Policy& policy);

}  // namespace quantiplan
