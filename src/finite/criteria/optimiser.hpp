// The optimum of a criterion in one problem that is laid out, exact or rounded to a grid, in one arithmetic:
// N = double or Rational.
//
//     criterion        terminal function u(x), x = W - y        value
//     cvar             min(x, 0)                                max_y { y + U(y) / tau }: one pass for every tau
//     mean-cvar        l x + ((1 - l) / tau) min(x, 0)          max_y { y + U(y) }
//     utility          u                                        U, with wealth counted from 0
//     mean-variance    2 c W - W^2                              a search over c (mean_variance.hpp)
//
// Only totals that can be attained matter as y: for one policy what is maximised is a line between its
// totals. Values are those of the problem as it is rounded; what that says of the true one is up to the
// caller. Source: criteria, sections 1, 3 and 4.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "finite/criteria/mean_variance.hpp"
#include "finite/criteria/worth_curve.hpp"
#include "finite/solve/finite_layout.hpp"
#include "problem/quantile_problem.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan {

// Of one tau.
struct LevelFound {
  Total lower;  // the policy has at least this
  Total upper;  // no policy has more
  std::int64_t level = 0;
  MakeWorthRules rules;
  Rational deviation_square = 0;  // of mean-variance: the variance of the policy
  bool is_beyond_doubles =
      false;  // the worth of some total is: an end may be infinite for that alone
  // Of the curve of mean-variance: from this lambda on, the mean of the policy, and how far both may be off.
  Rational lambda = 0;
  Rational mean = 0;
  Rational mean_error = 0;
  Rational variance_error = 0;
  Rational greatest_mean = 0;  // of mean-variance: that no policy exceeds
};

template <class N>
class Optimiser {
 public:
  // `most_products`: of rationals, in all. `gap`: how far the two ends may stay apart, of what is searched
  // for. If the whole curve is asked for, and there are no taus yet, `asked` gets them; that of mean-variance
  // has a result for each lambda at which the policy changes, and says whether it is complete.
  Optimiser(std::shared_ptr<FiniteLayout> layout,
            CriterionQuestions& asked,
            std::uint64_t most_products,
            const Rational& gap,
            Work& work);

  // One for each tau, or one. Nullopt if the limits ended it, or it is too much for rationals. Throws
  // Error(refused) if it does not fit the memory limit.
  std::optional<std::vector<LevelFound>> run();
  // The multiply-adds of a pass, and its bytes; nullopt if the limits ended it. For doubles.
  struct Size {
    double multiply_adds = 0;
    double bytes = 0;
  };
  std::optional<Size> size();

 private:
  struct Worth {
    Rational gain = 0;
    Rational loss = 1;
    // By total, in keys of the time.
    std::function<Utility::Bounds(std::uint64_t time, std::int64_t key)> bounds = nullptr;
    std::function<Rational(std::int64_t key)> exact = nullptr;
    bool with_mean = false;
    bool from_above = false;
    bool at_every_level = false;
  };

  bool lay_out();
  [[nodiscard]] std::optional<std::vector<std::int64_t>> levels(std::int64_t from);
  std::optional<WorthCurve<N>> curve(const Worth& worth, std::int64_t from, std::int64_t upto);
  std::optional<std::vector<LevelFound>> cvar();
  std::optional<std::vector<LevelFound>> mean_cvar();
  std::optional<std::vector<LevelFound>> utility();
  std::optional<std::vector<LevelFound>> mean_variance();
  std::optional<std::vector<LevelFound>> variance_curve();
  // G(c) of one c by a pass of its own; of every level by one pass.
  std::optional<QuadraticProbe> probe(const Rational& c);
  std::optional<std::vector<QuadraticProbe>> probe_levels();
  // The greatest of all policies, in keys; `error`: of means here.
  [[nodiscard]] Rational greatest_mean(const Rational& error) const;
  [[nodiscard]] Worth utility_worth() const;
  // The best of y + U(y) / divisor.
  [[nodiscard]] LevelFound best_of(const WorthCurve<N>& curve, const Rational& divisor) const;
  [[nodiscard]] Total wealth(const Rational& keys) const;

  std::shared_ptr<FiniteLayout> layout_;
  CriterionQuestions& asked_;
  std::uint64_t most_products_;
  Rational gap_;
  Work& work_;
  std::shared_ptr<const Expectation<N>> expectation_;
  std::optional<std::vector<std::int64_t>> totals_;  // of rationals
  // The policies of probes.
  struct Probed {
    MakeWorthRules rules;
    std::int64_t level;
  };
  std::vector<Probed> probed_;
};

extern template class Optimiser<double>;
extern template class Optimiser<Rational>;

}  // namespace quantiplan
