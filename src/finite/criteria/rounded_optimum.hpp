// Brackets of a criterion by refinement: the problem rounded down and the one rounded up, on finer and finer
// grids, until the two optima are within epsilon.
//
//     monotone criteria     optimum of W^- <= optimum <= optimum of W^+
//         cvar, mean-cvar   and no more apart than the steps add up to, for they are cash-additive
//         utility           as far apart as u lets them be: at a step of u they may stay so
//     mean - l variance     is not monotone. |W - W^-| <= d moves a mean and a deviation by d at most, so
//                           V^- - l (2 sd + d) d  <=  V  <=  V^- + d (1 + l D),  D the range of W^-,
//                           for a deviation is at most D / 2
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
