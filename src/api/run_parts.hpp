// What a Run is made of (quantiplan/run.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "policy/follower.hpp"
#include "quantiplan/run.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan {

// What a claim is about, or else the policy's target: W >= level, or W <= level.
struct PromisedEvent {
  Total level;              // of wealth still to come, in units of the current time
  bool is_at_most = false;  // an adversary's quantile
};
std::optional<PromisedEvent> promised_event(const Policy& policy);

struct Run::Parts {
  // What copies share.
  struct Ground {
    Model model;
    std::shared_ptr<Structure> structure;  // null: sums
    Policy policy;
  };
  std::shared_ptr<const Ground> ground;
  std::unique_ptr<Follower> follower;
  std::uint64_t time = 0;
  State state{};
  std::optional<Choice> done = std::nullopt;            // at this time
  std::optional<PromisedEvent> promise = std::nullopt;  // of sums
};

}  // namespace quantiplan
