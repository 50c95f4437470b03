#include "arguments/policy_setting.hpp"

#include <fmt/format.h>

#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

[[noreturn]] void contradict(const char* flag, const std::string& found, const std::string& file) {
  throw Error(
      ErrorCode::bad_request,
      flag,
      fmt::format("found {}, but the policy file was made for {}; expected the same, or none",
                  visible(found),
                  visible(file)));
}

std::string horizon_text(std::uint64_t horizon) {
  return horizon == kInfiniteHorizon ? std::string("infinite") : std::to_string(horizon);
}

std::string initial_text(const Model& model, const InitialStates& initial) {
  if (initial.is_certain()) return std::string(model.state_name(initial.only()));
  std::string text;
  for (const auto& [state, probability] : initial)
    text += fmt::format(
        "{}{}:{}", text.empty() ? "" : ",", model.state_name(state), to_text(probability));
  return text;
}

std::string goal_text(const Model& model, const std::vector<State>& goal) {
  if (goal.empty()) return "no goal";
  if (goal.size() > 1) return fmt::format("{} goal states", goal.size());
  return fmt::format("the goal '{}'", model.state_name(goal.front()));
}

}  // namespace

void require_setting_of(const Policy& policy,
                        const ReadModel& read,
                        const SettingArguments& setting,
                        bool quiet) {
  if (setting.given() == nullptr) return;
  const ResolvedSetting& own = policy.setting;
  Setting wanted = setting.setting();
  setting.add_states(read, wanted, quiet);
  // What is not given is the policy's, also where the model says nothing.
  if (!wanted.horizon) wanted.horizon = own.horizon;
  if (!wanted.discount) wanted.discount = own.discount;
  if (!wanted.initial) {
    InitialNames names;
    for (const auto& [state, probability] : own.initial)
      names.drawn.emplace_back(read.model.state_name(state), probability);
    wanted.initial = std::move(names);
  }
  const ResolvedSetting asked = resolve(read.model, wanted);
  if (asked.horizon != own.horizon)
    contradict("--horizon", horizon_text(asked.horizon), horizon_text(own.horizon));
  if (asked.discount != own.discount)
    contradict("--discount", to_text(asked.discount), to_text(own.discount));
  if (!(asked.initial == own.initial))
    contradict("--initial",
               initial_text(read.model, asked.initial),
               initial_text(read.model, own.initial));
  if (setting.goal && asked.goal != own.goal)
    contradict("--goal", goal_text(read.model, asked.goal), goal_text(read.model, own.goal));
  if (setting.cost && !own.cost) contradict("--cost", "costs", "rewards");
  if (setting.adversarial && !own.adversarial)
    contradict("--adversarial", "an adversary", "oneself");
}

}  // namespace quantiplan::cli
