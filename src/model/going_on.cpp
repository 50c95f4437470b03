// Goals that do not end an episode, as goals that do.
#include <algorithm>

#include "base/quoted.hpp"
#include "quantiplan/model_checkers.hpp"

namespace quantiplan {
namespace {

std::string unused_state(const Model& model) {
  std::string name = "(stopped)";
  while (model.find_state(name)) name += '_';
  return name;
}

std::string unused_action(const Model& model, State s) {
  std::string name = "stop";
  while (model.find_choice(s, name)) name += '_';
  return name;
}

void copy_labels(const Model& model, ModelBuilder& builder) {
  for (const StateLabel& label : model.labels()) {
    builder.label(label.name);
    for (const State s : label.states) builder.labelled(s);
  }
}

void copy_initial(const Model& model, ModelBuilder& builder) {
  if (model.initial()) {
    for (const auto& [state, probability] : *model.initial())
      builder.add_initial(std::string(model.state_name(state)), Number(probability));
  }
  for (const State s : model.possible_initial())
    builder.may_begin(std::string(model.state_name(s)));
}

std::vector<State> goals_of(const Model& model, const Setting& setting) {
  if (!setting.goal) return model.goal();
  std::vector<State> goals;
  for (const std::string& name : *setting.goal)
    if (const auto s = model.find_state(name)) goals.push_back(*s);
  return goals;
}

bool has_a_choice(const Model& model) {
  for (std::uint32_t s = 0; s < model.state_count(); ++s)
    if (model.choice_count(State{s}) > 1) return true;
  return false;
}

}  // namespace

GoingOn go_on_at_goals(const Model& model, const Setting& setting) {
  const std::vector<State> goals = goals_of(model, setting);
  if (goals.empty() || setting.cost.value_or(model.has_costs())) return {model, setting};
  if (setting.adversarial && has_a_choice(model))
    throw Error(ErrorCode::refused,
                "goal-ends",
                "no, with an adversary and rewards: the least probability over all policies is not "
                "computed; expected costs, a Markov chain, or the greatest probability");
  ModelBuilder builder;
  builder.name(model.name()).is_chain(false);
  if (model.horizon()) builder.horizon(*model.horizon());
  if (model.discount()) builder.discount(Number(*model.discount()));
  for (std::uint32_t s = 0; s < model.state_count(); ++s)
    builder.declare_state(model.state_name(State{s}));
  const std::string stopped = unused_state(model);
  builder.declare_state(stopped);
  const State end{static_cast<std::uint32_t>(model.state_count())};
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{s})) {
      builder.begin_choice(State{s}, model.action_name(c));
      for (const Outcome& o : model.outcomes(c))
        builder.add_outcome(o.next, Number(model.probability(o)), Number(model.reward(o)));
    }
    if (std::ranges::find(goals, State{s}) == goals.end()) continue;
    builder.begin_choice(State{s}, unused_action(model, State{s}));
    builder.add_outcome(end, Number(1), Number(0));
  }
  copy_initial(model, builder);
  copy_labels(model, builder);
  GoingOn out{builder.build(), setting};
  out.setting.goal = std::vector<std::string>{stopped};
  out.setting.adversarial = false;  // a chain has one probability
  const auto horizon = setting.horizon ? setting.horizon : model.horizon();
  if (horizon && *horizon != kInfiniteHorizon) out.setting.horizon = *horizon + 1;
  return out;
}

}  // namespace quantiplan
