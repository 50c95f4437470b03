#include "check/common/overrides.hpp"

#include <string>
#include <vector>

namespace quantiplan::checking {
namespace {

std::string horizon_text(std::uint64_t horizon) {
  return horizon == kInfiniteHorizon ? "infinite" : std::to_string(horizon);
}

std::string goal_text(const Model& model, const std::vector<State>& goal) {
  if (goal.empty()) return "none";
  constexpr std::size_t kMostNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < goal.size() && i < kMostNamed; ++i)
    text += (i > 0 ? ", '" : "'") + std::string(model.state_name(goal[i])) + "'";
  if (goal.size() > kMostNamed)
    text += " and " + std::to_string(goal.size() - kMostNamed) + " more";
  return text;
}

std::string start_text(const Model& model, const InitialStates& initial) {
  std::string text;
  for (const auto& [state, mu] : initial) {
    if (!text.empty()) text += " or ";
    text.append("'").append(model.state_name(state)).append("'");
    if (mu != 1) text += " (" + to_text(mu) + ")";
  }
  return text;
}

}  // namespace

void note_overrides(const Model& model, const ResolvedSetting& setting, Findings& findings) {
  if (model.horizon() && *model.horizon() != setting.horizon)
    findings.say("Checked for the policy's horizon " + horizon_text(setting.horizon) +
                 "; the model says " + horizon_text(*model.horizon()) + ".");
  if (model.discount() && *model.discount() != setting.discount)
    findings.say("Checked for the policy's discount " + to_text(setting.discount) +
                 "; the model says " + to_text(*model.discount()) + ".");
  if (model.initial() && *model.initial() != setting.initial)
    findings.say("Checked from the policy's initial state " + start_text(model, setting.initial) +
                 "; the model says " + start_text(model, *model.initial()) + ".");
  if (!model.goal().empty() && model.goal() != setting.goal)
    findings.say("Checked for the policy's goal " + goal_text(model, setting.goal) +
                 "; the model says " + goal_text(model, model.goal()) + ".");
  if (model.has_costs() && !setting.cost)
    findings.say("Checked for rewards, as the policy counts them; the model says costs.");
}

}  // namespace quantiplan::checking
