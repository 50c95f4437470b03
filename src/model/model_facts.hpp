// What answers say of the model they are about, and the range of its rewards.
#pragma once

#include <utility>

#include "quantiplan/answer.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

InitialNames names_of(const Model& model, const InitialStates& initial);
ModelFacts facts_of(const Model& model, const ResolvedSetting& setting);
// Least and greatest reward of any outcome.
std::pair<Rational, Rational> reward_range(const Model& model);

}  // namespace quantiplan
