#include "evaluate/episode_wealth.hpp"
#include "evaluate/infinite/tail_prospects.hpp"
#include "evaluate/infinite/verdicts.hpp"
#include "evaluate/player.hpp"
#include "policy/counted_sign.hpp"
#include "policy/discounted_sum.hpp"
#include "policy/follower.hpp"

namespace quantiplan {
namespace {

// Totals, and goals that an episode must reach for one.
class SumPlayer : public Player {
 public:
  using Player::Player;

 protected:
  [[nodiscard]] bool is_goal(State s) const { return policy_.setting.is_goal(s); }
  [[nodiscard]] bool has_goal() const { return !policy_.setting.goal.empty(); }
  [[nodiscard]] bool ends_at(State s) const { return model_.is_terminal(s) || is_goal(s); }
  [[nodiscard]] Total wealth(const Rational& sum) const {
    return Rational(wealth_sign(policy_.setting) * sum);
  }
};

class FinitePlayer final : public SumPlayer {
 public:
  FinitePlayer(const Model& model, const Policy& policy, const Limits& limits)
      : SumPlayer(model, policy, limits),
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

class DiscountedPlayer final : public SumPlayer {
 public:
  DiscountedPlayer(const Model& model, const Policy& policy, const Limits& limits)
      : SumPlayer(model, policy, limits),
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

}  // namespace

std::vector<EpisodeTally::Entry> Player::entries(std::vector<Total> wealths) const {
  std::vector<EpisodeTally::Entry> out(wealths.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i].wealth = std::move(wealths[i]);
  return out;
}

const Outcome& Player::step(
    Choice choice, State from, RandomBits& bits, bool keep, Episode& episode) {
  const Outcome& o = drawing_.draw(choice, bits);
  if (keep) episode.steps.push_back({from, choice, model_.reward(o), o.next});
  return o;
}

std::unique_ptr<Player> player_of_sums(const Model& model,
                                       const Policy& policy,
                                       const Limits& limits) {
  if (!policy.setting.is_infinite()) return std::make_unique<FinitePlayer>(model, policy, limits);
  if (policy.setting.discount == 1) return std::make_unique<EndlessPlayer>(model, policy, limits);
  return std::make_unique<DiscountedPlayer>(model, policy, limits);
}

}  // namespace quantiplan
