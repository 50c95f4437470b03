// All questions of one call, exactly where that is affordable, else between rounded problems.
//
//     exact levels -> (too many) -> grids of a quarter of the greatest reward, and then four times
//     as fine again and again: rounded down and up, the two hold the truth between them
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "infinite/level_series.hpp"
#include "problem/quantile_problem.hpp"

namespace quantiplan {

// One question's answer, and the problem whose policy attains its lower end.
struct FoundLevel {
  std::shared_ptr<WeightedLayout> layout;
  LevelSeries::Found what;
};

class InfiniteQuestions {
 public:
  InfiniteQuestions(std::shared_ptr<InfiniteLayout> layout, const std::vector<Question>& asked);

  void run();
  [[nodiscard]] std::vector<FoundQuantile> results() const;
  // The results, of whose policies those are taken that are wanted most (budget_promises.hpp).
  std::vector<FoundQuantile> preferred_results(const Wishes& wishes);
  // The series whose curve is shown; null if none went far enough to have one.
  [[nodiscard]] LevelSeries* exact() const { return exact_.get(); }
  [[nodiscard]] const std::optional<Rational>& epsilon() const { return epsilon_; }
  [[nodiscard]] bool was_rounded() const { return rounds_ > 0; }
  [[nodiscard]] EngineReport report() const;
  void add_work(Work& work) const;

 private:
  std::unique_ptr<LevelSeries> make(Weights weights, std::uint64_t most_work);
  void run_rounded();
  // False if it took too long to be of use, and a finer one would take longer.
  bool refine(const Rational& unit);
  void set(std::size_t i, FoundLevel found);
  void combine(std::size_t i, FoundLevel next);

  std::shared_ptr<InfiniteLayout> layout_;
  const std::vector<Question>& asked_;
  std::vector<Question> questions_;
  std::optional<Rational> epsilon_;
  std::unique_ptr<LevelSeries> exact_;
  std::vector<FoundLevel> found_;
  int rounds_ = 0;
  Work work_;
};

}  // namespace quantiplan
