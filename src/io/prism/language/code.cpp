#include "io/prism/language/code.hpp"

#include <algorithm>

#include "quantiplan/error.hpp"

namespace quantiplan::prism {
namespace {

constexpr std::size_t kMostNodes = std::size_t{1} << 24U;
// Of one expression: a chain of formulas f1 = f0 + f0, f2 = f1 + f1, ... doubles with each.
constexpr std::uint64_t kMostParts = std::uint64_t{1} << 22U;

}  // namespace

const char* to_text(Type type) {
  constexpr const char* kTexts[] = {"a condition", "a whole number", "a number"};
  return kTexts[static_cast<std::size_t>(type)];
}

Root Code::add(const Node& node) {
  if (nodes_.size() >= kMostNodes) {
    throw Fault{node.place,
                "the expressions of the program have more than " + std::to_string(kMostNodes) +
                    " parts, expected fewer"};
  }
  nodes_.push_back(node);
  return Root{static_cast<std::uint32_t>(nodes_.size() - 1)};
}

Root Code::constant(Type type, const Number& value, Place place) {
  Node node{Kind::constant, Operation::number, type, place, 0, 0, 1, 0};
  if (type == Type::number) {
    node.first = static_cast<std::uint32_t>(numbers_.size());
    numbers_.push_back(value);
  } else {
    node.value = value.small()->numerator;
  }
  return add(node);
}

Root Code::variable(Type type, std::uint32_t index, Place place) {
  return add({Kind::variable, Operation::name, type, place, index, 0, 1, 0});
}

Root Code::add_constant(Type type, Root from) {
  const Place place = node(from).place;
  switch (type) {
    case Type::truth:
      return constant(type, truth(from, nullptr) ? 1 : 0, place);
    case Type::whole:
      return constant(type, whole(from, nullptr), place);
    default:
      return constant(type, number(from, nullptr), place);
  }
}

Root Code::apply(Operation operation, Type type, Place place, const std::vector<Root>& operands) {
  const auto is_constant_root = [this](Root r) { return is_constant(r); };
  if (operation == Operation::conditional && is_constant(operands[0]))
    return truth(operands[0], nullptr) ? operands[1] : operands[2];
  // false & x is false, true | x is true, whatever x is.
  if (operation == Operation::conjunction || operation == Operation::disjunction) {
    const bool ending = operation == Operation::disjunction;
    for (const Root r : operands) {
      if (is_constant(r) && truth(r, nullptr) == ending) return r;
    }
  }
  std::uint64_t parts = 1;
  for (const Root r : operands) parts += node(r).parts;
  if (parts > kMostParts) {
    throw Fault{place,
                "the expression has more than " + std::to_string(kMostParts) +
                    " parts with its formulas written out, expected fewer"};
  }
  Node made{Kind::operation, operation, type, place, 0, 0, static_cast<std::uint32_t>(parts), 0};
  made.first = static_cast<std::uint32_t>(operands_.size());
  made.count = static_cast<std::uint32_t>(operands.size());
  for (const Root r : operands) operands_.push_back(position(r));
  const Root root = add(made);
  if (!std::ranges::all_of(operands, is_constant_root)) return root;
  // What has no value stays as it is: it may never be asked for (N=0 ? 0 : 1/N).
  try {
    return add_constant(type, root);
  } catch (const Fault&) {
    return root;
  }
}

std::vector<std::uint32_t> Code::variables(Root root) const {
  std::vector<std::uint32_t> found;
  std::vector<std::uint32_t> open{position(root)};
  while (!open.empty()) {
    const Node& n = nodes_[open.back()];
    open.pop_back();
    if (n.kind == Kind::variable) found.push_back(n.first);
    if (n.kind != Kind::operation) continue;
    for (std::uint32_t i = 0; i < n.count; ++i) open.push_back(operand(n, i));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<Root> Code::conjuncts(Root root) const {
  std::vector<Root> parts;
  std::vector<std::uint32_t> open{position(root)};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    const Node& n = nodes_[at];
    if (n.kind != Kind::operation || n.operation != Operation::conjunction) {
      parts.push_back(Root{at});
      continue;
    }
    for (std::uint32_t i = n.count; i > 0; --i) open.push_back(operand(n, i - 1));
  }
  return parts;
}

std::optional<FixedValue> Code::fixed_value(Root root) const {
  const Node& n = node(root);
  if (n.kind == Kind::variable) return FixedValue{n.first, 1};
  if (n.kind != Kind::operation) return std::nullopt;
  const Node& a = nodes_[operand(n, 0)];
  if (n.operation == Operation::negation && a.kind == Kind::variable) return FixedValue{a.first, 0};
  if (n.operation != Operation::equal) return std::nullopt;
  const Node& b = nodes_[operand(n, 1)];
  const Node& variable = a.kind == Kind::variable ? a : b;
  const Node& constant = a.kind == Kind::variable ? b : a;
  if (variable.kind != Kind::variable || !constant.is_constant() || constant.type == Type::number)
    return std::nullopt;
  return FixedValue{variable.first, constant.value};
}

bool Code::never_fails(Root root) const {
  std::vector<std::uint32_t> open{position(root)};
  while (!open.empty()) {
    const Node& n = nodes_[open.back()];
    open.pop_back();
    if (n.kind != Kind::operation) continue;
    if (n.type != Type::truth || n.operation == Operation::conditional) return false;
    for (std::uint32_t i = 0; i < n.count; ++i) open.push_back(operand(n, i));
  }
  return true;
}

std::strong_ordering Code::order(const Node& n, Values x) const {
  const std::uint32_t a = operand(n, 0);
  const std::uint32_t b = operand(n, 1);
  if (nodes_[a].type == Type::truth) return truth_at(a, x) <=> truth_at(b, x);
  if (nodes_[a].type == Type::whole && nodes_[b].type == Type::whole)
    return whole_at(a, x) <=> whole_at(b, x);
  return compare(number_at(a, x), number_at(b, x));
}

std::uint32_t Code::branch(const Node& n, Values x) const {
  return operand(n, truth_at(operand(n, 0), x) ? 1 : 2);
}

bool Code::truth_at(std::uint32_t at, Values x) const {
  const Node& n = nodes_[at];
  if (n.kind == Kind::constant) return n.value != 0;
  if (n.kind == Kind::variable) return x[n.first] != 0;
  switch (n.operation) {
    case Operation::negation:
      return !truth_at(operand(n, 0), x);
    case Operation::conjunction:
      for (std::uint32_t i = 0; i < n.count; ++i)
        if (!truth_at(operand(n, i), x)) return false;
      return true;
    case Operation::disjunction:
      for (std::uint32_t i = 0; i < n.count; ++i)
        if (truth_at(operand(n, i), x)) return true;
      return false;
    case Operation::equivalence:
      return truth_at(operand(n, 0), x) == truth_at(operand(n, 1), x);
    case Operation::implication:
      return !truth_at(operand(n, 0), x) || truth_at(operand(n, 1), x);
    case Operation::conditional:
      return truth_at(branch(n, x), x);
    case Operation::equal:
      return std::is_eq(order(n, x));
    case Operation::unequal:
      return std::is_neq(order(n, x));
    case Operation::less:
      return std::is_lt(order(n, x));
    case Operation::at_most:
      return std::is_lteq(order(n, x));
    case Operation::greater:
      return std::is_gt(order(n, x));
    default:
      return std::is_gteq(order(n, x));
  }
}

std::int64_t Code::whole_at(std::uint32_t at, Values x) const {
  const Node& n = nodes_[at];
  if (n.kind == Kind::constant) return n.value;
  if (n.kind == Kind::variable) return x[n.first];
  const auto value = [&](std::uint32_t i) { return whole_at(operand(n, i), x); };
  std::int64_t out = 0;
  switch (n.operation) {
    case Operation::negative:
      return difference(0, value(0), n.place);
    case Operation::difference:
      return difference(value(0), value(1), n.place);
    case Operation::sum:
      out = value(0);
      for (std::uint32_t i = 1; i < n.count; ++i) out = prism::sum(out, value(i), n.place);
      return out;
    case Operation::product:
      out = value(0);
      for (std::uint32_t i = 1; i < n.count; ++i) out = prism::product(out, value(i), n.place);
      return out;
    case Operation::minimum:
      out = value(0);
      for (std::uint32_t i = 1; i < n.count; ++i) out = std::min(out, value(i));
      return out;
    case Operation::maximum:
      out = value(0);
      for (std::uint32_t i = 1; i < n.count; ++i) out = std::max(out, value(i));
      return out;
    case Operation::conditional:
      return whole_at(branch(n, x), x);
    case Operation::power:
      return prism::power(value(0), value(1), n.place);
    case Operation::modulo:
      return modulo(value(0), value(1), n.place);
    case Operation::floor:
      return prism::floor(number_at(operand(n, 0), x), n.place);
    case Operation::ceiling:
      return ceiling(number_at(operand(n, 0), x), n.place);
    case Operation::absolute:
      out = value(0);
      return out < 0 ? difference(0, out, n.place) : out;
    case Operation::sign:
      return number_at(operand(n, 0), x).sign();
    case Operation::truncation: {
      const Number number = number_at(operand(n, 0), x);
      return number.sign() < 0 ? ceiling(number, n.place) : prism::floor(number, n.place);
    }
    default:
      return prism::round(number_at(operand(n, 0), x), n.place);
  }
}

Number Code::number_at(std::uint32_t at, Values x) const {
  const Node& n = nodes_[at];
  if (n.type == Type::whole) return whole_at(at, x);
  if (n.kind == Kind::constant) return numbers_[n.first];
  const auto value = [&](std::uint32_t i) { return number_at(operand(n, i), x); };
  Number out = n.operation == Operation::conditional ? Number() : value(0);
  switch (n.operation) {
    case Operation::negative:
      return negative(out);
    case Operation::absolute:
      return out.sign() < 0 ? negative(out) : out;
    case Operation::difference:
      return prism::sum(out, negative(value(1)), n.place);
    case Operation::quotient:
      return quotient(out, value(1), n.place);
    case Operation::sum:
      for (std::uint32_t i = 1; i < n.count; ++i) out = prism::sum(out, value(i), n.place);
      return out;
    case Operation::product:
      for (std::uint32_t i = 1; i < n.count; ++i) out = prism::product(out, value(i), n.place);
      return out;
    case Operation::conditional:
      return number_at(branch(n, x), x);
    case Operation::power:
      return prism::power(out, value(1), n.place);
    default: {  // minimum, maximum
      const bool wants_less = n.operation == Operation::minimum;
      for (std::uint32_t i = 1; i < n.count; ++i) {
        Number other = value(i);
        if (wants_less ? std::is_lt(compare(other, out)) : std::is_gt(compare(other, out)))
          out = std::move(other);
      }
      return out;
    }
  }
}

}  // namespace quantiplan::prism
