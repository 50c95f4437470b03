#include "io/prism/explore.hpp"

#include <memory>
#include <span>

#include "io/prism/expander.hpp"
#include "io/prism/expansion_together.hpp"
#include "io/prism/exploration_watch.hpp"
#include "io/prism/outcome_batch.hpp"
#include "io/prism/program_names.hpp"
#include "io/prism/states_noted.hpp"
#include "model/choice_names.hpp"

namespace quantiplan::prism {
namespace {

class Explorer final : public ExpansionNotes {
 public:
  Explorer(const Machine& machine,
           const Complaints& complaints,
           const ReadOptions& options,
           WorkWatch& watch,
           ModelBuilder& builder)
      : machine_(machine),
        complaints_(complaints),
        builder_(builder),
        watch_(watch, options, extent_),
        state_names_(std::make_shared<ProgramNames>(machine.variables)),
        states_(state_names_->states()),
        expander_(machine, states_, builder.tolerance()),
        batch_(states_),
        together_(expander_, states_, options.threads),
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
    for (std::uint32_t id = 0; id < states_.size();) {
      const std::uint32_t count = together_.worthwhile(id, extent_, watch_);
      if (count == 0) {
        expand(id++);
        continue;
      }
      together_.expand(id, count);
      for (const std::uint32_t end = id + count; id < end; ++id) {
        if (together_.is_plain(id))
          take(id);
        else
          expand(id);
      }
    }
    if (extent_.choices == 0) builder_.may_lack_choices();
    add_labels();
    states_.seal();
    return std::move(notices_);
  }

  // Every some thousand outcomes, or sooner if they are large.
  void worked(std::uint64_t parts) override {
    constexpr std::uint64_t kPause = 65536;
    work_ += parts;
    if (work_ < kPause) return;
    work_ = 0;
    extent_.set_bytes = states_.bytes();
    watch_.look();
  }
  // What was kept back, to the builder: states are met in the order of the outcomes.
  void full() override {
    batch_.hand_over([this](std::string_view base) { begin_choice(base); },
                     [this](const std::uint64_t* words, const auto& next, const auto& others) {
                       add_outcome(words, next, others);
                     });
  }
  void deadlock() override { note(deadlocks_); }
  void chain_with_several() override { note(chains_with_several_); }
  void normalised(std::uint32_t command, const std::string& found) override {
    if (is_noted_[command]) return;
    is_noted_[command] = true;
    notices_.push_back(complaints_.at(machine_.commands[command].place) + ": " + found +
                       ", normalised to 1");
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

  void enter(std::uint32_t id) {
    state_ = State{id};
    extent_.explored = id;
    names_.start_state();
  }
  void expand(std::uint32_t id) {
    enter(id);
    try {
      expander_.expand(id, batch_, *this);
      full();
    } catch (const Fault& fault) {
      complaints_.fail(fault.place, "state " + name_of(expander_.values()) + ": " + fault.message);
    }
  }
  // A state that was expanded together with others.
  void take(std::uint32_t id) {
    enter(id);
    worked(together_.work_of(id));
    together_.hand_over(
        id,
        [this](std::string_view base) { begin_choice(base); },
        [this](const std::uint64_t* words, const auto& next, const auto& others) {
          add_outcome(words, next, others);
        });
  }

  void begin_choice(std::string_view base) {
    ++extent_.choices;
    builder_.begin_choice(state_, names_.name(base));
  }
  void add_outcome(const std::uint64_t* words,
                   const OutcomeBatch::Next& next,
                   std::span<const Number> others) {
    ++extent_.outcomes;
    const std::uint32_t known = states_.size();
    watch_.ask(states_.bytes_of_growth());
    const State met = declare_if_new(states_.insert(words, next.hash), known);
    builder_.add_outcome(met, next.probability, next.reward, others);
  }

  void note(StatesNoted& states) const {
    if (states.is_first()) states.first = name_of(expander_.values());
  }

  void add_labels() {
    std::vector<std::int64_t> values(machine_.variables.size());
    std::vector<std::vector<State>> holders(machine_.labels.size());
    for (std::uint32_t id = 0; id < states_.size(); ++id) {
      states_.unpack(id, values.data());
      worked(16 * (1 + holders.size()));
      for (std::size_t l = 0; l < holders.size(); ++l) {
        try {
          if (machine_.code.truth(machine_.labels[l].condition, values.data()))
            holders[l].push_back(State{id});
        } catch (const Fault& fault) {
          complaints_.fail(fault.place, "state " + name_of(values) + ": " + fault.message);
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
  const Complaints& complaints_;
  ModelBuilder& builder_;
  Extent extent_;
  ExplorationWatch watch_;
  std::shared_ptr<ProgramNames> state_names_;
  StateSet& states_;
  Expander expander_;
  OutcomeBatch batch_;
  ExpansionTogether together_;
  ChoiceNames names_;
  std::vector<std::string> notices_;
  State state_{};           // the state being explored
  std::uint64_t work_ = 0;  // since the last look
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
