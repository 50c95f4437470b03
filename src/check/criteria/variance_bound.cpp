#include "check/criteria/variance_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "numbers/directed.hpp"

namespace quantiplan::checking {
namespace {

constexpr double kMostWorkOfAll = 5e8;  // points times outcomes, of all grids together
constexpr std::size_t kFirstPoints = 256;
constexpr double kMostPoints = 4e6;  // of one time

// The points c of one time and state, `step` apart.
struct Line {
  double first = 0;
  double step = 0;
  std::vector<double> values;
};
struct Span {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;

  void include(double a, double b) {
    low = std::min(low, a);
    high = std::max(high, b);
  }
  [[nodiscard]] bool is_met() const { return low <= high; }
};
struct Move {
  std::uint32_t next = 0;
  double p = 0;
  double gain = 0;  // in units of its time
};

class VarianceGrid {
 public:
  VarianceGrid(const Course& course, double lambda, double least, double greatest)
      : course_(course),
        states_(static_cast<std::uint32_t>(course.model.state_count())),
        half_(0.5 / lambda),
        memory_(course.limits) {
    read_moves();
    find_spans(least + half_, greatest + half_);
  }

  // Multiplications of one point more everywhere.
  [[nodiscard]] double work() const { return work_; }
  [[nodiscard]] double lines() const { return states_; }

  // The greatest G - (c - h)^2 over c from the least to the greatest.
  double run(std::size_t points) {
    memory_.set(2 * states_ * (points + 1) * sizeof(double));
    std::vector<Line> later(states_);
    for (std::uint64_t t = course_.steps + 1; t-- > 0;) {
      std::vector<Line> now(states_);
      for (std::uint32_t i = 0; i < states_; ++i)
        if (spans_[t][i].is_met()) now[i] = line(t, i, points, later);
      later = std::move(now);
    }
    return greatest(later, points);
  }

 private:
  void read_moves() {
    const Model& model = course_.model;
    choices_.resize(states_);
    for (std::uint32_t i = 0; i < states_; ++i) {
      if (course_.is_end(State{i})) continue;
      for (const Choice c : model.choices(State{i})) {
        auto& moves = choices_[i].emplace_back();
        for (const Outcome& o : model.outcomes(c)) {
          moves.push_back({static_cast<std::uint32_t>(o.next),
                           to_nearest_double(model.probability(o)),
                           to_nearest_double(course_.reward(o))});
          largest_ = std::max(largest_, std::abs(moves.back().gain));
        }
        most_moves_ = std::max(most_moves_, moves.size());
      }
    }
    double power = 1;
    const double discount = to_nearest_double(course_.setting.discount);
    for (std::uint64_t t = 0; t <= course_.steps; ++t, power *= discount) powers_.push_back(power);
    // gamma^t errs by so many steps.
    part_ = static_cast<double>(course_.steps + 8) * 0x1p-52;
  }

  // Which c are met, and so how large anything can be.
  void find_spans(double low, double high) {
    spans_.assign(course_.steps + 1, std::vector<Span>(states_));
    for (const auto& [state, mu] : course_.setting.initial)
      spans_[0][index(state)].include(low, high);
    double all = 0;
    for (std::uint64_t t = 0; t < course_.steps; ++t) {
      all += powers_[t] * largest_;
      for (std::uint32_t i = 0; i < states_; ++i) {
        const Span& here = spans_[t][i];
        if (!here.is_met()) continue;
        for (const auto& moves : choices_[i])
          for (const Move& move : moves) {
            course_.limits.require(10);
            const double gain = powers_[t] * move.gain;
            spans_[t + 1][move.next].include(here.low - gain, here.high - gain);
            ++work_;
          }
      }
    }
    const double rest = powers_.back() * std::max(std::abs(to_nearest_double(course_.least)),
                                                  std::abs(to_nearest_double(course_.greatest)));
    const double greatest = std::max(std::abs(low), std::abs(high)) + 2 * (all + rest);
    // Wider from step to step: what is looked for lies between two points.
    const double wide = greatest * (part_ + 0x1p-40);
    for (std::uint64_t t = 0; t <= course_.steps; ++t)
      for (Span& each : spans_[t])
        if (each.is_met()) {
          const double more =
              wide * (1 + static_cast<double>(t) / static_cast<double>(course_.steps + 1));
          each.include(each.low - more, each.high + more);
        }
    // Of what is added up in a step: of c, of gains, of G and of c as a place between two points.
    error_ =
        8 * greatest * (all + rest) * (static_cast<double>(most_moves_ + 16) * 0x1p-52 + 4 * part_);
  }

  [[nodiscard]] double at(const Line& line, double c) const {
    const double x = (c - line.first) / line.step;
    const double last = static_cast<double>(line.values.size() - 2);
    const auto n = static_cast<std::size_t>(std::clamp(std::floor(x), 0.0, last));
    const double part = x - static_cast<double>(n);
    return line.values[n] + part * (line.values[n + 1] - line.values[n]);
  }

  [[nodiscard]] Line line(std::uint64_t t,
                          std::uint32_t i,
                          std::size_t points,
                          const std::vector<Line>& later) const {
    const Span& span = spans_[t][i];
    Line out{span.low, (span.high - span.low) / static_cast<double>(points), {}};
    out.values.resize(points + 1);
    const bool is_end = choices_[i].empty();
    const bool is_last = t == course_.steps;
    const double least = powers_[t] * to_nearest_double(course_.least);
    const double most = powers_[t] * to_nearest_double(course_.greatest);
    for (std::size_t n = 0; n <= points; ++n) {
      const double c = out.first + static_cast<double>(n) * out.step;
      if (is_end || is_last) {
        const bool is_cut = !is_end && course_.is_cut();
        out.values[n] = is_cut ? 2 * std::max(c * least, c * most) + error_ : 0;
        continue;
      }
      double best = -HUGE_VAL;
      for (const auto& moves : choices_[i]) {
        course_.limits.require(10 * moves.size());
        double sum = 0;
        for (const Move& move : moves) {
          const double gain = powers_[t] * move.gain;
          sum += move.p * ((2 * c - gain) * gain + at(later[move.next], c - gain));
        }
        best = std::max(best, sum);
      }
      out.values[n] = best + error_;
    }
    return out;
  }

  // Between two points: the chord less a parabola.
  [[nodiscard]] double greatest(const std::vector<Line>& first, std::size_t points) const {
    Line all;
    for (const auto& [state, mu] : course_.setting.initial) {
      const Line& own = first[index(state)];
      if (all.values.empty()) all = {own.first, own.step, std::vector<double>(points + 1, 0)};
      for (std::size_t n = 0; n <= points; ++n)
        all.values[n] += to_nearest_double(mu) * own.values[n];
    }
    double best = -HUGE_VAL;
    const double start = all.first - half_;
    for (std::size_t n = 0; n < points; ++n) {
      const double slope = (all.values[n + 1] - all.values[n]) / all.step;
      const double left = start + static_cast<double>(n) * all.step;
      const double top = std::clamp(slope / 2, left, left + all.step);
      best = std::max(best, all.values[n] + slope * (top - left) - top * top);
    }
    return best + 4 * error_;
  }

  const Course& course_;
  std::uint32_t states_;
  double half_;
  MemoryShare memory_;
  std::vector<std::vector<std::vector<Move>>> choices_;  // by state
  std::vector<double> powers_;                           // gamma^t
  std::vector<std::vector<Span>> spans_;                 // by time and state
  double largest_ = 0;
  std::size_t most_moves_ = 0;
  double part_ = 0;
  double error_ = 0;
  double work_ = 0;
};

}  // namespace

std::optional<Rational> most_mean_variance(const Course& course,
                                           const Rational& lambda,
                                           const Rational& greatest_mean,
                                           const Rational& claimed) {
  if (greatest_mean <= claimed) return greatest_mean;
  VarianceGrid grid(
      course, to_nearest_double(lambda), round_down(claimed), round_up(greatest_mean));
  // h stands for another lambda, by a rounding: lambda times the variance is below the greatest mean less what is claimed.
  const Rational rounding = (2 * abs(greatest_mean) + 2 * abs(claimed)) * Rational(0x1p-48);
  std::optional<Rational> best;
  double work = 0;
  for (std::size_t points = kFirstPoints;; points *= 4) {
    work += static_cast<double>(points) * grid.work();
    if (work > kMostWorkOfAll || static_cast<double>(points) * grid.lines() > kMostPoints)
      return best;
    const Rational found = lambda * Rational(grid.run(points)) + rounding;
    if (!best || found < *best) best = found;
    if (*best <= claimed) return best;
  }
}

}  // namespace quantiplan::checking
