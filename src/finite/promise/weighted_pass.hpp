// Promises in doubles, on contiguous arrays: one backward pass for each aim.
//
//     M_T(s, y) = l [y <= 0]      M_t(s, y) = max_a  sum p ( r + M_{t+1}(s', y - R) )
//
//     y <= least:  M = l + E_t(s)        least < y <= possible: stored        beyond:  M = E_t(s)
//
// with the pair (P, E) of the policy that takes the maximising choices carried beside M. The
// residual may be rounded (R), the reward in the mean never is (r), so on a grid rounded down P is a
// lower bound for the true problem and E the true mean of the policy that carries the index; on one
// rounded up M is an upper bound. All in keys of time 0. Probability first: (P, E) of every choice,
// compared with certainty where they differ by more than rounding, else by E; where the promise can
// be kept surely, among choices that do.
//
// With a goal (free_worth.hpp) E is the chance of the goal, or K of those who keep the greatest chance:
// other choices are left out then, and no promise counts as sure.
//
// Errors: P as in a pass (rounding_bound.hpp), E as any policy's (mean_error.hpp), M by
// optimum_error.hpp.
//
// Cost: a multiply-add for each (choice, outcome, residual), and two more for the outcomes of the
// best choice.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "finite/expectation.hpp"
#include "finite/pass/needs.hpp"
#include "finite/promise/optimum_error.hpp"
#include "finite/promise/promise_passes.hpp"
#include "kernels/backup.hpp"
#include "numbers/rounding_bound.hpp"

namespace quantiplan {

struct WeightedPassInput {
  std::shared_ptr<const Stages> stages;
  std::shared_ptr<const Windows> windows;  // as they are
  std::shared_ptr<const Expectation<double>> expectation;
  const Kernel* kernel;
  std::vector<std::int64_t> targets;
  std::shared_ptr<const FreeWorth> goal = nullptr;  // instead of the mean, and then E is its own
};
// What is best where nothing is promised any more, of a goal, as expectations are.
std::shared_ptr<const Expectation<double>> expectation_of(const Stages& stages,
                                                          const FreeWorth& goal);

// What one pass with a weight costs at most, and the arrays that it needs.
struct PassSize {
  double multiply_adds = 0;
  double bytes = 0;
};

class WeightedPass : public PromisePasses {
 public:
  // Null if the limits ended it.
  static std::unique_ptr<WeightedPass> prepare(const WeightedPassInput& input,
                                               const Limits& limits);
  ~WeightedPass() override;
  WeightedPass(const WeightedPass&) = delete;
  WeightedPass& operator=(const WeightedPass&) = delete;

  [[nodiscard]] const PassSize& size() const noexcept { return size_; }
  std::optional<std::vector<Prospect>> run(const Aim& aim, Limits& limits, Work& work) override;
  std::optional<AimedRules> rules(const Aim& aim, Limits& limits) override;
  std::optional<Rational> exact_probability(const Aim& aim,
                                            std::size_t target,
                                            Limits& limits) override;
  void end_search() override;
  [[nodiscard]] Rational rounded(const Rational& weight) const override;
  [[nodiscard]] bool is_exact() const override { return false; }

 private:
  class Layers;
  explicit WeightedPass(const WeightedPassInput& input);
  [[nodiscard]] Prospect prospect_at(std::int64_t target,
                                     const Aim& aim,
                                     const Layers& layers) const;
  void measure();

  WeightedPassInput in_;
  std::shared_ptr<Groundwork> ground_;  // windows down to least
  std::unique_ptr<const Needs> needs_;
  RoundingBound bound_;
  OptimumError optimum_error_;
  PassSize size_;
  std::uint64_t most_entries_ = 0;
  // Of one pass: functions formed, and the values of all functions that are kept.
  std::uint64_t backups_ = 0;
  double entries_ = 0;
  double mean_error_ = 0;           // of whatever policy a pass finds
  std::unique_ptr<Layers> layers_;  // kept from pass to pass
};

}  // namespace quantiplan
