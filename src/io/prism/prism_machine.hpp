// A program ready to run: every name resolved, every expression compiled.
//
//     step        an action with the modules that take part in it, each with its commands
//     choice      one enabled command of each of them, together
//     outcome     one update of each of these commands, their probabilities multiplied
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/prism/language/code.hpp"
#include "io/prism/language/prism_syntax.hpp"

namespace quantiplan::prism {

struct MachineVariable {
  std::string name;
  bool is_truth = false;
  std::int64_t low = 0;
  std::int64_t high = 1;
  std::int64_t initial = 0;  // where the program has no init block
};

// "(s=3,b=true)".
void append_name(std::string& out,
                 const std::vector<MachineVariable>& variables,
                 const std::int64_t* values);

struct MachineAssignment {
  std::uint32_t variable;
  Root value;
  Place place;
};

struct MachineUpdateReward {
  Place place;
  std::uint32_t structure;  // as of MachineReward
  Root value;
};

struct MachineUpdate {
  Place place;
  Root probability;
  std::vector<MachineAssignment> assignments;
  std::vector<MachineUpdateReward> rewards = {};
};

struct MachineCommand {
  Place place;
  std::uint32_t group;  // in Machine::groups
  Root guard;
  std::vector<MachineUpdate> updates;
};

struct Step {
  std::string action;                       // empty: none
  std::string name;                         // of its choices: the action, or "[]", or "[] module"
  std::vector<std::uint32_t> participants;  // of each module that takes part, its group
};

struct MachineReward {
  Place place;
  std::uint32_t structure = 0;        // 0: the one that counts; others follow in their order
  std::optional<std::string> action;  // absent: of states
  Root guard;
  std::optional<Root> target;
  Root value;
};

struct MachineLabel {
  std::string name;
  Root condition;
};

struct Machine {
  Kind kind = Kind::mdp;
  Code code;
  std::vector<MachineVariable> variables;
  std::vector<MachineCommand> commands;
  // Commands of one module with one action, ascending.
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<Step> steps;
  // Of the structure that counts, and of the others if they are to be kept.
  std::vector<MachineReward> rewards;
  std::size_t reward_structures = 1;
  std::vector<std::string> reward_names;  // of all, in the order of the program
  std::size_t chosen_reward = 0;
  std::vector<MachineLabel> labels;
  std::vector<std::vector<std::int64_t>> initial;  // values of the variables in each initial state

  void append_name(std::string& out, const std::int64_t* values) const {
    prism::append_name(out, variables, values);
  }
};

}  // namespace quantiplan::prism
