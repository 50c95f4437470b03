// Compiled expressions: nodes in one array, evaluated on the values of the variables.
//
//     values    x[0] x[1] ...      one 64-bit number a variable; truth values are 0 and 1
//     types     truth < whole < number: a whole number serves as a number, never the reverse
//
// The nodes below a root come before it, so that a root is an index; a formula is compiled once and
// shared by the expressions that use it. Cost: some nanoseconds a node;
// fractions that a state does not change are computed once, by the compiler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/prism/language/exact_arithmetic.hpp"
#include "io/prism/language/prism_syntax.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan::prism {

const char* to_text(Type type);  // "a condition", "a whole number", "a number"
// Whether a value of one type may stand where another is wanted.
constexpr bool serves_as(Type wanted, Type found) {
  return wanted == Type::truth ? found == Type::truth : found != Type::truth && found <= wanted;
}

enum class Root : std::uint32_t {};

// A condition that holds if, and only if, a variable has this value.
struct FixedValue {
  std::uint32_t variable;
  std::int64_t value;
};

class Code {
 public:
  using Values = const std::int64_t*;

  // Leaves.
  Root constant(Type type, const Number& value, Place place);
  Root variable(Type type, std::uint32_t index, Place place);
  // An operation on roots, or its value if they are all constant. The operands have the types that
  // the operation needs; a root may be an operand again and again. Throws Fault if the expression,
  // written out, would have too many parts.
  Root apply(Operation operation, Type type, Place place, const std::vector<Root>& operands);

  // Of a root of this type; number() of a whole number, too. Throw Fault.
  [[nodiscard]] bool truth(Root root, Values x) const { return truth_at(position(root), x); }
  [[nodiscard]] std::int64_t whole(Root root, Values x) const {
    return whole_at(position(root), x);
  }
  [[nodiscard]] Number number(Root root, Values x) const { return number_at(position(root), x); }

  [[nodiscard]] bool is_constant(Root root) const { return node(root).is_constant(); }
  // The parts of an expression written out: what its value may cost.
  [[nodiscard]] std::uint32_t parts(Root root) const { return node(root).parts; }
  // The variables of an expression, ascending.
  [[nodiscard]] std::vector<std::uint32_t> variables(Root root) const;
  // The parts of a conjunction of conjunctions; the root itself if it is none.
  [[nodiscard]] std::vector<Root> conjuncts(Root root) const;
  // Of conditions x=3, b and !b.
  [[nodiscard]] std::optional<FixedValue> fixed_value(Root root) const;
  // Comparisons of variables and constants, and conditions made of these: no Fault in any state.
  [[nodiscard]] bool never_fails(Root root) const;
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

 private:
  enum class Kind : std::uint8_t { constant, variable, operation };
  struct Node {
    Kind kind;
    Operation operation;
    Type type;
    Place place;
    std::uint32_t first;  // in operands_; of a variable, its index; of a number, in numbers_
    std::uint32_t count;
    std::uint32_t parts;
    std::int64_t value;  // of a constant truth or whole number
    [[nodiscard]] bool is_constant() const { return kind == Kind::constant; }
  };
  static std::uint32_t position(Root root) { return static_cast<std::uint32_t>(root); }
  [[nodiscard]] const Node& node(Root root) const { return nodes_[position(root)]; }
  [[nodiscard]] std::uint32_t operand(const Node& n, std::uint32_t i) const {
    return operands_[n.first + i];
  }
  Root add(const Node& node);
  Root add_constant(Type type, Root from);

  [[nodiscard]] bool truth_at(std::uint32_t at, Values x) const;
  [[nodiscard]] std::int64_t whole_at(std::uint32_t at, Values x) const;
  [[nodiscard]] Number number_at(std::uint32_t at, Values x) const;
  [[nodiscard]] std::strong_ordering order(const Node& n, Values x) const;
  [[nodiscard]] std::uint32_t branch(const Node& n, Values x) const;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> operands_;
  std::vector<Number> numbers_;
};

}  // namespace quantiplan::prism
