// Brackets of a criterion by refinement: the problem rounded down and the one rounded up, on finer and finer
// grids, until the two optima are within epsilon.
//
//     monotone criteria     optimum of W^- <= optimum <= optimum of W^+
//         cvar, mean-cvar   and no more apart than the steps add up to, for they are cash-additive
//         utility           as far apart as u lets them be: at a step of u they may stay so
//     mean - l variance     is not monotone. W = W^- + X with 0 <= X <= d moves a mean by at most d and a deviation
//                           by that of X, d / 2 at most, so with sd that of the policy and E* the greatest mean of W^-
//                           V^- - l (sd + d/4) d  <=  V  <=  V^- + d (1 + l S)
//                           S = d/2 + sqrt((E* + d - V^-) / l): who has a greater deviation has less than V^-
//
// Each round holds by itself: whatever ends the next one early, the bracket before is the answer, with the
// policy of the round that gave its lower end. Source: criteria, sections 1 and 4.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "finite/criteria/optimiser.hpp"
#include "finite/solve/finite_layout.hpp"
#include "finite/solve/grid_choice.hpp"

namespace quantiplan {

class RoundedOptimum {
 public:
  RoundedOptimum(std::shared_ptr<FiniteLayout> layout, CriterionQuestions& asked, Work& work);

  void run();
  // One for each tau, or one. Absent policies: the limits were met before there was one.
  struct Open {
    Total lower = Total::minus_infinity();
    Total upper = Total::plus_infinity();
    std::shared_ptr<FiniteLayout> from;  // gave the lower end
    LevelFound found;                    // there
  };
  [[nodiscard]] const std::vector<Open>& open() const noexcept { return open_; }
  [[nodiscard]] const Rational& epsilon() const noexcept { return epsilon_; }
  [[nodiscard]] Status status(const Open& open) const;
  [[nodiscard]] std::string summary() const;
  // The utility of some total is beyond doubles, whatever the grid.
  [[nodiscard]] bool is_beyond_doubles() const noexcept { return is_beyond_doubles_; }

 private:
  std::shared_ptr<FiniteLayout> make(const Grid& grid, Rounding rounding);
  bool begin();
  bool refine(const Grid& grid);
  bool refine_both(const Grid& grid);
  bool refine_deviation(const Grid& grid);
  void draw_variances();
  void refine_spelt();
  bool is_affordable(const Grid& grid);
  void raise(const std::shared_ptr<FiniteLayout>& from, std::vector<LevelFound> found);
  [[nodiscard]] bool is_narrow(const Open& open) const;
  [[nodiscard]] bool is_done() const;
  [[nodiscard]] bool is_cash_additive() const;

  std::shared_ptr<FiniteLayout> layout_;
  CriterionQuestions& asked_;
  Work& work_;
  GridChoice choice_;
  Rational epsilon_;       // in the units of the value
  Rational grid_epsilon_;  // of the last grid, in units of wealth
  Rational range_;         // of totals
  std::vector<Open> open_;
  int rounds_ = 0;
  bool lacked_memory_ = false;
  bool is_beyond_doubles_ = false;
};

}  // namespace quantiplan
