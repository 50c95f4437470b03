// What a text in the PRISM language says, before any name in it has a meaning.
//
//     program = constants, formulas, globals, modules, labels, reward structures, init, system
//     module  = variables and commands   [action] guard -> p1 : (x'=e1) & ... + p2 : ... ;
//             | a copy of another        module M2 = M1 [ x=y, a=b ] endmodule
//
// Names are kept as they stand: constants, formulas, variables and renamings are resolved later
// (compile.hpp). Each thing carries the place of its first character, for messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantiplan/number.hpp"

namespace quantiplan::prism {

// Both counted from 1; a column is a character, not a byte. {0, 0}: no place.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

enum class Operation : std::uint8_t {
  // leaves
  number,  // 3 (whole), 0.5
  truth,   // true, false
  name,    // constant, formula or variable
  label,   // "done"
  // one operand
  negative,  // -x
  negation,  // !x
  // two operands
  quotient,    // x / y: exact, never whole division
  difference,  // x - y
  less,
  at_most,
  greater,
  at_least,
  equal,
  unequal,
  equivalence,  // x <=> y
  implication,  // x => y
  // two operands or more: a chain x + y + z is one node, so that long chains are not deep
  product,
  sum,
  conjunction,  // x & y
  disjunction,  // x | y
  // three operands
  conditional,  // c ? x : y
  // functions
  minimum,
  maximum,
  floor,
  ceiling,
  round,
  power,
  modulo,
  logarithm,
  absolute,    // of JANI only, as the next two
  sign,        // -1, 0 or 1
  truncation,  // towards 0
};

struct Expression {
  Operation operation = Operation::truth;
  Place place;  // of the operator, or of the function's or the leaf's first character
  // Of number: its value, and whether it was written without point and exponent. Of truth: the
  // value is 1 or 0.
  Number value;
  bool is_whole = false;
  std::string name;  // of name and label
  std::vector<Expression> operands;
};

enum class Type : std::uint8_t { truth, whole, number };  // bool, int, double

struct Constant {
  std::string name;
  Place place;
  Type type = Type::whole;
  std::optional<Expression> value;  // absent: to be given by the user
};

struct Formula {
  std::string name;
  Place place;
  Expression value;
  std::string text;  // the expression as it was written
};

struct Label {
  std::string name;
  Place place;
  Expression condition;
};

// x : [low..high] init e;   or   b : bool init e;
struct Variable {
  std::string name;
  Place place;
  bool is_truth = false;
  Expression low;   // of a whole number
  Expression high;  // of a whole number
  std::optional<Expression> initial;
};

struct Assignment {
  std::string variable;
  Place place;
  Expression value;
};

// What an update earns in a reward structure besides the structure's own items: JANI alone has these.
struct UpdateReward {
  std::string structure;
  Place place;
  Expression value;
};

struct Update {
  Place place;
  std::optional<Expression> probability;  // absent: 1
  std::vector<Assignment> assignments;    // none: true
  std::vector<UpdateReward> rewards = {};
};

struct Command {
  Place place;
  std::string action;  // empty: []
  Expression guard;
  std::vector<Update> updates;
};

struct Renaming {
  std::string from;
  std::string to;
  Place place;
};

struct Module {
  std::string name;
  Place place;
  std::vector<Variable> variables;
  std::vector<Command> commands;
  // A copy: the module copied and what is renamed; it has no variables and commands of its own.
  std::optional<std::string> original;
  std::vector<Renaming> renamings;
};

struct RewardItem {
  Place place;
  // guard : value;                a reward of states, collected on leaving
  // [a] guard : value;            of choices with that action (empty: those without)
  // [a] guard -> target : value;  of those that lead to a state with `target`
  std::optional<std::string> action;
  Expression guard;
  std::optional<Expression> target;
  Expression value;
};

struct RewardStructure {
  std::string name;  // may be empty
  Place place;
  std::vector<RewardItem> items;
};

// How modules run side by side.
struct Composition {
  enum class Kind : std::uint8_t {
    module,       // M
    full,         // A || B || ...: together on the actions that both have
    interleaved,  // A ||| B ||| ...: never together
    on_actions,   // A |[a,b]| B: together on these actions
    hiding,       // A / {a,b}: these actions lose their names
    renaming,     // A {a<-b, c<-d}: a becomes b
  };
  Kind kind = Kind::module;
  Place place;
  std::string module;
  std::vector<Composition> operands;
  std::vector<std::string> actions;
  std::vector<Renaming> renamings;
};

// One step that modules take together, by position, each with an action of its own: as JANI says it.
struct Synchronisation {
  Place place;
  std::string action;  // of the step; empty: none
  struct Part {
    std::size_t module;
    std::string action;
  };
  std::vector<Part> parts;
};

enum class Kind : std::uint8_t { mdp, dtmc };

struct Program {
  Kind kind = Kind::mdp;
  std::vector<Constant> constants;
  std::vector<Formula> formulas;
  std::vector<Variable> globals;
  std::vector<Module> modules;
  std::vector<Label> labels;
  std::vector<RewardStructure> rewards;
  std::optional<Expression> initial;  // init ... endinit
  Place initial_place;
  std::optional<Composition> system;  // system ... endsystem
  // Instead of a system: all steps but those without an action, which every module takes alone.
  std::optional<std::vector<Synchronisation>> synchronisations = std::nullopt;
};

}  // namespace quantiplan::prism
