// Seeded episodes of a policy: the same seed gives the same episodes on every platform, whatever the
// number of threads.
#include <algorithm>

#include "base/limits.hpp"
#include "base/team.hpp"
#include "base/work_watch.hpp"
#include "evaluate/player.hpp"
#include "evaluate/sampled.hpp"
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
  Episodes(const Model& model,
           const Policy& policy,
           std::uint64_t episodes,
           Totals totals,
           const Options& options)
      : limits_(options),
        memory_({"", "simulating", "simulated"}, options),
        structure_(structure_for(model, policy)),
        parts_(policy.mixture),
        players_(workers(episodes)) {
    for (auto& own : players_) {
      if (policy.mixture.empty()) own.push_back(player(model, policy, totals));
      for (const MixturePart& part : policy.mixture)
        own.push_back(player(model, part.policy, totals));
    }
  }

  // Each with a seed of its own, on all threads, until all are played or a limit is met. `take` gets them
  // one after the other; `bytes_to_come` is what will be needed besides what is held.
  template <class Take, class BytesToCome>
  void play(const SimulateQuery& query, const Take& take, const BytesToCome& bytes_to_come) {
    constexpr std::uint64_t kBlock = 256;  // between two looks at the memory
    RandomBits seeds(query.seed);
    Team team(static_cast<unsigned>(players_.size()));
    std::vector<std::uint64_t> seed;
    std::vector<std::optional<Episode>> played;
    for (std::uint64_t i = 0; i < query.episodes && !limits_.ended(); i += seed.size()) {
      if (i > 0 && !memory_.has_room(bytes_to_come())) return;
      seed.resize(std::min(kBlock, query.episodes - i));
      for (std::uint64_t& each : seed) each = seeds.next();
      played.assign(seed.size(), std::nullopt);
      team.run(seed.size(), 8, [&](unsigned worker, std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end && !limits_.ended(); ++k) {
          RandomBits bits(seed[k]);
          played[k] = drawn_player(worker, bits).play(bits, query.keep == KeepEpisodes::steps);
        }
      });
      for (std::optional<Episode>& episode : played) {
        if (!episode) return;
        take(*std::move(episode));
      }
      limits_.report("simulation",
                     static_cast<double>(i + seed.size()) / static_cast<double>(query.episodes));
    }
  }
  [[nodiscard]] std::vector<Level> levels(std::vector<Total> wealths) const {
    return players_.front().front()->levels(std::move(wealths));
  }

 private:
  // Structures number the wealths that they meet: one thread at a time.
  [[nodiscard]] std::size_t workers(std::uint64_t episodes) const {
    constexpr std::uint64_t kFew = 64;  // are played before another player is made
    if (structure_) return 1;
    return std::clamp<std::uint64_t>(episodes / kFew, 1, limits_.threads());
  }
  std::unique_ptr<Player> player(const Model& model, const Policy& policy, Totals totals) {
    return structure_ ? player_by_wealth(model, structure_, policy, limits_)
                      : player_of_sums(model, policy, totals, limits_);
  }
  Player& drawn_player(unsigned worker, RandomBits& bits) {
    const auto& own = players_[worker];
    return own.size() == 1 ? *own.front() : *own[parts_.draw(bits.next())];
  }

  Limits limits_;
  WorkWatch memory_;
  std::shared_ptr<Structure> structure_;
  PartDrawing parts_;
  // By thread: of the policy, or of the parts of a mixture.
  std::vector<std::vector<std::unique_ptr<Player>>> players_;
};

EpisodeTally tally_of(const Model& model,
                      const Policy& policy,
                      const SimulateQuery& query,
                      Totals totals,
                      const Options& options) {
  Episodes played(model, policy, query.episodes, totals, options);
  Tallying tallying(query.keep);
  const auto take = [&](Episode&& episode) { tallying.add(std::move(episode)); };
  played.play(query, take, [&] { return tallying.bytes_to_come(); });
  return tallying.finish([&](const std::vector<Level>& ends) {
    return played.levels({ends.begin(), ends.end()});
  });
}

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
  Episodes played(model, policy, query.episodes, Totals::exact, options);
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
  return tally_of(model, policy, query, Totals::exact, options);
}

EpisodeTally sampled_tally(const Model& model,
                           const Policy& policy,
                           const SimulateQuery& query,
                           const Options& options) {
  return tally_of(model, policy, query, Totals::rounded, options);
}

}  // namespace quantiplan
