// Seeded episodes of a policy: the same seed gives the same episodes on every platform.
#include "base/limits.hpp"
#include "base/work_watch.hpp"
#include "evaluate/player.hpp"
#include "evaluate/tallying.hpp"
#include "policy/drawing.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

// Null: the policy goes by residuals of sums.
std::shared_ptr<Structure> structure_for(const Model& model, const Policy& policy) {
  if (policy.setting.structure) return policy.setting.structure;
  return model.wealth().is_sum() && policy.wealths.empty() ? nullptr : structure_of(model);
}

class Episodes {
 public:
  Episodes(const Model& model, const Policy& policy, const Options& options)
      : limits_(options),
        memory_({"", "simulating", "simulated"}, options),
        structure_(structure_for(model, policy)),
        parts_(policy.mixture) {
    if (policy.mixture.empty()) add_player(model, policy);
    for (const MixturePart& part : policy.mixture) add_player(model, part.policy);
  }

  // One after the other, each with a seed of its own, until all are played or a limit is met.
  // `take` gets each; `bytes_to_come` is what will be needed besides what is held.
  template <class Take, class BytesToCome>
  void play(const SimulateQuery& query, const Take& take, const BytesToCome& bytes_to_come) {
    constexpr std::uint64_t kPause = 256;  // between two looks at the memory
    RandomBits seeds(query.seed);
    for (std::uint64_t i = 0; i < query.episodes && !limits_.ended(); ++i) {
      if (i % kPause == kPause - 1 && !memory_.has_room(bytes_to_come())) return;
      RandomBits bits(seeds.next());
      auto episode = drawn_player(bits).play(bits, query.keep == KeepEpisodes::steps);
      if (!episode) return;
      take(*std::move(episode));
      limits_.report("simulation",
                     static_cast<double>(i + 1) / static_cast<double>(query.episodes));
    }
  }
  [[nodiscard]] std::vector<Level> levels(std::vector<Total> wealths) const {
    return players_.front()->levels(std::move(wealths));
  }

 private:
  void add_player(const Model& model, const Policy& policy) {
    players_.push_back(structure_ ? player_by_wealth(model, structure_, policy, limits_)
                                  : player_of_sums(model, policy, limits_));
  }
  Player& drawn_player(RandomBits& bits) {
    return players_.size() == 1 ? *players_.front() : *players_[parts_.draw(bits.next())];
  }

  Limits limits_;
  WorkWatch memory_;
  std::shared_ptr<Structure> structure_;
  std::vector<std::unique_ptr<Player>> players_;  // of the policy, or of the parts of a mixture
  PartDrawing parts_;
};

}  // namespace

EpisodeTally tally(std::vector<Episode> episodes) {
  Tallying tallying(KeepEpisodes::steps);
  for (Episode& episode : episodes) tallying.add(std::move(episode));
  return tallying.finish([](std::vector<Level> levels) { return levels; });
}

std::vector<Episode> simulate(const Model& model,
                              const Policy& policy,
                              const SimulateQuery& query,
                              const Options& options) {
  Episodes played(model, policy, options);
  std::vector<Episode> out;
  const auto take = [&](Episode&& episode) { out.push_back(std::move(episode)); };
  played.play(query, take, [] { return std::uint64_t{0}; });
  std::vector<Total> ends;
  ends.reserve(out.size());
  for (const Episode& episode : out) ends.push_back(episode.wealth.total());
  std::vector<Level> levels = played.levels(std::move(ends));
  for (std::size_t i = 0; i < out.size(); ++i) out[i].wealth = std::move(levels[i]);
  return out;
}

EpisodeTally simulate_tally(const Model& model,
                            const Policy& policy,
                            const SimulateQuery& query,
                            const Options& options) {
  Episodes played(model, policy, options);
  Tallying tallying(query.keep);
  const auto take = [&](Episode&& episode) { tallying.add(std::move(episode)); };
  played.play(query, take, [&] { return tallying.bytes_to_come(); });
  return tallying.finish([&](const std::vector<Level>& ends) {
    return played.levels({ends.begin(), ends.end()});
  });
}

}  // namespace quantiplan
