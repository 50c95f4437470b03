// Seeded episodes of a policy. Sampling is exact in integers: an outcome is drawn by comparing 64
// random bits with its cumulative probability times 2^64, rounded up, so that every platform draws
// the same episodes.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "episode_wealth.hpp"
#include "index_policy.hpp"
#include "limits.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014): every seed gives a full-period stream of its own.
class RandomBits {
 public:
  explicit RandomBits(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

 private:
  std::uint64_t state_;
};

// For each outcome but the last, the first 64-bit number that is beyond it.
std::vector<std::uint64_t> thresholds(const Model& model, Choice c) {
  static_assert(sizeof(unsigned long) == 8, "GMP's unsigned long holds 64 bits");
  std::vector<std::uint64_t> out;
  Rational sum = 0;
  for (const Outcome& o : model.outcomes(c)) {
    sum += model.probability(o);
    if (sum >= 1) break;
    Integer scaled;
    const Integer numerator = sum.get_num() << 64;
    mpz_cdiv_q(scaled.get_mpz_t(), numerator.get_mpz_t(), sum.get_den_mpz_t());
    // A cumulative probability within 2^-64 of 1 rounds up to 2^64 itself.
    out.push_back(mpz_sizeinbase(scaled.get_mpz_t(), 2) > 64 ? ~std::uint64_t{0} : scaled.get_ui());
  }
  return out;
}

// What a policy goes by, from step to step: an index, a residual, or nothing at all.
class Follower {
 public:
  Follower(const Model& model, const Policy& policy)
      : model_(model),
        policy_(policy),
        by_index_(IndexPolicy::make(model, policy)),
        by_residual_(std::ranges::any_of(policy.rules, [](const PolicyRule& rule) {
          return !rule.runs.empty() && rule.runs.front().upto.has_value();
        })) {}

  void start() {
    if (by_index_) {
      index_ = by_index_->first();
    } else {
      residual_ = policy_.first_residual();
    }
  }
  Choice choose(std::uint64_t time, State state) {
    return by_index_ ? by_index_->choose(time, state, index_)
                     : policy_.choose(model_, time, state, residual_);
  }
  void collect(std::uint64_t time, const Outcome& outcome) {
    if (by_index_) {
      index_ = by_index_->next(index_, outcome.reward);
    } else if (by_residual_) {
      residual_ = policy_.next_residual(time, residual_, model_.reward(outcome));
    }
  }

 private:
  const Model& model_;
  const Policy& policy_;
  std::optional<IndexPolicy> by_index_;
  bool by_residual_;
  std::int64_t index_ = 0;
  Rational residual_;
};

class Simulator {
 public:
  Simulator(const Model& model, const Policy& policy)
      : model_(model),
        policy_(policy),
        follower_(model, policy),
        wealth_(model, policy.setting.discount) {}

  Episode run(std::uint64_t seed, bool keep_steps) {
    RandomBits bits(seed);
    Episode episode;
    rewards_.clear();
    follower_.start();
    State state = policy_.setting.initial;
    for (std::uint64_t t = 0; t < policy_.setting.horizon && !model_.is_terminal(state); ++t) {
      const Choice choice = follower_.choose(t, state);
      const Outcome& o = draw(choice, bits);
      rewards_.push_back(o.reward);
      follower_.collect(t, o);
      if (keep_steps) episode.steps.push_back({state, choice, model_.reward(o), o.next});
      state = o.next;
    }
    episode.wealth = wealth_.of(rewards_);
    return episode;
  }

 private:
  const Outcome& draw(Choice c, RandomBits& bits) {
    auto known = thresholds_.find(c);
    if (known == thresholds_.end()) known = thresholds_.emplace(c, thresholds(model_, c)).first;
    const std::uint64_t drawn = bits.next();
    std::size_t i = 0;
    while (i < known->second.size() && drawn >= known->second[i]) ++i;
    return model_.outcomes(c)[i];
  }

  const Model& model_;
  const Policy& policy_;
  Follower follower_;
  EpisodeWealth wealth_;
  std::vector<NumberId> rewards_;  // of the episode that is being played
  std::unordered_map<Choice, std::vector<std::uint64_t>> thresholds_;
};

}  // namespace

std::vector<Episode> simulate(const Model& model,
                              const Policy& policy,
                              std::uint64_t episodes,
                              std::uint64_t seed,
                              bool keep_steps,
                              const Options& options) {
  const Limits limits(options);
  Simulator simulator(model, policy);
  RandomBits seeds(seed);
  std::vector<Episode> out;
  for (std::uint64_t i = 0; i < episodes && !limits.ended(); ++i) {
    out.push_back(simulator.run(seeds.next(), keep_steps));
    limits.report("simulation", static_cast<double>(i + 1) / static_cast<double>(episodes));
  }
  return out;
}

}  // namespace quantiplan
