#include "evaluate/wealth_simulation.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "base/limits.hpp"
#include "evaluate/classes/wealth_chain.hpp"
#include "evaluate/play_all.hpp"
#include "evaluate/tallying.hpp"
#include "policy/drawing.hpp"
#include "policy/wealth_rules.hpp"
#include "wealth/ranking.hpp"

namespace quantiplan {
namespace {

class WealthPlayer {
 public:
  WealthPlayer(const Model& model, Structure& structure, const Policy& policy, Limits& limits)
      : model_(model),
        structure_(structure),
        policy_(policy),
        limits_(limits),
        rules_(model, structure, policy),
        drawing_(model) {
    if (policy.setting.is_infinite())
      chain_.emplace(model, structure, policy.setting.initial, rules_, limits);
  }

  // Nullopt if the limits ended it.
  std::optional<Episode> play(RandomBits bits, bool keep_steps) {
    return chain_ ? play_on_chain(bits, keep_steps) : play_in_time(bits, keep_steps);
  }
  // Of the episode played last, the wealth at its end.
  [[nodiscard]] WealthId end() const { return end_; }

 private:
  std::optional<Episode> play_in_time(RandomBits& bits, bool keep) {
    Episode episode;
    State state = policy_.setting.initial;
    WealthId wealth = structure_.initial();
    for (std::uint64_t t = 0; t < policy_.setting.horizon && !model_.is_terminal(state); ++t) {
      if (is_ended(t)) return std::nullopt;
      const Choice choice = rules_.choose(t, state, wealth);
      const Outcome& o = step(choice, state, bits, keep, episode);
      wealth = structure_.update(wealth, o.reward);
      state = o.next;
    }
    end_ = wealth;
    return episode;
  }

  std::optional<Episode> play_on_chain(RandomBits& bits, bool keep) {
    if (!chain_->complete()) return std::nullopt;
    Episode episode;
    std::uint32_t v = 0;
    for (std::uint64_t t = 0; !chain_->is_decided(v); ++t) {
      if (is_ended(t)) return std::nullopt;
      const Choice choice = chain_->choice(v);
      const Outcome& o = step(choice, chain_->state(v), bits, keep, episode);
      v = chain_->next(v, static_cast<std::size_t>(&o - model_.outcomes(choice).data()));
    }
    end_ = chain_->wealth(v);
    return episode;
  }

  // Looked at now and then: an episode may take any number of steps.
  [[nodiscard]] bool is_ended(std::uint64_t t) const { return t % 1024 == 1023 && limits_.ended(); }

  // Draws, and writes it down.
  const Outcome& step(Choice choice, State from, RandomBits& bits, bool keep, Episode& episode) {
    const Outcome& o = drawing_.draw(choice, bits);
    if (keep) episode.steps.push_back({from, choice, model_.reward(o), o.next});
    return o;
  }

  const Model& model_;
  Structure& structure_;
  const Policy& policy_;
  const Limits& limits_;
  WealthRules rules_;
  Drawing drawing_;
  std::optional<WealthChain> chain_;  // infinite horizon
  WealthId end_{};                    // of the episode played last
};

// The classes of wealths that episodes ended with.
class EndClasses {
 public:
  EndClasses(Structure& structure, std::vector<WealthId> ends) : structure_(structure) {
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    ranking_ = Ranking::of(structure, std::move(ends));
  }
  [[nodiscard]] EpisodeTally::Entry of(WealthId end) const {
    const auto position = ranking_.class_of[index(end)] + 1UL;
    return {Rational(Integer(position)), 0, structure_.class_text(end)};
  }

 private:
  Structure& structure_;
  Ranking ranking_;
};

}  // namespace

std::vector<Episode> simulate_wealth(const Model& model,
                                     const std::shared_ptr<Structure>& structure,
                                     const Policy& policy,
                                     std::uint64_t episodes,
                                     std::uint64_t seed,
                                     bool keep_steps,
                                     const Options& options) {
  Limits limits(options);
  WorkWatch memory({"", "simulating", "simulated"}, options);
  WealthPlayer player(model, *structure, policy, limits);
  std::vector<Episode> out;
  std::vector<WealthId> ends;
  const auto play = [&](const RandomBits& bits) {
    auto episode = player.play(bits, keep_steps);
    if (!episode) return false;
    out.push_back(*std::move(episode));
    ends.push_back(player.end());
    return true;
  };
  play_all(episodes, seed, limits, memory, play, [] { return std::uint64_t{0}; });
  const EndClasses classes(*structure, ends);
  for (std::size_t i = 0; i < out.size(); ++i) {
    EpisodeTally::Entry entry = classes.of(ends[i]);
    out[i].wealth = std::move(entry.wealth);
    out[i].level = std::move(entry.level);
  }
  return out;
}

EpisodeTally tally_wealth(const Model& model,
                          const std::shared_ptr<Structure>& structure,
                          const Policy& policy,
                          std::uint64_t episodes,
                          std::uint64_t seed,
                          KeepEpisodes keep,
                          const Options& options) {
  Limits limits(options);
  WorkWatch memory({"", "simulating", "simulated"}, options);
  WealthPlayer player(model, *structure, policy, limits);
  Tallying<WealthId> tallying(keep);
  std::set<WealthId> ends;
  const auto play = [&](const RandomBits& bits) {
    auto episode = player.play(bits, keep == KeepEpisodes::steps);
    if (!episode) return false;
    ends.insert(player.end());
    tallying.add(player.end(), *std::move(episode));
    return true;
  };
  play_all(episodes, seed, limits, memory, play, [&] { return tallying.bytes_to_come(); });
  const EndClasses classes(*structure, {ends.begin(), ends.end()});
  return tallying.finish([&](WealthId end) { return classes.of(end); });
}

}  // namespace quantiplan
