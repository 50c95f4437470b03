#include "policy/index_policy.hpp"

#include <algorithm>
#include <limits>

#include "policy/counted_sign.hpp"
#include "policy/residual_rules.hpp"

namespace quantiplan {
namespace {

constexpr std::int64_t kMostIndex = std::int64_t{1} << 62;
constexpr std::int64_t kRest = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> narrow(const Integer& value) {
  if (mpz_sizeinbase(value.get_mpz_t(), 2) > 62) return std::nullopt;
  return value.get_si();
}

// The rewards that the choices of the rules from `rule` on of one time can give.
std::vector<NumberId> rewards_of(const Model& model,
                                 const std::vector<PolicyRule>& rules,
                                 std::size_t rule) {
  std::vector<NumberId> rewards;
  for (std::size_t i = rule; i < rules.size() && rules[i].time == rules[rule].time; ++i) {
    for (const PolicyRun& run : rules[i].runs) {
      for (const Outcome& o : model.outcomes(run.choice)) rewards.push_back(o.reward);
    }
  }
  std::ranges::sort(rewards);
  rewards.erase(std::unique(rewards.begin(), rewards.end()), rewards.end());
  return rewards;
}

// gamma^t / H_t as a fraction that need not be reduced, for ascending t.
class GridPowers {
 public:
  explicit GridPowers(const Policy& policy)
      : gamma_(policy.setting.discount),
        grid_(*policy.grid),
        sign_(counted_sign(policy.setting)),
        above_(grid_.unit.get_den()),
        below_(grid_.unit.get_num()) {}

  void move_to(std::uint64_t time) {
    for (; time_ < time; ++time_) {
      above_ *= gamma_.get_num();
      below_ *= gamma_.get_den();
    }
    const unsigned long until = halvings_until(grid_, time);
    above_ <<= until - halvings_;
    halvings_ = until;
  }
  [[nodiscard]] Integer key(const Rational& reward) const {
    Integer down;
    const Integer above = above_ * reward.get_num() * sign_;
    const Integer below = below_ * reward.get_den();
    mpz_fdiv_q(down.get_mpz_t(), above.get_mpz_t(), below.get_mpz_t());
    return down;
  }

 private:
  const Rational& gamma_;
  const PolicyGrid& grid_;
  int sign_;
  Integer above_;
  Integer below_;
  std::uint64_t time_ = 0;
  unsigned long halvings_ = 0;
};

}  // namespace

std::optional<IndexPolicy> IndexPolicy::make(const Model& model, const Policy& policy) {
  if (!policy.grid || (policy.setting.is_infinite() && !policy.truncated_at)) return std::nullopt;
  IndexPolicy made(model, policy);
  if (!made.read_rules() || !made.compute_keys()) return std::nullopt;
  return made;
}

bool IndexPolicy::read_rules() {
  const Rational start = first_residual(*policy_);
  const auto first = narrow(start.get_num());
  if (start.get_den() != 1 || !first) return false;
  first_ = *first;
  runs_begin_.push_back(0);
  for (const PolicyRule& rule : policy_->rules) {
    // The last rules hold for ever, with keys of their own at every time.
    if (rule.time == policy_->truncated_at && rule.runs.size() > 1) return false;
    for (const PolicyRun& run : rule.runs) {
      if (!run.upto) {
        upto_.push_back(kRest);
        continue;
      }
      const auto upto = narrow(run.upto->get_num());
      if (run.upto->get_den() != 1 || !upto) return false;
      upto_.push_back(*upto);
    }
    runs_begin_.push_back(upto_.size());
  }
  return true;
}

bool IndexPolicy::compute_keys() {
  Integer largest = first_ < 0 ? -first_ : first_;
  for (const std::int64_t upto : upto_) {
    if (upto != kRest && cmp(largest, upto < 0 ? -upto : upto) < 0)
      largest = upto < 0 ? -upto : upto;
  }
  GridPowers powers(*policy_);
  const std::vector<PolicyRule>& rules = policy_->rules;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (i > 0 && rules[i].time == rules[i - 1].time) continue;
    Layer layer;
    layer.time = rules[i].time;
    layer.first_rule = i;
    powers.move_to(layer.time);
    layer.halvings =
        halvings_until(*policy_->grid, layer.time + 1) - halvings_until(*policy_->grid, layer.time);
    layer.rewards = rewards_of(*model_, rules, i);
    Integer most = 0;
    for (const NumberId id : layer.rewards) {
      const Integer key = powers.key(model_->rewards().rational(id));
      if (mpz_cmpabs(key.get_mpz_t(), most.get_mpz_t()) > 0) most = abs(key);
      layer.keys.push_back(narrow(key).value_or(0));
    }
    largest += most;
    if (!narrow(largest)) return false;
    layers_.push_back(std::move(layer));
  }
  return true;
}

std::size_t IndexPolicy::find_layer(std::uint64_t time, std::size_t last) const {
  // Episodes go from one time to the next.
  const std::size_t guess = time == 0 ? 0 : last + 1;
  if (guess < layers_.size() && layers_[guess].time == time) return guess;
  const auto found = std::ranges::lower_bound(layers_, time, {}, &Layer::time);
  if (found == layers_.end() || found->time != time) return layers_.size();
  return static_cast<std::size_t>(found - layers_.begin());
}

Choice IndexPolicy::choose(std::uint64_t time, State state, Place& place) const {
  const std::vector<PolicyRule>& rules = policy_->rules;
  const std::size_t layer = find_layer(time, place.layer);
  const auto first_rule = [&](std::size_t l) {
    return rules.begin() +
           static_cast<std::ptrdiff_t>(l < layers_.size() ? layers_[l].first_rule : rules.size());
  };
  const auto rule = std::ranges::lower_bound(
      first_rule(layer), first_rule(layer + 1), state, {}, &PolicyRule::state);
  const auto r = static_cast<std::size_t>(rule - rules.begin());
  const bool found = r < rules.size() && rules[r].time == time && rules[r].state == state;
  const auto begin = upto_.begin() + static_cast<std::ptrdiff_t>(found ? runs_begin_[r] : 0);
  const auto end = upto_.begin() + static_cast<std::ptrdiff_t>(found ? runs_begin_[r + 1] : 0);
  const auto run = std::lower_bound(begin, end, place.index);
  // Says what is missing, and where.
  if (run == end)
    return choose_by_residual(*model_, *policy_, time, state, Rational(Integer(place.index)));
  place.layer = layer;
  return rules[r].runs[static_cast<std::size_t>(run - begin)].choice;
}

void IndexPolicy::collect(NumberId reward, Place& place) const {
  const Layer& layer = layers_[place.layer];
  const auto found = std::ranges::lower_bound(layer.rewards, reward);
  const std::int64_t left =
      place.index - layer.keys[static_cast<std::size_t>(found - layer.rewards.begin())];
  const std::int64_t most = layer.halvings < 62 ? kMostIndex >> layer.halvings : 0;
  if (left > most) {
    place.index = kMostIndex;
  } else if (left < -most) {
    place.index = -kMostIndex;
  } else {
    place.index = layer.halvings < 62 ? left * (std::int64_t{1} << layer.halvings) : 0;
  }
}

}  // namespace quantiplan
