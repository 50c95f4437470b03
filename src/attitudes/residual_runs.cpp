#include "attitudes/residual_runs.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

std::int64_t whole_steps(const Rational& amount, const Rational& step) {
  const Rational ratio = amount / step;
  Integer whole;
  mpz_fdiv_q(whole.get_mpz_t(), ratio.get_num_mpz_t(), ratio.get_den_mpz_t());
  // Beyond all totals, which have 62 bits, one number is as good as another.
  const Integer limit = Integer(1) << 62U;
  return static_cast<std::int64_t>(std::clamp(whole, Integer(-limit), limit).get_si());
}

}  // namespace

ResidualRuns::ResidualRuns(const Stages& stages, const Policy& policy)
    : stages_(stages), runs_(stages.horizon() + 1), range_(stages.horizon() + 1) {
  if (policy.target) target_ = whole_steps(*policy.target, stages.scale().unit());
  for (std::uint64_t t = 0; t <= stages.horizon(); ++t) {
    runs_[t].resize(stages.layer(t).size());
    range_[t].resize(stages.layer(t).size());
  }
  read_runs(policy);
  for (std::uint64_t t = stages.horizon(); t-- > 0;) {
    for (std::uint32_t slot = 0; slot < runs_[t].size(); ++slot) {
      if (!runs_[t][slot].empty()) find_range(t, slot);
    }
  }
}

void ResidualRuns::read_runs(const Policy& policy) {
  Rational power = 1;  // gamma^t: a residual y at time t is gamma^t y in units of time 0
  std::uint64_t time = 0;
  for (const PolicyRule& rule : policy.rules) {
    for (; time < rule.time; ++time) {
      if (!policy.grid) power *= policy.setting.discount;
    }
    std::vector<Run>& runs = runs_[rule.time][stages_.layer(rule.time).slot(rule.state)];
    for (const PolicyRun& run : rule.runs) {
      Run& read = runs.emplace_back();
      read.choice = run.choice;
      if (!run.upto) continue;
      read.upto = policy.grid ? whole_steps(*run.upto, 1)
                              : whole_steps(*run.upto * power, stages_.scale().unit());
    }
  }
}

void ResidualRuns::find_range(std::uint64_t time, std::uint32_t slot) {
  const std::vector<Run>& runs = runs_[time][slot];
  const Layer& next_layer = stages_.layer(time + 1);
  const unsigned shift = stages_.scale().shift_after(time);
  Range& range = range_[time][slot];
  if (runs.size() > 1) range = {runs.front().upto, runs[runs.size() - 2].upto};
  for (const Outcome& o : stages_.model().outcomes(runs.front().choice)) {
    const std::int64_t later = range_[time + 1][next_layer.slot(o.next)].low;
    if (later != kAbove)
      range.low = std::min(range.low, stages_.reward_key(time, o) + (later >> shift));
  }
  for (const Outcome& o : stages_.model().outcomes(runs.back().choice)) {
    const std::int64_t later = range_[time + 1][next_layer.slot(o.next)].high;
    if (later != kBelow)
      range.high = std::max(range.high, stages_.reward_key(time, o) + (later >> shift));
  }
}

std::int64_t ResidualRuns::reduced(std::uint64_t time,
                                   std::uint32_t slot,
                                   std::int64_t residual) const {
  const Range& range = range_[time][slot];
  if (residual <= range.low) return kBelow;
  return residual > range.high ? kAbove : residual;
}

Choice ResidualRuns::choose(std::uint64_t time, std::uint32_t slot, std::int64_t residual) const {
  const std::vector<Run>& runs = runs_[time][slot];
  return std::ranges::lower_bound(runs, residual, {}, &Run::upto)->choice;
}

std::int64_t ResidualRuns::next_residual(std::uint64_t time,
                                         std::int64_t residual,
                                         const Outcome& o,
                                         std::uint32_t next_slot) const {
  const bool is_reduced = residual == kBelow || residual == kAbove;
  return reduced(
      time + 1, next_slot, is_reduced ? residual : stages_.next_residual(time, residual, o));
}

}  // namespace quantiplan
