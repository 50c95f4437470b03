// What can happen in one state: its choices, their outcomes and rewards.
//
//     mdp      a choice for each combination of enabled commands of a step
//     dtmc     one choice, which takes each combination with the same probability
//
// Nothing is looked up in the set of states: next states leave packed, with their hashes. So any number
// of expanders may be at work while the set does not change; each is a copy of the first.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/prism/guard_index.hpp"
#include "io/prism/outcome_batch.hpp"
#include "io/prism/prism_machine.hpp"
#include "io/prism/reward_sums.hpp"
#include "io/prism/state_set.hpp"

namespace quantiplan::prism {

// What an expansion tells besides its outcomes.
class ExpansionNotes {
 public:
  ExpansionNotes() = default;
  ExpansionNotes(const ExpansionNotes&) = delete;
  ExpansionNotes& operator=(const ExpansionNotes&) = delete;
  virtual ~ExpansionNotes() = default;

  virtual void worked(std::uint64_t parts) = 0;  // since it told last
  virtual void full() = 0;                       // the batch: it is to be emptied
  virtual void deadlock() = 0;
  virtual void chain_with_several() = 0;  // commands
  virtual void normalised(std::uint32_t command, const std::string& found) = 0;
};

class Expander {
 public:
  // All must outlive it.
  Expander(const Machine& machine, const StateSet& states, Rational tolerance);

  // Throws Fault where the state makes no sense.
  void expand(std::uint32_t state, OutcomeBatch& batch, ExpansionNotes& notes);
  // Of the state that was expanded last.
  [[nodiscard]] const std::vector<std::int64_t>& values() const noexcept { return values_; }

 private:
  // The updates of a command that are possible, and their probabilities, which sum to 1.
  struct Distribution {
    bool is_settled = false;  // they are the same in every state
    std::vector<std::uint32_t> updates;
    std::vector<Number> probabilities;
  };

  void find_enabled();
  void expand_chain();
  [[nodiscard]] std::int64_t combinations(const Step& step) const;
  template <typename Act>
  void for_each_combination(const Act& act);
  [[nodiscard]] bool is_enabled(const Step& step) const;
  void add_outcomes(const Number& share);
  void add_outcome(const Number& share);
  [[nodiscard]] std::int64_t new_value(const MachineAssignment& a) const;
  void settle(std::uint32_t c);
  void normalise(std::uint32_t c, const Number& all);

  const Machine& machine_;
  const Code& code_;
  const StateSet& states_;
  Rational tolerance_;
  Number one_ = Number(1);
  bool has_targets_;
  std::shared_ptr<const GuardIndex> commands_;  // copies share it
  RewardSums rewards_;
  OutcomeBatch* batch_ = nullptr;  // of the state at hand
  ExpansionNotes* notes_ = nullptr;
  std::vector<std::int64_t> values_;
  std::vector<std::int64_t> next_;                   // where rewards ask for it
  std::vector<std::uint64_t> here_;                  // the values, packed
  std::vector<std::uint64_t> there_;                 // those of an outcome
  std::vector<std::uint32_t> found_;                 // commands that may hold here
  std::vector<Distribution> distributions_;          // of enabled commands
  std::vector<std::vector<std::uint32_t>> enabled_;  // by group
  std::vector<std::uint32_t> touched_;               // groups with enabled commands
  std::vector<std::size_t> position_;                // in enabled_
  std::vector<std::uint32_t> chosen_;                // a command of each participant
  std::vector<std::size_t> update_;                  // an update of each of these
};

}  // namespace quantiplan::prism
