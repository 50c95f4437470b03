// Answers the questions of one query in one arithmetic, N = double or Rational.
//
//     expectation -> backward pass (or the paper's search) -> level of each question
//                 -> means, comparison
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "finite/decisions.hpp"
#include "finite/expectation.hpp"
#include "finite/pass/curve.hpp"
#include "finite/pass/pass.hpp"
#include "finite/promise/coin.hpp"
#include "finite/promise/free_worth.hpp"
#include "finite/promise/promise_passes.hpp"
#include "finite/solve/better_policies.hpp"
#include "finite/solve/finite_layout.hpp"
#include "finite/solve/locate.hpp"
#include "finite/solve/plan.hpp"
#include "finite/strategy.hpp"
#include "quantiplan/answer.hpp"

namespace quantiplan {

// How a pass is narrowed and rounded; the default is the exact problem in full.
struct Focus {
  std::optional<Interval> targets;       // where the answer can lie; absent: everywhere
  double drop = 0;                       // see PassInput
  std::uint64_t probability_levels = 0;  // see PassInput
  bool decisions = true;
  bool each_start = false;        // see PassInput
  LayerRecord* record = nullptr;  // see PassInput
  std::int64_t search_gap = 1;    // the paper's search ends at this many levels
  std::uint64_t most_exact_nodes = std::numeric_limits<std::uint64_t>::max();
};

struct GoalSearch;

template <class N>
class Solver {
 public:
  // With `compare`, results carry means and what the expectation-optimal policy attains.
  Solver(std::shared_ptr<FiniteLayout> layout, const Plan& plan, bool compare, Work& work);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // False if the limits ended it: then only partial() may be asked.
  bool run_passes(const Focus& focus = {});
  // Instead of passes of its own: those of a solver of the same problem from several initial states, of
  // which this one's is the slot-th (FiniteLayout), with Focus::each_start.
  void take_passes(const Solver& of_all, std::size_t slot);
  // The expectation-optimal choices, for where the choice is free; false if the limits ended it.
  bool find_expectation();
  // What the expectation-optimal policy attains; without it, results carry no comparison.
  void run_comparison();
  // The layers that Focus::record asked for are gone.
  void drop_record();
  [[nodiscard]] const Curve<N>& curve() const { return pass_.curve; }
  [[nodiscard]] const RoundingBound& bound() const { return bound_; }
  [[nodiscard]] std::uint64_t dense_layers() const { return pass_.dense_layers; }

  std::vector<Result> answer(const std::vector<Question>& asked, const Wishes& wishes);
  // Puts better policies into the results, as the wishes say (better_policies.hpp). `above`: the
  // same problem with wealth rounded up, where this one is rounded down.
  void prefer(const Wishes& wishes, const std::vector<PromisedLevel>& promised, Solver* above);
  // Why it did not, if it did not.
  [[nodiscard]] const std::string& left_out() const noexcept { return left_out_; }
  // True if that needs passes that are too large, and a grid would do.
  [[nodiscard]] bool is_too_large() const noexcept { return is_too_large_; }
  // The passes of many aims, for these targets; null if one is not small and `at_any_cost` is false,
  // if it does not fit the memory, or if the limits ended it.
  std::shared_ptr<PromisePasses> promise_passes(const std::vector<std::int64_t>& targets,
                                                bool at_any_cost);
  // No policy has a greater mean: known without any pass.
  [[nodiscard]] Rational greatest_mean() const;
  // How probabilities and means of the passes are put into results.
  [[nodiscard]] MeanShape mean_shape(bool bounded, const PromisePasses& passes) const;
  // The level of one question, and the result at it, means and comparison left out.
  Located level_of(const Question& question);
  Result result_of(const Question& question, const Located& located);
  // The policy and its distribution at a located level.
  void attach_policy(Result& result, const Located& located);
  void set_means(std::vector<Result>& results, const std::vector<Located>& located);
  Shared<ExpectationComparison> compare(const Question& question, std::int64_t level);
  // P(W >= level) of the policy of a located level, in the pass's own problem.
  [[nodiscard]] Value probability_at(const Located& located) const;
  // True if the pass rounded probabilities, so that those of its curve are bounds.
  [[nodiscard]] bool rounds_probabilities() const {
    return focus_.drop > 0 || focus_.probability_levels > 0;
  }
  [[nodiscard]] Rational wealth(std::int64_t level) const;
  [[nodiscard]] const std::shared_ptr<FiniteLayout>& layout() const { return layout_; }
  FrontierQuantile quantile(const Question& question);
  // Frontier::policy.
  [[nodiscard]] Later<Policy> policy_of_curve() const;
  // What is known without any pass: the sure level and the greatest possible one.
  Result partial(const Question& question);

 private:
  struct Comparison {
    std::shared_ptr<const Windows> windows;
    Curve<N> curve;
    std::vector<Curve<N>> start_curves;  // see PassOutput
  };

  PassInput<N> pass_input(const Windows& windows, ChoiceFilter filter, bool decisions) const;
  PassOutput<N> run(const Windows& windows, ChoiceFilter filter, bool decisions);
  PassOutput<N> run_in_blocks(PassInput<N> input);
  Located search(const Question& question);
  std::optional<Settled> settle_at(const Windows& windows,
                                   const ChoiceFilter& filter,
                                   const Decisions* hints,
                                   std::int64_t level);
  void fill_free_choices();
  // Of a policy's groundwork: what the expectation-optimal choices are, unless it is known.
  static void find_free_choices(const FiniteLayout& layout, Groundwork& ground, Limits& limits);
  std::shared_ptr<PromisePasses> node_passes(std::shared_ptr<const FreeWorth> free,
                                             const std::vector<std::int64_t>& targets,
                                             bool at_any_cost);
  std::shared_ptr<PromisePasses> weighted_pass(
      std::shared_ptr<const Expectation<double>> expectation,
      std::shared_ptr<const FreeWorth> goal,
      const std::vector<std::int64_t>& targets,
      bool at_any_cost);
  // The passes if they have few nodes, else null; bounds alone, false if there are none.
  std::shared_ptr<PromisePasses> few_nodes(const std::vector<std::int64_t>& targets,
                                           bool at_any_cost);
  bool bound_by_rounding(const Wishes& wishes,
                         const std::vector<PromisedLevel>& promised,
                         const Rational& gap);
  // solver_goal.cpp.
  std::shared_ptr<PromisePasses> goal_passes(std::shared_ptr<const FreeWorth> goal,
                                             const std::vector<std::int64_t>& targets,
                                             bool at_any_cost);
  void prefer_goal(const Wishes& wishes, const std::vector<PromisedLevel>& promised);
  std::vector<std::optional<Rational>> goal_bounds(const std::shared_ptr<const FreeWorth>& goal,
                                                   const GoalSearch& search,
                                                   const std::vector<PromisedLevel>& promised,
                                                   const Rational& slack,
                                                   bool at_any_cost);
  void put_better(const std::shared_ptr<PromisePasses>& passes,
                  const PromiseFound& found,
                  const Wishes& wishes,
                  const PromisedLevel& promised);
  void put_all_better(const std::shared_ptr<PromisePasses>& passes,
                      const std::vector<PromiseFound>& found,
                      const Wishes& wishes,
                      const std::vector<PromisedLevel>& promised);
  void put_mixed(const std::shared_ptr<PromisePasses>& passes,
                 const Coin& coin,
                 const MeanShape& shape,
                 const PromisedLevel& promised);
  [[nodiscard]] Value certified(const N& computed) const;
  [[nodiscard]] std::uint64_t most_mean_nodes() const;
  std::optional<std::vector<N>> means_of(const std::vector<std::int64_t>& levels);
  [[nodiscard]] Value mean_value(const N& mean_in_keys) const;
  double mean_error() const;

  std::shared_ptr<FiniteLayout> layout_;
  Plan plan_;
  bool compare_;
  Work& work_;
  Focus focus_;
  std::shared_ptr<const Needs> needs_;
  std::shared_ptr<const Expectation<N>> expectation_;
  std::shared_ptr<Groundwork> ground_;
  RoundingBound bound_;
  PassOutput<N> pass_;
  bool took_passes_ = false;
  bool first_target_tried_ = false;
  std::optional<Comparison> comparison_;
  // What it attains, by the range of its quantile's level, and the level that was promised.
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Shared<ExpectationComparison>>
      compared_;
  mutable std::optional<double> mean_error_;  // once it was asked for
  std::string left_out_;
  bool is_too_large_ = false;      // the passes for the best mean, for the memory or for rationals
  std::optional<Result> partial_;  // in general, and where certainty is asked for
  std::optional<Result> sure_partial_;
  std::map<std::int64_t, Settled> settled_;  // exact solves of the main problem, by level
};

extern template class Solver<double>;
extern template class Solver<Rational>;

}  // namespace quantiplan
