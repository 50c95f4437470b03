// Episodes of a policy that goes by wealth.
#include <algorithm>

#include "evaluate/classes/wealth_chain.hpp"
#include "evaluate/player.hpp"
#include "policy/wealth_follower.hpp"
#include "wealth/ranking.hpp"

namespace quantiplan {
namespace {

// On the chain of a stationary policy, whose nodes know their choices.
class ChainFollower {
 public:
  ChainFollower(const Model& model, const WealthChain& chain) : model_(model), chain_(chain) {}
  // The first nodes are those of the initial states, in their order.
  void start(State s) {
    node_ = 0;
    while (chain_.state(node_) != s) ++node_;
  }
  [[nodiscard]] Choice choose(std::uint64_t, State) const { return chain_.choice(node_); }
  void collect(std::uint64_t, const Outcome& o) {
    const Outcome* first = model_.outcomes(chain_.choice(node_)).data();
    node_ = chain_.next(node_, static_cast<std::size_t>(&o - first));
  }
  [[nodiscard]] bool is_decided() const { return chain_.is_decided(node_); }
  [[nodiscard]] WealthId wealth() const { return chain_.wealth(node_); }

 private:
  const Model& model_;
  const WealthChain& chain_;
  std::uint32_t node_ = 0;
};

class WealthPlayer final : public Player {
 public:
  WealthPlayer(const Model& model,
               const std::shared_ptr<Structure>& structure,
               const Policy& policy,
               Limits& limits)
      : Player(model, policy, limits), structure_(structure), follower_(model, *structure, policy) {
    if (policy.setting.is_infinite())
      chain_.emplace(model, *structure, policy.setting.initial, follower_.rules(), limits);
  }

  std::optional<Episode> play(RandomBits bits, bool keep_steps) override {
    return chain_ ? play_on_chain(bits, keep_steps) : play_in_time(bits, keep_steps);
  }

  [[nodiscard]] std::vector<Level> levels(std::vector<Total> wealths) const override {
    std::vector<WealthId> ends;
    ends.reserve(wealths.size());
    for (const Total& wealth : wealths) ends.push_back(end_of(wealth));
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    const Ranking ranking = Ranking::of(*structure_, std::move(ends));
    const auto classes = std::make_shared<const WealthClasses>(structure_, ranking.representative);
    std::vector<Level> out;
    for (const Total& wealth : wealths) {
      const std::size_t position = ranking.class_of[index(end_of(wealth))] + 1UL;
      out.emplace_back(classes, position);
    }
    return out;
  }

 private:
  std::optional<Episode> play_in_time(RandomBits& bits, bool keep) {
    Episode episode;
    const auto is_over = [&](std::uint64_t t, State s) {
      return t >= policy_.setting.horizon || model_.is_terminal(s);
    };
    if (!follow(follower_, bits, keep, episode, is_over, kTakeNothing)) return std::nullopt;
    episode.wealth = number_of(*follower_.wealth());
    return episode;
  }

  std::optional<Episode> play_on_chain(RandomBits& bits, bool keep) {
    if (!chain_->complete()) return std::nullopt;
    Episode episode;
    ChainFollower follower(model_, *chain_);
    const auto is_over = [&](std::uint64_t, State) { return follower.is_decided(); };
    if (!follow(follower, bits, keep, episode, is_over, kTakeNothing)) return std::nullopt;
    episode.wealth = number_of(follower.wealth());
    return episode;
  }

  static constexpr auto kTakeNothing = [](std::uint64_t, const Outcome&) {};
  static Total number_of(WealthId wealth) { return {static_cast<int>(index(wealth))}; }
  static WealthId end_of(const Total& number) {
    return WealthId{static_cast<std::uint32_t>(number.value().get_num().get_ui())};
  }

  std::shared_ptr<Structure> structure_;
  WealthFollower follower_;
  std::optional<WealthChain> chain_;  // infinite horizon
};

}  // namespace

std::unique_ptr<Player> player_by_wealth(const Model& model,
                                         const std::shared_ptr<Structure>& structure,
                                         const Policy& policy,
                                         Limits& limits) {
  return std::make_unique<WealthPlayer>(model, structure, policy, limits);
}

}  // namespace quantiplan
