// Episodes of a policy that goes by wealth.
#include <algorithm>

#include "evaluate/classes/wealth_chain.hpp"
#include "evaluate/player.hpp"
#include "policy/wealth_rules.hpp"
#include "wealth/ranking.hpp"

namespace quantiplan {
namespace {

class WealthPlayer final : public Player {
 public:
  WealthPlayer(const Model& model, Structure& structure, const Policy& policy, Limits& limits)
      : Player(model, policy, limits), structure_(structure), rules_(model, structure, policy) {
    if (policy.setting.is_infinite())
      chain_.emplace(model, structure, policy.setting.initial, rules_, limits);
  }

  std::optional<Episode> play(RandomBits bits, bool keep_steps) override {
    return chain_ ? play_on_chain(bits, keep_steps) : play_in_time(bits, keep_steps);
  }

  [[nodiscard]] std::vector<EpisodeTally::Entry> entries(
      std::vector<Total> wealths) const override {
    std::vector<WealthId> ends;
    ends.reserve(wealths.size());
    for (const Total& wealth : wealths) ends.push_back(end_of(wealth));
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    const Ranking ranking = Ranking::of(structure_, std::move(ends));
    std::vector<EpisodeTally::Entry> out;
    for (const Total& wealth : wealths) {
      const WealthId end = end_of(wealth);
      const auto position = ranking.class_of[index(end)] + 1UL;
      out.push_back({Rational(Integer(position)), 0, structure_.class_text(end)});
    }
    return out;
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
    episode.wealth = number_of(wealth);
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
    episode.wealth = number_of(chain_->wealth(v));
    return episode;
  }

  static Total number_of(WealthId wealth) { return {static_cast<int>(index(wealth))}; }
  static WealthId end_of(const Total& number) {
    return WealthId{static_cast<std::uint32_t>(number.value().get_num().get_ui())};
  }

  Structure& structure_;
  WealthRules rules_;
  std::optional<WealthChain> chain_;  // infinite horizon
};

}  // namespace

std::unique_ptr<Player> player_by_wealth(const Model& model,
                                         Structure& structure,
                                         const Policy& policy,
                                         Limits& limits) {
  return std::make_unique<WealthPlayer>(model, structure, policy, limits);
}

}  // namespace quantiplan
