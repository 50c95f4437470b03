// What a checkpoint folder belongs to: a model, a setting, and the options that change what is computed.
#pragma once

#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// Opens the folder of the call, if it has one and that is not open yet. Throws Error if the folder is
// of something else.
void begin_checkpoints(const Model& model, const ResolvedSetting& setting, const Options& options);

}  // namespace quantiplan
