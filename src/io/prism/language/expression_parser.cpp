#include "io/prism/language/expression_parser.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/quoted.hpp"
#include "io/prism/language/prism_parser.hpp"

namespace quantiplan::prism {
namespace {

// How tight an operator binds.
enum class Level : std::uint8_t {
  conditional,
  implication,
  equivalence,
  disjunction,
  conjunction,
  negation,
  equality,
  comparison,
  sum,
  product,
  power,
  operand,
};

constexpr Level tighter(Level level) {
  return static_cast<Level>(static_cast<std::uint8_t>(level) + 1);
}

struct BinaryOperator {
  std::string_view symbol;
  Operation operation = Operation::sum;
  Level level = Level::sum;
  bool is_chain = false;
};

constexpr std::array<BinaryOperator, 15> kBinaryOperators{{
    {"=>", Operation::implication, Level::implication},
    {"<=>", Operation::equivalence, Level::equivalence},
    {"|", Operation::disjunction, Level::disjunction, true},
    {"&", Operation::conjunction, Level::conjunction, true},
    {"=", Operation::equal, Level::equality},
    {"!=", Operation::unequal, Level::equality},
    {"<", Operation::less, Level::comparison},
    {"<=", Operation::at_most, Level::comparison},
    {">", Operation::greater, Level::comparison},
    {">=", Operation::at_least, Level::comparison},
    {"+", Operation::sum, Level::sum, true},
    {"-", Operation::difference, Level::sum, true},
    {"*", Operation::product, Level::product, true},
    {"/", Operation::quotient, Level::product},
    {"^", Operation::power, Level::power},
}};

struct Function {
  std::string_view name;
  Operation operation = Operation::floor;
  std::size_t operands = 1;  // of minimum and maximum: at least
};

constexpr std::array<Function, 8> kFunctions{{
    {"min", Operation::minimum, 1},
    {"max", Operation::maximum, 1},
    {"floor", Operation::floor, 1},
    {"ceil", Operation::ceiling, 1},
    {"round", Operation::round, 1},
    {"pow", Operation::power, 2},
    {"mod", Operation::modulo, 2},
    {"log", Operation::logarithm, 2},
}};

const Function* function_named(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &Function::name);
  return found == kFunctions.end() ? nullptr : found;
}

bool takes_more(const Function& function) {
  return function.operation == Operation::minimum || function.operation == Operation::maximum;
}

// An expression and the nodes on its longest way down.
struct ExpressionTree {
  Expression root;
  std::size_t depth = 1;
};

// Finished operands wait on a stack of trees, not in the frames of the functions: under a
// sanitizer, a frame with a few trees has kilobytes, and a thousand levels of them overflow the
// stack.
class ExpressionParser {
 public:
  explicit ExpressionParser(Tokens& tokens) : tokens_(tokens) {}

  Expression read(Level loosest) {
    is_arithmetic_ = loosest == Level::sum;
    climb(loosest);
    return std::move(trees_.back().root);
  }

 private:
  // Each reads something and pushes its tree, or pops its first operand and pushes the whole.
  void climb(Level loosest);  // operators that bind at least as tight as `loosest`
  void prefixed(Level loosest);
  void primary();
  void word();
  void number();
  void old_call();
  void call(const Token& name, Place place);
  void chain(const BinaryOperator& op);
  void sum();
  void pair(const BinaryOperator& op);
  void conditional();

  const BinaryOperator* next_operator();
  Expression& push(Operation operation, Place place);
  // Pops so many operands and pushes their operation.
  void join(Operation operation, Place place, std::size_t operands);
  void check_call(const Function& function, Place place, std::size_t operands);
  [[noreturn]] void no_operand();
  [[noreturn]] void no_function(const Token& name);
  [[noreturn]] void too_deep(Place place);

  Tokens& tokens_;
  std::vector<ExpressionTree> trees_;
  std::size_t nesting_ = 0;
  bool is_arithmetic_ = false;  // a condition may follow: k (x=3) calls nothing
  std::string_view before_;     // the operator that waits for its right operand
};

void ExpressionParser::too_deep(Place place) {
  tokens_.fail(place,
               "the expression is nested too deeply, in more than " + std::to_string(kMostDepth) +
                   " levels; name a part of it by a formula");
}

Expression& ExpressionParser::push(Operation operation, Place place) {
  Expression& root = trees_.emplace_back().root;
  root.operation = operation;
  root.place = place;
  return root;
}

void ExpressionParser::join(Operation operation, Place place, std::size_t operands) {
  ExpressionTree tree;
  tree.root.operation = operation;
  tree.root.place = place;
  tree.root.operands.reserve(operands);
  const auto first = trees_.end() - static_cast<std::ptrdiff_t>(operands);
  for (auto operand = first; operand != trees_.end(); ++operand) {
    tree.depth = std::max(tree.depth, operand->depth + 1);
    tree.root.operands.push_back(std::move(operand->root));
  }
  if (tree.depth > kMostDepth) too_deep(place);
  trees_.erase(first, trees_.end());
  trees_.push_back(std::move(tree));
}

void ExpressionParser::climb(Level loosest) {
  if (++nesting_ > kMostDepth) too_deep(tokens_.peek().place);
  prefixed(loosest);
  for (const BinaryOperator* op = next_operator(); op != nullptr && op->level >= loosest;
       op = next_operator()) {
    if (op->level == Level::sum) {
      sum();
    } else if (op->is_chain) {
      chain(*op);
    } else {
      pair(*op);
    }
  }
  if (loosest == Level::conditional && tokens_.at("?")) conditional();
  --nesting_;
}

const BinaryOperator* ExpressionParser::next_operator() {
  const Token& next = tokens_.peek();
  if (next.kind == Token::Kind::unknown && next.text == "%")
    tokens_.expected("an operator; a remainder is written mod(x,y)");
  if (next.kind != Token::Kind::symbol) return nullptr;
  const auto* found = std::find_if(kBinaryOperators.begin(),
                                   kBinaryOperators.end(),
                                   [&](const auto& op) { return op.symbol == next.text; });
  return found == kBinaryOperators.end() ? nullptr : found;
}

void ExpressionParser::pair(const BinaryOperator& op) {
  const Token symbol = tokens_.take();
  before_ = symbol.text;
  climb(tighter(op.level));
  join(op.operation, symbol.place, 2);
  // Programs disagree about what 2^3^2 is, so nobody writes it.
  if (op.operation == Operation::power && tokens_.at("^"))
    tokens_.expected("another operator; a power of a power needs parentheses: (x^y)^z");
}

void ExpressionParser::chain(const BinaryOperator& op) {
  const Place place = tokens_.peek().place;
  std::size_t operands = 1;
  for (; tokens_.at(op.symbol); ++operands) {
    before_ = tokens_.take().text;
    climb(tighter(op.level));
  }
  join(op.operation, place, operands);
}

void ExpressionParser::sum() {
  const Place place = tokens_.peek().place;
  std::size_t terms = 1;
  for (; tokens_.at("+") || tokens_.at("-"); ++terms) {
    const Token sign = tokens_.take();
    before_ = sign.text;
    climb(Level::product);
    if (sign.text == "+") continue;
    if (terms == 1 && !tokens_.at("+") && !tokens_.at("-"))
      return join(Operation::difference, place, 2);
    join(Operation::negative, sign.place, 1);
  }
  join(Operation::sum, place, terms);
}

void ExpressionParser::conditional() {
  const Place place = tokens_.take().place;
  before_ = "?";
  climb(Level::conditional);
  before_ = tokens_.expect(":").text;
  climb(Level::conditional);
  join(Operation::conditional, place, 3);
}

void ExpressionParser::prefixed(Level loosest) {
  const bool is_negation = tokens_.at("!");
  if (!is_negation && !tokens_.at("-")) return primary();
  if (is_negation && loosest > Level::negation)
    tokens_.expected("an operand; a negation here needs parentheses: (!...)");
  const Token symbol = tokens_.take();
  before_ = symbol.text;
  climb(is_negation ? Level::negation : Level::operand);
  join(is_negation ? Operation::negation : Operation::negative, symbol.place, 1);
}

void ExpressionParser::primary() {
  const Token::Kind kind = tokens_.peek().kind;
  if (kind == Token::Kind::number) return number();
  if (kind == Token::Kind::word) return word();
  if (kind == Token::Kind::text) {
    const Token token = tokens_.take();
    push(Operation::label, token.place).name = token.text.substr(1, token.text.size() - 2);
    return;
  }
  if (!tokens_.at("(")) no_operand();
  before_ = tokens_.take().text;
  climb(Level::conditional);
  tokens_.expect(")");
}

// Most often an operator of another language, written twice.
void ExpressionParser::no_operand() {
  const std::string_view found = tokens_.peek().text;
  if (found == before_ && (found == "&" || found == "|" || found == "=")) {
    const char* name = found == "&" ? "'and'" : found == "|" ? "'or'" : "equality";
    tokens_.expected(std::string("an operand; ") + name + " is a single " + in_quotes(found));
  }
  tokens_.expected("an expression");
}

void ExpressionParser::number() {
  const Token token = tokens_.take();
  std::string why;
  const std::optional<Number> value = Number::try_parse(token.text, &why);
  if (!value) tokens_.fail(token.place, why);
  Expression& number = push(Operation::number, token.place);
  number.value = *value;
  number.is_whole = token.text.find_first_of(".eE") == std::string_view::npos;
}

void ExpressionParser::word() {
  if (tokens_.at("func")) return old_call();
  if (tokens_.at("true") || tokens_.at("false")) {
    const Token token = tokens_.take();
    push(Operation::truth, token.place).value = Number(token.text == "true" ? 1 : 0);
  } else if (tokens_.at("min") || tokens_.at("max") ||
             (tokens_.at("(", 1) &&
              (!is_arithmetic_ || function_named(tokens_.peek().text) != nullptr))) {
    const Token name = tokens_.take();
    tokens_.expect("(");
    call(name, name.place);
  } else {
    const Token name = tokens_.expect_name("an expression");
    push(Operation::name, name.place).name = name.text;
  }
}

// An older way to write min(a,b): func(min,a,b).
void ExpressionParser::old_call() {
  const Place place = tokens_.take().place;
  tokens_.expect("(");
  if (tokens_.peek().kind != Token::Kind::word) tokens_.expected("the name of a function");
  const Token name = tokens_.take();
  tokens_.expect(",");
  call(name, place);
}

// The operands and the closing parenthesis.
void ExpressionParser::call(const Token& name, Place place) {
  const Function* function = function_named(name.text);
  if (function == nullptr) no_function(name);
  std::size_t operands = 0;
  do {
    before_ = "(";
    climb(Level::conditional);
    ++operands;
  } while (tokens_.accept(","));
  if (!tokens_.accept(")")) tokens_.expected("',' or ')'");
  check_call(*function, place, operands);
  join(function->operation, place, operands);
}

void ExpressionParser::no_function(const Token& name) {
  tokens_.fail(name.place,
               "found the function " + in_quotes(name.text, 40) +
                   ", expected min, max, floor, ceil, round, pow, mod or log");
}

void ExpressionParser::check_call(const Function& function, Place place, std::size_t operands) {
  const bool fits =
      takes_more(function) ? operands >= function.operands : operands == function.operands;
  if (fits) return;
  const auto counted = [](std::size_t count) {
    return std::to_string(count) + (count == 1 ? " operand" : " operands");
  };
  tokens_.fail(place,
               "found " + in_quotes(function.name) + " with " + counted(operands) + ", expected " +
                   counted(function.operands) + (takes_more(function) ? " or more" : ""));
}

}  // namespace

Expression read_expression(Tokens& tokens) {
  return ExpressionParser(tokens).read(Level::conditional);
}

Expression read_arithmetic(Tokens& tokens) { return ExpressionParser(tokens).read(Level::sum); }

std::string_view sign_of(Operation operation) {
  if (operation == Operation::power) return "pow";  // ^ is the same
  for (const BinaryOperator& one : kBinaryOperators) {
    if (one.operation == operation) return one.symbol;
  }
  for (const Function& one : kFunctions) {
    if (one.operation == operation) return one.name;
  }
  if (operation == Operation::absolute) return "abs";
  if (operation == Operation::sign) return "sgn";
  if (operation == Operation::truncation) return "trc";
  return operation == Operation::negation ? "!" : operation == Operation::negative ? "-" : "? :";
}

}  // namespace quantiplan::prism
