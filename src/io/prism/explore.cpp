#include "io/prism/explore.hpp"

#include <algorithm>
#include <memory>

#include "base/quoted.hpp"
#include "io/prism/exploration_watch.hpp"
#include "io/prism/guard_index.hpp"
#include "io/prism/outcome_batch.hpp"
#include "io/prism/program_names.hpp"
#include "io/prism/reward_sums.hpp"
#include "io/prism/states_noted.hpp"
#include "model/choice_names.hpp"
#include "model/shown.hpp"

namespace quantiplan::prism {
namespace {

// The updates of a command that are possible, and their probabilities, which sum to 1.
struct Distribution {
  bool is_settled = false;  // they are the same in every state
  std::vector<std::uint32_t> updates;
  std::vector<Number> probabilities;
};

// To the next combination, the last position changing fastest; false after the last one.
template <typename Size>
bool advance(std::vector<std::size_t>& positions, const Size& size) {
  std::size_t p = positions.size();
  while (p > 0 && positions[p - 1] + 1 == size(p - 1)) positions[--p] = 0;
  if (p > 0) ++positions[p - 1];
  return p > 0;
}

class Explorer {
 public:
  Explorer(const Machine& machine,
           const Complaints& complaints,
           const ReadOptions& options,
           WorkWatch& watch,
           ModelBuilder& builder)
      : machine_(machine),
        code_(machine.code),
        complaints_(complaints),
        builder_(builder),
        watch_(watch, options, extent_),
        state_names_(std::make_shared<ProgramNames>(machine.variables)),
        states_(state_names_->states()),
        values_(machine.variables.size()),
        next_(machine.variables.size()),
        here_(states_.words()),
        there_(states_.words()),
        batch_(states_),
        has_targets_(std::ranges::any_of(
            machine.rewards, [](const MachineReward& r) { return r.target.has_value(); })),
        commands_(code_, guards_of(machine.commands)),
        rewards_(machine),
        distributions_(machine.commands.size()),
        enabled_(machine.groups.size()),
        is_noted_(machine.commands.size()) {}

  std::vector<std::string> run() {
    builder_.is_chain(machine_.kind == Kind::dtmc);
    builder_.reward_structures(
        machine_.reward_names, machine_.chosen_reward, machine_.reward_structures > 1);
    builder_.declare_states_of(state_names_);
    for (const std::vector<std::int64_t>& initial : machine_.initial) {
      const std::uint32_t known = states_.size();
      declare_if_new(states_.insert(initial.data()), known);
      builder_.may_begin(name_of(initial));
    }
    for (std::uint32_t id = 0; id < states_.size(); ++id) {
      states_.unpack(id, values_.data());
      std::copy_n(states_.packed(id), here_.size(), here_.begin());
      state_ = State{id};
      extent_.explored = id;
      names_.start_state();
      try {
        expand();
        hand_over();
      } catch (const Fault& fault) {
        complaints_.fail(fault.place, "state " + name_of(values_) + ": " + fault.message);
      }
    }
    if (extent_.choices == 0) builder_.may_lack_choices();
    add_labels();
    states_.seal();
    return std::move(notices_);
  }

 private:
  [[nodiscard]] std::string name_of(const std::vector<std::int64_t>& values) const {
    std::string out;
    machine_.append_name(out, values.data());
    return out;
  }

  State declare_if_new(std::uint32_t id, std::uint32_t known) {
    if (id == known) {
      builder_.declare_next_state();
      extent_.states = states_.size();
    }
    return State{id};
  }

  // What was kept back, to the builder: states are met in the order of the outcomes.
  void hand_over() {
    batch_.hand_over(
        [&](std::string_view base) { builder_.begin_choice(state_, names_.name(base)); },
        [&](const std::uint64_t* words, const OutcomeBatch::Next& next, const auto& others) {
          const std::uint32_t known = states_.size();
          watch_.ask(states_.bytes_of_growth());
          const State met = declare_if_new(states_.insert(words, next.hash), known);
          builder_.add_outcome(met, next.probability, next.reward, others);
        });
  }

  // Every some thousand outcomes, or sooner if they are large.
  void look_now_and_then(std::uint64_t work) {
    constexpr std::uint64_t kPause = 65536;
    work_ += work;
    if (work_ < kPause) return;
    work_ = 0;
    extent_.set_bytes = states_.bytes();
    watch_.look();
  }

  void expand() {
    find_enabled();
    if (machine_.kind == Kind::dtmc) {
      expand_chain();
    } else {
      const std::uint64_t before = extent_.choices;
      for_each_combination([&](std::size_t step) {
        open_choice(machine_.steps[step].name);
        add_outcomes(Number(1));
      });
      if (extent_.choices == before) note(deadlocks_);
    }
  }

  // The enabled commands, and the rewards that may apply.
  void find_enabled() {
    for (const std::uint32_t g : touched_) enabled_[g].clear();
    touched_.clear();
    commands_.find(values_.data(), found_);
    std::uint64_t work = 16;
    for (const std::uint32_t c : found_) {
      const MachineCommand& command = machine_.commands[c];
      work += code_.parts(command.guard);
      if (!code_.truth(command.guard, values_.data())) continue;
      if (enabled_[command.group].empty()) touched_.push_back(command.group);
      enabled_[command.group].push_back(c);
    }
    rewards_.enter(values_.data());
    look_now_and_then(work + machine_.steps.size());
  }

  // One choice, in which every combination is as likely as every other.
  void expand_chain() {
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
      note(deadlocks_);
      return;
    }
    if (count > 1) note(chains_with_several_);
    open_choice(has_one_name ? std::string_view(*name) : kUnlabelled);
    for_each_combination([&](std::size_t /*step*/) { add_outcomes(Number(Fraction{1, count})); });
  }

  // Of the enabled commands of a step.
  [[nodiscard]] std::int64_t combinations(const Step& step) const {
    std::int64_t count = 1;
    for (const std::uint32_t group : step.participants) {
      if (!__builtin_mul_overflow(count, enabled_[group].size(), &count)) continue;
      throw Fault{machine_.commands[enabled_[step.participants[0]][0]].place,
                  "the enabled commands of " + in_quotes(step.name) +
                      " have more than 2^63 combinations, expected fewer"};
    }
    return count;
  }

  // Calls act(step) with chosen_ set, for each step and each combination of its enabled commands.
  template <typename Act>
  void for_each_combination(const Act& act) {
    for (std::size_t s = 0; s < machine_.steps.size(); ++s) {
      const auto& participants = machine_.steps[s].participants;
      if (!is_enabled(machine_.steps[s])) continue;
      const std::size_t count = participants.size();
      position_.assign(count, 0);
      chosen_.resize(count);
      rewards_.begin_step(s);
      do {
        for (std::size_t p = 0; p < count; ++p)
          chosen_[p] = enabled_[participants[p]][position_[p]];
        act(s);
      } while (advance(position_, [&](std::size_t p) { return enabled_[participants[p]].size(); }));
    }
  }

  // Every participant has an enabled command.
  [[nodiscard]] bool is_enabled(const Step& step) const {
    return std::ranges::all_of(step.participants,
                               [&](std::uint32_t group) { return !enabled_[group].empty(); });
  }

  // `base` must stay where it is.
  void open_choice(std::string_view base) {
    ++extent_.choices;
    batch_.begin_choice(base);
  }

  // Every combination of the chosen commands' updates, each with `share` of its probability.
  void add_outcomes(const Number& share) {
    for (const std::uint32_t c : chosen_) settle(c);
    update_.assign(chosen_.size(), 0);
    do {
      add_outcome(share);
    } while (
        advance(update_, [&](std::size_t p) { return distributions_[chosen_[p]].updates.size(); }));
  }

  void add_outcome(const Number& share) {
    look_now_and_then(16 + values_.size());
    if (batch_.is_full()) hand_over();
    const bool is_alone = chosen_.size() == 1 && share == kOne_;
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
    ++extent_.outcomes;
    batch_.add(there_.data(), probability, rewards_.reward(), rewards_.others());
  }

  [[nodiscard]] std::int64_t new_value(const MachineAssignment& a) const {
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
  void settle(std::uint32_t c) {
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
  void normalise(std::uint32_t c, const Number& all) {
    const MachineCommand& command = machine_.commands[c];
    const std::string found = "the probabilities of the command sum to " + shown(all.rational());
    if (abs(all.rational() - 1) > builder_.tolerance())
      throw Fault{command.place, found + ", expected 1"};
    for (Number& p : distributions_[c].probabilities) p = quotient(p, all, command.place);
    if (is_noted_[c]) return;
    is_noted_[c] = true;
    notices_.push_back(complaints_.at(command.place) + ": " + found + ", normalised to 1");
  }

  void note(StatesNoted& states) const {
    if (states.is_first()) states.first = name_of(values_);
  }

  void add_labels() {
    std::vector<std::vector<State>> holders(machine_.labels.size());
    for (std::uint32_t id = 0; id < states_.size(); ++id) {
      states_.unpack(id, values_.data());
      look_now_and_then(16 * (1 + holders.size()));
      for (std::size_t l = 0; l < holders.size(); ++l) {
        try {
          if (code_.truth(machine_.labels[l].condition, values_.data()))
            holders[l].push_back(State{id});
        } catch (const Fault& fault) {
          complaints_.fail(fault.place, "state " + name_of(values_) + ": " + fault.message);
        }
      }
    }
    for (std::size_t l = 0; l < holders.size(); ++l) {
      builder_.label(machine_.labels[l].name);
      for (const State s : holders[l]) builder_.labelled(s);
    }
    const std::string at = complaints_.at({}) + ": ";
    deadlocks_.tell(at,
                    {" state is a deadlock", " states are deadlocks"},
                    " (nothing can happen there), and terminal",
                    notices_);
    chains_with_several_.tell(at,
                              {" state of the dtmc has", " states of the dtmc have"},
                              " several commands enabled, each is taken with the same probability",
                              notices_);
  }

  const Machine& machine_;
  const Code& code_;
  const Complaints& complaints_;
  ModelBuilder& builder_;
  Extent extent_;
  ExplorationWatch watch_;
  std::shared_ptr<ProgramNames> state_names_;
  StateSet& states_;
  ChoiceNames names_;
  std::vector<std::string> notices_;
  // The state being explored.
  State state_{};
  std::vector<std::int64_t> values_;
  std::vector<std::int64_t> next_;    // where rewards ask for it
  std::vector<std::uint64_t> here_;   // the values, packed
  std::vector<std::uint64_t> there_;  // those of an outcome
  OutcomeBatch batch_;
  bool has_targets_;
  const Number kOne_ = Number(1);
  GuardIndex commands_;
  RewardSums rewards_;
  std::vector<std::uint32_t> found_;                 // commands that may hold here
  std::vector<Distribution> distributions_;          // of enabled commands
  std::vector<std::vector<std::uint32_t>> enabled_;  // by group
  std::vector<std::uint32_t> touched_;               // groups with enabled commands
  std::vector<std::size_t> position_;                // in enabled_
  std::vector<std::uint32_t> chosen_;                // a command of each participant
  std::vector<std::size_t> update_;                  // an update of each of these
  std::uint64_t work_ = 0;                           // since the last look
  std::vector<bool> is_noted_;
  StatesNoted deadlocks_;
  StatesNoted chains_with_several_;
};

}  // namespace

std::vector<std::string> explore(const Machine& machine,
                                 const Complaints& complaints,
                                 const ReadOptions& options,
                                 WorkWatch& watch,
                                 ModelBuilder& builder) {
  return Explorer(machine, complaints, options, watch, builder).run();
}

}  // namespace quantiplan::prism
