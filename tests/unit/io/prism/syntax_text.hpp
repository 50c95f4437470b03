// A syntax tree as text with every parenthesis, for tests of the parser.
//
//     x + 1 < 2      (< (+ x 1) 2)
#pragma once

#include <string>

#include "io/prism/language/prism_syntax.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan::prism {

inline std::string operation_text(Operation operation) {
  switch (operation) {
    case Operation::negative:
      return "neg";
    case Operation::negation:
      return "!";
    case Operation::quotient:
      return "/";
    case Operation::difference:
      return "-";
    case Operation::less:
      return "<";
    case Operation::at_most:
      return "<=";
    case Operation::greater:
      return ">";
    case Operation::at_least:
      return ">=";
    case Operation::equal:
      return "=";
    case Operation::unequal:
      return "!=";
    case Operation::equivalence:
      return "<=>";
    case Operation::implication:
      return "=>";
    case Operation::product:
      return "*";
    case Operation::sum:
      return "+";
    case Operation::conjunction:
      return "&";
    case Operation::disjunction:
      return "|";
    case Operation::conditional:
      return "?";
    case Operation::minimum:
      return "min";
    case Operation::maximum:
      return "max";
    case Operation::floor:
      return "floor";
    case Operation::ceiling:
      return "ceil";
    case Operation::round:
      return "round";
    case Operation::power:
      return "pow";
    case Operation::modulo:
      return "mod";
    case Operation::logarithm:
      return "log";
    default:
      return "leaf";
  }
}

// A whole number as 3, any other as 0.5 or 2.0.
inline std::string syntax_text(const Expression& expression) {
  switch (expression.operation) {
    case Operation::number: {
      const std::string text = quantiplan::to_text(expression.value.rational());
      const bool shows = text.find_first_of("./") != std::string::npos;
      return expression.is_whole || shows ? text : text + ".0";
    }
    case Operation::truth:
      return expression.value == Number(1) ? "true" : "false";
    case Operation::name:
      return expression.name;
    case Operation::label:
      return "\"" + expression.name + "\"";
    default:
      break;
  }
  std::string text = "(" + operation_text(expression.operation);
  for (const Expression& operand : expression.operands) text += " " + syntax_text(operand);
  return text + ")";
}

inline std::string syntax_text(const Composition& system) {
  if (system.kind == Composition::Kind::module) return system.module;
  std::string text;
  switch (system.kind) {
    case Composition::Kind::full:
      text = "||";
      break;
    case Composition::Kind::interleaved:
      text = "|||";
      break;
    case Composition::Kind::on_actions:
      text = "|[]|";
      break;
    case Composition::Kind::hiding:
      text = "/";
      break;
    default:
      text = "<-";
      break;
  }
  for (const std::string& action : system.actions) text += "," + action;
  for (const Renaming& one : system.renamings) text += "," + one.from + "<-" + one.to;
  for (const Composition& operand : system.operands) text += " " + syntax_text(operand);
  return "(" + text + ")";
}

}  // namespace quantiplan::prism
