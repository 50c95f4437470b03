#include "policy/stationary_rules.hpp"

#include <algorithm>
#include <limits>

#include "model/components.hpp"
#include "policy/counted_sign.hpp"
#include "policy/residual_rules.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::int64_t kMostCount = std::int64_t{1} << 62;
constexpr std::int64_t kAlways = std::numeric_limits<std::int64_t>::min();

[[noreturn]] void refuse_size() {
  throw Error(ErrorCode::refused,
              "policy",
              "totals need more than 62 bits in units of the rewards' common divisor; coarsen the "
              "rewards, or give a finite horizon or a discount");
}

}  // namespace

StationaryRules::StationaryRules(const Model& model, const Policy& policy)
    : model_(model), policy_(policy) {
  read_rules();
  find_reachable();
  find_unit();
  find_direction();
  cut_rules();
}

void StationaryRules::read_rules() {
  is_goal_.assign(model_.state_count(), false);
  for (const State s : policy_.setting.goal) is_goal_[index(s)] = true;
  rule_.assign(model_.state_count(), kNoRule);
  for (std::size_t i = 0; i < policy_.rules.size(); ++i) {
    const PolicyRule& rule = policy_.rules[i];
    rule_[index(rule.state)] = static_cast<std::uint32_t>(i);
    if (!policy_.target && !rule.runs.empty() && rule.runs.front().upto) {
      throw Error(ErrorCode::bad_policy,
                  "policy",
                  "found a rule by residual target, expected the policy to have a target");
    }
  }
}

void StationaryRules::find_reachable() {
  std::vector<bool> is_met(model_.state_count(), false);
  const auto meet = [&](State s) {
    if (is_met[index(s)] || is_goal(s) || model_.is_terminal(s)) return;
    is_met[index(s)] = true;
    reachable_.push_back(s);
  };
  for (const State s : policy_.setting.initial.states()) meet(s);
  for (std::size_t i = 0; i < reachable_.size(); ++i) {
    const std::uint32_t rule = rule_[index(reachable_[i])];
    if (rule == kNoRule) continue;  // an error only if the policy really gets there
    for (const PolicyRun& run : policy_.rules[rule].runs) {
      for (const Outcome& o : model_.outcomes(run.choice)) meet(o.next);
    }
  }
}

// Every reward is a whole multiple of gcd(numerators) / lcm(denominators), over that denominator.
void StationaryRules::find_unit() {
  pays_.assign(model_.choice_count(), false);
  counts_.assign(model_.rewards().size(), 0);
  std::vector<NumberId> rewards;
  std::vector<bool> is_met(model_.rewards().size(), false);
  for (const State s : reachable_) {
    if (rule_[index(s)] == kNoRule) continue;
    for (const PolicyRun& run : policy_.rules[rule_[index(s)]].runs) {
      for (const Outcome& o : model_.outcomes(run.choice)) {
        if (model_.rewards().is_zero(o.reward)) continue;
        pays_[index(run.choice)] = true;
        if (!is_met[index(o.reward)]) rewards.push_back(o.reward);
        is_met[index(o.reward)] = true;
      }
    }
  }
  Integer denominator = 1;
  for (const NumberId id : rewards)
    denominator = lcm(denominator, model_.rewards().rational(id).get_den());
  Integer divisor = 0;
  for (const NumberId id : rewards) {
    const Rational scaled = model_.rewards().rational(id) * denominator;
    divisor = gcd(divisor, scaled.get_num());
  }
  if (divisor == 0) return;
  unit_ = Rational(divisor, denominator);
  unit_.canonicalize();
  const int sign = counted_sign(policy_.setting);
  wealth_unit_ = sign * wealth_sign(policy_.setting) * unit_;
  for (const NumberId id : rewards) {
    const Rational count = sign * model_.rewards().rational(id) / unit_;
    if (mpz_sizeinbase(count.get_num_mpz_t(), 2) > 62) refuse_size();
    counts_[index(id)] = count.get_num().get_si();
  }
}

void StationaryRules::find_direction() {
  const auto [least, greatest] = std::minmax_element(counts_.begin(), counts_.end());
  const bool up = !counts_.empty() && *greatest > 0;
  const bool down = !counts_.empty() && *least < 0;
  if (up && down) {
    direction_ = Direction::both;
    if (pays_on_a_cycle()) {
      throw Error(ErrorCode::refused,
                  "policy",
                  "rewards of both signs on a cycle of the policy: the total need not have a "
                  "limit; give a finite horizon or a discount");
    }
  } else {
    direction_ = up ? Direction::up : down ? Direction::down : Direction::nowhere;
  }
}

// Whether some strongly connected component, by any runs, holds a move with a reward other than 0.
bool StationaryRules::pays_on_a_cycle() {
  std::vector<std::uint32_t> node(model_.state_count(), kNoRule);
  for (std::size_t i = 0; i < reachable_.size(); ++i)
    node[index(reachable_[i])] = static_cast<std::uint32_t>(i);
  const auto for_each_arc = [&](State s, const auto& visit) {
    if (rule_[index(s)] == kNoRule) return;
    for (const PolicyRun& run : policy_.rules[rule_[index(s)]].runs) {
      for (const Outcome& o : model_.outcomes(run.choice)) {
        if (node[index(o.next)] != kNoRule) visit(node[index(o.next)], o);
      }
    }
  };
  ArcLists arcs;
  for (const State s : reachable_) {
    for_each_arc(s, [&](std::uint32_t next, const Outcome&) { arcs.next.push_back(next); });
    arcs.close_node();
  }
  const Components components = strongly_connected(arcs);
  rank_.assign(model_.state_count(), components.count);  // of states that end an episode
  bool found = false;
  for (std::size_t i = 0; i < reachable_.size(); ++i) {
    rank_[index(reachable_[i])] = components.count - 1 - components.of_node[i];
    for_each_arc(reachable_[i], [&](std::uint32_t next, const Outcome& o) {
      if (components.of_node[next] == components.of_node[i] && counts(o) != 0) found = true;
    });
  }
  return found;
}

// y <= upto  iff  k >= (target - upto) / unit.
std::int64_t StationaryRules::threshold(const Rational& upto) const {
  const Rational exact = (*policy_.target - upto) / unit_;
  Integer up;
  mpz_cdiv_q(up.get_mpz_t(), exact.get_num_mpz_t(), exact.get_den_mpz_t());
  // k never gets beyond kMostCount, so a threshold that does is as good as one there.
  if (mpz_sizeinbase(up.get_mpz_t(), 2) > 62) return up > 0 ? kMostCount + 1 : -kMostCount;
  return up.get_si();
}

void StationaryRules::cut_rules() {
  begin_.push_back(0);
  for (const PolicyRule& rule : policy_.rules) {
    for (std::size_t i = rule.runs.size(); i-- > 0;) {
      from_.push_back(rule.runs[i].upto ? threshold(*rule.runs[i].upto) : kAlways);
      choice_.push_back(rule.runs[i].choice);
    }
    begin_.push_back(from_.size());
  }
  for (const State s : reachable_) {
    const std::uint32_t rule = rule_[index(s)];
    if (rule == kNoRule) continue;
    for (std::uint64_t i = begin_[rule]; i < begin_[rule + 1]; ++i) {
      if (from_[i] != kAlways) breaks_.push_back(from_[i]);
    }
  }
  std::ranges::sort(breaks_);
  breaks_.erase(std::unique(breaks_.begin(), breaks_.end()), breaks_.end());
}

Choice StationaryRules::choose(State s, std::int64_t k) const {
  const std::uint32_t rule = rule_[index(s)];
  if (rule != kNoRule) {
    const auto first = from_.begin() + static_cast<std::ptrdiff_t>(begin_[rule]);
    const auto last = from_.begin() + static_cast<std::ptrdiff_t>(begin_[rule + 1]);
    const auto beyond = std::upper_bound(first, last, k);
    if (beyond != first) return choice_[static_cast<std::size_t>(beyond - from_.begin()) - 1];
  }
  // Says what is missing, and where.
  return choose_by_residual(model_, policy_, 0, s, residual(k).value_or(0));
}

std::optional<Rational> StationaryRules::residual(std::int64_t k) const {
  if (!policy_.target) return std::nullopt;
  return Rational(*policy_.target - unit_ * Rational(Integer(k)));
}

std::int64_t StationaryRules::after(std::int64_t k, const Outcome& o) const {
  const std::int64_t next = k + counts(o);  // both below 2^62 in size
  if (next > kMostCount || next < -kMostCount) refuse_size();
  return next;
}

std::size_t StationaryRules::piece(std::int64_t k) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(breaks_, k) - breaks_.begin());
}

bool StationaryRules::is_settled(std::int64_t k) const {
  switch (direction_) {
    case Direction::up:
      return breaks_.empty() || k >= breaks_.back();
    case Direction::down:
      return breaks_.empty() || k < breaks_.front();
    case Direction::nowhere:
      return true;
    case Direction::both:
      break;
  }
  return breaks_.empty();
}

}  // namespace quantiplan
