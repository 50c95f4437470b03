#include "finite/tabulate.hpp"

#include <algorithm>
#include <limits>

#include "base/state_rules.hpp"
#include "finite/met_levels.hpp"
#include "finite/segments.hpp"

namespace quantiplan {
namespace {

// Residuals are followed one by one while a layer holds no more words of them, and no more were
// moved from layer to layer: some MiB, and a fraction of a second.
constexpr std::size_t kMostWords = std::size_t{1} << 18U;
constexpr std::size_t kMostMoves = std::size_t{1} << 23U;
constexpr std::uint64_t kWordBytes = 64 * kMostWords;

struct Segment {
  std::int64_t upto;
  Choice choice;
};

// Stretches that cover an interval, neighbours of one choice joined.
class SegmentList {
 public:
  void clear() { list_.clear(); }
  void add(std::int64_t upto, Choice choice) {
    if (!list_.empty() && list_.back().upto >= upto) return;
    if (!list_.empty() && list_.back().choice == choice) {
      list_.back().upto = upto;
    } else {
      list_.push_back({upto, choice});
    }
  }
  [[nodiscard]] const std::vector<Segment>& list() const { return list_; }

 private:
  std::vector<Segment> list_;
};

class Tabulator {
 public:
  Tabulator(const Groundwork& ground,
            const Decisions* decisions,
            const SettledPoints* points,
            Limits& limits)
      : ground_(ground),
        stages_(*ground.stages),
        decisions_(decisions),
        points_(points),
        limits_(limits) {}

  // `everywhere`: not only for residuals that the target leads to.
  std::optional<Policy> run(WealthKey target, bool everywhere = false) {
    Policy policy;
    policy.setting = stages_.setting();
    policy.target = stages_.scale().wealth(target);
    policy.grid = policy_grid();
    one_by_one_ = !everywhere && limits_.would_fit(kWordBytes);
    std::vector<MetLevels> met(stages_.starts());
    for (std::size_t slot = 0; slot < met.size(); ++slot)
      met[slot].add(target.value, ground_.windows->at(0, slot));
    Rational power = 1;  // gamma^t: a key is gamma^t times the residual of time t
    for (std::uint64_t t = 0; t < stages_.horizon(); ++t) {
      if (limits_.ended()) return std::nullopt;
      sort_points(t);
      if (!one_by_one_) {
        for (MetLevels& levels : met) levels.forget();
      }
      moved_ = 0;
      std::vector<MetLevels> next(stages_.layer(t + 1).size());
      for (std::size_t slot = 0; slot < met.size(); ++slot) {
        const State s = stages_.layer(t).state(slot);
        if (everywhere) met[slot].cover(whole_range(t, slot), ground_.windows->at(t, slot));
        if (met[slot].empty() || stages_.model().is_terminal(s)) continue;
        cut(t, slot, met[slot].span());
        keep_met(met[slot]);
        if (!everywhere) spread(t, met[slot], next);
        policy.rules.push_back(rule_of(t, s, power));
      }
      if (one_by_one_) pack(next);
      met = std::move(next);
      // On a grid residuals are counted in steps, and nobody asks for gamma^t.
      if (!stages_.scale().grid()) power *= stages_.setting().discount;
    }
    return policy;
  }

 private:
  // From where the choice is free to where it is free again.
  [[nodiscard]] Interval whole_range(std::uint64_t t, std::size_t slot) const {
    const Window& w = ground_.windows->at(t, slot);
    Interval range;
    range.cover(w.least - 1, w.possible + 1);
    return range;
  }

  [[nodiscard]] std::optional<PolicyGrid> policy_grid() const {
    const auto& grid = stages_.scale().grid();
    if (!grid) return std::nullopt;
    PolicyGrid out{grid->unit, {}};
    for (std::uint64_t t = 1; t < stages_.horizon(); ++t) {
      out.halved_at.insert(out.halved_at.end(), grid->halvings[t] - grid->halvings[t - 1], t);
    }
    return out;
  }

  // The points settled at a time, by slot and residual.
  void sort_points(std::uint64_t t) {
    sorted_points_.clear();
    if (points_ == nullptr) return;
    const auto& nodes = points_->nodes[t].nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i)
      sorted_points_.emplace_back(nodes[i], points_->choice[t][i]);
    std::ranges::sort(sorted_points_, [](const auto& a, const auto& b) {
      return a.first.slot != b.first.slot ? a.first.slot < b.first.slot
                                          : a.first.level < b.first.level;
    });
  }

  // The choices over an interval: free below and above the window, decisions inside, points on top.
  void cut(std::uint64_t t, std::size_t slot, const Interval& interval) {
    const Window& w = ground_.windows->at(t, slot);
    const Choice free = ground_.expectation_choice[t][slot];
    segments_.clear();
    if (interval.above < w.least) segments_.add(std::min(interval.upto, w.least), free);
    const auto by_slot = [](const auto& p, std::size_t wanted) { return p.first.slot < wanted; };
    auto point = std::lower_bound(sorted_points_.begin(), sorted_points_.end(), slot, by_slot);
    const auto place_points = [&](std::int64_t above, std::int64_t upto, Choice between) {
      for (;
           point != sorted_points_.end() && point->first.slot == slot && point->first.level <= upto;
           ++point) {
        if (point->first.level <= above) continue;
        segments_.add(point->first.level - 1, between);
        segments_.add(point->first.level, point->second);
      }
      segments_.add(upto, between);
    };
    if (decisions_ != nullptr) {
      for_each_open_segment(ground_, *decisions_, t, slot, interval, place_points);
    } else {
      // Without a pass, what lies between the points of a search is never met.
      if (interval.above < w.sure) segments_.add(std::min(interval.upto, w.sure), w.sure_choice);
      if (interval.upto > w.sure)
        place_points(
            std::max(interval.above, w.sure), std::min(interval.upto, w.possible), w.sure_choice);
    }
    if (interval.upto > w.possible) segments_.add(interval.upto, free);
  }

  // Segments end at the greatest residual that is met in them; those without any are left out. So
  // what is not met takes the choice of the next greater that is.
  void keep_met(const MetLevels& met) {
    met_segments_.clear();
    std::int64_t above = met.span().above;
    for (const Segment& segment : segments_.list()) {
      if (const auto found = met.within({above, segment.upto}))
        met_segments_.add(found->upto, segment.choice);
      above = segment.upto;
    }
    std::swap(segments_, met_segments_);
  }

  // The residuals the segments lead to.
  void spread(std::uint64_t t, const MetLevels& met, std::vector<MetLevels>& next) {
    const Layer& next_layer = stages_.layer(t + 1);
    const unsigned shift = stages_.scale().shift_after(t);
    std::int64_t above = met.span().above;
    for (const Segment& segment : segments_.list()) {
      for (const Outcome& o : stages_.model().outcomes(segment.choice)) {
        const std::size_t slot = next_layer.slot(o.next);
        const std::size_t words = next[slot].add_moved(met,
                                                       {above, segment.upto},
                                                       stages_.reward_key(t, o),
                                                       shift,
                                                       ground_.windows->at(t + 1, slot));
        moves_ += words;
        moved_ += words;
        if (moved_ > kMostWords) pack(next);
      }
      above = segment.upto;
    }
  }

  // Joins words of the same place, and gives up following one by one where too many are left.
  void pack(std::vector<MetLevels>& next) {
    std::size_t held = 0;
    for (MetLevels& levels : next) held += levels.sort();
    moved_ = 0;
    if (held <= kMostWords && moves_ <= kMostMoves) return;
    one_by_one_ = false;
    for (MetLevels& levels : next) levels.forget();
  }

  PolicyRule rule_of(std::uint64_t t, State s, const Rational& power) {
    // A run holds a rational of moderate size.
    constexpr std::uint64_t kRunBytes = sizeof(PolicyRun) + 64;
    limits_.take(sizeof(PolicyRule) + kRunBytes * segments_.list().size(), "the policy's table");
    PolicyRule rule{t, s, {}};
    for (const Segment& segment : segments_.list()) {
      const Rational upto = stages_.scale().grid() ? Rational(static_cast<long>(segment.upto))
                                                   : stages_.scale().wealth({segment.upto}) / power;
      rule.runs.push_back({upto, segment.choice});
    }
    // The last run takes all residuals above those met.
    rule.runs.back().upto.reset();
    return rule;
  }

  const Groundwork& ground_;
  const Stages& stages_;
  const Decisions* decisions_;
  const SettledPoints* points_;
  Limits& limits_;
  bool one_by_one_ = true;
  std::size_t moved_ = 0;  // words, since they were joined
  std::size_t moves_ = 0;  // in all
  SegmentList segments_;
  SegmentList met_segments_;
  std::vector<std::pair<Node, Choice>> sorted_points_;
};

}  // namespace

std::optional<Policy> tabulate(const Groundwork& ground,
                               const Decisions* decisions,
                               const SettledPoints* points,
                               WealthKey target,
                               Limits& limits) {
  return Tabulator(ground, decisions, points, limits).run(target);
}

std::optional<Policy> tabulate_everywhere(const Groundwork& ground,
                                          const Decisions& decisions,
                                          WealthKey target,
                                          Limits& limits) {
  return Tabulator(ground, &decisions, nullptr, limits).run(target, true);
}

Policy tabulate(const Stages& stages,
                const std::vector<std::vector<Choice>>& choices,
                Limits& limits) {
  Policy policy;
  policy.setting = stages.setting();
  std::vector<bool> met(stages.starts(), true);
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
    const Layer& next_layer = stages.layer(t + 1);
    std::vector<bool> next(next_layer.size(), false);
    for (std::size_t slot = 0; slot < met.size(); ++slot) {
      const State s = stages.layer(t).state(slot);
      if (!met[slot] || stages.is_over(t, s)) continue;
      const Choice c = choices[t][slot];
      add_state_rule(policy, t, s, c, limits);
      for (const Outcome& o : stages.model().outcomes(c)) next[next_layer.slot(o.next)] = true;
    }
    met = std::move(next);
  }
  return policy;
}

}  // namespace quantiplan
