// Random models with all that a pass may meet, and what a pass stands on.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "finite/expectation.hpp"
#include "finite/pass/pass.hpp"
#include "finite/stages.hpp"
#include "finite/windows.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::testing {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  // From 0 to most.
  std::uint32_t upto(std::uint32_t most) {
    return static_cast<std::uint32_t>(engine_() % (most + 1ULL));
  }
  bool one_in(std::uint32_t n) { return upto(n - 1) == 0; }

 private:
  std::mt19937_64 engine_;
};

inline std::string name_of(std::uint32_t state) { return "s" + std::to_string(state); }

// A few states, some terminal, choices with one reward or several, and some that share their next states and
// probabilities.
inline Model random_model(Dice& dice,
                          std::uint32_t states,
                          std::uint32_t rewards,
                          std::uint64_t horizon,
                          std::uint32_t rows_shared = 4) {
  ModelBuilder b;
  b.horizon(horizon).initial("s0");
  for (std::uint32_t s = 0; s < states; ++s) b.declare_state(name_of(s));
  // Rows that several choices may have.
  std::vector<std::vector<std::pair<std::uint32_t, Rational>>> rows;
  const auto random_row = [&] {
    std::vector<std::pair<std::uint32_t, Rational>> row;
    const std::uint32_t size = (rows_shared > 0 ? 1 : 3) + dice.upto(dice.one_in(4) ? 40 : 4);
    std::vector<std::uint32_t> weights;
    std::uint32_t sum = 0;
    row.reserve(size);
    for (std::uint32_t i = 0; i < size; ++i) sum += weights.emplace_back(1 + dice.upto(9));
    for (std::uint32_t i = 0; i < size; ++i)
      row.emplace_back(dice.upto(states - 1), Rational(weights[i], sum));
    return row;
  };
  for (int i = 0; i < 4; ++i) rows.push_back(random_row());
  for (std::uint32_t s = 0; s < states; ++s) {
    if (s > 0 && dice.one_in(6)) continue;
    const std::uint32_t choices = 1 + dice.upto(dice.one_in(5) ? 40 : 3);
    for (std::uint32_t c = 0; c < choices; ++c) {
      b.begin_choice(name_of(s), "a" + std::to_string(c));
      const bool shares = rows_shared > 0 && dice.one_in(2);
      auto row = shares ? rows[dice.upto(3)] : random_row();
      const auto reward = static_cast<std::int64_t>(dice.upto(rewards)) - rewards / 3;
      for (auto& [next, p] : row) {
        p.canonicalize();
        const auto own = static_cast<std::int64_t>(dice.upto(rewards)) - rewards / 3;
        b.add_outcome(name_of(next), Number(p), Number(Rational(shares ? reward : own)));
      }
    }
  }
  return b.build();
}

struct Ground {
  Ground(const Model& model, const Grid* grid, Rounding rounding) : limits(options) {
    const Stages exact(model, resolve(model, {}), limits);
    stages = grid == nullptr ? std::make_unique<Stages>(exact)
                             : std::make_unique<Stages>(exact, *grid, rounding);
    windows = std::make_unique<Windows>(*stages, ChoiceFilter(), limits);
    expectation = std::make_unique<Expectation<double>>(*stages, limits);
  }
  [[nodiscard]] PassInput<double> input() const {
    PassInput<double> in{
        *stages, *windows, *expectation, ChoiceFilter(), true, Representation::dense};
    in.kernel = find_kernel("auto");
    return in;
  }
  Options options;
  Limits limits;
  std::unique_ptr<Stages> stages;
  std::unique_ptr<Windows> windows;
  std::unique_ptr<Expectation<double>> expectation;
};

}  // namespace quantiplan::testing
