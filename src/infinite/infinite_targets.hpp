// The greatest chance of each target: exactly where that is affordable, else between rounded
// problems that grow finer until the two chances are a millionth apart.
#pragma once

#include <memory>
#include <optional>

#include "infinite/level_series.hpp"
#include "problem/quantile_problem.hpp"

namespace quantiplan {

class InfiniteTargets {
 public:
  explicit InfiniteTargets(std::shared_ptr<InfiniteLayout> layout);

  // In the user's terms. Of several initial slots one is asked for; what one pass finds serves all of them, but
  // policies are those of slot 0.
  FoundChance find(const Total& target, std::size_t start = 0);
  [[nodiscard]] EngineReport report() const;
  void add_work(Work& work) const;

 private:
  // The greatest counted chance of one target, and the problem whose policy has it.
  struct Counted {
    std::shared_ptr<WeightedLayout> layout;
    LevelSeries::Chance low;
    Value high;
  };
  std::optional<Counted> counted(const Total& target, bool strictly, std::size_t start);
  std::optional<Counted> between(const Rational& unit,
                                 const Total& target,
                                 bool strictly,
                                 std::size_t start);
  std::unique_ptr<LevelSeries> make(Weights weights, std::uint64_t most_work);

  std::shared_ptr<InfiniteLayout> layout_;
  std::unique_ptr<LevelSeries> exact_;
  bool was_rounded_ = false;
};

}  // namespace quantiplan
