#include "io/prism/jani/jani_system.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "base/quoted.hpp"

namespace quantiplan::prism {
namespace {

const JsonNode& list_of(const JsonNode& node, const char* key, const JaniExpressions& problems) {
  static const JsonNode kNone;
  const JsonNode* found = node.find(key);
  if (found == nullptr) return kNone;
  if (!found->is(JsonKind::list))
    problems.fail(*found,
                  std::string(key) + ": found " + name_of(found->kind) + ", expected a list");
  return *found;
}

std::size_t module_named(const JsonNode& element,
                         const std::vector<Module>& modules,
                         const JaniExpressions& problems) {
  const JsonNode* name = element.find("automaton");
  if (name == nullptr) problems.fail(element, "no 'automaton', expected it here");
  const auto found = std::ranges::find(modules, name->text, &Module::name);
  if (found == modules.end()) problems.fail(*name, "unknown automaton " + in_quotes(name->text));
  return static_cast<std::size_t>(found - modules.begin());
}

// Without sync vectors several automata take silent steps only; one by itself needs no vectors.
std::vector<Synchronisation> all_alone(const std::vector<Module>& modules) {
  std::vector<Synchronisation> out;
  if (modules.size() > 1) return out;
  for (std::size_t m = 0; m < modules.size(); ++m) {
    std::vector<std::string> met;
    for (const Command& command : modules[m].commands) {
      if (command.action.empty() || std::ranges::find(met, command.action) != met.end()) continue;
      met.push_back(command.action);
      out.push_back({command.place, command.action, {{m, command.action}}});
    }
  }
  return out;
}

}  // namespace

std::vector<Synchronisation> read_jani_system(const JsonNode& root,
                                              const std::vector<Module>& modules,
                                              const JaniExpressions& problems) {
  const JsonNode* system = root.find("system");
  if (system == nullptr) return all_alone(modules);
  std::vector<std::size_t> elements;
  for (const JsonNode& element : list_of(*system, "elements", problems).items) {
    if (!list_of(element, "input-enable", problems).items.empty())
      problems.fail(element, "found 'input-enable', which is not supported");
    elements.push_back(module_named(element, modules, problems));
  }
  const std::set<std::size_t> distinct(elements.begin(), elements.end());
  if (distinct.size() != elements.size() || elements.size() != modules.size())
    problems.fail(*system,
                  "system: expected every automaton once; copies of automata are not supported");
  if (system->find("syncs") == nullptr) return all_alone(modules);
  std::vector<Synchronisation> out;
  for (const JsonNode& sync : list_of(*system, "syncs", problems).items) {
    Synchronisation step;
    step.place = place_of(sync);
    if (const JsonNode* result = sync.find("result")) step.action = result->text;
    const std::vector<JsonNode>& actions = list_of(sync, "synchronise", problems).items;
    if (actions.size() != elements.size())
      problems.fail(sync,
                    "synchronise: found " + std::to_string(actions.size()) + " actions, expected " +
                        std::to_string(elements.size()) + ", one for each element");
    for (std::size_t i = 0; i < actions.size(); ++i)
      if (!actions[i].is(JsonKind::null)) step.parts.push_back({elements[i], actions[i].text});
    out.push_back(std::move(step));
  }
  return out;
}

}  // namespace quantiplan::prism
