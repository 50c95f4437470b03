// Answers the questions of one query in one arithmetic, N = double or Rational.
//
//     expectation -> backward pass (or the paper's search) -> level of each question -> means,
//     comparison
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "curve.hpp"
#include "decisions.hpp"
#include "expectation.hpp"
#include "instance.hpp"
#include "locate.hpp"
#include "pass.hpp"
#include "plan.hpp"
#include "quantiplan/answer.hpp"
#include "strategy.hpp"

namespace quantiplan {

template <class N>
class Solver {
 public:
  // With `compare`, results carry means and what the expectation-optimal policy attains.
  Solver(std::shared_ptr<Instance> instance, const Plan& plan, bool compare, Work& work);

  // False if the limits ended it: then only partial() may be asked.
  bool run_passes();
  [[nodiscard]] const Curve<N>& curve() const { return pass_.curve; }
  [[nodiscard]] const RoundingBound& bound() const { return bound_; }
  [[nodiscard]] std::uint64_t dense_layers() const { return pass_.dense_layers; }

  std::vector<Result> answer(const std::vector<Question>& asked);
  FrontierQuantile quantile(const Question& question);
  // What is known without any pass: the sure level and the greatest possible one.
  Result partial(const Question& question);

 private:
  struct Comparison {
    std::shared_ptr<const Windows> windows;
    Curve<N> curve;
  };

  PassOutput<N> run(const Windows& windows, ChoiceFilter filter, bool decisions);
  void run_comparison();
  Result result_of(const Question& question, const Located& located);
  Located level_of(const Question& question);
  Located search(const Question& question);
  std::optional<Settled> settle_at(const Windows& windows,
                                   const ChoiceFilter& filter,
                                   const Decisions* hints,
                                   std::int64_t level);
  std::optional<ExpectationComparison> compare(const Question& question, std::int64_t level);
  void attach_policy(Result& result,
                     std::int64_t level,
                     const std::shared_ptr<const SettledPoints>& points);
  void set_means(std::vector<Result>& results, const std::vector<Located>& located);
  std::optional<std::vector<N>> means_of(const std::vector<std::int64_t>& levels);
  [[nodiscard]] Rational wealth(std::int64_t level) const;
  [[nodiscard]] Value mean_value(const N& mean_in_keys) const;

  std::shared_ptr<Instance> instance_;
  Plan plan_;
  bool compare_;
  Work& work_;
  std::optional<Expectation<N>> expectation_;
  std::shared_ptr<Groundwork> ground_;
  RoundingBound bound_;
  PassOutput<N> pass_;
  bool first_target_tried_ = false;
  std::optional<Comparison> comparison_;
  std::map<std::int64_t, Settled> settled_;  // exact solves of the main problem, by level
};

extern template class Solver<double>;
extern template class Solver<Rational>;

}  // namespace quantiplan
