// One episode under a policy, as it happens: what to do now, given what has happened.
//
//     Run run = start(model, policy);
//     while (!run.is_over()) {
//       const Choice action = run.act();            // carry it out, see what comes of it
//       run.observe(reward, next);
//     }
//
//     time 0, s_0  --act-->  a_0  --observe(r_0, s_1)-->  time 1, s_1  --act-->  a_1  ...
//
// A policy is of one of a few kinds, by what it looks at besides the state (policy.hpp); a Run
// carries that along, whatever it is, and tells it in the terms of the model. Source of the update:
//
//     y_0 = what was promised,   y_{t+1} = (y_t - r_t) / gamma
//
// A Run is a value: a copy goes on by itself from where the other stands, so that a Run that has
// just begun can be kept and copied for each episode; what was prepared is shared. Any number of
// runs may be used at the same time, each by one thread; copies of a run that goes by wealth share
// a structure (structure.hpp), and are for one thread together.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan {

enum class PolicyKind {
  by_time,      // the time alone, as the expectation-optimal policy
  by_residual,  // the time and the residual target
  by_index,     // the time and the index of a grid
  stationary,   // infinite horizon: the residual target, or nothing, at all times alike
  by_wealth,    // the wealth so far, and the time at a finite horizon
};
// With Policy::truncated_at, a policy by time, residual or index goes by the state alone from then
// on.
PolicyKind kind_of(const Model& model, const Policy& policy);

class Run {
 public:
  Run(const Run& other);
  Run(Run&& other) noexcept;
  Run& operator=(const Run& other);
  Run& operator=(Run&& other) noexcept;
  ~Run();

  [[nodiscard]] std::uint64_t time() const noexcept;  // steps that were observed
  [[nodiscard]] State state() const noexcept;
  // True at the horizon, at a terminal state and at a goal: there is nothing left to do.
  [[nodiscard]] bool is_over() const;

  // What the policy does now; the same however often it is asked. Throws Error(bad_request) if the
  // episode is over, Error(bad_policy) if the policy has no rule for what has happened.
  Choice act();
  // The same, by someone who says where he is. Throws Error(bad_request) if that is not state().
  Choice act(State state);

  // What came of the action: a reward of the model, a cost as the cost it is, and the next state.
  // Needs an act() before. Throws Error(bad_request), and stays as it was, where the action cannot
  // have that outcome.
  void observe(const Rational& reward, State next);
  // The same where rewards are labels, "" for none, or vectors (wealth.hpp).
  void observe_label(std::string_view label, State next);
  void observe_vector(const std::vector<Rational>& vector, State next);

  // What is left of the target that the policy was made for, in the rewards of the model and the
  // units of the current time: at least so much must still be collected, or at most so much may
  // still be spent; for an adversary the other way round. Exact, even where the policy goes by
  // a grid. Nullopt for a policy without a target, and for one that goes by wealth.
  [[nodiscard]] std::optional<Rational> target() const;
  // The text of the wealth so far, of a policy that goes by it.
  [[nodiscard]] std::optional<std::string> wealth() const;

  // The probability that the policy's claim speaks of (PolicyClaim), given what has happened: that
  // the promise will be kept, if the policy is followed from here on. Of a policy without a claim:
  // that of its target. Nullopt where it has neither, or where the probability could only be
  // estimated.
  //
  // Computed anew by each call, as evaluate() does. Throws Error(refused) if a limit is met.
  [[nodiscard]] std::optional<Value> chance(const Options& options = {}) const;

 private:
  struct Parts;
  explicit Run(std::unique_ptr<Parts> parts);
  friend Run start(const Model& model,
                   std::shared_ptr<Structure> structure,
                   Policy policy,
                   std::optional<State> state);

  std::unique_ptr<Parts> parts_;
};

// The part of a mixture that 64 random bits draw: all of them are used, so draw them anew for each
// episode. Any other policy is its own part.
const Policy& drawn_part(const Policy& policy, std::uint64_t bits);

// The initial state that 64 random bits draw, of those of a setting; as for a mixture, use others for
// each episode, and others than its part was drawn with.
State drawn_initial(const ResolvedSetting& setting, std::uint64_t bits);

// At time 0, in the policy's initial state, or in the one that was drawn. Throws Error(bad_policy) if
// the policy makes no sense, Error(bad_request) if it is a mixture: start a part of it; and if there
// are several initial states and none is given, or one that is none of them.
Run start(const Model& model, Policy policy);
Run start(const Model& model, Policy policy, State state);
// The same by a preference order of one's own; null for sums of rewards.
Run start(const Model& model,
          std::shared_ptr<Structure> structure,
          Policy policy,
          std::optional<State> state = std::nullopt);

}  // namespace quantiplan
