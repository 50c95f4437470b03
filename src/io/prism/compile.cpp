#include "io/prism/compile.hpp"

#include <algorithm>

#include "base/quoted.hpp"
#include "io/prism/language/composition.hpp"
#include "io/prism/program_compiler.hpp"
#include "model/reward_choice.hpp"

namespace quantiplan::prism {

void append_name(std::string& out,
                 const std::vector<MachineVariable>& variables,
                 const std::int64_t* values) {
  out += '(';
  for (std::size_t v = 0; v < variables.size(); ++v) {
    if (v > 0) out += ',';
    out += variables[v].name;
    out += '=';
    if (variables[v].is_truth) {
      out += values[v] != 0 ? "true" : "false";
    } else {
      out += std::to_string(values[v]);
    }
  }
  out += ')';
}

CompiledProgram compile(const Program& program,
                        const std::string& source,
                        const ReadOptions& options,
                        WorkWatch& watch) {
  return ProgramCompiler(program, source, options, watch).compile();
}

ProgramCompiler::ProgramCompiler(const Program& program,
                                 const std::string& source,
                                 const ReadOptions& options,
                                 WorkWatch& watch)
    : program_(program),
      options_(options),
      watch_(watch),
      complaints_(source, Complaints::Of::program),
      scope_(out_.machine.code, complaints_),
      certain_(out_.machine.code.constant(Type::whole, 1, {})) {}

CompiledProgram ProgramCompiler::compile() {
  out_.machine.kind = program_.kind;
  if (program_.modules.empty())
    complaints_.fail({}, "the program has no module, expected at least one");
  for (const Constant& constant : program_.constants) scope_.add(constant);
  for (const Formula& formula : program_.formulas) scope_.add(formula);
  for (const Label& label : program_.labels) scope_.add(label);
  resolve_modules();
  declare_variables();
  complaints_.throw_if_any();
  scope_.give_constants(options_.constants);
  scope_.check();
  fill_variables();
  choose_rewards();
  compile_commands();
  compile_labels();
  compile_rewards();
  complaints_.throw_if_any();
  compile_steps();
  complaints_.throw_if_any();
  if (program_.initial) {
    if (const auto root = scope_.compile_as(Type::truth, *program_.initial, "init"))
      find_initial_values(out_.machine, *root, program_.initial_place, complaints_, watch_);
    complaints_.throw_if_any();
  } else {
    std::vector<std::int64_t>& only = out_.machine.initial.emplace_back();
    for (const MachineVariable& variable : out_.machine.variables) only.push_back(variable.initial);
  }
  out_.definitions = scope_.definitions();
  return std::move(out_);
}

void ProgramCompiler::compile_synchronisations() {
  for (std::size_t m = 0; m < parts_.size(); ++m) {
    const auto silent = groups_of_[m].find("");
    if (silent == groups_of_[m].end()) continue;
    Step step;
    step.name = parts_.size() == 1 ? "[]" : "[] " + parts_[m].module->name;
    step.participants.push_back(silent->second);
    add_step(std::move(step), parts_[m].module->place);
  }
  for (const Synchronisation& each : *program_.synchronisations) {
    watch_.step(16 + each.parts.size());
    Step step;
    step.action = each.action;
    step.name = each.action.empty() ? "[]" : each.action;
    bool is_possible = !each.parts.empty();
    for (const Synchronisation::Part& part : each.parts) {
      const auto group = groups_of_[part.module].find(part.action);
      // Nobody has a command for it: the step never happens.
      is_possible = is_possible && group != groups_of_[part.module].end();
      if (is_possible) step.participants.push_back(group->second);
    }
    if (is_possible) add_step(std::move(step), each.place);
  }
}

void ProgramCompiler::add_step(Step step, Place place) {
  check_globals(step, place);
  out_.machine.steps.push_back(std::move(step));
}

void ProgramCompiler::compile_steps() {
  if (program_.synchronisations) return compile_synchronisations();
  std::vector<ModuleActions> modules;
  for (std::size_t m = 0; m < parts_.size(); ++m)
    modules.push_back({parts_[m].module->name, actions_of_[m]});
  for (const Behaviour& behaviour : compose(modules, program_.system, complaints_)) {
    watch_.step(16 + behaviour.participants.size());
    Step step;
    step.action = behaviour.action;
    step.name = behaviour.action;
    if (step.name.empty()) {
      step.name = "[]";
      const char* separator = " ";
      for (const Participant& p : behaviour.participants) {
        if (parts_.size() == 1) break;
        step.name += separator + parts_[p.module].module->name;
        separator = ",";
      }
    }
    for (const Participant& p : behaviour.participants)
      step.participants.push_back(groups_of_[p.module].find(p.action)->second);
    add_step(std::move(step), parts_[behaviour.participants[0].module].module->place);
  }
}

// Two modules that act together must not both set a global variable: which value would it have?
void ProgramCompiler::check_globals(const Step& step, Place place) {
  std::map<std::uint32_t, std::size_t> first;
  for (std::size_t p = 0; p < step.participants.size() && step.participants.size() > 1; ++p) {
    for (const std::uint32_t c : out_.machine.groups[step.participants[p]]) {
      for (const MachineUpdate& update : out_.machine.commands[c].updates) {
        for (const MachineAssignment& a : update.assignments) {
          if (declared_[a.variable].owner || first.try_emplace(a.variable, p).first->second == p)
            continue;
          complaints_.add(a.place.line == 0 ? place : a.place,
                          "the global variable " +
                              in_quotes(out_.machine.variables[a.variable].name) +
                              " is set by two modules that act together on " +
                              in_quotes(step.action) + ", expected one");
          return;
        }
      }
    }
  }
}

void ProgramCompiler::compile_labels() {
  for (const Label& label : program_.labels) {
    if (label.name == "init" || label.name == "deadlock") {
      complaints_.add(label.place,
                      "the label \"" + label.name + "\" has a meaning already, expected another");
      continue;
    }
    if (const auto root = scope_.compile_as(Type::truth, label.condition, "a label"))
      out_.machine.labels.push_back({label.name, *root});
  }
}

void ProgramCompiler::choose_rewards() {
  std::vector<std::string> names;
  for (const RewardStructure& structure : program_.rewards) names.push_back(structure.name);
  const auto chosen =
      choose_reward(names, options_.reward, complaints_.at({}), out_.notices, options_.all_rewards);
  std::uint32_t others = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::optional<std::uint32_t>& slot = slots_.emplace_back();
    if (i == chosen) {
      slot = 0;
    } else if (options_.all_rewards) {
      slot = ++others;
    }
    slot_of_rewards_.try_emplace(program_.rewards[i].name, slot);
  }
  if (!chosen) return;
  out_.machine.reward_structures = options_.all_rewards ? names.size() : 1;
  out_.machine.reward_names = std::move(names);
  out_.machine.chosen_reward = *chosen;
}

void ProgramCompiler::compile_rewards() {
  for (std::size_t i = 0; i < program_.rewards.size(); ++i) {
    const RewardStructure& r = program_.rewards[i];
    const bool is_repeated = std::any_of(
        program_.rewards.begin(),
        program_.rewards.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const RewardStructure& earlier) { return !r.name.empty() && earlier.name == r.name; });
    if (is_repeated)
      complaints_.add(r.place,
                      "the reward structure " + in_quotes(r.name) +
                          " is declared twice, expected another name");
  }
  for (std::size_t i = 0; i < program_.rewards.size(); ++i) {
    // All must make sense, whichever is kept.
    for (const RewardItem& item : program_.rewards[i].items) {
      const auto guard = scope_.compile_as(Type::truth, item.guard, "the condition of a reward");
      const auto value = scope_.compile_as(Type::number, item.value, "a reward");
      std::optional<Root> target;
      if (item.target) {
        target = scope_.compile_as(Type::truth, *item.target, "the target of a reward");
        if (!target) continue;
      }
      if (guard && value && slots_[i])
        out_.machine.rewards.push_back(
            {item.place, *slots_[i], item.action, *guard, target, *value});
    }
  }
}

}  // namespace quantiplan::prism
