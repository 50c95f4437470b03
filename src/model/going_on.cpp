// Goals that do not end an episode, as goals that do.
#include <algorithm>
#include <map>

#include "base/quoted.hpp"
#include "base/work_watch.hpp"
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

std::vector<bool> goals_of(const Model& model, const Setting& setting) {
  std::vector<bool> goals(model.state_count());
  if (!setting.goal) {
    for (const State s : model.goal()) goals[index(s)] = true;
  } else {
    for (const std::string& name : *setting.goal)
      if (const auto s = model.find_state(name)) goals[index(*s)] = true;
  }
  return goals;
}

bool holds_somewhere(const std::vector<bool>& states) {
  return std::ranges::find(states, true) != states.end();
}

bool has_a_choice(const Model& model) {
  for (std::uint32_t s = 0; s < model.state_count(); ++s)
    if (model.choice_count(State{s}) > 1) return true;
  return false;
}

// States with what is left to collect, breadth first; the goal is state 0.
class Collecting {
 public:
  static constexpr const char* kGoal = "goal";

  Collecting(const Model& model, std::vector<bool> is_goal, WorkWatch& watch)
      : model_(model), is_goal_(std::move(is_goal)), watch_(watch) {
    builder_.watched_by(&watch);
  }

  Model collected(const InitialStates& initial, const Rational& target) {
    builder_.name(model_.name()).is_chain(model_.is_chain()).may_lack_choices();
    builder_.declare_state(kGoal);
    Rational at_goal = 0;
    for (const auto& [s, probability] : initial) {
      const State start = meet(s, target);
      if (start == State{0})
        at_goal += probability;
      else
        builder_.add_initial(text(places_.at(index(start) - 1)), Number(probability));
    }
    if (at_goal > 0) builder_.add_initial(kGoal, Number(at_goal));
    for (std::uint32_t i = 0; i < places_.size(); ++i) expand(State{i + 1}, *places_[i]);
    return builder_.build();
  }

 private:
  using Place = std::pair<std::uint32_t, Rational>;
  using Places = std::map<Place, State>;

  State meet(State s, const Rational& left) {
    const Rational rest = left > 0 ? left : Rational(0);
    if (rest == 0 && is_goal_[index(s)]) return State{0};
    watch_.step(8);
    const State next{static_cast<std::uint32_t>(places_.size() + 1)};
    const auto [met, is_new] = met_.emplace(Place(index(s), rest), next);
    if (is_new) {
      places_.push_back(&met->first);
      builder_.declare_state(text(places_.back()));
    }
    return met->second;
  }

  [[nodiscard]] std::string text(const Place* place) const {
    return to_text(place->second) + " " + std::string(model_.state_name(State{place->first}));
  }

  void expand(State from, const Place& place) {
    for (const Choice c : model_.choices(State{place.first})) {
      builder_.begin_choice(from, model_.action_name(c));
      for (const Outcome& o : model_.outcomes(c)) {
        const Rational reward = model_.reward(o);
        if (reward < 0)
          throw Error(ErrorCode::refused,
                      "goal-ends",
                      "no, with an adversary: found the reward " + to_text(reward) +
                          ", expected none below 0");
        builder_.add_outcome(
            meet(o.next, place.second - reward), Number(model_.probability(o)), Number());
      }
    }
  }

  const Model& model_;
  std::vector<bool> is_goal_;
  WorkWatch& watch_;
  ModelBuilder builder_;
  Places met_;
  std::vector<const Place*> places_;
};

}  // namespace

GoingOn go_on_until(const Model& model,
                    const Setting& setting,
                    const Rational& target,
                    const Options& options) {
  const ResolvedSetting resolved = resolve(model, setting);
  if (resolved.discount != 1)
    throw Error(ErrorCode::refused, "goal-ends", "no, with an adversary: found a discount");
  WorkWatch watch({"the model", "adding what is left to collect to the states", "added"}, options);
  Collecting collecting(model, goals_of(model, setting), watch);
  GoingOn out{collecting.collected(resolved.initial, target), setting};
  out.setting.initial.reset();
  out.setting.horizon = resolved.horizon;
  out.setting.goal = std::vector<std::string>{Collecting::kGoal};
  out.setting.cost = true;
  return out;
}

GoingOn go_on_at_goals(const Model& model, const Setting& setting) {
  const std::vector<bool> is_goal = goals_of(model, setting);
  if (!holds_somewhere(is_goal) || setting.cost.value_or(model.has_costs()))
    return {model, setting};
  if (setting.adversarial && has_a_choice(model))
    throw Error(ErrorCode::refused,
                "goal-ends",
                "no, with an adversary and rewards: found a model with choices, expected costs, a "
                "Markov chain, or one target: --prop 'Pmin=? [F{...}>=y ...]'");
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
    if (!is_goal[s]) continue;
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
