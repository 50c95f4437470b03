// Steps 1 to 3 of compile(): modules with their copies, variables, commands.
#include <algorithm>
#include <set>

#include "base/quoted.hpp"
#include "io/prism/program_compiler.hpp"

namespace quantiplan::prism {

void ProgramCompiler::resolve_modules() {
  for (const Module& module : program_.modules) module_of_name_.try_emplace(module.name, &module);
  for (const Module& module : program_.modules) {
    if (module_of_name_[module.name] != &module) {
      complaints_.add(
          module.place,
          "module " + in_quotes(module.name) + " is declared twice, expected another name");
      continue;
    }
    if (complaints_.full()) return;
    if (auto part = resolve(module)) parts_.push_back(std::move(*part));
  }
}

// Follows copies of copies; what the inner one renames, the outer one may rename again.
std::optional<ProgramCompiler::Part> ProgramCompiler::resolve(const Module& module) {
  Part part{&module, &module, {}};
  std::set<const Module*> met;
  constexpr std::size_t kMostCopies = 100;
  while (part.text->original) {
    const Module& copy = *part.text;
    if (!met.insert(&copy).second) {
      complaints_.add(
          module.place,
          "module " + in_quotes(module.name) + " is a copy of itself, expected a module");
      return std::nullopt;
    }
    if (met.size() > kMostCopies) {
      complaints_.add(module.place,
                      "module " + in_quotes(module.name) + " is a copy of copies, more than " +
                          std::to_string(kMostCopies) + " deep; expected fewer");
      return std::nullopt;
    }
    const auto found = module_of_name_.find(*copy.original);
    if (found == module_of_name_.end()) {
      complaints_.add(copy.place,
                      "module " + in_quotes(copy.name) + " is a copy of " +
                          in_quotes(*copy.original) + ", which is no module");
      return std::nullopt;
    }
    Renames inner;
    for (const Renaming& renaming : copy.renamings) {
      const auto outer = part.renames.find(renaming.to);
      const bool is_new =
          inner.emplace(renaming.from, outer == part.renames.end() ? renaming.to : outer->second)
              .second;
      if (!is_new)
        complaints_.add(renaming.place,
                        in_quotes(renaming.from) + " is renamed twice, expected once");
    }
    for (const auto& [from, to] : part.renames) inner.try_emplace(from, to);
    part.renames = std::move(inner);
    part.text = found->second;
  }
  check_renamings(part);
  return part;
}

void ProgramCompiler::check_renamings(const Part& part) {
  if (part.module == part.text) return;
  for (const Variable& variable : part.text->variables) {
    if (renamed(part, variable.name) == variable.name)
      complaints_.add(part.module->place,
                      "module " + in_quotes(part.module->name) + " does not rename the variable " +
                          in_quotes(variable.name) + " of " + in_quotes(part.text->name) +
                          ", expected a new name for each");
  }
}

std::string ProgramCompiler::renamed(const Part& part, const std::string& name) {
  const auto found = part.renames.find(name);
  return found == part.renames.end() ? name : found->second;
}

void ProgramCompiler::declare_variables() {
  for (const Variable& variable : program_.globals) {
    declare(variable, variable.name, variable.place);
    declared_.push_back({&variable, std::nullopt});
  }
  for (std::size_t m = 0; m < parts_.size(); ++m) {
    const Part& part = parts_[m];
    for (const Variable& variable : part.text->variables) {
      const bool is_copy = part.module != part.text;
      declare(
          variable, renamed(part, variable.name), is_copy ? part.module->place : variable.place);
      declared_.push_back({&variable, m});
    }
  }
}

void ProgramCompiler::declare(const Variable& variable, const std::string& name, Place place) {
  scope_.add_variable(name, place, variable.is_truth ? Type::truth : Type::whole);
  MachineVariable& made = out_.machine.variables.emplace_back();
  made.name = name;
  made.is_truth = variable.is_truth;
}

void ProgramCompiler::fill_variables() {
  for (std::size_t v = 0; v < declared_.size(); ++v) {
    const auto owner = declared_[v].owner;
    fill(*declared_[v].variable,
         owner ? &parts_[*owner].renames : nullptr,
         out_.machine.variables[v]);
  }
  complaints_.throw_if_any();
}

void ProgramCompiler::fill(const Variable& variable,
                           const Renames* renames,
                           MachineVariable& into) {
  const std::string name = "variable " + in_quotes(into.name);
  if (!variable.is_truth) {
    const auto low = scope_.whole(variable.low, "the least value", renames);
    const auto high = scope_.whole(variable.high, "the greatest value", renames);
    if (!low || !high) return;
    if (*low > *high) {
      complaints_.add(variable.place,
                      name + " has the range [" + std::to_string(*low) + ".." +
                          std::to_string(*high) + "], which is empty");
      return;
    }
    into.low = *low;
    into.high = *high;
  }
  into.initial = into.low;
  if (!variable.initial) return;
  if (program_.initial) {
    complaints_.add(variable.place,
                    name + " has an initial value besides the init block, expected one of them");
    return;
  }
  if (variable.is_truth) {
    const auto root =
        scope_.compile_as(Type::truth, *variable.initial, "the initial value", renames);
    if (!root) return;
    if (!out_.machine.code.variables(*root).empty()) {
      complaints_.add(variable.initial->place, "the initial value depends on a variable");
      return;
    }
    try {
      into.initial = out_.machine.code.truth(*root, nullptr) ? 1 : 0;
    } catch (const Fault& fault) {
      complaints_.add(fault.place, "the initial value: " + fault.message);
    }
    return;
  }
  const auto value = scope_.whole(*variable.initial, "the initial value", renames);
  if (!value) return;
  if (*value < into.low || *value > into.high) {
    complaints_.add(variable.initial->place,
                    name + " has the initial value " + std::to_string(*value) +
                        ", expected one in its range [" + std::to_string(into.low) + ".." +
                        std::to_string(into.high) + "]");
  }
  into.initial = *value;
}

void ProgramCompiler::compile_commands() {
  groups_of_.resize(parts_.size());
  actions_of_.resize(parts_.size());
  for (std::size_t m = 0; m < parts_.size(); ++m) {
    for (const Command& command : parts_[m].text->commands) compile_command(m, command);
  }
}

void ProgramCompiler::compile_command(std::size_t module, const Command& command) {
  watch_.step(64);
  const Part& part = parts_[module];
  const std::string action = command.action.empty() ? "" : renamed(part, command.action);
  const auto [at, is_new] = groups_of_[module].try_emplace(
      action, static_cast<std::uint32_t>(out_.machine.groups.size()));
  if (is_new) {
    actions_of_[module].push_back(action);
    out_.machine.groups.emplace_back();
  }
  const auto guard = scope_.compile_as(Type::truth, command.guard, "the guard", &part.renames);
  MachineCommand compiled{command.place, at->second, Root{}, {}};
  bool is_whole = guard.has_value();
  for (const Update& update : command.updates) {
    if (auto made = compile_update(module, update)) {
      compiled.updates.push_back(std::move(*made));
    } else {
      is_whole = false;
    }
  }
  if (!is_whole) return;
  compiled.guard = *guard;
  out_.machine.groups[at->second].push_back(
      static_cast<std::uint32_t>(out_.machine.commands.size()));
  out_.machine.commands.push_back(std::move(compiled));
}

std::optional<MachineUpdate> ProgramCompiler::compile_update(std::size_t module,
                                                             const Update& update) {
  const Renames& renames = parts_[module].renames;
  const auto probability =
      update.probability
          ? scope_.compile_as(Type::number, *update.probability, "the probability", &renames)
          : certain_;
  bool is_fine = probability.has_value();
  MachineUpdate made{update.place, is_fine ? *probability : Root{}, {}};
  for (const Assignment& assignment : update.assignments) {
    const auto compiled = compile_assignment(module, assignment);
    if (!compiled) {
      is_fine = false;
      continue;
    }
    for (const MachineAssignment& other : made.assignments) {
      if (other.variable != compiled->variable) continue;
      complaints_.add(assignment.place,
                      "the variable " + in_quotes(assignment.variable) +
                          " is set twice in one update, expected once");
      is_fine = false;
    }
    made.assignments.push_back(*compiled);
  }
  for (const UpdateReward& reward : update.rewards) {
    const auto value = scope_.compile_as(Type::number, reward.value, "a reward", &renames);
    is_fine = is_fine && value.has_value();
    const auto slot = slot_of_rewards_.find(reward.structure);
    if (value && slot != slot_of_rewards_.end() && slot->second)
      made.rewards.push_back({reward.place, *slot->second, *value});
  }
  if (!is_fine) return std::nullopt;
  return made;
}

std::optional<MachineAssignment> ProgramCompiler::compile_assignment(std::size_t module,
                                                                     const Assignment& assignment) {
  const Part& part = parts_[module];
  const std::string name = renamed(part, assignment.variable);
  const auto variable = scope_.find_variable(name);
  if (!variable) {
    complaints_.add(assignment.place,
                    "unknown variable " + in_quotes(name) + ", expected one of module " +
                        in_quotes(part.module->name) + " or a global one");
    return std::nullopt;
  }
  const auto owner = declared_[*variable].owner;
  if (owner && *owner != module) {
    complaints_.add(assignment.place,
                    "module " + in_quotes(part.module->name) + " sets the variable " +
                        in_quotes(name) + " of module " + in_quotes(parts_[*owner].module->name) +
                        ", expected one of its own or a global one");
    return std::nullopt;
  }
  const bool is_truth = out_.machine.variables[*variable].is_truth;
  const std::string what = "the new value of " + in_quotes(name);
  const auto value = scope_.compile_as(
      is_truth ? Type::truth : Type::whole, assignment.value, what.c_str(), &part.renames);
  if (!value) return std::nullopt;
  return MachineAssignment{*variable, *value, assignment.place};
}

}  // namespace quantiplan::prism
