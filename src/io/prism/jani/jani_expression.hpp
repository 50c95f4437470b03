// Expressions of JANI as those of the PRISM language.
//
//     3   0.5   true   "x"   {"op": "+", "left": ..., "right": ...}   {"op": "ite", "if": ..., ...}
//
// Chains x + y + z are one node, as the parser of programs makes them, so that long ones are not deep.
#pragma once

#include <map>
#include <string>

#include "io/json/json_tree.hpp"
#include "io/prism/language/prism_syntax.hpp"

namespace quantiplan::prism {

class JaniExpressions {
 public:
  explicit JaniExpressions(const std::string& source) : source_(source) {}

  // `renamed`: variables of the automaton that have another name in the program.
  [[nodiscard]] Expression read(const JsonNode& node,
                                const std::map<std::string, std::string>& renamed) const;
  // With {"exp": ..., "comment": ...} around it.
  [[nodiscard]] Expression read_inside(const JsonNode& node,
                                       const std::map<std::string, std::string>& renamed) const;
  [[noreturn]] void fail(const JsonNode& node, const std::string& message) const;

 private:
  [[nodiscard]] Expression read_at(const JsonNode& node,
                                   const std::map<std::string, std::string>& renamed,
                                   std::size_t depth) const;
  const JsonNode& operand(const JsonNode& node, const char* key) const;

  const std::string& source_;
};

inline Place place_of(const JsonNode& node) { return {static_cast<std::uint32_t>(node.line), 1}; }

// Small trees, made by hand.
Expression name_expression(const std::string& name, Place place);
Expression whole_expression(std::int64_t value, Place place);
Expression truth_expression(bool value, Place place);
Expression joined(Operation operation, Place place, std::vector<Expression> operands);

}  // namespace quantiplan::prism
