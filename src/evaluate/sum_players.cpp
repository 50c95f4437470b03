#include "evaluate/episode_wealth.hpp"
#include "evaluate/infinite/tail_prospects.hpp"
#include "evaluate/infinite/verdicts.hpp"
#include "evaluate/player.hpp"
#include "policy/counted_sign.hpp"
#include "policy/discounted_sum.hpp"
#include "policy/stationary_follower.hpp"
#include "policy/sum_follower.hpp"

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
  FinitePlayer(const Model& model, const Policy& policy, Totals totals, const Limits& limits)
      : SumPlayer(model, policy, limits),
        follower_(model, policy),
        sum_(model, policy.setting.discount) {
    if (totals == Totals::rounded && policy.setting.discount < 1)
      rounded_.emplace(model, policy, DiscountedSum::kCoarse);
  }

  std::optional<Episode> play(RandomBits bits, bool keep_steps) override {
    Episode episode;
    rewards_.clear();
    const auto is_over = [&](std::uint64_t t, State s) {
      return t >= policy_.setting.horizon || ends_at(s);
    };
    const auto take = [&](std::uint64_t, const Outcome& o) { rewards_.push_back(o.reward); };
    const auto last = follow(follower_, bits, keep_steps, episode, is_over, take);
    if (!last) return std::nullopt;
    if (has_goal() && !is_goal(*last)) {
      episode.wealth = Total::miss();
      return episode;
    }
    if (rounded_) {
      episode.wealth = wealth(rounded_->of(rewards_));
      episode.slack = rounded_->slack();
      return episode;
    }
    const auto sum = sum_.of(rewards_, limits_);
    if (!sum) return std::nullopt;
    episode.wealth = wealth(*sum);
    return episode;
  }

 private:
  SumFollower follower_;
  EpisodeWealth sum_;
  std::optional<DiscountedSum> rounded_;
  std::vector<NumberId> rewards_;  // of the episode that is being played
};

class InfinitePlayer final : public Player {
 public:
  InfinitePlayer(const Model& model, const Policy& policy, const Limits& limits)
      : Player(model, policy, limits), follower_(model, policy), verdicts_(rules()) {}

  std::optional<Episode> play(RandomBits bits, bool keep_steps) override {
    Episode episode;
    Verdict verdict = Verdict::open;
    const auto is_over = [&](std::uint64_t, State s) {
      verdict = verdicts_.at(s, follower_.count());
      return verdict != Verdict::open;
    };
    const auto take = [](std::uint64_t, const Outcome&) {};
    if (!follow(follower_, bits, keep_steps, episode, is_over, take)) return std::nullopt;
    episode.wealth = total(verdict);
    return episode;
  }

 private:
  [[nodiscard]] const StationaryRules& rules() const { return follower_.rules(); }
  [[nodiscard]] Total total(Verdict verdict) const {
    if (verdict == Verdict::miss) return Total::miss();
    if (verdict == Verdict::total)
      return Rational(rules().wealth_unit() * Rational(Integer(follower_.count())));
    // Infinite: rewards of one sign, for the count moves one way.
    const bool is_up = rules().direction() == StationaryRules::Direction::up;
    return is_up == (rules().wealth_unit() > 0) ? Total::plus_infinity() : Total::minus_infinity();
  }

  StationaryFollower follower_;
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
    const auto is_over = [&](std::uint64_t t, State s) {
      return is_decided(t, s) || (!has_goal() && t >= sum_.steps());
    };
    const auto take = [&](std::uint64_t t, const Outcome& o) {
      if (t < sum_.steps()) rewards_.push_back(o.reward);
    };
    const auto last = follow(follower_, bits, keep_steps, episode, is_over, take);
    if (!last) return std::nullopt;
    const std::uint64_t steps = rewards_.size();
    if (has_goal() && !is_goal(*last)) {
      episode.wealth = Total::miss();
    } else if (steps <= kFewSteps && steps < sum_.steps() && is_decided(steps, *last)) {
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
  [[nodiscard]] bool is_decided(std::uint64_t t, State s) const {
    if (ends_at(s)) return true;
    if (t < tail_.from()) return false;
    return has_goal() ? !tail_.can_arrive(s) : !tail_.can_pay(s);
  }

  SumFollower follower_;
  TailProspects tail_;
  EpisodeWealth exact_sum_;
  DiscountedSum sum_;
  std::vector<NumberId> rewards_;
};

}  // namespace

std::vector<Level> Player::levels(std::vector<Total> wealths) const {
  return {std::make_move_iterator(wealths.begin()), std::make_move_iterator(wealths.end())};
}

std::unique_ptr<Player> player_of_sums(const Model& model,
                                       const Policy& policy,
                                       Totals totals,
                                       const Limits& limits) {
  if (!policy.setting.is_infinite())
    return std::make_unique<FinitePlayer>(model, policy, totals, limits);
  if (policy.setting.discount == 1) return std::make_unique<InfinitePlayer>(model, policy, limits);
  return std::make_unique<DiscountedPlayer>(model, policy, limits);
}

}  // namespace quantiplan
