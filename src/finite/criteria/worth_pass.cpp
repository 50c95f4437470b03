#include "finite/criteria/worth_pass.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "finite/pass/needs.hpp"
#include "finite/promise/weighted_layers.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

class WorthPass {
 public:
  explicit WorthPass(const WorthPassInput& input)
      : in_(input), ground_(std::make_shared<Groundwork>()) {
    worth_.gain = in_.gain;
    worth_.loss = in_.loss;
    if (in_.spelt)
      worth_.spelt = [this](std::uint64_t t, std::int64_t y) { return table_of(t).at(y); };
    ground_->stages = in_.ground.stages;
    ground_->windows = windows_of(worth_, *in_.ground.windows);
    ground_->expectation_choice = in_.ground.expectation->choices();
  }
  WorthPass(const WorthPass&) = delete;
  WorthPass& operator=(const WorthPass&) = delete;

  bool prepare(const Limits& limits) {
    needs_ = std::make_unique<Needs>(stages(), *ground_->windows, in_.targets, limits);
    if (!needs_->complete()) return false;
    measure();
    return true;
  }

  // The values of a spelt function where episodes can end, once for all states.
  bool spell(const Limits& limits) {
    for (auto& [shift, table] : tables_) {
      for (Stretch& stretch : table.stretches) {
        stretch.values.reserve(static_cast<std::size_t>(stretch.levels.size()));
        for (std::int64_t y = stretch.levels.above + 1; y <= stretch.levels.upto; ++y) {
          if (y % 256 == 0 && limits.ended()) return false;
          const WorthBounds bounds = within_doubles(in_.spelt(table.time, y));
          stretch.values.push_back(in_.from_above ? bounds.upper : bounds.lower);
          if (std::isfinite(stretch.values.back()))
            magnitude_ = std::max(magnitude_, std::abs(stretch.values.back()));
          if (std::isfinite(bounds.lower) && std::isfinite(bounds.upper))
            worth_error_ = std::max(worth_error_, bounds.upper - bounds.lower);
        }
      }
    }
    return true;
  }

  [[nodiscard]] bool is_open_below() const noexcept { return is_open_below_; }
  [[nodiscard]] bool is_open_above() const noexcept { return is_open_above_; }
  [[nodiscard]] const WorthPassSize& size() const noexcept { return size_; }
  [[nodiscard]] double error() const {
    const double rounding = 4 * (outcomes() + 8) * 0x1p-53;
    if (in_.spelt)
      return worth_error_ * (1 + rounding) +
             rounding * static_cast<double>(stages().sums() + 1) * magnitude_;
    return rounding * in_.loss * (read_ + 2 * rewards_);
  }
  [[nodiscard]] double mean_error() const { return 4 * (outcomes() + 8) * 0x1p-53 * rewards_; }

  // Layer after layer; keep(t, rules) if decisions are recorded.
  template <class Keep>
  bool run(WeightedLayers& layers, bool record, Limits& limits, const Keep& keep) const {
    layers.start({0, false, &worth_, in_.with_mean && !record});
    const std::uint64_t horizon = stages().horizon();
    for (std::uint64_t t = horizon; t-- > 0;) {
      Decisions::LayerRules rules;
      if (!layers.step(t, limits, record ? &rules : nullptr)) return false;
      keep(t, std::move(rules));
      limits.report("backward pass",
                    static_cast<double>(horizon - t) / static_cast<double>(horizon));
    }
    return true;
  }

  [[nodiscard]] std::unique_ptr<WeightedLayers> layers() const {
    return std::make_unique<WeightedLayers>(stages(),
                                            *in_.ground.windows,
                                            *ground_->windows,
                                            *in_.ground.expectation,
                                            *needs_,
                                            *in_.ground.kernel,
                                            most_entries_);
  }

  // All targets share the decisions, which are found when the first policy is asked for.
  AimedRules rules(Limits& limits) {
    const std::scoped_lock lock(lock_);
    if (!decisions_) {
      auto found = std::make_shared<Decisions>(stages().horizon());
      const auto own = layers();
      const bool done = run(*own, true, limits, [&](std::uint64_t t, Decisions::LayerRules rules) {
        limits.take(rules.bytes(), "the decisions of the policy");
        found->set_layer(t, std::move(rules));
      });
      if (!done) refuse_unfinished("policy");
      decisions_ = std::move(found);
    }
    return {ground_, decisions_, nullptr};
  }

 private:
  // Bounds as they are computed with; one that is -inf on both sides is -inf indeed.
  WorthBounds within_doubles(WorthBounds bounds) {
    constexpr double kMost = 0x1p1000;
    if (bounds.lower < -kMost && bounds.upper != -HUGE_VAL) {
      is_open_below_ = true;
      bounds.lower = -HUGE_VAL;
      bounds.upper = std::max(bounds.upper, -kMost);
    }
    if (bounds.upper > kMost) {
      is_open_above_ = true;
      bounds.lower = std::min(bounds.lower, kMost);
      bounds.upper = HUGE_VAL;
    }
    return bounds;
  }

  // Levels of one step, whatever the time: only those at which episodes end, which may lie far
  // apart on a fine grid.
  struct Stretch {
    Interval levels;
    std::vector<double> values;
  };
  struct Table {
    std::vector<Stretch> stretches;  // ascending, none touches the next
    std::uint64_t time = 0;
    [[nodiscard]] double at(std::int64_t y) const {
      const auto found = std::ranges::lower_bound(
          stretches, y, {}, [](const Stretch& stretch) { return stretch.levels.upto; });
      return found->values[static_cast<std::size_t>(y - found->levels.above - 1)];
    }
    void unite() {
      std::ranges::sort(stretches, {}, [](const Stretch& stretch) { return stretch.levels.above; });
      std::vector<Stretch> united;
      for (Stretch& stretch : stretches) {
        if (united.empty() || united.back().levels.upto < stretch.levels.above)
          united.push_back(std::move(stretch));
        else
          united.back().levels.cover(stretch.levels.above, stretch.levels.upto);
      }
      stretches = std::move(united);
    }
  };
  Table& table_of(std::uint64_t t) { return tables_[stages().scale().shift_until(t)]; }

  [[nodiscard]] const Stages& stages() const { return *in_.ground.stages; }
  [[nodiscard]] double outcomes() const { return static_cast<double>(stages().most_terms()); }

  // The levels stored for a slot, and the greatest magnitude of those that are read.
  [[nodiscard]] double width_of(std::uint64_t t, std::size_t slot) const {
    const Window& w = ground_->windows->at(t, slot);
    const Interval& need = needs_->at(t, slot);
    if (need.empty()) return 0;
    return static_cast<double>(
        Interval{std::max(need.above, w.sure), std::min(need.upto, w.possible)}.size());
  }

  // Which levels will be spelt; the number of them.
  double lay_out_tables() {
    if (!in_.spelt) return 0;
    for (std::uint64_t t = 0; t <= stages().horizon(); ++t) {
      for (std::size_t slot = 0; slot < stages().layer(t).size(); ++slot) {
        const Interval& need = needs_->at(t, slot);
        if (need.empty() || !stages().is_over(t, stages().layer(t).state(slot))) continue;
        table_of(t).stretches.push_back({need, {}});
        table_of(t).time = t;
      }
    }
    double levels = 0;
    for (auto& [shift, table] : tables_) {
      table.unite();
      for (const Stretch& stretch : table.stretches)
        levels += static_cast<double>(stretch.levels.size());
    }
    return levels;
  }

  void measure() {
    const Model& model = stages().model();
    const std::uint64_t horizon = stages().horizon();
    double widest = 0;
    double rest = 0;  // the greatest magnitude of what follows
    for (std::uint64_t t = horizon + 1; t-- > 0;) {
      const int shift = -static_cast<int>(stages().scale().shift_until(t));
      double entries = 0;
      double reward = 0;
      double level = 0;
      for (std::size_t slot = 0; slot < stages().layer(t).size(); ++slot) {
        const double width = width_of(t, slot);
        const Interval& need = needs_->at(t, slot);
        entries += width;
        if (!need.empty())
          level = std::max({level,
                            std::abs(static_cast<double>(need.above)),
                            std::abs(static_cast<double>(need.upto))});
        if (t == horizon) continue;
        if (width > 0) size_.backups += model.choices(stages().layer(t).state(slot)).size();
        double products = 0;
        double most = 0;
        for (const Choice c : model.choices(stages().layer(t).state(slot))) {
          const std::size_t count = model.outcomes(c).size();
          most = std::max(most, static_cast<double>(count));
          products += stages().rows().row(c) != SharedRows::kNone ? 1 : static_cast<double>(count);
          for (const Outcome& o : model.outcomes(c))
            reward = std::max(reward, std::abs(static_cast<double>(stages().reward_key(t, o))));
        }
        size_.multiply_adds += (products + (in_.with_mean ? most : 0)) * width;
      }
      rest += std::ldexp(reward, shift);
      // A draw is one more sum.
      const int sums = t == 0 && stages().starts() > 1 ? 2 : 1;
      rewards_ += sums * rest;
      read_ += sums * (std::ldexp(level, shift) + rest);
      widest = std::max(widest, entries);
      size_.entries += entries;
    }
    // A function or two of two times, and mixtures of rows about as wide.
    size_.bytes = sizeof(double) * ((in_.with_mean ? 6 : 3) * widest + lay_out_tables());
    most_entries_ = widest < 1e15 ? static_cast<std::uint64_t>(widest) : 0;
  }

  WorthPassInput in_;
  FinalWorth<double> worth_;
  std::map<unsigned, Table> tables_;
  double worth_error_ = 0;
  double magnitude_ = 0;
  bool is_open_below_ = false;
  bool is_open_above_ = false;
  std::shared_ptr<Groundwork> ground_;
  std::unique_ptr<const Needs> needs_;
  WorthPassSize size_;
  std::uint64_t most_entries_ = 0;
  double rewards_ = 0;  // sum over time of the greatest |total| from there on, in keys of time 0
  double read_ = 0;     // sum over time of the greatest |y| + |total|
  std::mutex lock_;
  std::shared_ptr<const Decisions> decisions_;
};

}  // namespace

std::optional<WorthPassSize> worth_pass_size(const WorthPassInput& input, const Limits& limits) {
  WorthPass pass(input);
  if (!pass.prepare(limits)) return std::nullopt;
  return pass.size();
}

std::optional<WorthCurve<double>> run_worth_pass(const WorthPassInput& input,
                                                 Limits& limits,
                                                 Work& work) {
  const auto pass = std::make_shared<WorthPass>(input);
  if (!pass->prepare(limits)) return std::nullopt;
  const double wanted = pass->size().bytes;
  const auto bytes = static_cast<std::uint64_t>(std::min(wanted, 1e18));
  limits.take(bytes, "the backward pass");
  limits.give_back(bytes);
  if (!pass->spell(limits)) return std::nullopt;
  const auto layers = pass->layers();
  if (!pass->run(*layers, false, limits, [](std::uint64_t, const Decisions::LayerRules&) {}))
    return std::nullopt;
  ++work.passes;
  work.backups += pass->size().backups;
  work.breakpoints += static_cast<std::uint64_t>(std::min(pass->size().entries, 1e18));
  work.multiply_adds += layers->multiply_adds();
  WorthCurve<double> out;
  out.error = pass->error();
  out.mean_error = pass->mean_error();
  out.is_open_below = pass->is_open_below();
  out.is_open_above = pass->is_open_above();
  const auto count = static_cast<std::size_t>(input.targets.size());
  out.levels.reserve(count);
  out.worth.reserve(count);
  for (std::int64_t y = input.targets.above + 1; y <= input.targets.upto; ++y) {
    const WeightedLayers::Values at = layers->at(y);
    out.levels.push_back(y);
    out.worth.push_back(at.optimum);
    if (input.with_mean) out.mean.push_back(at.mean);
  }
  out.rules = [pass](Limits& later) { return pass->rules(later); };
  return out;
}

}  // namespace quantiplan
