// Expressions: names replaced by what they mean, types checked, constants folded.
#include <algorithm>
#include <utility>

#include "base/quoted.hpp"
#include "io/prism/language/expression_parser.hpp"
#include "io/prism/language/prism_parser.hpp"
#include "io/prism/language/scope.hpp"

namespace quantiplan::prism {
namespace {

// Formulas within formulas make an expression deeper than it was written.
constexpr std::size_t kMostExpandedDepth = 3 * kMostDepth;

Type wider(Type a, Type b) { return std::max(a, b); }

Type widest(const std::vector<Compiled>& operands) {
  Type type = Type::truth;
  for (const Compiled& operand : operands) type = wider(type, operand.type);
  return type;
}

}  // namespace

std::optional<Compiled> Scope::complain(Place place, const std::string& message) {
  complaints_.add(place, message);
  return std::nullopt;
}

std::optional<Compiled> Scope::too_deep(Place place) {
  return complain(place,
                  "the expression is nested more than " + std::to_string(kMostExpandedDepth) +
                      " deep with its formulas written out, expected less");
}

std::optional<Compiled> Scope::compile(const Expression& e, const Renames* renames) {
  if (complaints_.full()) return std::nullopt;
  if (depth_ >= kMostExpandedDepth) return too_deep(e.place);
  ++depth_;
  deepest_ = std::max(deepest_, depth_);
  std::optional<Compiled> out;
  try {
    switch (e.operation) {
      case Operation::number:
        if (e.is_whole && (e.value.small() == nullptr || e.value.small()->denominator != 1)) {
          out = complain(e.place, "the whole number does not fit 64 bits");
        } else {
          const Type type = e.is_whole ? Type::whole : Type::number;
          out = Compiled{code_.constant(type, e.value, e.place), type};
        }
        break;
      case Operation::truth:
        out = Compiled{code_.constant(Type::truth, e.value, e.place), Type::truth};
        break;
      case Operation::name:
        out = compile_name(e, renames);
        break;
      case Operation::label:
        out = compile_label(e);
        break;
      default:
        out = compile_operation(e, renames);
    }
  } catch (const Fault& fault) {
    out = complain(fault.place, fault.message);
  }
  --depth_;
  return out;
}

std::optional<Compiled> Scope::compile_name(const Expression& e, const Renames* renames) {
  auto found = meanings_.find(e.name);
  const bool is_formula = found != meanings_.end() && found->second.kind == Kind::formula;
  if (renames != nullptr && !is_formula) {
    if (const auto renamed = renames->find(e.name); renamed != renames->end())
      found = meanings_.find(renamed->second);
    if (found == meanings_.end()) {
      const auto renamed = renames->find(e.name);
      return complain(e.place, unknown_name(renamed == renames->end() ? e.name : renamed->second));
    }
  }
  if (found == meanings_.end()) return complain(e.place, unknown_name(e.name));
  const Meaning& meaning = found->second;
  switch (meaning.kind) {
    case Kind::constant:
      return compile_constant(meaning.position, e.place);
    case Kind::variable: {
      const Type type = variable_types_[meaning.position];
      return Compiled{code_.variable(type, meaning.position, e.place), type};
    }
    default: {
      const Formula& formula = *formulas_[meaning.position];
      return expand(formula.name,
                    "formula " + in_quotes(formula.name),
                    formula.value,
                    e.place,
                    is_formula ? renames : nullptr);
    }
  }
}

std::optional<Compiled> Scope::compile_constant(std::uint32_t position, Place place) {
  const ConstantState& state = constants_[position];
  const std::string name = in_quotes(state.constant->name);
  if (state.is_open)
    return complain(place, "the constant " + name + " depends on itself, expected a value");
  // Each takes a good part of the stack.
  constexpr std::size_t kMostOpen = 300;
  if (!state.value && open_constants_ >= kMostOpen) {
    return complain(place,
                    "more than " + std::to_string(kMostOpen) +
                        " constants depend on one another in a row; expected each after those it "
                        "depends on");
  }
  evaluate(position);
  if (!state.value) {
    if (complaints_.any()) return std::nullopt;  // it was said why
    return complain(place, "the constant " + name + " has no value");
  }
  const Type type = state.constant->type;
  return Compiled{code_.constant(type, *state.value, place), type};
}

std::optional<Compiled> Scope::compile_label(const Expression& e) {
  const auto found = labels_.find(e.name);
  if (found == labels_.end()) {
    std::string known;
    for (const auto& [name, meaning] : labels_)
      known += (known.empty() ? "" : ", ") + ("\"" + name + "\"");
    return complain(e.place,
                    "unknown label \"" + e.name + "\", expected " +
                        (known.empty() ? "none: there are no labels" : "one of " + known));
  }
  const LabelMeaning& meaning = found->second;
  if (meaning.label == nullptr)
    return Compiled{code_.variable(Type::truth, meaning.variable, e.place), Type::truth};
  return expand(
      "\"" + e.name + "\"", "label \"" + e.name + "\"", meaning.label->condition, e.place, nullptr);
}

std::optional<Compiled> Scope::expand(const std::string& key,
                                      const std::string& shown,
                                      const Expression& value,
                                      Place place,
                                      const Renames* renames) {
  if (renames != nullptr && renames->empty()) renames = nullptr;
  if (const auto known = expanded_.find({&value, renames}); known != expanded_.end()) {
    const Expanded& formula = known->second;
    if (depth_ + formula.depth > kMostExpandedDepth) return too_deep(place);
    deepest_ = std::max(deepest_, depth_ + formula.depth);
    return formula.compiled;
  }
  if (std::ranges::find(expanding_, key) != expanding_.end()) {
    std::string way;
    for (auto at = std::ranges::find(expanding_, key); at != expanding_.end(); ++at)
      way += *at + " -> ";
    return complain(place, "the " + shown + " depends on itself: " + way + key);
  }
  expanding_.push_back(key);
  const std::size_t deepest_before = std::exchange(deepest_, depth_);
  auto out = compile(value, renames);
  expanded_.emplace(std::pair(&value, renames), Expanded{out, deepest_ - depth_});
  deepest_ = std::max(deepest_, deepest_before);
  expanding_.pop_back();
  return out;
}

std::optional<Compiled> Scope::compile_operation(const Expression& e, const Renames* renames) {
  if (e.operation == Operation::logarithm) {
    return complain(e.place,
                    "log is irrational in general, and refused: every number of a model is exact; "
                    "give the value as a constant");
  }
  std::vector<Compiled> operands;
  operands.reserve(e.operands.size());
  bool is_damaged = false;
  for (const Expression& operand : e.operands) {
    if (const auto compiled = compile(operand, renames)) {
      operands.push_back(*compiled);
    } else {
      is_damaged = true;
    }
  }
  if (is_damaged) return std::nullopt;
  const auto type = type_of(e, operands);
  if (!type) return std::nullopt;
  const bool rounds = e.operation == Operation::floor || e.operation == Operation::ceiling ||
                      e.operation == Operation::round || e.operation == Operation::truncation;
  if (rounds && operands[0].type == Type::whole) return operands[0];
  std::vector<Root> roots;
  roots.reserve(operands.size());
  for (const Compiled& operand : operands) roots.push_back(operand.root);
  return Compiled{code_.apply(e.operation, *type, e.place, roots), *type};
}

std::optional<Type> Scope::require(const Expression& e,
                                   const std::vector<Compiled>& operands,
                                   Type least,
                                   Type greatest,
                                   const char* what) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].type >= least && operands[i].type <= greatest) continue;
    complaints_.add(e.operands[i].place,
                    "'" + std::string(sign_of(e.operation)) + "' has " + to_text(operands[i].type) +
                        " here, expected " + what);
    return std::nullopt;
  }
  return widest(operands);
}

std::optional<Type> Scope::type_of(const Expression& e, const std::vector<Compiled>& operands) {
  switch (e.operation) {
    case Operation::negation:
    case Operation::equivalence:
    case Operation::implication:
    case Operation::conjunction:
    case Operation::disjunction:
      return require(e, operands, Type::truth, Type::truth, "a condition");
    case Operation::less:
    case Operation::at_most:
    case Operation::greater:
    case Operation::at_least:
      if (!require(e, operands, Type::whole, Type::number, "a number")) return std::nullopt;
      return Type::truth;
    case Operation::equal:
    case Operation::unequal:
      if ((operands[0].type == Type::truth) != (operands[1].type == Type::truth)) {
        complaints_.add(e.place,
                        "'" + std::string(sign_of(e.operation)) + "' compares " +
                            to_text(operands[0].type) + " with " + to_text(operands[1].type) +
                            ", expected two of a kind");
        return std::nullopt;
      }
      return Type::truth;
    case Operation::conditional: {
      if (operands[0].type != Type::truth ||
          (operands[1].type == Type::truth) != (operands[2].type == Type::truth)) {
        complaints_.add(e.place,
                        std::string("'? :' has ") + to_text(operands[0].type) + ", " +
                            to_text(operands[1].type) + " and " + to_text(operands[2].type) +
                            ", expected a condition and two of a kind");
        return std::nullopt;
      }
      return wider(operands[1].type, operands[2].type);
    }
    case Operation::quotient:
      if (!require(e, operands, Type::whole, Type::number, "a number")) return std::nullopt;
      return Type::number;
    case Operation::floor:
    case Operation::ceiling:
    case Operation::round:
    case Operation::sign:
    case Operation::truncation:
      if (!require(e, operands, Type::whole, Type::number, "a number")) return std::nullopt;
      return Type::whole;
    case Operation::modulo:
      return require(e, operands, Type::whole, Type::whole, "a whole number");
    default:  // sums, products, differences, minus, minimum, maximum, power, absolute values
      return require(e, operands, Type::whole, Type::number, "a number");
  }
}

std::optional<Root> Scope::compile_as(Type type,
                                      const Expression& expression,
                                      const char* what,
                                      const Renames* renames) {
  const auto compiled = compile(expression, renames);
  if (!compiled) return std::nullopt;
  if (serves_as(type, compiled->type)) return compiled->root;
  std::string hint;
  if (type == Type::whole && compiled->type == Type::number)
    hint = " (as from floor, ceil or round; '/' is exact division)";
  complaints_.add(expression.place,
                  std::string(what) + ": found " + to_text(compiled->type) + ", expected " +
                      to_text(type) + hint);
  return std::nullopt;
}

std::optional<std::int64_t> Scope::whole(const Expression& expression,
                                         const char* what,
                                         const Renames* renames) {
  const auto root = compile_as(Type::whole, expression, what, renames);
  if (!root) return std::nullopt;
  const auto value = value_of(*root, Type::whole, expression.place, what);
  return value ? std::optional(value->small()->numerator) : std::nullopt;
}

}  // namespace quantiplan::prism
