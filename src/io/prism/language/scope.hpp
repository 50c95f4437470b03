// What the names of a program mean, and expressions compiled in that light.
//
//     name -> constant   its value           "label" -> its condition, or a truth value per state
//          -> formula    its expression, as if it were written out where it is used
//          -> variable   its position
//
// In a module that is a copy, names are renamed, and so are those inside formulas: a formula is
// written out before the renaming, as PRISM does it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/prism/language/code.hpp"
#include "io/prism/language/prism_syntax.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan::prism {

// Problems of one text: "dice.prism:3:7" for a program, the flag and "column 7" for an expression.
class Complaints {
 public:
  enum class Of { program, expression };
  Complaints(std::string source, Of of) : source_(std::move(source)), of_(of) {}
  // A problem is shown once, however many copies of a module have it.
  void add(Place place, const std::string& message);
  [[nodiscard]] bool any() const noexcept { return problems_.any(); }
  // No further problem would be shown, or they repeat: a compiler may stop.
  [[nodiscard]] bool full() const noexcept { return problems_.full() || count_ >= kMostAdded; }
  [[nodiscard]] Of of() const noexcept { return of_; }
  [[nodiscard]] std::string at(Place place) const;
  void throw_if_any() const;
  // One problem that ends everything.
  [[noreturn]] void fail(Place place, const std::string& message) const;

 private:
  static constexpr std::size_t kMostAdded = 200;
  [[nodiscard]] ErrorCode code() const;
  std::string source_;
  Of of_;
  Problems problems_;
  std::set<std::string> said_;
  std::size_t count_ = 0;
};

using Renames = std::map<std::string, std::string, std::less<>>;

struct Compiled {
  Root root{};
  Type type = Type::truth;
};

class Scope {
 public:
  // The code and the complaints must outlive the scope.
  Scope(Code& code, Complaints& complaints) : code_(code), complaints_(complaints) {}

  // Declarations; a name that is taken is a complaint. What is added must outlive the scope.
  void add(const Constant& constant);
  void add(const Formula& formula);
  void add(const Label& label);
  void add_variable(const std::string& name, Place place, Type type);
  // A label whose truth value in a state is that of a variable.
  void add_label_variable(const std::string& name);

  // Values of constants without one. Complains of unknown names, of values for constants that have
  // one, and of constants that have none.
  void give_constants(const std::vector<Definition>& given);
  // Every constant has its value, every formula compiles.
  void check();

  // Nothing, and a complaint, if the expression makes no sense.
  std::optional<Compiled> compile(const Expression& expression, const Renames* renames = nullptr);
  // The same, where a condition, or a whole number, or a number is needed; `what` names the thing:
  // "the guard".
  std::optional<Root> compile_as(Type type,
                                 const Expression& expression,
                                 const char* what,
                                 const Renames* renames = nullptr);
  // The value of an expression without variables.
  std::optional<std::int64_t> whole(const Expression& expression,
                                    const char* what,
                                    const Renames* renames = nullptr);

  [[nodiscard]] std::optional<std::uint32_t> find_variable(const std::string& name) const;
  // Constants with their values, and formulas.
  [[nodiscard]] std::vector<Definition> definitions() const;

 private:
  enum class Kind : std::uint8_t { constant, formula, variable };
  struct Meaning {
    Kind kind;
    std::uint32_t position;
    Place place;
  };
  struct ConstantState {
    const Constant* constant;
    bool is_open = false;  // its value is being computed
    bool is_damaged = false;
    std::optional<Number> value = std::nullopt;
  };
  // A formula or label compiled once, for all expressions that use it under the same renaming.
  struct Expanded {
    std::optional<Compiled> compiled;  // absent: it was complained of
    std::size_t depth = 0;
  };
  struct LabelMeaning {
    const Label* label = nullptr;
    std::uint32_t variable = 0;
  };

  void declare(const std::string& name, Meaning meaning);
  void give(const Definition& definition, Complaints& flag);
  void require_values();
  std::optional<Compiled> complain(Place place, const std::string& message);
  std::optional<Compiled> too_deep(Place place);
  std::optional<Compiled> compile_name(const Expression& e, const Renames* renames);
  std::optional<Compiled> compile_label(const Expression& e);
  std::optional<Compiled> compile_constant(std::uint32_t position, Place place);
  std::optional<Compiled> expand(const std::string& key,
                                 const std::string& shown,
                                 const Expression& value,
                                 Place place,
                                 const Renames* renames);
  std::optional<Compiled> compile_operation(const Expression& e, const Renames* renames);
  // The type of an operation, or nothing and a complaint.
  std::optional<Type> type_of(const Expression& e, const std::vector<Compiled>& operands);
  std::optional<Type> require(const Expression& e,
                              const std::vector<Compiled>& operands,
                              Type least,
                              Type greatest,
                              const char* what);
  void evaluate(std::uint32_t position);
  // The value of a constant's expression, if it has the declared type.
  std::optional<Number> value_of(const Constant& constant, const Expression& expression);
  // The value of an expression without variables; `what` names it.
  std::optional<Number> value_of(Root root, Type type, Place place, const std::string& what);
  [[nodiscard]] std::string unknown_name(const std::string& name) const;

  Code& code_;
  Complaints& complaints_;
  std::unordered_map<std::string, Meaning> meanings_;
  std::map<std::string, LabelMeaning, std::less<>> labels_;
  std::vector<ConstantState> constants_;
  std::vector<const Formula*> formulas_;
  std::vector<Type> variable_types_;
  std::vector<std::string> expanding_;  // formulas being written out, outermost first
  std::map<std::pair<const Expression*, const Renames*>, Expanded> expanded_;
  std::size_t open_constants_ = 0;
  std::size_t depth_ = 0;
  std::size_t deepest_ = 0;  // that depth_ was, with formulas written out
};

}  // namespace quantiplan::prism
