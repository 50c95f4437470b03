// Reads PRISM's explicit files, and Storm's variant of them (docs/model-checkers.md).
//
//     4 5 7                # MDP: states, choices, transitions; DTMC: states, transitions;
//     0 0 1 1 a            # Storm: the word mdp or dtmc. Then rows (tra_rows.hpp).
//
// What stands beside the .tra is read first (tra_companions.hpp): whether a state is terminal and
// what is collected in it must be known when its rows come. Memory: that of the builder and 24
// bytes a transition reward.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/field_lines.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {

struct TraCompanions {
  struct Rewards {
    std::optional<NamedText> of_states;       // .srew
    std::optional<NamedText> of_transitions;  // .trew
  };
  std::optional<NamedText> labels;  // .lab
  std::optional<NamedText> states;  // .sta
  std::vector<Rewards> rewards;     // one for each reward structure
};

// Feeds `builder`, which was made for `source`; the caller builds. `text` has passed check_text.
// Returns notices. Throws Error(bad_model), Error(bad_request).
std::vector<std::string> read_tra_model(std::string_view text,
                                        const std::string& source,
                                        const TraCompanions& beside,
                                        const ReadOptions& options,
                                        ModelBuilder& builder);

}  // namespace quantiplan
