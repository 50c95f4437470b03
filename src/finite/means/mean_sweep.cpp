#include "finite/means/mean_sweep.hpp"

#include <algorithm>
#include <memory>

#include "base/parallel.hpp"
#include "finite/segments.hpp"

namespace quantiplan {
namespace {

class Sweep {
 public:
  Sweep(const Groundwork& ground,
        const Expectation<double>& expectation,
        const Decisions& decisions,
        const Kernel& kernel,
        const Limits& limits)
      : ground_(ground),
        stages_(*ground.stages),
        windows_(*ground.windows),
        expectation_(expectation),
        decisions_(decisions),
        kernel_(kernel),
        limits_(limits),
        numbers_(stages_.model()) {}

  std::optional<std::vector<double>> run(const std::vector<std::int64_t>& targets,
                                         double most_entries) {
    reach(targets);
    if (limits_.ended() || !fits(most_entries)) return std::nullopt;
    for (std::uint64_t t = stages_.horizon(); t-- > 0;) {
      sweep_layer(t);
      if (limits_.ended()) return std::nullopt;
    }
    std::vector<double> out;
    out.reserve(targets.size());
    for (const std::int64_t target : targets) {
      out.push_back(stages_.drawn<double>([&](std::size_t slot) {
        const bool known = windows_.at(0, slot).is_free(target);
        return known ? expectation_.value(0, slot)
                     : later_.row(slot)[target - reach_[0][slot].above - 1];
      }));
    }
    return out;
  }

 private:
  struct Rows {
    std::vector<std::uint64_t> begin{0};
    std::unique_ptr<double[]> values;
    std::uint64_t capacity = 0;
    [[nodiscard]] double* row(std::size_t slot) const { return values.get() + begin[slot]; }
  };

  // The part of an interval where the mean is not known already.
  [[nodiscard]] Interval open_part(std::uint64_t t, std::size_t slot, const Interval& i) const {
    const Window& w = windows_.at(t, slot);
    const Interval open{std::max(i.above, w.least), std::min(i.upto, w.possible)};
    return i.empty() || open.empty() ? Interval{} : open;
  }

  void reach(const std::vector<std::int64_t>& targets) {
    reach_.resize(stages_.horizon() + 1);
    reach_[0].resize(stages_.starts());
    for (const std::int64_t target : targets) {
      for (Interval& interval : reach_[0]) interval.cover(target - 1, target);
    }
    for (std::uint64_t t = 0; t < stages_.horizon() && !limits_.ended(); ++t) {
      const Layer& next_layer = stages_.layer(t + 1);
      reach_[t + 1].resize(next_layer.size());
      for (std::size_t slot = 0; slot < reach_[t].size(); ++slot) {
        reach_[t][slot] = open_part(t, slot, reach_[t][slot]);
        for_each_open_segment(ground_,
                              decisions_,
                              t,
                              slot,
                              reach_[t][slot],
                              [&](std::int64_t above, std::int64_t upto, Choice c) {
                                for (const Outcome& o : stages_.model().outcomes(c)) {
                                  reach_[t + 1][next_layer.slot(o.next)].cover(
                                      stages_.next_residual(t, above + 1, o) - 1,
                                      stages_.next_residual(t, upto, o));
                                }
                              });
      }
    }
    // At the horizon every mean is known.
    for (Interval& i : reach_.back()) i = {};
  }

  [[nodiscard]] bool fits(double most_entries) {
    double sum = 0;
    for (const auto& layer : reach_) {
      double entries = 0;
      for (const Interval& i : layer) entries += static_cast<double>(i.size());
      sum += entries;
      widest_ = std::max(widest_, entries);
    }
    return sum <= most_entries && widest_ < 1e15 &&
           limits_.would_fit(2 * sizeof(double) * static_cast<std::uint64_t>(widest_ + 1));
  }

  void sweep_layer(std::uint64_t t) {
    const std::size_t slots = stages_.layer(t).size();
    now_.begin.assign(slots + 1, 0);
    for (std::size_t slot = 0; slot < slots; ++slot) {
      now_.begin[slot + 1] = now_.begin[slot] + static_cast<std::uint64_t>(reach_[t][slot].size());
    }
    if (now_.capacity < now_.begin.back()) {
      now_.capacity = static_cast<std::uint64_t>(widest_);
      now_.values = std::make_unique_for_overwrite<double[]>(now_.capacity);
    }
    parallel_for(limits_.threads(), slots, 4, [&](unsigned, std::size_t begin, std::size_t end) {
      for (std::size_t slot = begin; slot < end && !limits_.ended(); ++slot) {
        const Interval& i = reach_[t][slot];
        for_each_open_segment(
            ground_, decisions_, t, slot, i, [&](std::int64_t above, std::int64_t upto, Choice c) {
              fill_run(t, above, upto, c, now_.row(slot) + (above - i.above));
            });
      }
    });
    std::swap(later_, now_);
  }

  // M on (above, upto], where the policy makes choice c; out[0] is the mean at above + 1.
  void fill_run(
      std::uint64_t t, std::int64_t above, std::int64_t upto, Choice c, double* out) const {
    const Layer& next_layer = stages_.layer(t + 1);
    const std::int64_t size = upto - above;
    double reward = 0;
    for (const Outcome& o : stages_.model().outcomes(c)) {
      reward += numbers_.probability(o) * Arithmetics<double>::reward(stages_, t, o);
    }
    std::fill_n(out, size, reward);
    for (const Outcome& o : stages_.model().outcomes(c)) {
      const std::size_t slot = next_layer.slot(o.next);
      const Interval& child = reach_[t + 1][slot];
      const double p = Arithmetics<double>::earlier(stages_, t, numbers_.probability(o));
      const double known = p * expectation_.value(t + 1, slot);
      if (child.size() == 0) {
        for (std::int64_t i = 0; i < size; ++i) out[i] += known;
        continue;
      }
      if (stages_.scale().shift_after(t) > 0) {
        // Steps are halved after this time: entries of the child's row lie apart.
        for (std::int64_t i = 0; i < size; ++i) {
          const std::int64_t at = stages_.next_residual(t, above + 1 + i, o) - child.above - 1;
          const bool inside = at >= 0 && at < child.size();
          out[i] += inside ? p * later_.row(slot)[at] : known;
        }
        continue;
      }
      // Entry i is residual above + 1 + i, and entry i + shift of the child's row.
      const std::int64_t shift = above - stages_.reward_key(t, o) - child.above;
      const std::int64_t inside = std::clamp<std::int64_t>(-shift, 0, size);
      const std::int64_t beyond = std::clamp<std::int64_t>(child.size() - shift, inside, size);
      for (std::int64_t i = 0; i < inside; ++i) out[i] += known;
      if (beyond > inside) {
        const auto length = static_cast<std::size_t>(beyond - inside);
        kernel_.add_scaled(p, {later_.row(slot) + inside + shift, length}, {out + inside, length});
      }
      for (std::int64_t i = beyond; i < size; ++i) out[i] += known;
    }
  }

  const Groundwork& ground_;
  const Stages& stages_;
  const Windows& windows_;
  const Expectation<double>& expectation_;
  const Decisions& decisions_;
  const Kernel& kernel_;
  const Limits& limits_;
  Arithmetics<double> numbers_;
  std::vector<std::vector<Interval>> reach_;
  double widest_ = 0;
  Rows later_;
  Rows now_;
};

}  // namespace

std::optional<std::vector<double>> sweep_means(const Groundwork& ground,
                                               const Expectation<double>& expectation,
                                               const Decisions& decisions,
                                               const std::vector<std::int64_t>& targets,
                                               double most_entries,
                                               const Kernel& kernel,
                                               const Limits& limits) {
  return Sweep(ground, expectation, decisions, kernel, limits).run(targets, most_entries);
}

}  // namespace quantiplan
