// The decision rules of a backward pass: for each time and slot, runs of residuals with one choice.
//
//     window (sure, possible]:   ..upto_0] choice_0   ..upto_1] choice_1   ..   ..possible] choice_n
//
// A run is contested if rounding leaves open which choice is best there. 12 bytes a run. Over long
// horizons, or where choices alternate from level to level, runs can outgrow the memory of the pass
// itself: then rules are loaded a block of times after another, recomputed from layers kept at
// every block's end. Whoever goes through the times in order loads each block once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace quantiplan {

struct Decision {
  std::uint32_t choice = 0;  // counted from the state's first choice
  bool contested = false;
};

class Decisions {
 public:
  struct LayerRules {
    std::vector<std::uint64_t> begin;  // by slot; one more than slots
    std::vector<std::int64_t> upto;
    std::vector<std::uint32_t> what;  // 2 * choice + contested
    [[nodiscard]] std::uint64_t bytes() const noexcept {
      return 8 * begin.size() + 8 * upto.size() + 4 * what.size();
    }
    // A run of the last slot, whose runs begin at begin.back(); equal neighbours are one.
    void append(std::int64_t run_upto, std::uint32_t run_what) {
      if (upto.size() > begin.back() && what.back() == run_what) {
        upto.back() = run_upto;
      } else {
        upto.push_back(run_upto);
        what.push_back(run_what);
      }
    }
    void close_slot() { begin.push_back(upto.size()); }
  };

  // The rules of times first, first + 1, .. < end.
  using Load = std::function<std::vector<LayerRules>(std::uint64_t first, std::uint64_t end)>;

  explicit Decisions(std::uint64_t horizon) : layers_(horizon) {}
  // Loaded in blocks of `block` times.
  Decisions(std::uint64_t horizon, std::uint64_t block, Load load)
      : layers_(horizon), block_(block), load_(std::move(load)) {}
  // Those of a problem from one of its initial states (Stages::from_start), the rest being shared.
  Decisions(std::shared_ptr<const Decisions> of_all, std::size_t first)
      : of_all_(std::move(of_all)), first_(first) {}
  void set_layer(std::uint64_t time, LayerRules rules) { layers_[time] = std::move(rules); }
  [[nodiscard]] const LayerRules& layer(std::uint64_t time) const { return layers_[time]; }
  LayerRules take_layer(std::uint64_t time) { return std::move(layers_[time]); }
  static std::uint32_t encode(Decision d) noexcept {
    return 2 * d.choice + (d.contested ? 1U : 0U);
  }

  // The rule at a residual inside the window.
  [[nodiscard]] Decision at(std::uint64_t time, std::size_t slot, std::int64_t residual) const {
    if (of_all_) return of_all_->at(time, time == 0 ? first_ + slot : slot, residual);
    const LayerRules& rules = rules_at(time);
    const auto first = rules.upto.begin() + static_cast<std::ptrdiff_t>(rules.begin[slot]);
    const auto last = rules.upto.begin() + static_cast<std::ptrdiff_t>(rules.begin[slot + 1]);
    const auto run = std::lower_bound(first, last, residual);
    if (run == last) return {0, true};  // never met by the targets the pass was made for
    const std::uint32_t what = rules.what[static_cast<std::size_t>(run - rules.upto.begin())];
    return {what / 2, what % 2 != 0};
  }

  // Calls visit(above, upto, choice) for the runs that cover (above, upto], cut to it, in order.
  template <class Visit>
  void for_each_run(std::uint64_t time,
                    std::size_t slot,
                    std::int64_t above,
                    std::int64_t upto,
                    const Visit& visit) const {
    if (of_all_) {
      of_all_->for_each_run(time, time == 0 ? first_ + slot : slot, above, upto, visit);
      return;
    }
    const LayerRules& rules = rules_at(time);
    const auto first = rules.upto.begin() + static_cast<std::ptrdiff_t>(rules.begin[slot]);
    const auto last = rules.upto.begin() + static_cast<std::ptrdiff_t>(rules.begin[slot + 1]);
    for (auto run = std::upper_bound(first, last, above); run != last && above < upto; ++run) {
      const std::int64_t end = std::min(*run, upto);
      visit(above, end, rules.what[static_cast<std::size_t>(run - rules.upto.begin())] / 2);
      above = end;
    }
  }

 private:
  [[nodiscard]] const LayerRules& rules_at(std::uint64_t time) const {
    if (!load_) return layers_[time];
    // Threads that share it work on one time at once, so what they hold is not dropped.
    const std::scoped_lock lock(lock_);
    if (layers_[time].begin.empty()) {
      for (LayerRules& rules : layers_) rules = {};
      const std::uint64_t first = time - time % block_;
      auto loaded = load_(first, std::min<std::uint64_t>(first + block_, layers_.size()));
      for (std::size_t i = 0; i < loaded.size(); ++i) layers_[first + i] = std::move(loaded[i]);
    }
    return layers_[time];
  }

  mutable std::vector<LayerRules> layers_;
  std::uint64_t block_ = 1;
  Load load_;
  std::shared_ptr<const Decisions> of_all_;  // then the rest is empty
  std::size_t first_ = 0;
  mutable std::mutex lock_;
};

}  // namespace quantiplan
