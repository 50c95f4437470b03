// All questions of one call, exactly where that is affordable, else between rounded problems.
//
//     exact levels -> (too many) -> grids of a quarter of the greatest reward, and then four times
//     as fine again and again: rounded down and up, the two hold the truth between them
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "infinite/endless_series.hpp"
#include "problem/quantile_problem.hpp"

namespace quantiplan {

// One question's answer, and the problem whose policy attains its lower end.
struct FoundLevel {
  std::shared_ptr<WeightedGround> ground;
  EndlessSeries::Found what;
};

class EndlessQuestions {
 public:
  EndlessQuestions(std::shared_ptr<EndlessGround> ground, const std::vector<Question>& asked);

  void run();
  [[nodiscard]] std::vector<FoundQuantile> results() const;
  // The results, of whose policies those are taken that are wanted most (endless_promises.hpp).
  std::vector<FoundQuantile> preferred_results(const Wishes& wishes);
  // The series whose curve is shown; null if none went far enough to have one.
  [[nodiscard]] EndlessSeries* exact() const { return exact_.get(); }
  [[nodiscard]] const std::optional<Rational>& epsilon() const { return epsilon_; }
  [[nodiscard]] bool was_rounded() const { return rounds_ > 0; }
  [[nodiscard]] EngineReport report() const;
  void add_work(Work& work) const;

 private:
  std::unique_ptr<EndlessSeries> make(Weights weights, std::uint64_t most_work);
  void run_rounded();
  // False if it took too long to be of use, and a finer one would take longer.
  bool refine(const Rational& unit);
  void set(std::size_t i, FoundLevel found);
  void combine(std::size_t i, FoundLevel next);

  std::shared_ptr<EndlessGround> ground_;
  const std::vector<Question>& asked_;
  std::vector<Question> questions_;
  std::optional<Rational> epsilon_;
  std::unique_ptr<EndlessSeries> exact_;
  std::vector<FoundLevel> found_;
  int rounds_ = 0;
  Work work_;
};

}  // namespace quantiplan
