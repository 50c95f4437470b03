// Certified brackets by refinement: a pass rounded down and one rounded up, on ever finer grids.
//
//     q^- <= optimal quantile <= q^+      q^-, q^+: quantiles of the rounded problems (grid.hpp)
//
//     finest equal steps   windows only: the range, and what is sure or possible at all
//     grid 1, 2, ...       each 8 times as fine, only for targets in the bracket so far, until
//                          q^+ - q^- <= epsilon
//
// Each round narrows the brackets it finds: whatever ends a round early, those of the rounds before
// still hold, with the policy of the round that gave the lower end. The lower end is a quantile of
// the problem rounded down, so its policy attains it in the true one; every comparison with theta
// is certified or settled in rationals as in the exact engine.
#pragma once

#include <memory>
#include <vector>

#include "finite/solve/finite_layout.hpp"
#include "finite/solve/grid_choice.hpp"
#include "finite/solve/plan.hpp"
#include "finite/solve/point_search.hpp"
#include "finite/solve/solver.hpp"
#include "quantiplan/answer.hpp"

namespace quantiplan {

class Brackets {
 public:
  Brackets(std::shared_ptr<FiniteLayout> layout,
           const Plan& plan,
           std::vector<Question> asked,
           bool compare,
           Work& work);

  // Narrows the brackets until all are within epsilon, or a limit is met. Throws Error(refused) if
  // not even the windows fit the memory limit.
  void run();
  [[nodiscard]] const Rational& epsilon() const { return epsilon_; }
  [[nodiscard]] std::string summary() const;
  // Why some promise was not kept with a better policy; empty if none was left out.
  [[nodiscard]] const std::string& left_out() const noexcept { return left_out_; }

  std::vector<Result> results(const Wishes& wishes);
  [[nodiscard]] std::vector<FrontierQuantile> quantiles() const;
  // The two curves of a whole pass, which run_whole() made.
  void run_whole(bool decisions = false);
  // The two rounded problems of the last round; null before there was one.
  [[nodiscard]] const std::shared_ptr<Solver<double>>& down() const { return down_; }
  [[nodiscard]] const std::shared_ptr<Solver<double>>& up() const { return up_; }
  [[nodiscard]] std::vector<FrontierStep> lower_curve() const {
    return down_ ? curve_of(down_) : std::vector<FrontierStep>();
  }
  [[nodiscard]] std::vector<FrontierStep> upper_curve() const {
    return up_ ? curve_of(up_) : std::vector<FrontierStep>();
  }
  [[nodiscard]] double relative_error() const;
  // False if a limit was met before anything was known.
  [[nodiscard]] bool has_begun() const { return begun_; }
  [[nodiscard]] Status status() const;

 private:
  // One rounded problem with its solver.
  using Rounded = std::shared_ptr<Solver<double>>;
  struct Open {
    Question question;
    Rational lower;
    Rational upper;
    Rounded from;     // gave the lower end
    Located located;  // there
    [[nodiscard]] Rational width() const { return upper - lower; }
  };

  Rounded make(const Grid& grid, Rounding rounding);
  bool begin();
  bool refine(const Grid& grid, bool may_drop);
  bool run_lattice();
  // Narrower brackets than were asked for, where nobody said how narrow.
  void spend_spare_work();
  bool run_levels();
  bool refine_levels(std::uint64_t levels);
  [[nodiscard]] std::uint64_t fewest_levels() const;
  [[nodiscard]] double cost_of_levels(std::uint64_t levels) const;
  [[nodiscard]] Rational widest() const;
  [[nodiscard]] std::string rounds_text() const;
  bool try_search();
  bool run_search();
  bool run_paper();
  bool search_within(const Grid& coarse, std::uint64_t most_nodes);
  bool search(Open& open,
              Solver<double>& coarse,
              const ValueBounds& bounds,
              std::uint64_t most_nodes);
  bool narrow(const Grid& grid, const Focus& focus);
  void narrow_lower(const Rounded& down);
  void narrow_upper(const Rounded& up);
  [[nodiscard]] bool is_done() const;
  [[nodiscard]] Interval targets(const Rounded& rounded) const;
  [[nodiscard]] double drop() const;
  void show() const;
  // What the upper end of a level must be raised by.
  static Rational beyond(const Rounded& rounded);
  static std::vector<FrontierStep> curve_of(const Rounded& rounded);
  Result result_of(std::size_t i);
  void set_mean(std::size_t i, Result& result);
  void add_comparison(std::vector<Result>& results);
  void prefer(const Wishes& wishes, std::vector<Result>& results);
  void prefer_on(const Rounded& found_on, const Wishes& wishes, std::vector<Result>& results);
  Rounded affordable();

  std::shared_ptr<FiniteLayout> layout_;
  Plan plan_;
  bool compare_;
  Work& work_;
  GridChoice choice_;
  Rational epsilon_;
  std::vector<Open> open_;
  Rounded finest_;  // windows only
  Rounded finest_up_;
  Rounded down_;  // of the last round
  Rounded up_;
  std::uint64_t rounds_ = 0;
  std::uint64_t levels_ = 0;
  std::uint64_t searches_ = 0;
  std::uint64_t coarse_rounds_ = 0;  // those that only gave a search its bounds
  bool tied_ = false;                // a search met a value that may equal theta
  bool begun_ = false;
  bool is_coarser_ = false;  // the whole curve did not fit at epsilon
  bool lacked_memory_ = false;
  std::string left_out_;
};

}  // namespace quantiplan
