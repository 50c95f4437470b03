// One backward pass over the indices of a grid (index_steps.hpp): U of rounded_worth.hpp, for a policy or for all.
//
//     bottom      top
//     --|----------|--> j      U is a line up to the bottom, where every total is sure to be a gain, and one from the top
//       | values   |           on, where every total is sure to be a loss; of a utility all that is met is stored
//
// Bottoms and tops come first, backwards; then what is met, forwards; then the values, backwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/criteria/index_steps.hpp"
#include "check/criteria/outward_sum.hpp"
#include "quantiplan/utility.hpp"

namespace quantiplan::checking {

// Multiplications that a check may take, some seconds.
inline constexpr double kMostWork = 4e8;
inline constexpr double kMostValues = 8e6;  // of one time
inline constexpr std::int64_t kFar = std::int64_t{1} << 58;

// u(x): x in doubles where it is a pair of slopes, exactly where it is a utility.
struct FinalWorth {
  double above = 0;
  double below = 0;
  const Utility* utility = nullptr;
};

// What is known of U of a state at a time: a line up to `bottom` and one from `top` on, and the values between.
struct Window {
  std::int64_t bottom = 0;
  std::int64_t top = 0;
  double mean_below = 0;  // of the rest, by whoever has j <= bottom
  double mean_above = 0;
  std::int64_t first = 0;  // what is met
  std::int64_t last = -1;
  std::vector<double> values;
};

class RoundedPass {
 public:
  // Gains and losses are told from `level` on, in wealth above the target.
  RoundedPass(const IndexSteps& steps,
              const FinalWorth& worth,
              bool up,
              CheckLimits& limits,
              double level = 0)
      : steps_(steps), worth_(worth), up_(up), limits_(limits), memory_(limits), level_(level) {}

  // U at the start for each index from `first` on, over [first, last]. Nullopt: too much.
  std::optional<std::vector<double>> run(std::int64_t first, std::int64_t last) {
    if (!meet(first, last)) return std::nullopt;
    for (std::uint64_t t = steps_.count() + 1; t-- > 0;) {
      for (std::uint32_t i = 0; i < steps_.states(); ++i) fill(t, i);
      if (t < steps_.count())
        for (Window& each : windows_[t + 1]) each.values = {};
    }
    std::vector<double> out;
    for (std::int64_t j = first; j <= last; ++j) {
      OutwardSum sum;
      for (const auto& [state, mu] : steps_.setting().initial)
        sum.add(to_nearest_double(mu), at(0, static_cast<std::uint32_t>(state), j));
      out.push_back(sum.end(up_));
    }
    return out;
  }

  // Beyond these the start is a line.
  std::pair<std::int64_t, std::int64_t> start() {
    lay_out();
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    for (const auto& [state, mu] : steps_.setting().initial) {
      low = std::min(low, windows_[0][index(state)].bottom);
      high = std::max(high, windows_[0][index(state)].top);
    }
    return {low, high};
  }

 private:
  [[nodiscard]] bool is_kinked() const { return worth_.utility == nullptr; }

  // Bottoms, tops, and the lines beyond them.
  void lay_out() {
    if (!windows_.empty()) return;
    windows_.assign(steps_.count() + 1, std::vector<Window>(steps_.states()));
    for (std::uint64_t t = steps_.count() + 1; t-- > 0;) {
      for (std::uint32_t i = 0; i < steps_.states(); ++i) {
        Window& window = windows_[t][i];
        if (t < steps_.count() && !steps_.is_end(i) && steps_.options(t, i).empty()) {
          // No rule: nothing is known of it.
          window.bottom = -kFar;
          window.top = kFar;
        } else if (t == steps_.count() || steps_.is_end(i)) {
          const double rest = rest_of(i);
          const double at = rest / steps_.size(t);
          window.bottom = static_cast<std::int64_t>(std::floor(at)) - 1;
          window.top = static_cast<std::int64_t>(std::ceil(at)) + 1;
          window.mean_below = window.mean_above = rest;
        } else {
          lay_out(t, i, window);
        }
      }
    }
  }

  void lay_out(std::uint64_t t, std::uint32_t i, Window& window) {
    const auto& options = steps_.options(t, i);
    // Of a policy the first run decides at the bottom and the last at the top; of all policies any choice anywhere.
    const auto lowest = steps_.has_runs() ? std::span(options).first(1) : std::span(options);
    const auto highest = steps_.has_runs() ? std::span(options).last(1) : std::span(options);
    window.bottom = kFar;
    window.top = -kFar;
    window.mean_below = window.mean_above = -std::numeric_limits<double>::infinity();
    for (const IndexOption& option : lowest) {
      for (const IndexMove& move : option.moves)
        window.bottom =
            std::min(window.bottom,
                     move.steps + floor_ratio(windows_[t + 1][move.next].bottom, steps_.ratio(t)));
      window.mean_below = std::max(window.mean_below, mean(t, option, &Window::mean_below));
    }
    for (const IndexOption& option : highest) {
      for (const IndexMove& move : option.moves)
        window.top = std::max(
            window.top, move.steps - floor_ratio(-windows_[t + 1][move.next].top, steps_.ratio(t)));
      window.mean_above = std::max(window.mean_above, mean(t, option, &Window::mean_above));
    }
    if (!steps_.has_runs() || options.size() < 2) return;
    window.bottom = std::min(window.bottom, options.front().upto);
    window.top = std::max(window.top, options[options.size() - 2].upto + 1);
  }

  [[nodiscard]] double mean(std::uint64_t t,
                            const IndexOption& option,
                            double Window::*part) const {
    OutwardSum sum;
    for (const IndexMove& move : option.moves) {
      limits_.require(20);
      const double gain = static_cast<double>(move.steps) * steps_.size(t);
      sum.add(move.p, -difference(-gain, windows_[t + 1][move.next].*part, !up_));
    }
    return sum.end(up_);
  }

  static std::int64_t floor_ratio(std::int64_t j, std::int64_t ratio) {
    return j >= 0 ? j / ratio : -((-j + ratio - 1) / ratio);
  }

  // Which indices are met from the start's; false if they are too many.
  bool meet(std::int64_t first, std::int64_t last) {
    lay_out();
    double work = 0;
    for (const auto& [state, mu] : steps_.setting().initial)
      widen(windows_[0][index(state)], first, last);
    for (std::uint64_t t = 0; t < steps_.count(); ++t) {
      const std::int64_t ratio = steps_.ratio(t);
      for (std::uint32_t i = 0; i < steps_.states(); ++i) {
        Window& window = windows_[t][i];
        clip(window);
        const auto [low, high] = std::pair(window.first, window.last);
        if (low > high || steps_.is_end(i)) continue;
        double moves = 0;
        for (const IndexOption& option : steps_.options(t, i)) {
          const auto own = static_cast<double>(option.moves.size());
          // One run decides, or all choices are tried.
          moves = steps_.has_runs() ? std::max(moves, own) : moves + own;
          for (const IndexMove& move : option.moves) {
            limits_.require(20);
            if (static_cast<double>(std::max(std::abs(low), std::abs(high))) > 0x1p52) return false;
            widen(windows_[t + 1][move.next],
                  (low - move.steps) * ratio,
                  (high - move.steps) * ratio);
          }
        }
        work += static_cast<double>(high - low + 1) * moves;
        if (work > kMostWork || !has_room(t)) return false;
      }
    }
    for (Window& each : windows_[steps_.count()]) clip(each);
    if (!has_room(steps_.count())) return false;
    if (is_kinked()) return true;
    // Utilities of ends take longer.
    for (std::uint64_t t = 0; t <= steps_.count(); ++t)
      for (std::uint32_t i = 0; i < steps_.states(); ++i)
        if (t == steps_.count() || steps_.is_end(i))
          work += 50 * static_cast<double>(windows_[t][i].last - windows_[t][i].first + 1);
    return work <= kMostWork;
  }

  // Lines need no values.
  void clip(Window& window) const {
    if (!is_kinked()) return;
    window.first = std::max(window.first, window.bottom + 1);
    window.last = std::min(window.last, window.top - 1);
  }

  // Two times are held at once.
  bool has_room(std::uint64_t t) {
    double values = 0;
    for (const Window& each : windows_[t])
      if (each.first <= each.last) values += static_cast<double>(each.last - each.first + 1);
    if (values > kMostValues) return false;
    bytes_ = std::max(bytes_, static_cast<std::uint64_t>(2 * sizeof(double) * values));
    memory_.set(bytes_);
    return true;
  }

  static void widen(Window& window, std::int64_t low, std::int64_t high) {
    if (window.last < window.first) {
      window.first = low;
      window.last = high;
    } else {
      window.first = std::min(window.first, low);
      window.last = std::max(window.last, high);
    }
  }

  // u(rest - j H), of an end or at the last time.
  [[nodiscard]] double final_value(std::uint64_t t, double rest, std::int64_t j) const {
    const double x = difference(rest, static_cast<double>(j) * steps_.size(t), up_);
    if (is_kinked()) return outward((x >= 0 ? worth_.above : worth_.below) * x, up_);
    const Utility::Bounds at = worth_.utility->enclose(steps_.target() + Rational(x));
    return up_ ? at.upper : at.lower;
  }

  [[nodiscard]] double at(std::uint64_t t, std::uint32_t i, std::int64_t j) const {
    const Window& window = windows_[t][i];
    if (is_kinked()) {
      if (j <= window.bottom) {
        const double x =
            difference(window.mean_below, static_cast<double>(j) * steps_.size(t), up_);
        return outward(worth_.above * x, up_);
      }
      if (j >= window.top) {
        const double x =
            difference(window.mean_above, static_cast<double>(j) * steps_.size(t), up_);
        return outward(worth_.below * x, up_);
      }
    }
    return window.values[static_cast<std::size_t>(j - window.first)];
  }

  // What follows, above the level.
  [[nodiscard]] double rest_of(std::uint32_t i) const {
    return difference(steps_.is_end(i) ? 0 : steps_.rest(i), level_, up_);
  }

  void fill(std::uint64_t t, std::uint32_t i) {
    Window& window = windows_[t][i];
    if (window.last < window.first) return;
    const auto size = static_cast<std::size_t>(window.last - window.first + 1);
    window.values.resize(size);
    const bool is_last = t == steps_.count() || steps_.is_end(i);
    for (std::size_t n = 0; n < size; ++n) {
      const std::int64_t j = window.first + static_cast<std::int64_t>(n);
      limits_.require(is_last && !is_kinked() ? 500 : 20);
      window.values[n] = is_last ? final_value(t, rest_of(i), j) : best_option(t, i, j);
    }
  }

  [[nodiscard]] double best_option(std::uint64_t t, std::uint32_t i, std::int64_t j) const {
    const auto& options = steps_.options(t, i);
    double best = -std::numeric_limits<double>::infinity();
    if (steps_.has_runs()) {
      const auto run = std::ranges::partition_point(
          options, [&](const IndexOption& option) { return option.upto < j; });
      return run == options.end() ? best : worth_of(t, *run, j);
    }
    for (const IndexOption& option : options) best = std::max(best, worth_of(t, option, j));
    return best;
  }

  [[nodiscard]] double worth_of(std::uint64_t t, const IndexOption& option, std::int64_t j) const {
    OutwardSum sum;
    for (const IndexMove& move : option.moves)
      sum.add(move.p, at(t + 1, move.next, (j - move.steps) * steps_.ratio(t)));
    return sum.end(up_);
  }

  const IndexSteps& steps_;
  const FinalWorth& worth_;
  bool up_;
  CheckLimits& limits_;
  MemoryShare memory_;
  std::uint64_t bytes_ = 0;
  double level_;
  std::vector<std::vector<Window>> windows_;
};

}  // namespace quantiplan::checking
