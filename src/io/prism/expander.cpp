#include "io/prism/expander.hpp"

#include <algorithm>

#include "base/quoted.hpp"
#include "model/choice_names.hpp"
#include "model/shown.hpp"

namespace quantiplan::prism {
namespace {

// To the next combination, the last position changing fastest; false after the last one.
template <typename Size>
bool advance(std::vector<std::size_t>& positions, const Size& size) {
  std::size_t p = positions.size();
  while (p > 0 && positions[p - 1] + 1 == size(p - 1)) positions[--p] = 0;
  if (p > 0) ++positions[p - 1];
  return p > 0;
}

}  // namespace

Expander::Expander(const Machine& machine, const StateSet& states, Rational tolerance)
    : machine_(machine),
      code_(machine.code),
      states_(states),
      tolerance_(std::move(tolerance)),
      has_targets_(std::ranges::any_of(
          machine.rewards, [](const MachineReward& r) { return r.target.has_value(); })),
      commands_(std::make_shared<const GuardIndex>(code_, guards_of(machine.commands))),
      rewards_(machine),
      values_(machine.variables.size()),
      next_(machine.variables.size()),
      here_(states.words()),
      there_(states.words()),
      distributions_(machine.commands.size()),
      enabled_(machine.groups.size()) {}

// Calls act(step) with chosen_ set, for each step and each combination of its enabled commands.
template <typename Act>
void Expander::for_each_combination(const Act& act) {
  for (std::size_t s = 0; s < machine_.steps.size(); ++s) {
    const auto& participants = machine_.steps[s].participants;
    if (!is_enabled(machine_.steps[s])) continue;
    const std::size_t count = participants.size();
    position_.assign(count, 0);
    chosen_.resize(count);
    rewards_.begin_step(s);
    do {
      for (std::size_t p = 0; p < count; ++p) chosen_[p] = enabled_[participants[p]][position_[p]];
      act(s);
    } while (advance(position_, [&](std::size_t p) { return enabled_[participants[p]].size(); }));
  }
}

void Expander::expand(std::uint32_t state, OutcomeBatch& batch, ExpansionNotes& notes) {
  batch_ = &batch;
  notes_ = &notes;
  states_.unpack(state, values_.data());
  std::copy_n(states_.packed(state), here_.size(), here_.begin());
  find_enabled();
  if (machine_.kind == Kind::dtmc) {
    expand_chain();
    return;
  }
  bool has_choice = false;
  for_each_combination([&](std::size_t step) {
    has_choice = true;
    batch_->begin_choice(machine_.steps[step].name);
    add_outcomes(one_);
  });
  if (!has_choice) notes_->deadlock();
}

// The enabled commands, and the rewards that may apply.
void Expander::find_enabled() {
  for (const std::uint32_t g : touched_) enabled_[g].clear();
  touched_.clear();
  commands_->find(values_.data(), found_);
  std::uint64_t work = 16;
  for (const std::uint32_t c : found_) {
    const MachineCommand& command = machine_.commands[c];
    work += code_.parts(command.guard);
    if (!code_.truth(command.guard, values_.data())) continue;
    if (enabled_[command.group].empty()) touched_.push_back(command.group);
    enabled_[command.group].push_back(c);
  }
  rewards_.enter(values_.data());
  notes_->worked(work + machine_.steps.size());
}

// One choice, in which every combination is as likely as every other.
void Expander::expand_chain() {
  std::int64_t count = 0;
  const std::string* name = nullptr;
  bool has_one_name = true;
  for (const Step& step : machine_.steps) {
    if (!is_enabled(step)) continue;
    count = sum(count, combinations(step), {});
    has_one_name = has_one_name && (name == nullptr || *name == step.name);
    name = &step.name;
  }
  if (count == 0) {
    notes_->deadlock();
    return;
  }
  if (count > 1) notes_->chain_with_several();
  batch_->begin_choice(has_one_name ? std::string_view(*name) : kUnlabelled);
  for_each_combination([&](std::size_t /*step*/) { add_outcomes(Number(Fraction{1, count})); });
}

// Of the enabled commands of a step.
std::int64_t Expander::combinations(const Step& step) const {
  std::int64_t count = 1;
  for (const std::uint32_t group : step.participants) {
    if (!__builtin_mul_overflow(count, enabled_[group].size(), &count)) continue;
    throw Fault{machine_.commands[enabled_[step.participants[0]][0]].place,
                "the enabled commands of " + in_quotes(step.name) +
                    " have more than 2^63 combinations, expected fewer"};
  }
  return count;
}

// Every participant has an enabled command.
bool Expander::is_enabled(const Step& step) const {
  return std::ranges::all_of(step.participants,
                             [&](std::uint32_t group) { return !enabled_[group].empty(); });
}

// Every combination of the chosen commands' updates, each with `share` of its probability.
void Expander::add_outcomes(const Number& share) {
  for (const std::uint32_t c : chosen_) settle(c);
  update_.assign(chosen_.size(), 0);
  do {
    add_outcome(share);
  } while (
      advance(update_, [&](std::size_t p) { return distributions_[chosen_[p]].updates.size(); }));
}

void Expander::add_outcome(const Number& share) {
  notes_->worked(16 + values_.size());
  if (batch_->is_full()) notes_->full();
  const bool is_alone = chosen_.size() == 1 && share == one_;
  Number probability = is_alone ? Number() : share;
  there_ = here_;
  if (has_targets_) next_ = values_;
  for (std::size_t p = 0; p < chosen_.size(); ++p) {
    const MachineCommand& command = machine_.commands[chosen_[p]];
    const Distribution& distribution = distributions_[chosen_[p]];
    const Number& factor = distribution.probabilities[update_[p]];
    probability = is_alone ? factor : product(probability, factor, command.place);
    for (const MachineAssignment& a :
         command.updates[distribution.updates[update_[p]]].assignments) {
      const std::int64_t value = new_value(a);
      states_.put(there_.data(), a.variable, value);
      if (has_targets_) next_[a.variable] = value;
    }
  }
  rewards_.add_up(next_.data());
  for (std::size_t p = 0; p < chosen_.size(); ++p) {
    const Distribution& distribution = distributions_[chosen_[p]];
    const MachineCommand& command = machine_.commands[chosen_[p]];
    for (const MachineUpdateReward& more :
         command.updates[distribution.updates[update_[p]]].rewards)
      rewards_.add_more(more);
  }
  batch_->add(there_.data(), probability, rewards_.reward(), rewards_.others());
}

std::int64_t Expander::new_value(const MachineAssignment& a) const {
  const MachineVariable& variable = machine_.variables[a.variable];
  if (variable.is_truth) return code_.truth(a.value, values_.data()) ? 1 : 0;
  const std::int64_t value = code_.whole(a.value, values_.data());
  if (value < variable.low || value > variable.high) {
    throw Fault{a.place,
                in_quotes(variable.name) + " becomes " + std::to_string(value) +
                    ", expected a value in its range [" + std::to_string(variable.low) + ".." +
                    std::to_string(variable.high) + "]"};
  }
  return value;
}

// The probabilities of an enabled command in this state.
void Expander::settle(std::uint32_t c) {
  Distribution& distribution = distributions_[c];
  if (distribution.is_settled) return;
  const MachineCommand& command = machine_.commands[c];
  distribution.is_settled = true;
  distribution.updates.clear();
  distribution.probabilities.clear();
  Number all;
  for (std::uint32_t u = 0; u < command.updates.size(); ++u) {
    const MachineUpdate& update = command.updates[u];
    const Number p = code_.number(update.probability, values_.data());
    if (p.sign() < 0 || std::is_gt(compare(p, Number(1)))) {
      throw Fault{update.place,
                  "the probability is " + shown(p.rational()) + ", expected one from 0 to 1"};
    }
    distribution.is_settled = distribution.is_settled && code_.is_constant(update.probability);
    if (p.sign() == 0) continue;
    all = sum(all, p, command.place);
    distribution.updates.push_back(u);
    distribution.probabilities.push_back(p);
  }
  if (all != Number(1)) normalise(c, all);
}

// As everywhere in Quantiplan: a sum within the tolerance of 1 is a rounded 1.
void Expander::normalise(std::uint32_t c, const Number& all) {
  const MachineCommand& command = machine_.commands[c];
  const std::string found = "the probabilities of the command sum to " + shown(all.rational());
  if (abs(all.rational() - 1) > tolerance_) throw Fault{command.place, found + ", expected 1"};
  for (Number& p : distributions_[c].probabilities) p = quotient(p, all, command.place);
  notes_->normalised(c, found);
}

}  // namespace quantiplan::prism
