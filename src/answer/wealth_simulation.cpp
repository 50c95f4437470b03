#include "wealth_simulation.hpp"

#include <algorithm>
#include <optional>

#include "drawing.hpp"
#include "limits.hpp"
#include "ranking.hpp"
#include "wealth_chain.hpp"
#include "wealth_rules.hpp"

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

  // The episodes played so far, with their classes.
  void place(std::vector<Episode>& episodes) const {
    std::vector<WealthId> distinct = ends_;
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    const Ranking ranking = Ranking::of(structure_, std::move(distinct));
    for (std::size_t i = 0; i < episodes.size(); ++i) {
      const auto position = ranking.class_of[index(ends_[i])] + 1UL;
      episodes[i].wealth = Rational(Integer(position));
      episodes[i].level = structure_.class_text(ends_[i]);
    }
  }

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
    ends_.push_back(wealth);
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
    ends_.push_back(chain_->wealth(v));
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
  std::vector<WealthId> ends_;        // of each episode played
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
  WealthPlayer player(model, *structure, policy, limits);
  RandomBits seeds(seed);
  std::vector<Episode> out;
  for (std::uint64_t i = 0; i < episodes && !limits.ended(); ++i) {
    auto episode = player.play(RandomBits(seeds.next()), keep_steps);
    if (!episode) break;
    out.push_back(*std::move(episode));
    limits.report("simulation", static_cast<double>(i + 1) / static_cast<double>(episodes));
  }
  player.place(out);
  return out;
}

}  // namespace quantiplan
