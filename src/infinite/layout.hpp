// An infinite problem laid out, with its weights; and what its entry points share.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "infinite/levels/arrivals.hpp"
#include "infinite/levels/epoch_pass.hpp"
#include "infinite/levels/lost_budget.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// One problem with its weights; kept alive by the policies of an answer.
struct InfiniteLayout {
  InfiniteLayout(const Model& model_in, ResolvedSetting setting_in, const Options& options_in)
      : model(model_in),
        setting(std::move(setting_in)),
        options(options_in),
        limits(options),
        moves(model_in) {}
  Model model;
  ResolvedSetting setting;
  Options options;
  Limits limits;
  Moves moves;
  Event event;

  // True: costs are to be kept within a budget on the way to a goal, and who loses it still wants
  // the goal.
  [[nodiscard]] bool has_budget() const { return !event.gains && event.miss == Miss::worst; }
  // The best way to the goal from everywhere, whatever it costs; found once. Null if it is not to be
  // had, or the limits ended it. Safe from several threads.
  const BestArrivals* arrivals(Limits& limits_of_asker) const;

 private:
  mutable std::mutex one_at_a_time_;
  mutable bool has_looked_ = false;
  mutable std::optional<BestArrivals> arrivals_;
};

// The same with rewards in whole units.
struct WeightedLayout {
  WeightedLayout(std::shared_ptr<InfiniteLayout> layout_in, Weights weights_in)
      : layout(std::move(layout_in)),
        weights(std::move(weights_in)),
        problem{layout->moves, weights, layout->event} {}
  WeightedLayout(const WeightedLayout&) = delete;
  WeightedLayout& operator=(const WeightedLayout&) = delete;
  std::shared_ptr<InfiniteLayout> layout;
  Weights weights;
  EpochProblem problem;
};

// Of a layout with a budget. Where the best arrivals are not to be had, the greatest P(goal) alone is
// gone for, in doubles. Throws Error(refused) if the limits ended it.
LostBudget lost_budget(const WeightedLayout& layout, Limits& limits);

// Nullptr if the limits ended it. Throws Error(refused) for rewards of both signs.
std::shared_ptr<InfiniteLayout> lay_out_infinite(const Model& model,
                                                 const ResolvedSetting& setting,
                                                 const Options& options);
// Engines for finite horizons cannot serve here: throws Error(bad_request).
void require_infinite_engine(const Options& options, bool may_be_paper = false);
[[noreturn]] void refuse_without_unit();

// Counted questions: an adversary's are those of the other side.
Question counted(const Question& question, bool adversarial);

// Of a call that ended early.
Status ended_status(const InfiniteLayout& layout);

// Some ten seconds of one core: for the exact levels, and for each rounded problem.
constexpr std::uint64_t kExactWork = 6'000'000'000;
constexpr std::uint64_t kRoundedWork = 2'000'000'000;

}  // namespace quantiplan
