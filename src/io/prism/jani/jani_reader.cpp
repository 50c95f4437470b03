#include "io/prism/jani/jani_reader.hpp"

#include <algorithm>
#include <array>

#include "base/quoted.hpp"
#include "io/prism/compile.hpp"
#include "io/prism/explore.hpp"
#include "io/prism/jani/jani_expression.hpp"
#include "io/prism/jani/jani_system.hpp"

namespace quantiplan {
namespace prism {
namespace {

constexpr std::array<std::string_view, 3> kHarmlessFeatures{
    "derived-operators", "state-exit-rewards", "named-expressions"};

using Names = std::map<std::string, std::string>;

class JaniParser {
 public:
  explicit JaniParser(const std::string& source) : expressions_(source) {}

  Program read(const JsonNode& root) {
    if (!root.is(JsonKind::object)) fail(root, "found no object, expected a JANI model");
    read_type(root);
    for (const JsonNode& constant : list(root, "constants")) read_constant(constant);
    for (const JsonNode& automaton : list(root, "automata"))
      automata_.push_back({&automaton, text(automaton, "name"), {}, {}, {}});
    if (automata_.empty()) fail(root, "found no automaton, expected one at least");
    name_variables(root);
    for (const JsonNode& variable : list(root, "variables"))
      read_variable(variable, {}, program_.globals);
    for (Automaton& automaton : automata_) read_automaton(automaton);
    program_.synchronisations = read_jani_system(root, program_.modules, expressions_);
    restrict_initial(root, {});
    for (const std::string& name : transient_numbers_)
      program_.rewards.push_back({name, {}, std::move(rewards_[name])});
    for (const std::string& name : transient_truths_) {
      auto& cases = labels_[name];
      Expression condition = cases.empty() ? truth_expression(false, {})
                             : cases.size() == 1
                                 ? std::move(cases.front())
                                 : joined(Operation::disjunction, {}, std::move(cases));
      program_.labels.push_back({name, {}, std::move(condition)});
    }
    if (needs_init_) program_.initial = all_of(std::move(initial_));
    return std::move(program_);
  }

 private:
  struct Automaton {
    const JsonNode* node;
    std::string name;
    Names renamed;                              // variables
    std::string location;                       // the variable of its location; empty: there is one
    std::map<std::string, std::size_t> places;  // of locations
  };

  [[noreturn]] void fail(const JsonNode& node, const std::string& message) const {
    expressions_.fail(node, message);
  }
  // The items of a list; none if there is no such key.
  const std::vector<JsonNode>& list(const JsonNode& node, const char* key) const {
    static const std::vector<JsonNode> kNone;
    const JsonNode* found = node.find(key);
    if (found == nullptr) return kNone;
    if (!found->is(JsonKind::list))
      fail(*found, std::string(key) + ": found " + name_of(found->kind) + ", expected a list");
    return found->items;
  }
  const JsonNode& need(const JsonNode& node, const char* key) const {
    const JsonNode* found = node.find(key);
    if (found == nullptr) fail(node, "no '" + std::string(key) + "', expected it here");
    return *found;
  }
  std::string text(const JsonNode& node, const char* key) const {
    const JsonNode& found = need(node, key);
    if (!found.is(JsonKind::string) || found.text.empty())
      fail(found, std::string(key) + ": found " + name_of(found.kind) + ", expected a name");
    return found.text;
  }
  static Expression all_of(std::vector<Expression> conditions) {
    if (conditions.empty()) return truth_expression(true, {});
    if (conditions.size() == 1) return std::move(conditions.front());
    return joined(Operation::conjunction, {}, std::move(conditions));
  }

  void read_type(const JsonNode& root) {
    const std::string type = text(root, "type");
    if (type != "mdp" && type != "dtmc")
      fail(need(root, "type"),
           "type: found " + in_quotes(type) + ", which is not supported; expected mdp or dtmc");
    program_.kind = type == "mdp" ? Kind::mdp : Kind::dtmc;
    for (const JsonNode& feature : list(root, "features")) {
      if (std::ranges::find(kHarmlessFeatures, feature.text) == kHarmlessFeatures.end())
        fail(feature,
             "features: found " + in_quotes(feature.text) +
                 ", which is not supported; expected derived-operators or state-exit-rewards");
    }
    if (!list(root, "functions").empty())
      fail(need(root, "functions"), "functions: found some, which are not supported");
  }

  void read_constant(const JsonNode& node) {
    Constant out;
    out.name = text(node, "name");
    out.place = place_of(node);
    const JsonNode& type = need(node, "type");
    const JsonNode& base = type.is(JsonKind::object) ? need(type, "base") : type;
    out.type = base.says("bool") ? Type::truth : base.says("real") ? Type::number : Type::whole;
    if (!base.says("bool") && !base.says("real") && !base.says("int"))
      fail(base,
           "constant " + in_quotes(out.name) + ": found the type " + in_quotes(base.text) +
               ", expected bool, int or real");
    if (const JsonNode* value = node.find("value")) out.value = expressions_.read(*value, {});
    program_.constants.push_back(std::move(out));
  }

  // Names of variables that two automata share get the automaton's name before them.
  void name_variables(const JsonNode& root) {
    std::map<std::string, std::size_t> count;
    for (const JsonNode& constant : list(root, "constants")) ++count[text(constant, "name")];
    for (const JsonNode& variable : list(root, "variables")) ++count[text(variable, "name")];
    for (const Automaton& automaton : automata_)
      for (const JsonNode& variable : list(*automaton.node, "variables"))
        ++count[text(variable, "name")];
    for (Automaton& automaton : automata_) {
      const auto fresh = [&](std::string name) {
        while (count[name] > 0) name += '_';
        ++count[name];
        return name;
      };
      for (const JsonNode& variable : list(*automaton.node, "variables")) {
        const std::string name = text(variable, "name");
        if (count[name] > 1) automaton.renamed[name] = fresh(automaton.name + "_" + name);
      }
      std::size_t position = 0;
      for (const JsonNode& location : list(*automaton.node, "locations"))
        automaton.places[text(location, "name")] = position++;
      if (automaton.places.empty())
        fail(*automaton.node,
             "automaton " + in_quotes(automaton.name) + " has no location, expected one at least");
      if (automaton.places.size() > 1) automaton.location = fresh(automaton.name + "_location");
    }
  }

  void read_variable(const JsonNode& node, const Names& renamed, std::vector<Variable>& into) {
    const std::string given = text(node, "name");
    const auto other = renamed.find(given);
    const std::string name = other == renamed.end() ? given : other->second;
    const JsonNode& type = need(node, "type");
    const JsonNode* transient = node.find("transient");
    if (transient != nullptr && transient->text == "true") {
      read_transient(node, name, type);
      return;
    }
    Variable out;
    out.name = name;
    out.place = place_of(node);
    const std::string what = "variable " + in_quotes(name) + ": ";
    if (type.says("bool")) {
      out.is_truth = true;
    } else if (type.is(JsonKind::object) && need(type, "kind").says("bounded")) {
      if (!need(type, "base").says("int"))
        fail(type, what + "found a bounded type of other numbers, expected int");
      out.low = expressions_.read(need(type, "lower-bound"), {});
      out.high = expressions_.read(need(type, "upper-bound"), {});
    } else {
      const std::string found = type.is(JsonKind::object) ? need(type, "kind").text : type.text;
      const char* why = found == "clock" || found == "continuous" ? ", which is not supported"
                        : found == "int"                          ? " without bounds"
                                                                  : "";
      fail(type,
           what + "found the type " + in_quotes(found) + why + ", expected bool or a bounded int");
    }
    if (const JsonNode* initial = node.find("initial-value")) {
      out.initial = expressions_.read(*initial, renamed);
      initial_.push_back(joined(out.is_truth ? Operation::equivalence : Operation::equal,
                                out.place,
                                {name_expression(name, out.place), *out.initial}));
    } else {
      needs_init_ = true;
    }
    into.push_back(std::move(out));
  }

  // Labels and rewards; their value where nothing gives them another must be false, or 0.
  void read_transient(const JsonNode& node, const std::string& name, const JsonNode& type) {
    const bool is_truth = type.says("bool");
    const JsonNode* initial = node.find("initial-value");
    const bool is_usual =
        initial == nullptr ||
        (is_truth ? initial->text == "false" : initial->text == "0" || initial->text == "0.0");
    if (!is_usual)
      fail(*initial,
           "transient variable " + in_quotes(name) + ": found another initial value than " +
               (is_truth ? "false" : "0") + ", which is not supported");
    (is_truth ? transient_truths_ : transient_numbers_).push_back(name);
  }
  bool is_transient_number(const std::string& name) const {
    return std::ranges::find(transient_numbers_, name) != transient_numbers_.end();
  }
  bool is_transient_truth(const std::string& name) const {
    return std::ranges::find(transient_truths_, name) != transient_truths_.end();
  }

  [[nodiscard]] Expression at_location(const Automaton& automaton, const JsonNode& name) const {
    const auto found = automaton.places.find(name.text);
    if (found == automaton.places.end())
      fail(name,
           "unknown location " + in_quotes(name.text) + " of automaton " +
               in_quotes(automaton.name));
    const Place place = place_of(name);
    if (automaton.location.empty()) return truth_expression(true, place);
    return joined(Operation::equal,
                  place,
                  {name_expression(automaton.location, place),
                   whole_expression(static_cast<std::int64_t>(found->second), place)});
  }

  void read_automaton(Automaton& automaton) {
    const JsonNode& node = *automaton.node;
    Module module;
    module.name = automaton.name;
    module.place = place_of(node);
    for (const JsonNode& variable : list(node, "variables"))
      read_variable(variable, automaton.renamed, module.variables);
    read_locations(automaton, module);
    restrict_initial(node, automaton.renamed);
    for (const JsonNode& edge : list(node, "edges"))
      module.commands.push_back(read_edge(automaton, edge));
    program_.modules.push_back(std::move(module));
  }

  void read_locations(const Automaton& automaton, Module& module) {
    const JsonNode& node = *automaton.node;
    for (const JsonNode& location : list(node, "locations")) {
      if (location.find("time-progress") != nullptr)
        fail(location, "found 'time-progress', which is not supported: there are no clocks");
      for (const JsonNode& value : list(location, "transient-values"))
        read_transient_value(automaton, location, value);
    }
    const std::vector<JsonNode>& initial = list(node, "initial-locations");
    if (initial.empty())
      fail(node, "automaton " + in_quotes(automaton.name) + " has no initial location");
    if (automaton.location.empty()) return;
    Variable variable;
    variable.name = automaton.location;
    variable.place = module.place;
    variable.low = whole_expression(0, module.place);
    variable.high =
        whole_expression(static_cast<std::int64_t>(automaton.places.size()) - 1, module.place);
    std::vector<Expression> begin;
    begin.reserve(initial.size());
    for (const JsonNode& each : initial) begin.push_back(at_location(automaton, each));
    if (begin.size() == 1) {
      variable.initial = begin.front().operands[1];
      initial_.push_back(std::move(begin.front()));
    } else {
      needs_init_ = true;
      initial_.push_back(joined(Operation::disjunction, module.place, std::move(begin)));
    }
    module.variables.push_back(std::move(variable));
  }

  void read_transient_value(const Automaton& automaton,
                            const JsonNode& location,
                            const JsonNode& node) {
    const std::string name = text(node, "ref");
    Expression here = at_location(automaton, need(location, "name"));
    Expression value = expressions_.read(need(node, "value"), automaton.renamed);
    if (is_transient_truth(name)) {
      std::vector<Expression> both;
      both.push_back(std::move(here));
      both.push_back(std::move(value));
      labels_[name].push_back(all_of(std::move(both)));
    } else if (is_transient_number(name)) {
      rewards_[name].push_back(
          {place_of(node), std::nullopt, std::move(here), std::nullopt, std::move(value)});
    } else {
      fail(node, "unknown transient variable " + in_quotes(name));
    }
  }

  Command read_edge(const Automaton& automaton, const JsonNode& edge) const {
    Command command;
    command.place = place_of(edge);
    if (edge.find("rate") != nullptr)
      fail(edge, "found an edge with a rate, which is not supported; expected probabilities");
    if (const JsonNode* action = edge.find("action")) command.action = action->text;
    std::vector<Expression> guard;
    if (!automaton.location.empty())
      guard.push_back(at_location(automaton, need(edge, "location")));
    if (const JsonNode* condition = edge.find("guard"))
      guard.push_back(expressions_.read_inside(*condition, automaton.renamed));
    command.guard = all_of(std::move(guard));
    for (const JsonNode& destination : list(edge, "destinations")) {
      Update update;
      update.place = place_of(destination);
      if (const JsonNode* probability = destination.find("probability"))
        update.probability = expressions_.read_inside(*probability, automaton.renamed);
      if (!automaton.location.empty()) {
        const Expression at = at_location(automaton, need(destination, "location"));
        update.assignments.push_back({automaton.location, at.place, at.operands[1]});
      }
      for (const JsonNode& assignment : list(edge, "assignments"))
        read_assignment(automaton, assignment, update);
      for (const JsonNode& assignment : list(destination, "assignments"))
        read_assignment(automaton, assignment, update);
      command.updates.push_back(std::move(update));
    }
    if (command.updates.empty()) fail(edge, "found an edge without destinations, expected one");
    return command;
  }

  void read_assignment(const Automaton& automaton, const JsonNode& node, Update& update) const {
    const JsonNode& ref = need(node, "ref");
    if (!ref.is(JsonKind::string))
      fail(ref,
           "ref: found " + std::string(name_of(ref.kind)) +
               ", expected a variable: arrays are not supported");
    if (const JsonNode* index = node.find("index"); index != nullptr && index->text != "0")
      fail(*index,
           "found an assignment with an index, which is not supported; expected all at once");
    Expression value = expressions_.read(need(node, "value"), automaton.renamed);
    if (is_transient_number(ref.text)) {
      update.rewards.push_back({ref.text, place_of(node), std::move(value)});
      return;
    }
    // A label of a step, which no state has.
    if (is_transient_truth(ref.text)) return;
    const auto other = automaton.renamed.find(ref.text);
    update.assignments.push_back({other == automaton.renamed.end() ? ref.text : other->second,
                                  place_of(node),
                                  std::move(value)});
  }

  void restrict_initial(const JsonNode& node, const Names& renamed) {
    const JsonNode* restricted = node.find("restrict-initial");
    if (restricted == nullptr) return;
    Expression condition = expressions_.read_inside(*restricted, renamed);
    if (condition.operation == Operation::truth && condition.value == Number(1)) return;
    needs_init_ = true;
    initial_.push_back(std::move(condition));
  }

  JaniExpressions expressions_;
  Program program_;
  std::vector<Automaton> automata_;
  std::vector<std::string> transient_numbers_;
  std::vector<std::string> transient_truths_;
  std::map<std::string, std::vector<RewardItem>> rewards_;
  std::map<std::string, std::vector<Expression>> labels_;
  std::vector<Expression> initial_;
  bool needs_init_ = false;
};

}  // namespace

Program parse_jani(std::string_view text, const std::string& source, WorkWatch& watch) {
  constexpr int kMostJaniNesting = 1000;
  const JsonNode root = read_json_tree(text, source, watch, kMostJaniNesting);
  Program program = JaniParser(source).read(root);
  // Initial values and an init block exclude each other: the block says it all.
  if (program.initial) {
    for (Variable& variable : program.globals) variable.initial.reset();
    for (Module& module : program.modules)
      for (Variable& variable : module.variables) variable.initial.reset();
  }
  return program;
}

}  // namespace prism

PrismFacts read_jani_model(std::string_view text,
                           const std::string& source,
                           const ReadOptions& options,
                           WorkWatch& watch,
                           ModelBuilder& builder) {
  return explore_program(prism::parse_jani(text, source, watch), source, options, watch, builder);
}

}  // namespace quantiplan
