// The levels of one weighted problem in every arithmetic, and what they answer: counted questions.
#pragma once

#include <memory>
#include <vector>

#include "infinite/layout.hpp"
#include "infinite/levels/located_level.hpp"
#include "problem/quantile_problem.hpp"

namespace quantiplan {

enum class Method { real, exact, sure, possible };

// All series of one weighted problem, made when they are first asked for.
class LevelSeries {
 public:
  // Each pass ends, as at a limit, after `most_work` multiply-adds.
  LevelSeries(std::shared_ptr<WeightedLayout> layout, std::uint64_t most_work);
  ~LevelSeries();

  struct Found {
    LocatedLevel where;
    Method method = Method::real;
    std::optional<Value> probability;  // greatest P(W >= lower), counted
    std::optional<Value> beyond;       // greatest P(W > lower), counted
  };
  // Questions are counted ones.
  std::vector<Found> find(const std::vector<Question>& questions);
  // Greatest P(W >= y), counted; absent if a limit ended it.
  struct Chance {
    Value value;
    Value upper;  // equal to it if exact
    LocatedLevel where;
    Method method = Method::real;
  };
  // `start`: one of several initial slots.
  std::optional<Chance> chance(const Total& target, bool strictly, std::size_t start = 0);
  // (counted total, greatest P) of every level up to where the questions are settled, ascending.
  std::vector<FrontierStep> curve();

  [[nodiscard]] const std::shared_ptr<WeightedLayout>& layout() const { return layout_; }
  [[nodiscard]] bool was_exact() const noexcept { return was_exact_; }
  void add_work(Work& work) const;

 private:
  template <class A>
  Series<A>* series(bool to_limit);
  template <class A>
  Found found(Series<A>& series, LocatedLevel where) const;
  template <class A>
  std::optional<Chance> chance_in(const Total& target, bool strictly, std::size_t start);
  template <class A>
  std::optional<Chance> chance_beyond(const Total& target, bool strictly, std::size_t start);
  [[nodiscard]] bool exact_is_affordable(double most, std::uint64_t levels);
  [[nodiscard]] Found find_one(const Question& question);

  std::shared_ptr<WeightedLayout> layout_;
  std::uint64_t most_work_;
  std::unique_ptr<Series<Real>> real_;
  std::unique_ptr<Series<Exact>> exact_;
  std::unique_ptr<Series<Sure>> sure_;
  std::unique_ptr<Series<Possible>> possible_;
  bool was_exact_ = false;
};

// The rules of a located level, in a pass of their own; throws Error(refused) if memory does not
// allow it. `target`: counted.
Policy infinite_policy(const std::shared_ptr<WeightedLayout>& layout,
                       const LocatedLevel& where,
                       Method method);

// "epochs (exact)" and the like.
EngineReport epochs_report(const Options& options, const LevelSeries& series);

}  // namespace quantiplan
