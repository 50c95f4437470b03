// Episodes of a policy, one by one or counted by their totals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantiplan/level.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan {

struct Step {
  State state{};
  Choice choice{};
  Rational reward;
  State next{};
};
struct Episode {
  // Where wealth goes by classes, one of those that the episodes ended in.
  Level wealth;
  std::vector<Step> steps;  // if kept
  // Discounted, infinite horizon: what would follow is worth at most this, one way or the other.
  Rational slack = 0;
};

// What many episodes show. It grows with the totals that differ, not with the episodes, unless
// their order or their steps are kept as well.
struct EpisodeTally {
  struct Entry {
    Level wealth;  // as that of an Episode
    std::uint64_t count = 0;
  };
  std::vector<Entry> totals;  // ascending, each once
  std::uint64_t episodes = 0;
  Rational slack = 0;                    // the greatest of all episodes
  std::vector<std::uint32_t> drawn;      // of each episode, where its total stands; if kept
  std::vector<std::vector<Step>> steps;  // of each episode; if kept
};

// counts: the totals alone; order: drawn as well; steps: everything.
enum class KeepEpisodes { counts, order, steps };

// Which episodes are played, and what is kept of them.
struct SimulateQuery {
  std::uint64_t episodes = 1;
  std::uint64_t seed = 0;
  KeepEpisodes keep = KeepEpisodes::counts;
};

// Everything of these episodes, counted.
EpisodeTally tally(std::vector<Episode> episodes);

}  // namespace quantiplan
