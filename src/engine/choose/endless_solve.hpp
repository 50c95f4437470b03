// The infinite horizon without discount: questions answered level by level (engine/epochs).
//
//     moves and signs -> weights -> doubles, with what they leave open put to rationals
//                                -> tau = 0 and 1 on the graph -> results, policies on demand
//
// Everything inside is counted (moves.hpp): a cost is a negative reward, and an adversary maximises
// the negative of W. Results are turned back at the end: min over policies of P(W >= w) is
// 1 - max P(-W > -w), so what is guaranteed at tau on one side is minus the optimum of -W at
// 1 - tau on the other.
#pragma once

#include <memory>
#include <vector>

#include "located_level.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {

// One problem with its weights; kept alive by the policies of an answer. The model must outlive it.
struct EndlessGround {
  EndlessGround(const Model& model_in, ResolvedSetting setting_in, const Options& options_in)
      : model(model_in), setting(std::move(setting_in)), options(options_in), limits(options) {}
  const Model& model;
  ResolvedSetting setting;
  Options options;
  Limits limits;
  Moves moves;
  Event event;
};

// The same with rewards in whole units.
struct WeightedGround {
  WeightedGround(std::shared_ptr<EndlessGround> ground_in, Weights weights_in)
      : ground(std::move(ground_in)),
        weights(std::move(weights_in)),
        problem{ground->moves, weights, ground->event} {}
  WeightedGround(const WeightedGround&) = delete;
  WeightedGround& operator=(const WeightedGround&) = delete;
  std::shared_ptr<EndlessGround> ground;
  Weights weights;
  EpochProblem problem;
};

enum class Method { real, exact, sure, possible };

// All series of one weighted problem, made when they are first asked for.
class EndlessSeries {
 public:
  // Each pass ends, as at a limit, after `most_work` multiply-adds.
  EndlessSeries(std::shared_ptr<WeightedGround> ground, std::uint64_t most_work);
  ~EndlessSeries();

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
  std::optional<Chance> chance(const Total& target, bool strictly);
  // (counted total, greatest P) of every level up to where the questions are settled, ascending.
  std::vector<FrontierStep> curve(bool* exact);

  [[nodiscard]] const std::shared_ptr<WeightedGround>& ground() const { return ground_; }
  [[nodiscard]] bool was_exact() const noexcept { return was_exact_; }
  void add_work(Work& work) const;

 private:
  template <class A>
  Series<A>* series();
  template <class A>
  Found found(Series<A>& series, LocatedLevel where) const;
  [[nodiscard]] bool exact_is_affordable(double most, std::uint64_t levels);
  [[nodiscard]] Found find_one(const Question& question);

  std::shared_ptr<WeightedGround> ground_;
  std::uint64_t most_work_;
  std::unique_ptr<Series<Real>> real_;
  std::unique_ptr<Series<Exact>> exact_;
  std::unique_ptr<Series<Sure>> sure_;
  std::unique_ptr<Series<Possible>> possible_;
  std::uint64_t exact_nodes_ = 0;
  bool was_exact_ = false;
};

// The rules of a located level, in a pass of their own; throws Error(refused) if memory does not
// allow it. `target`: counted.
Policy endless_policy(const std::shared_ptr<WeightedGround>& ground,
                      const LocatedLevel& where,
                      Method method);

Answer solve_endless(const Model& model,
                     const ResolvedSetting& setting,
                     const std::vector<Question>& asked,
                     const Options& options);
ThresholdAnswer threshold_endless(const Model& model,
                                  const ResolvedSetting& setting,
                                  const std::vector<Total>& targets,
                                  const Options& options);
Frontier frontier_endless(const Model& model,
                          const ResolvedSetting& setting,
                          const std::vector<Question>& asked,
                          const Options& options);

}  // namespace quantiplan
