// One preference told in two ways: a model with other rewards, and answers that must agree.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "preferences/preference_case.hpp"
#include "preferences/preference_model.hpp"
#include "quantiplan/answer.hpp"

namespace quantiplan::testing {

template <class Change>
PreferenceModel with_rewards(PreferenceModel model, const Wealth& wealth, Change change) {
  model.wealth = wealth;
  for (PlainState& state : model.plain.states)
    for (PlainChoice& choice : state.choices)
      for (PlainOutcome& o : choice.outcomes) o.reward = change(o.reward);
  return model;
}

// The same questions with the same levels and chances; `renamed` tells texts of the one in those of
// the other.
using Renamed = std::map<std::string, std::string>;
void require_twins(const Answer& one,
                   const Answer& other,
                   const std::string& what,
                   const Renamed& renamed = {});

}  // namespace quantiplan::testing
