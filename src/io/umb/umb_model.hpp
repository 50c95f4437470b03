// Models as UMB (unified Markov binary), the format that PRISM, Storm and Modest share: a tar archive
// of index.json and little-endian arrays (docs/model-checkers.md).
//
//     state-to-choices   choice-to-branches   branch-to-target   branch-to-probability
//     actions/choices    annotations/rewards/ID/{states,choices,branches}   annotations/aps/ID/states
//     valuations/states
//
// A choice may lead to one state by several branches with different rewards: outcomes are branches.
// A state without choices is terminal; so is one with the label "deadlock" whose only choice is a loop
// without reward, as Storm writes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/work_watch.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

// `bytes` is the archive, plain or compressed. Feeds `builder`; returns notices. Throws
// Error(bad_model), Error(bad_request) for an unknown reward structure, Error(refused) at a limit.
std::vector<std::string> read_umb_model(std::string_view bytes,
                                        const std::string& source,
                                        const ReadOptions& options,
                                        WorkWatch& watch,
                                        ModelBuilder& builder);

// The archive, not compressed. Numbers are doubles where each is what such a double is taken to mean
// (the shortest decimal that reads back as it), else rationals. Throws Error(refused).
std::string format_umb_model(const Model& model, std::vector<std::string>& lost, WorkWatch* watch);

}  // namespace quantiplan
