// The steps of compile(): each takes a part of the program into the machine.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/prism/compile.hpp"
#include "io/prism/language/prism_syntax.hpp"
#include "io/prism/language/scope.hpp"
#include "io/prism/prism_machine.hpp"

namespace quantiplan::prism {

class ProgramCompiler {
 public:
  ProgramCompiler(const Program& program,
                  const std::string& source,
                  const ReadOptions& options,
                  WorkWatch& watch);
  CompiledProgram compile();

 private:
  // A module with its copy resolved: the text it is made of, and what is renamed in it.
  struct Part {
    const Module* module = nullptr;
    const Module* text = nullptr;
    Renames renames;
  };
  // The groups of a module's commands, by action.
  using GroupsOf = std::map<std::string, std::uint32_t, std::less<>>;

  // 1. Modules and variables.
  void resolve_modules();
  std::optional<Part> resolve(const Module& module);
  void check_renamings(const Part& part);
  void declare_variables();
  void declare(const Variable& variable, const std::string& name, Place place);
  [[nodiscard]] static std::string renamed(const Part& part, const std::string& name);
  // 2. Ranges and initial values.
  void fill_variables();
  void fill(const Variable& variable, const Renames* renames, MachineVariable& into);
  // 3. Commands and steps.
  void compile_commands();
  void compile_command(std::size_t module, const Command& command);
  std::optional<MachineUpdate> compile_update(std::size_t module, const Update& update);
  std::optional<MachineAssignment> compile_assignment(std::size_t module,
                                                      const Assignment& assignment);
  void compile_steps();
  void check_globals(const Step& step, Place place);
  // 4. Labels and rewards.
  void compile_labels();
  // Which structure counts, and where the others are kept if they are.
  void choose_rewards();
  void compile_rewards();
  void compile_synchronisations();
  void add_step(Step step, Place place);

  const Program& program_;
  const ReadOptions& options_;
  WorkWatch& watch_;
  CompiledProgram out_;
  Complaints complaints_;
  Scope scope_;
  Root certain_;  // the probability 1, of updates without one
  std::map<std::string_view, const Module*> module_of_name_;
  std::vector<Part> parts_;
  struct Declared {
    const Variable* variable;
    std::optional<std::size_t> owner;  // absent: a global one
  };
  std::vector<Declared> declared_;
  // By name of a structure: its number among those that are kept, if it is.
  std::map<std::string_view, std::optional<std::uint32_t>> slot_of_rewards_;
  std::vector<std::optional<std::uint32_t>> slots_;  // the same by position
  std::vector<GroupsOf> groups_of_;                  // by module
  std::vector<std::vector<std::string>> actions_of_;
};

// 5. The valuations of the variables that satisfy the condition. Complains if there is none.
void find_initial_values(
    Machine& machine, Root condition, Place place, Complaints& complaints, WorkWatch& watch);

}  // namespace quantiplan::prism
