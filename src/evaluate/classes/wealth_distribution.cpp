#include "evaluate/classes/wealth_distribution.hpp"

#include <optional>

#include "evaluate/classes/wealth_limit.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

Distribution evaluate_wealth(const Model& model,
                             const std::shared_ptr<Structure>& structure,
                             const Policy& policy,
                             const Options& options,
                             const std::shared_ptr<const WealthClasses>& classes) {
  Limits limits(options);
  WealthRules rules(model, *structure, policy);
  const WealthProblem problem{model, structure, policy.setting, rules, limits, classes};
  auto found = policy.setting.is_infinite() ? wealth_limit(problem, options.arithmetic)
                                            : wealth_forward(problem, options.arithmetic);
  if (found) return *std::move(found);
  throw Error(
      ErrorCode::refused,
      "evaluation",
      limits.status() == Status::interrupted
          ? "interrupted before it was complete"
          : "a limit was met before it was complete, expected a longer --time-limit or a larger "
            "--memory-limit");
}

}  // namespace quantiplan
