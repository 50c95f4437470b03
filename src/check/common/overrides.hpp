// What the query that a policy answers says other than the model: a query may override the model, so
// a difference is worth a sentence and no more.
#pragma once

#include "check/common/counted.hpp"
#include "check/common/findings.hpp"

namespace quantiplan::checking {

void note_overrides(const Model& model, const ResolvedSetting& setting, Findings& findings);

}  // namespace quantiplan::checking
