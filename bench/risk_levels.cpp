#include "risk_levels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace quantiplan::bench {
namespace {

constexpr std::size_t kMostPlaces = 4'000'000;

// A stretch of one outcome's function: so much of the level, at this slope.
struct Piece {
  double slope;
  double length;  // of z_o
  double probability;
  std::size_t outcome;
};

class Decomposition {
 public:
  Decomposition(const Model& model, int levels)
      : model_(model),
        setting_(resolve(model, {})),
        levels_(levels),
        values_(setting_.horizon + 1,
                std::vector<double>(model.state_count() * (static_cast<std::size_t>(levels) + 1))) {
    double power = 1;
    const double discount = to_nearest_double(setting_.discount);
    for (std::uint64_t t = 0; t < setting_.horizon; ++t, power *= discount)
      powers_.push_back(setting_.cost ? -power : power);
  }

  void run() {
    std::vector<double> of_choice(static_cast<std::size_t>(levels_) + 1);
    for (std::uint64_t t = setting_.horizon; t-- > 0;) {
      for (std::uint32_t i = 0; i < model_.state_count(); ++i) {
        bool is_first = true;
        double* best = row(t, State{i});
        for (const Choice c : model_.choices(State{i})) {
          gather(t, c);
          fill(of_choice);
          for (std::size_t k = 0; k < of_choice.size(); ++k)
            best[k] = is_first ? of_choice[k] : std::max(best[k], of_choice[k]);
          is_first = false;
        }
      }
    }
  }

  [[nodiscard]] double value(double tau) { return at(0, start(), tau) / tau; }
  [[nodiscard]] std::uint64_t pieces() const { return sorted_; }

  // Forward, with the levels that nature's choice leaves; places are (state, level, total).
  std::optional<double> attained(double tau) {
    using Place = std::tuple<std::uint32_t, double, double>;
    std::map<Place, double> now{{{index(start()), tau, 0.0}, 1.0}};
    std::map<double, double> law;
    for (std::uint64_t t = 0; !now.empty(); ++t) {
      std::map<Place, double> next;
      for (const auto& [place, mass] : now) {
        const auto& [state, level, total] = place;
        if (t == setting_.horizon || model_.is_terminal(State{state})) {
          law[total] += mass;
          continue;
        }
        const Choice c = best_choice(t, State{state}, level);
        const std::vector<double> left = shares(t, c, level);
        std::size_t k = 0;
        for (const Outcome& o : model_.outcomes(c)) {
          const double reward = powers_[t] * to_nearest_double(model_.reward(o));
          next[{index(o.next), left[k++], total + reward}] +=
              mass * to_nearest_double(model_.probability(o));
        }
        if (next.size() > kMostPlaces) return std::nullopt;
      }
      now = std::move(next);
    }
    double rest = tau;
    double sum = 0;
    for (const auto& [total, mass] : law) {
      const double part = std::min(rest, mass);
      sum += part * total;
      rest -= part;
    }
    return sum / tau;
  }

 private:
  [[nodiscard]] State start() const { return setting_.initial.begin()->state; }
  double* row(std::uint64_t t, State s) {
    return values_[t].data() + index(s) * (static_cast<std::size_t>(levels_) + 1);
  }

  // f_t(s, z), interpolated.
  double at(std::uint64_t t, State s, double z) {
    const double place = z * levels_;
    const auto k = std::min(static_cast<std::size_t>(place), static_cast<std::size_t>(levels_) - 1);
    const double* values = row(t, s);
    return values[k] + (place - static_cast<double>(k)) * (values[k + 1] - values[k]);
  }

  // The pieces of a choice, by slope.
  void gather(std::uint64_t t, Choice c) {
    pieces_.clear();
    std::size_t k = 0;
    for (const Outcome& o : model_.outcomes(c)) {
      const double reward = powers_[t] * to_nearest_double(model_.reward(o));
      const double p = to_nearest_double(model_.probability(o));
      const double* values = row(t + 1, o.next);
      for (int j = 0; j < levels_; ++j)
        pieces_.push_back({reward + (values[j + 1] - values[j]) * levels_, 1.0 / levels_, p, k});
      ++k;
    }
    sorted_ += pieces_.size();
    std::ranges::stable_sort(pieces_, {}, &Piece::slope);
  }

  // The least value at every level of the grid.
  void fill(std::vector<double>& out) const {
    double used = 0;
    double value = 0;
    std::size_t k = 0;
    out[0] = 0;
    for (std::size_t level = 1; level < out.size(); ++level) {
      const double z = static_cast<double>(level) / levels_;
      while (k < pieces_.size() && used + pieces_[k].length * pieces_[k].probability <= z) {
        used += pieces_[k].length * pieces_[k].probability;
        value += pieces_[k].length * pieces_[k].probability * pieces_[k].slope;
        ++k;
      }
      out[level] = k < pieces_.size() ? value + (z - used) * pieces_[k].slope : value;
    }
  }

  double value_of(double z) const {
    double used = 0;
    double value = 0;
    for (const Piece& piece : pieces_) {
      const double part = std::min(piece.length * piece.probability, z - used);
      if (part <= 0) break;
      used += part;
      value += part * piece.slope;
    }
    return value;
  }

  Choice best_choice(std::uint64_t t, State s, double z) {
    Choice best = model_.choices(s).front();
    double most = -HUGE_VAL;
    for (const Choice c : model_.choices(s)) {
      gather(t, c);
      // What is in no bad case at all is left to the choice of the least level.
      const double value = value_of(std::max(z, 1e-3 / levels_));
      if (value > most) best = c;
      most = std::max(most, value);
    }
    return best;
  }

  // z_o of every outcome.
  std::vector<double> shares(std::uint64_t t, Choice c, double z) {
    gather(t, c);
    std::vector<double> out(model_.outcomes(c).size(), 0.0);
    double left = z;
    for (const Piece& piece : pieces_) {
      const double part = std::min(piece.length * piece.probability, left);
      if (part <= 0) break;
      out[piece.outcome] = std::min(1.0, out[piece.outcome] + part / piece.probability);
      left -= part;
    }
    return out;
  }

  const Model& model_;
  ResolvedSetting setting_;
  int levels_;
  std::vector<std::vector<double>> values_;  // by time: states by levels
  std::vector<double> powers_;
  std::vector<Piece> pieces_;
  std::uint64_t sorted_ = 0;
};

}  // namespace

RiskLevels by_risk_levels(const Model& model, const std::vector<Rational>& taus, int levels) {
  Decomposition method(model, levels);
  method.run();
  RiskLevels out;
  for (const Rational& tau : taus) out.values.push_back(method.value(to_nearest_double(tau)));
  out.pieces = method.pieces();
  return out;
}

std::optional<double> attained_by_risk_levels(const Model& model, const Rational& tau, int levels) {
  Decomposition method(model, levels);
  method.run();
  return method.attained(to_nearest_double(tau));
}

}  // namespace quantiplan::bench
