// A smaller model with the same answers, and the way back from its policies to those of the model.
//
//     state_of(s)     the state of the smaller model that stands for s, if one does
//     choice_of(c)    which choice of that state stands for c
//
// A policy of the smaller model is followed on the model by taking, in s, a choice that stands for
// the one it takes in state_of(s); a state that nothing stands for has one choice that matters, or
// none. Histories of the two have the same wealths with the same probabilities.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

struct ReducedModel {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  Model model;                           // the smaller one
  ResolvedSetting setting;               // in its terms
  std::vector<std::uint32_t> state_of;   // by state of the model, kNone: nothing stands for it
  std::vector<std::uint32_t> choice_of;  // by choice: a choice of the smaller model, or kNone
  std::size_t states_met = 0;            // of the model, from its initial states
};

// Tells a builder of a smaller model its name, its wealth and its states: those of the model that
// stand there, whose names are made when somebody asks for them. Probabilities are exact.
void begin_smaller(ModelBuilder& builder, const Model& model, std::vector<State> states);

// The initial states, goals and all else of a setting in terms of a smaller model. Initial states
// have something that stands for them.
ResolvedSetting reduced_setting(const ResolvedSetting& setting,
                                const std::vector<std::uint32_t>& state_of);

// A policy of the smaller model as one of the model, with rules for what it can meet there. Throws
// Error(refused) if the limits ended it. Cost: O(outcomes) a time.
Policy lifted(const Model& model,
              const ResolvedSetting& setting,
              const ReducedModel& reduced,
              const Policy& policy,
              const Limits& limits);
// A policy of the model in terms of the smaller one. Nullopt where it does different things in
// states that one state stands for.
std::optional<Policy> lowered(const ReducedModel& reduced, const Policy& policy);

}  // namespace quantiplan
