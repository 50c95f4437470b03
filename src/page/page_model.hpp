// The part of a model that a page carries: the states met most, with all that can happen there.
//
// Needs the states in the order in which they matter. Those that fit are whole; states that these
// lead to and that do not fit are there by their names, so that a player can say where it ended.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "page/policy_table.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

struct MetState {
  State state{};
  double met = 0;  // the share of sampled episodes that come there
};
// All that can be reached; the initial states first, then by how often `policy`, which may be null,
// comes there in some hundred episodes, then in the order in which a search finds them.
std::vector<MetState> states_by_visits(const Model& model,
                                       const ResolvedSetting& setting,
                                       const Policy* policy,
                                       const Options& options);

struct PageModel {
  std::string json;
  PagePositions positions;                         // by state
  std::vector<std::size_t> reward_positions = {};  // by NumberId; kNotShown: none has it
  std::size_t shown = 0;                           // whole: positions below this
  std::size_t reachable = 0;                       // how many there are
};
PageModel page_model(const Model& model,
                     const ResolvedSetting& setting,
                     const std::vector<MetState>& states,
                     std::size_t most_bytes);

}  // namespace quantiplan
