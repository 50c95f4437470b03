// The greatest chance of each target: exactly where that is affordable, else between rounded
// problems that grow finer until the two chances are a millionth apart.
#pragma once

#include <memory>
#include <optional>

#include "infinite/endless_series.hpp"
#include "problem/quantile_problem.hpp"

namespace quantiplan {

class EndlessTargets {
 public:
  explicit EndlessTargets(std::shared_ptr<EndlessGround> ground);

  // In the user's terms.
  FoundChance find(const Total& target);
  [[nodiscard]] EngineReport report() const;
  void add_work(Work& work) const;

 private:
  // The greatest counted chance of one target, and the problem whose policy has it.
  struct Counted {
    std::shared_ptr<WeightedGround> ground;
    EndlessSeries::Chance low;
    Value high;
  };
  std::optional<Counted> counted(const Total& target, bool strictly);
  std::optional<Counted> between(const Rational& unit, const Total& target, bool strictly);
  std::unique_ptr<EndlessSeries> make(Weights weights, std::uint64_t most_work);

  std::shared_ptr<EndlessGround> ground_;
  std::unique_ptr<EndlessSeries> exact_;
  bool was_rounded_ = false;
};

}  // namespace quantiplan
