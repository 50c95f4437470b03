#include "api/route.hpp"

#include <string>

#include "classes/class_problems.hpp"
#include "infinite/infinite_problem.hpp"
#include "infinite/levels/moves.hpp"
#include "model/model_facts.hpp"
#include "quantiplan/error.hpp"
#include "reduce/cut_off_problem.hpp"
#include "reduce/finite_problem.hpp"
#include "reduce/reduced_problem.hpp"
#include "reduce/unfolded_problem.hpp"
#include "wealth/renumbered.hpp"

namespace quantiplan {
namespace {

// Goals, costs, adversaries and discounts are about sums.
void require_classes(const Model& model, const ResolvedSetting& setting) {
  const char* what = !setting.goal.empty()   ? "goal"
                     : setting.cost          ? "cost"
                     : setting.adversarial   ? "adversarial"
                     : setting.discount != 1 ? "discount"
                                             : nullptr;
  if (what == nullptr) return;
  throw Error(ErrorCode::refused,
              what,
              model.wealth().is_sum()
                  ? "found with an engine that goes by classes of wealth, expected another --engine"
                  : "found with wealth by " + std::string(to_text(model.wealth().kind)) +
                        ", expected sums of rewards");
}

// Of rewards of both signs at an infinite horizon: how long the longest episode is, if every one ends.
std::optional<std::uint64_t> longest_mixed_episode(const Model& model,
                                                   const ResolvedSetting& setting,
                                                   const Options& options) {
  // Rewards of one sign, wherever they are, need no second look.
  const auto [least, greatest] = reward_range(model);
  if (least >= 0 || greatest <= 0) return std::nullopt;
  Limits limits(options);
  const auto moves = Moves::lay_out(model, setting, limits);
  if (!moves) return std::nullopt;
  const Signs signs = signs_of(*moves);
  return signs.gain && signs.loss ? longest_episode(*moves) : std::nullopt;
}

// By the horizon, the discount and what else is set.
std::unique_ptr<QuantileProblem> sums_problem(const Model& model,
                                              const ResolvedSetting& setting,
                                              const Options& options) {
  if (setting.discount != 1 && !setting.goal.empty())
    return unfolded_problem(model, setting, options);
  if (!setting.is_infinite()) return finite_problem(model, setting, options);
  if (setting.discount != 1) return cut_off_problem(model, setting, options);
  if (const auto longest = longest_mixed_episode(model, setting, options)) {
    ResolvedSetting finite = setting;
    finite.horizon = *longest;
    return finite_problem(model, finite, options);
  }
  // Refuses rewards of both signs.
  return infinite_problem(model, setting, options);
}

}  // namespace

bool goes_by_steps(const Model& model, const ResolvedSetting& setting, const Options& options) {
  return !setting.is_infinite() || setting.discount != 1 ||
         longest_mixed_episode(model, setting, options).has_value();
}

bool goes_by_classes(const Model& model, const Options& options) {
  return !model.wealth().is_sum() || options.engine == Engine::ranked ||
         options.engine == Engine::forward;
}

std::unique_ptr<QuantileProblem> route_sums(const Model& model,
                                            const ResolvedSetting& setting,
                                            const Options& options) {
  return reduced_problem(model, setting, options, sums_problem);
}

std::unique_ptr<QuantileProblem> route_classes(const Model& model,
                                               const ResolvedSetting& setting,
                                               const std::shared_ptr<Structure>& structure,
                                               const Options& options) {
  require_classes(model, setting);
  if (setting.is_infinite() && setting.structure) {
    throw Error(ErrorCode::refused,
                "horizon",
                "infinite with a structure of one's own, about whose limits nothing is known; "
                "expected a finite one");
  }
  const auto make = [whole = model, structure](const Model& own,
                                               const ResolvedSetting& own_setting,
                                               const Options& own_options) {
    // A smaller model has fewer states.
    const auto seen = own.state_count() == whole.state_count()
                          ? structure
                          : std::make_shared<Renumbered>(structure, whole, own);
    return own_setting.is_infinite() ? infinite_class_problem(own, own_setting, seen, own_options)
                                     : class_problem(own, own_setting, seen, own_options);
  };
  return reduced_problem(model, setting, options, make, false);
}

void require_means(const char* what,
                   const Model& model,
                   const ResolvedSetting& setting,
                   const Options& options) {
  const char* why = setting.adversarial
                        ? "found with an adversary, whose policy is shown, not followed; expected "
                          "no --adversarial"
                    : !setting.goal.empty()
                        ? "found with a goal, where misses have no mean; expected no goal"
                    : setting.structure || goes_by_classes(model, options)
                        ? "found where wealth goes by classes, expected sums of rewards"
                        : nullptr;
  if (why != nullptr) throw Error(ErrorCode::refused, what, why);
}

}  // namespace quantiplan
