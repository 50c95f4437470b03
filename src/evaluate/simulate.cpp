// Seeded episodes of a policy: the same seed gives the same episodes on every platform.
//
//     finite horizon           until it is over, a terminal state or a goal
//     infinite, no discount    until it is decided (Verdicts)
//     infinite, discounted     until what can follow is negligible (DiscountedSum), and, with a
//                              goal, whether it will be reached is decided
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "base/limits.hpp"
#include "evaluate/episode_wealth.hpp"
#include "evaluate/infinite/tail_prospects.hpp"
#include "evaluate/infinite/verdicts.hpp"
#include "evaluate/play_all.hpp"
#include "evaluate/tallying.hpp"
#include "evaluate/wealth_simulation.hpp"
#include "policy/counted_sign.hpp"
#include "policy/discounted_sum.hpp"
#include "policy/drawing.hpp"
#include "policy/follower.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

class Player {
 public:
  Player(const Model& model, const Policy& policy, const Limits& limits)
      : model_(model), policy_(policy), limits_(limits), drawing_(model) {}
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;
  virtual ~Player() = default;

  // Nullopt if the limits ended it.
  virtual std::optional<Episode> play(RandomBits bits, bool keep_steps) = 0;

 protected:
  [[nodiscard]] bool is_goal(State s) const { return policy_.setting.is_goal(s); }
  [[nodiscard]] bool has_goal() const { return !policy_.setting.goal.empty(); }
  [[nodiscard]] bool ends_at(State s) const { return model_.is_terminal(s) || is_goal(s); }
  // Looked at now and then: an episode may take any number of steps.
  [[nodiscard]] bool is_ended(std::uint64_t step) const {
    return step % 1024 == 1023 && limits_.ended();
  }
  [[nodiscard]] Total wealth(const Rational& sum) const {
    return Rational(wealth_sign(policy_.setting) * sum);
  }

  // One step: draws, and writes it down.
  const Outcome& step(Choice choice, State from, RandomBits& bits, bool keep, Episode& episode) {
    const Outcome& o = drawing_.draw(choice, bits);
    if (keep) episode.steps.push_back({from, choice, model_.reward(o), o.next});
    return o;
  }

  const Model& model_;
  const Policy& policy_;
  const Limits& limits_;

 private:
  Drawing drawing_;
};

class FinitePlayer final : public Player {
 public:
  FinitePlayer(const Model& model, const Policy& policy, const Limits& limits)
      : Player(model, policy, limits),
        follower_(model, policy),
        sum_(model, policy.setting.discount) {}

  std::optional<Episode> play(RandomBits bits, bool keep_steps) override {
    Episode episode;
    rewards_.clear();
    follower_.start();
    State state = policy_.setting.initial;
    for (std::uint64_t t = 0; t < policy_.setting.horizon && !ends_at(state); ++t) {
      if (is_ended(t)) return std::nullopt;
      const Outcome& o = step(follower_.choose(t, state), state, bits, keep_steps, episode);
      rewards_.push_back(o.reward);
      follower_.collect(t, o);
      state = o.next;
    }
    if (has_goal() && !is_goal(state)) {
      episode.wealth = Total::miss();
      return episode;
    }
    const auto sum = sum_.of(rewards_, limits_);
    if (!sum) return std::nullopt;
    episode.wealth = wealth(*sum);
    return episode;
  }

 private:
  Follower follower_;
  EpisodeWealth sum_;
  std::vector<NumberId> rewards_;  // of the episode that is being played
};

class EndlessPlayer final : public Player {
 public:
  EndlessPlayer(const Model& model, const Policy& policy, const Limits& limits)
      : Player(model, policy, limits), rules_(model, policy), verdicts_(rules_) {}

  std::optional<Episode> play(RandomBits bits, bool keep_steps) override {
    Episode episode;
    State state = policy_.setting.initial;
    std::int64_t k = 0;
    Verdict verdict = verdicts_.at(state, k);
    for (std::uint64_t t = 0; verdict == Verdict::open; ++t) {
      if (is_ended(t)) return std::nullopt;
      const Outcome& o = step(rules_.choose(state, k), state, bits, keep_steps, episode);
      k = rules_.after(k, o);
      state = o.next;
      verdict = verdicts_.at(state, k);
    }
    episode.wealth = total(verdict, k);
    return episode;
  }

 private:
  [[nodiscard]] Total total(Verdict verdict, std::int64_t k) const {
    if (verdict == Verdict::miss) return Total::miss();
    if (verdict == Verdict::total) return Rational(rules_.wealth_unit() * Rational(Integer(k)));
    // Endless: rewards of one sign, for k moves one way.
    const bool is_up = rules_.direction() == StationaryRules::Direction::up;
    return is_up == (rules_.wealth_unit() > 0) ? Total::plus_infinity() : Total::minus_infinity();
  }

  StationaryRules rules_;
  Verdicts verdicts_;
};

class DiscountedPlayer final : public Player {
 public:
  DiscountedPlayer(const Model& model, const Policy& policy, const Limits& limits)
      : Player(model, policy, limits),
        follower_(model, policy),
        tail_(model, policy),
        exact_sum_(model, policy.setting.discount),
        sum_(model, policy) {}

  std::optional<Episode> play(RandomBits bits, bool keep_steps) override {
    Episode episode;
    rewards_.clear();
    follower_.start();
    State state = policy_.setting.initial;
    std::uint64_t t = 0;
    for (; !is_over(state, t) && (has_goal() || t < sum_.steps()); ++t) {
      if (is_ended(t)) return std::nullopt;
      const Outcome& o = step(follower_.choose(t, state), state, bits, keep_steps, episode);
      if (t < sum_.steps()) rewards_.push_back(o.reward);
      follower_.collect(t, o);
      state = o.next;
    }
    if (has_goal() && !is_goal(state)) {
      episode.wealth = Total::miss();
    } else if (t <= kFewSteps && t < sum_.steps() && is_over(state, t)) {
      const auto sum = exact_sum_.of(rewards_, limits_);
      if (!sum) return std::nullopt;
      episode.wealth = wealth(*sum);
    } else {
      episode.wealth = wealth(sum_.of(rewards_));
      episode.slack = sum_.slack();
    }
    return episode;
  }

 private:
  static constexpr std::uint64_t kFewSteps = 1000;  // whose exact sum is quickly found

  // True if nothing can be added any more, or the goal not be reached.
  [[nodiscard]] bool is_over(State s, std::uint64_t t) const {
    if (ends_at(s)) return true;
    if (t < tail_.from()) return false;
    return has_goal() ? !tail_.can_arrive(s) : !tail_.can_pay(s);
  }

  Follower follower_;
  TailProspects tail_;
  EpisodeWealth exact_sum_;
  DiscountedSum sum_;
  std::vector<NumberId> rewards_;
};

std::unique_ptr<Player> player_of(const Model& model, const Policy& policy, const Limits& limits) {
  if (!policy.setting.is_infinite()) return std::make_unique<FinitePlayer>(model, policy, limits);
  if (policy.setting.discount == 1) return std::make_unique<EndlessPlayer>(model, policy, limits);
  return std::make_unique<DiscountedPlayer>(model, policy, limits);
}

}  // namespace

EpisodeTally tally(std::vector<Episode> episodes) {
  Tallying<Total> tallying(KeepEpisodes::steps);
  std::map<Total, std::optional<std::string>> levels;
  for (Episode& episode : episodes) {
    const Total total = episode.wealth;
    levels.try_emplace(total, episode.level);
    tallying.add(total, std::move(episode));
  }
  return tallying.finish([&](const Total& total) {
    return EpisodeTally::Entry{total, 0, std::move(levels.find(total)->second)};
  });
}

std::vector<Episode> simulate(const Model& model,
                              const Policy& policy,
                              std::uint64_t episodes,
                              std::uint64_t seed,
                              bool keep_steps,
                              const Options& options) {
  if (!model.wealth().is_sum() || !policy.wealths.empty()) {
    return simulate_wealth(model, structure_of(model), policy, episodes, seed, keep_steps, options);
  }
  const Limits limits(options);
  WorkWatch memory({"", "simulating", "simulated"}, options);
  const auto player = player_of(model, policy, limits);
  std::vector<Episode> out;
  const auto play = [&](const RandomBits& bits) {
    auto episode = player->play(bits, keep_steps);
    if (!episode) return false;
    out.push_back(*std::move(episode));
    return true;
  };
  play_all(episodes, seed, limits, memory, play, [] { return std::uint64_t{0}; });
  return out;
}

EpisodeTally simulate_tally(const Model& model,
                            const Policy& policy,
                            std::uint64_t episodes,
                            std::uint64_t seed,
                            KeepEpisodes keep,
                            const Options& options) {
  if (!model.wealth().is_sum() || !policy.wealths.empty())
    return tally_wealth(model, structure_of(model), policy, episodes, seed, keep, options);
  const Limits limits(options);
  WorkWatch memory({"", "simulating", "simulated"}, options);
  const auto player = player_of(model, policy, limits);
  Tallying<Total> tallying(keep);
  const auto play = [&](const RandomBits& bits) {
    auto episode = player->play(bits, keep == KeepEpisodes::steps);
    if (!episode) return false;
    const Total total = episode->wealth;
    tallying.add(total, *std::move(episode));
    return true;
  };
  play_all(episodes, seed, limits, memory, play, [&] { return tallying.bytes_to_come(); });
  return tallying.finish([](Total&& total) { return EpisodeTally::Entry{std::move(total)}; });
}

}  // namespace quantiplan
