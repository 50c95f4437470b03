#include "quantiplan/run.hpp"

#include <algorithm>
#include <utility>

#include "api/run_parts.hpp"
#include "base/quoted.hpp"
#include "model/shown.hpp"
#include "policy/counted_sign.hpp"
#include "policy/drawing.hpp"
#include "policy/wealth_rules.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

std::string vector_text(const std::vector<Rational>& vector) {
  std::string text;
  for (const Rational& component : vector) text += (text.empty() ? "(" : ", ") + shown(component);
  return text + ")";
}

// As the model file has it: reward 5, reward 'gold', no label, reward (2, 3).
std::string reward_text(const Model& model, const Rational& reward) {
  const Wealth& wealth = model.wealth();
  if (wealth.has_labels() && reward == Wealth::kNoLabel) return "no label";
  const std::size_t known = wealth.has_labels() ? wealth.labels.size() : wealth.vectors.size();
  if (reward.get_den() != 1 || reward < 0 || reward >= known) return "reward " + shown(reward);
  const auto at = static_cast<std::size_t>(reward.get_num().get_ui());
  return "reward " +
         (wealth.has_labels() ? in_quotes(wealth.labels[at]) : vector_text(wealth.vectors[at]));
}

std::string state_text(const Model& model, State state) {
  return index(state) < model.state_count() ? "state " + in_quotes(model.state_name(state))
                                            : "state number " + std::to_string(index(state));
}

// "reward 5 and state 'home', or reward 2 and state 'shop'", the first few.
std::string possible_text(const Model& model, Choice choice) {
  constexpr std::size_t kMost = 8;
  const auto outcomes = model.outcomes(choice);
  std::string text;
  for (std::size_t i = 0; i < std::min(outcomes.size(), kMost); ++i) {
    if (i > 0) text += ", or ";
    text += reward_text(model, model.reward(outcomes[i])) + " and " +
            state_text(model, outcomes[i].next);
  }
  if (outcomes.size() > kMost)
    text += ", or one of " + std::to_string(outcomes.size() - kMost) + " more";
  return text;
}

[[noreturn]] void refuse_call(const char* call, const std::string& message) {
  throw Error(ErrorCode::bad_request, call, message);
}

}  // namespace

PolicyKind kind_of(const Model& model, const Policy& policy) {
  if (goes_by_wealth(model, policy)) return PolicyKind::by_wealth;
  if (policy.setting.is_infinite() && !policy.truncated_at) return PolicyKind::stationary;
  if (!policy.target) return PolicyKind::by_time;
  return policy.grid ? PolicyKind::by_index : PolicyKind::by_residual;
}

std::optional<PromisedEvent> promised_event(const Policy& policy) {
  const bool adversarial = policy.setting.adversarial;
  if (const auto& claim = policy.claim) {
    // A utility is no level of wealth.
    if (claim->criterion && !claim->criterion->is_wealth()) return std::nullopt;
    if (claim->kind == PolicyClaim::Kind::threshold || !adversarial)
      return PromisedEvent{claim->quantile, false};
    return PromisedEvent{claim->upper.value_or(claim->quantile), true};
  }
  if (!policy.target) return std::nullopt;
  return PromisedEvent{adversarial ? Rational(-*policy.target) : *policy.target, adversarial};
}

Run::Run(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Run::Run(Run&& other) noexcept = default;
Run& Run::operator=(Run&& other) noexcept = default;
Run::~Run() = default;

Run::Run(const Run& other)
    : parts_(new Parts{other.parts_->ground,
                       other.parts_->follower->copy(),
                       other.parts_->time,
                       other.parts_->state,
                       other.parts_->done,
                       other.parts_->promise}) {}

Run& Run::operator=(const Run& other) {
  if (this != &other) *this = Run(other);
  return *this;
}

const Policy& drawn_part(const Policy& policy, std::uint64_t bits) {
  if (policy.mixture.empty()) return policy;
  return policy.mixture[PartDrawing(policy.mixture).draw(bits)].policy;
}

State drawn_initial(const ResolvedSetting& setting, std::uint64_t bits) {
  return InitialDrawing(setting.initial).draw(bits);
}

namespace {

std::shared_ptr<Structure> own_structure(const Model& model, const Policy& policy) {
  if (policy.setting.structure || !goes_by_wealth(model, policy)) return policy.setting.structure;
  return structure_of(model);
}

// The initial state that was given, or the only one.
State first_state(const Model& model, const InitialStates& initial, std::optional<State> given) {
  if (given && !initial.contains(*given))
    refuse_call("start", "found " + state_text(model, *given) + ", expected an initial one");
  if (!given && !initial.is_certain()) {
    refuse_call("start",
                "found " + std::to_string(initial.size()) +
                    " initial states, expected the one that was drawn, as drawn_initial() draws");
  }
  return given.value_or(initial[0].state);
}

}  // namespace

Run start(const Model& model, Policy policy) {
  auto structure = own_structure(model, policy);
  return start(model, std::move(structure), std::move(policy));
}

Run start(const Model& model, Policy policy, State state) {
  auto structure = own_structure(model, policy);
  return start(model, std::move(structure), std::move(policy), state);
}

Run start(const Model& model,
          std::shared_ptr<Structure> structure,
          Policy policy,
          std::optional<State> state) {
  if (!policy.mixture.empty())
    refuse_call("start", "found a mixture, expected a part of it, as drawn_part() draws");
  const State first = first_state(model, policy.setting.initial, state);
  auto parts = std::make_unique<Run::Parts>();
  parts->ground = std::make_shared<const Run::Parts::Ground>(
      Run::Parts::Ground{model, std::move(structure), std::move(policy)});
  const Policy& kept = parts->ground->policy;
  Structure* by = parts->ground->structure.get();
  parts->follower = follower_of(parts->ground->model, by, kept);
  parts->follower->start();
  parts->state = first;
  if (by == nullptr) parts->promise = promised_event(kept);
  return Run(std::move(parts));
}

std::uint64_t Run::time() const noexcept { return parts_->time; }
State Run::state() const noexcept { return parts_->state; }

bool Run::is_over() const {
  const ResolvedSetting& setting = parts_->ground->policy.setting;
  return parts_->time >= setting.horizon || parts_->ground->model.is_terminal(parts_->state) ||
         setting.is_goal(parts_->state);
}

Choice Run::act() {
  Parts& p = *parts_;
  if (p.done) return *p.done;
  if (is_over()) {
    refuse_call("act",
                "found an episode that is over, at time " + std::to_string(p.time) + " in state " +
                    in_quotes(p.ground->model.state_name(p.state)) + ", expected one that goes on");
  }
  p.done = p.follower->choose(p.time, p.state);
  return *p.done;
}

Choice Run::act(State state) {
  const Model& model = parts_->ground->model;
  if (state != parts_->state) {
    refuse_call("act",
                "found " + state_text(model, state) + ", expected " +
                    in_quotes(model.state_name(parts_->state)) + ", where the episode is at time " +
                    std::to_string(parts_->time));
  }
  return act();
}

void Run::observe(const Rational& reward, State next) {
  Parts& p = *parts_;
  const Model& model = p.ground->model;
  if (!p.done) refuse_call("observe", "found no action at this time, expected act() before it");
  const auto outcomes = model.outcomes(*p.done);
  const auto found = std::ranges::find_if(
      outcomes, [&](const Outcome& o) { return o.next == next && model.reward(o) == reward; });
  if (found == outcomes.end()) {
    refuse_call("observe",
                "found " + reward_text(model, reward) + " and " + state_text(model, next) +
                    " after action " + in_quotes(model.action_name(*p.done)) + " in " +
                    state_text(model, p.state) + ", expected " + possible_text(model, *p.done));
  }
  p.follower->collect(p.time, *found);
  const ResolvedSetting& setting = p.ground->policy.setting;
  if (p.promise && p.promise->level.is_finite()) {
    const Rational left = p.promise->level.value() - wealth_sign(setting) * reward;
    p.promise->level = Rational(left / setting.discount);
  }
  p.done.reset();
  p.state = next;
  ++p.time;
}

void Run::observe_label(std::string_view label, State next) {
  const Wealth& wealth = parts_->ground->model.wealth();
  const auto position = wealth.find_label(label);
  if (!wealth.has_labels() || (!position && !label.empty())) {
    refuse_call("observe_label",
                "found the label " + in_quotes(label) + ", expected " +
                    (wealth.has_labels() ? "one of the model's"
                                         : "a reward as the model has them, no label"));
  }
  observe(position ? Rational(*position) : Rational(Wealth::kNoLabel), next);
}

void Run::observe_vector(const std::vector<Rational>& vector, State next) {
  const Wealth& wealth = parts_->ground->model.wealth();
  const auto& vectors = wealth.vectors;
  const auto found = std::ranges::find(vectors, vector);
  if (found == vectors.end()) {
    refuse_call("observe_vector",
                "found the vector " + vector_text(vector) + ", expected " +
                    (wealth.has_vectors() ? "one of the model's"
                                          : "a reward as the model has them, no vector"));
  }
  observe(Rational(static_cast<unsigned long>(found - vectors.begin())), next);
}

std::optional<Rational> Run::target() const {
  const auto& promise = parts_->promise;
  if (!promise || !promise->level.is_finite()) return std::nullopt;
  return Rational(wealth_sign(parts_->ground->policy.setting) * promise->level.value());
}

std::optional<std::string> Run::wealth() const {
  const auto wealth = parts_->follower->wealth();
  if (!wealth) return std::nullopt;
  return parts_->ground->structure->text(*wealth);
}

}  // namespace quantiplan
