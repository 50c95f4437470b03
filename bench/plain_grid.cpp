#include "plain_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "returns.hpp"

namespace quantiplan::bench {
namespace {

enum class Round { up, down };

class Pass {
 public:
  Pass(const Model& model, const ReturnRange& range, double gamma, std::size_t points, Round round)
      : model_(model),
        least_(range.least),
        step_(range.width() / static_cast<double>(points - 1)),
        points_(points),
        moved_(model.rewards().size()),
        later_(model.state_count(), first_row()),
        now_(later_) {
    for (std::uint32_t c = 0; c < model.choice_count(); ++c) {
      for (const Outcome& o : model.outcomes(Choice{c})) {
        std::vector<std::uint32_t>& indices = moved_[index(o.reward)];
        if (indices.empty()) indices = moved(model.rewards().nearest(o.reward), gamma, round);
      }
    }
  }

  // D_T of one state.
  const std::vector<double>& run(std::uint64_t horizon, State initial) {
    for (std::uint64_t k = 1; k <= horizon; ++k) {
      for (std::uint32_t s = 0; s < now_.size(); ++s) {
        if (!model_.is_terminal(State{s})) back_up(State{s});
      }
      std::swap(later_, now_);
    }
    return later_[index(initial)];
  }

  [[nodiscard]] double residual(std::size_t j) const {
    return least_ + static_cast<double>(j) * step_;
  }
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 2 * later_.size() * (points_ + 1) * sizeof(double);
    for (const auto& indices : moved_) sum += indices.size() * sizeof(std::uint32_t);
    return sum;
  }
  std::uint64_t multiply_adds = 0;

 private:
  struct Term {
    double probability;
    const double* values;
    const std::uint32_t* moved;
  };

  // D_0 = [y <= 0]. Entry 0 stands for everything up to L, which is certain, and one more entry for
  // everything beyond U, which is impossible: neither ever changes.
  [[nodiscard]] std::vector<double> first_row() const {
    std::vector<double> row(points_ + 1);
    for (std::size_t j = 0; j < points_; ++j) row[j] = residual(j) <= 0 ? 1.0 : 0.0;
    row[0] = 1;
    return row;
  }

  // The grid index of (y_j - r) / gamma, for every j.
  [[nodiscard]] std::vector<std::uint32_t> moved(double reward, double gamma, Round round) const {
    std::vector<std::uint32_t> indices(points_);
    for (std::size_t j = 0; j < points_; ++j) {
      const double exact = ((residual(j) - reward) / gamma - least_) / step_;
      const double whole = round == Round::up ? std::ceil(exact) : std::floor(exact);
      indices[j] = static_cast<std::uint32_t>(std::clamp(whole, 0.0, static_cast<double>(points_)));
    }
    return indices;
  }

  void back_up(State state) {
    std::vector<double>& best = now_[index(state)];
    std::fill(best.begin() + 1, best.end() - 1, 0.0);
    for (const Choice c : model_.choices(state)) {
      terms_.clear();
      for (const Outcome& o : model_.outcomes(c)) {
        terms_.push_back({model_.probabilities().nearest(o.probability),
                          later_[index(o.next)].data(),
                          moved_[index(o.reward)].data()});
      }
      for (std::size_t j = 1; j < points_; ++j) {
        double sum = 0;
        for (const Term& term : terms_) sum += term.probability * term.values[term.moved[j]];
        best[j] = std::max(best[j], sum);
      }
      multiply_adds += terms_.size() * (points_ - 1);
    }
  }

  const Model& model_;
  double least_;
  double step_;
  std::size_t points_;
  std::vector<std::vector<std::uint32_t>> moved_;  // by reward
  std::vector<std::vector<double>> later_;         // by state
  std::vector<std::vector<double>> now_;
  std::vector<Term> terms_;
};

// The last grid point whose value counts; the first always does.
std::size_t last_that_counts(const std::vector<double>& values, const Question& question) {
  const double theta = to_nearest_double(1 - question.tau);
  const auto counts = [&](double p) {
    return question.side == Side::lower ? p > theta : p >= theta;
  };
  std::size_t j = 0;
  while (j + 1 < values.size() && counts(values[j + 1])) ++j;
  return j;
}

}  // namespace

PlainGrid plain_grid(const Model& model,
                     const Setting& setting,
                     const Question& question,
                     std::size_t points) {
  const ResolvedSetting where = resolve(model, setting);
  const double gamma = to_nearest_double(where.discount);
  const ReturnRange range = attainable_returns(model, setting).anywhere;
  PlainGrid plain;
  plain.step = range.width() / static_cast<double>(points - 1);
  const auto steps = static_cast<double>(where.horizon);
  plain.bound = plain.step * (1 + (gamma < 1 ? std::min(steps, 1 / (1 - gamma)) : steps));

  Work& work = plain.answer.work;
  const auto end_of_bracket = [&](Round round) {
    Pass pass(model, range, gamma, points, round);
    const std::size_t last =
        last_that_counts(pass.run(where.horizon, where.initial.only()), question);
    work.multiply_adds += pass.multiply_adds;
    work.peak_bytes = pass.bytes();
    ++work.passes;
    return Rational(pass.residual(round == Round::up ? last : last + 1));
  };
  Result result;
  result.tau = question.tau;
  result.side = question.side;
  result.status = Status::solved;
  result.certificate = Certificate::bracket;
  result.quantile = end_of_bracket(Round::up);
  result.upper = end_of_bracket(Round::down);
  plain.answer.results.push_back(result);
  plain.answer.engine.used = "plain grid";
  return plain;
}

}  // namespace quantiplan::bench
