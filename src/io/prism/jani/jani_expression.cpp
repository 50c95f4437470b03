#include "io/prism/jani/jani_expression.hpp"

#include <algorithm>
#include <array>

#include "base/quoted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan::prism {
namespace {

struct JaniOperator {
  std::string_view sign;
  Operation operation;
  bool is_chain = false;
};

constexpr std::array<JaniOperator, 17> kJaniOperators{{
    {"∨", Operation::disjunction, true},
    {"∧", Operation::conjunction, true},
    {"⇒", Operation::implication},
    {"=", Operation::equal},
    {"≠", Operation::unequal},
    {"<", Operation::less},
    {"≤", Operation::at_most},
    {">", Operation::greater},
    {"≥", Operation::at_least},
    {"+", Operation::sum, true},
    {"-", Operation::difference},
    {"*", Operation::product, true},
    {"/", Operation::quotient},
    {"%", Operation::modulo},
    {"pow", Operation::power},
    {"min", Operation::minimum},
    {"max", Operation::maximum},
}};

constexpr std::array<JaniOperator, 6> kJaniFunctions{{
    {"¬", Operation::negation},
    {"floor", Operation::floor},
    {"ceil", Operation::ceiling},
    {"abs", Operation::absolute},
    {"sgn", Operation::sign},
    {"trc", Operation::truncation},
}};

constexpr std::size_t kMostJaniDepth = 900;

}  // namespace

Expression name_expression(const std::string& name, Place place) {
  Expression out;
  out.operation = Operation::name;
  out.place = place;
  out.name = name;
  return out;
}

Expression whole_expression(std::int64_t value, Place place) {
  Expression out;
  out.operation = Operation::number;
  out.place = place;
  out.value = Number(value);
  out.is_whole = true;
  return out;
}

Expression truth_expression(bool value, Place place) {
  Expression out;
  out.operation = Operation::truth;
  out.place = place;
  out.value = Number(value ? 1 : 0);
  return out;
}

Expression joined(Operation operation, Place place, std::vector<Expression> operands) {
  Expression out;
  out.operation = operation;
  out.place = place;
  out.operands = std::move(operands);
  return out;
}

void JaniExpressions::fail(const JsonNode& node, const std::string& message) const {
  throw Error(ErrorCode::bad_model, source_ + ":" + std::to_string(node.line), message);
}

const JsonNode& JaniExpressions::operand(const JsonNode& node, const char* key) const {
  const JsonNode* found = node.find(key);
  if (found == nullptr)
    fail(node, "an expression without '" + std::string(key) + "', expected it here");
  return *found;
}

Expression JaniExpressions::read(const JsonNode& node,
                                 const std::map<std::string, std::string>& renamed) const {
  return read_at(node, renamed, 0);
}

Expression JaniExpressions::read_inside(const JsonNode& node,
                                        const std::map<std::string, std::string>& renamed) const {
  const JsonNode* inside = node.find("exp");
  const bool is_wrapped = inside != nullptr && node.find("op") == nullptr;
  return read(is_wrapped ? *inside : node, renamed);
}

Expression JaniExpressions::read_at(const JsonNode& node,
                                    const std::map<std::string, std::string>& renamed,
                                    std::size_t depth) const {
  const Place place = place_of(node);
  if (depth > kMostJaniDepth)
    fail(node,
         "the expression is nested too deeply, in more than " + std::to_string(kMostJaniDepth) +
             " levels");
  if (node.is(JsonKind::number)) {
    std::string why;
    const auto value = Number::try_parse(node.text, &why);
    if (!value) fail(node, why);
    Expression out;
    out.operation = Operation::number;
    out.place = place;
    out.value = *value;
    out.is_whole = node.text.find_first_of(".eE") == std::string::npos;
    return out;
  }
  if (node.is(JsonKind::boolean)) return truth_expression(node.text == "true", place);
  if (node.is(JsonKind::string)) {
    const auto found = renamed.find(node.text);
    return name_expression(found == renamed.end() ? node.text : found->second, place);
  }
  if (!node.is(JsonKind::object))
    fail(node, std::string("found ") + name_of(node.kind) + ", expected an expression");
  if (const JsonNode* constant = node.find("constant"))
    fail(*constant,
         "found the constant " + in_quotes(constant->text) +
             ", which is irrational; every number of a model is exact");
  const JsonNode& op = operand(node, "op");
  const auto sub = [&](const char* key) { return read_at(operand(node, key), renamed, depth + 1); };
  if (op.says("ite"))
    return joined(Operation::conditional, place, {sub("if"), sub("then"), sub("else")});
  for (const JaniOperator& function : kJaniFunctions)
    if (op.says(function.sign)) return joined(function.operation, place, {sub("exp")});
  if (op.says("log")) return joined(Operation::logarithm, place, {sub("left"), sub("right")});
  const auto* found = std::ranges::find(kJaniOperators, op.text, &JaniOperator::sign);
  if (!op.is(JsonKind::string) || found == kJaniOperators.end())
    fail(op,
         "found the operator " + in_quotes(op.text) +
             ", which is not supported; expected one of ∨ ∧ ¬ ⇒ = ≠ < ≤ > ≥ + - * / % min max pow "
             "floor ceil abs sgn trc ite");
  if (!found->is_chain) return joined(found->operation, place, {sub("left"), sub("right")});
  // x + y + z leans to one side: go down that side without recursion.
  std::vector<Expression> reversed;
  const JsonNode* left = &node;
  for (; left->is(JsonKind::object) && left->find("op") != nullptr &&
         left->find("op")->says(found->sign);
       left = &operand(*left, "left")) {
    reversed.push_back(read_at(operand(*left, "right"), renamed, depth + 1));
  }
  reversed.push_back(read_at(*left, renamed, depth + 1));
  std::ranges::reverse(reversed);
  return joined(found->operation, place, std::move(reversed));
}

}  // namespace quantiplan::prism
