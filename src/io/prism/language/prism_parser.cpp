#include "io/prism/language/prism_parser.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/quoted.hpp"
#include "io/prism/language/expression_parser.hpp"
#include "io/prism/language/module_parser.hpp"
#include "io/prism/language/prism_tokens.hpp"
#include "io/prism/language/system_parser.hpp"

namespace quantiplan::prism {
namespace {

// What other model types and their statements begin with, and what they belong to.
struct Unsupported {
  std::string_view word;
  std::string_view meaning;
};

constexpr auto kUnsupported = std::to_array<Unsupported>({
    {"ctmc", "a continuous-time Markov chain"},
    {"stochastic", "a continuous-time Markov chain"},
    {"pta", "a probabilistic timed automaton"},
    {"pomdp", "a partially observable MDP"},
    {"popta", "a partially observable probabilistic timed automaton"},
    {"observables", "a part of a partially observable model"},
    {"observable", "a part of a partially observable model"},
    {"smg", "a stochastic game"},
    {"tsg", "a stochastic game"},
    {"csg", "a stochastic game"},
    {"player", "a part of a stochastic game"},
    {"endplayer", "a part of a stochastic game"},
    {"idtmc", "an interval Markov chain"},
    {"imdp", "an interval MDP"},
    {"lts", "a labelled transition system"},
    {"ma", "a Markov automaton"},
    {"invariant", "a part of a probabilistic timed automaton"},
    {"clock", "a part of a probabilistic timed automaton"},
});

class ProgramParser {
 public:
  explicit ProgramParser(Tokens& tokens) : tokens_(tokens) {}
  Program read();

 private:
  void statement();
  void constant();
  void formula();
  void label();
  void rewards();
  void initial();
  void system();
  void model_type();
  RewardItem reward_item();
  [[noreturn]] void no_statement();

  Tokens& tokens_;
  Program program_;
  bool has_type_ = false;
};

Program ProgramParser::read() {
  while (tokens_.peek().kind != Token::Kind::end) {
    tokens_.reading("");
    statement();
  }
  tokens_.reading("");
  if (program_.modules.empty()) tokens_.expected("a module; a program has one at least");
  return std::move(program_);
}

void ProgramParser::statement() {
  if (tokens_.at("const") || tokens_.at("rate") || tokens_.at("prob")) {
    constant();
  } else if (tokens_.at("formula")) {
    formula();
  } else if (tokens_.at("label")) {
    label();
  } else if (tokens_.at("global")) {
    tokens_.reading("global variable");
    tokens_.take();
    program_.globals.push_back(read_variable(tokens_));
  } else if (tokens_.at("module")) {
    program_.modules.push_back(read_module(tokens_));
  } else if (tokens_.at("rewards")) {
    rewards();
  } else if (tokens_.at("init")) {
    initial();
  } else if (tokens_.at("system")) {
    system();
  } else {
    model_type();
  }
}

void ProgramParser::model_type() {
  const bool is_mdp = tokens_.at("mdp") || tokens_.at("nondeterministic");
  if (!is_mdp && !tokens_.at("dtmc") && !tokens_.at("probabilistic")) no_statement();
  if (has_type_) tokens_.expected("a statement; the model type was given before");
  has_type_ = true;
  program_.kind = is_mdp ? prism::Kind::mdp : prism::Kind::dtmc;
  tokens_.take();
}

void ProgramParser::no_statement() {
  const Token& next = tokens_.peek();
  const auto* found = std::find_if(kUnsupported.begin(), kUnsupported.end(), [&](const auto& one) {
    return next.kind == Token::Kind::word && one.word == next.text;
  });
  if (found != kUnsupported.end()) {
    tokens_.fail(next.place,
                 "found " + in_quotes(found->word) + ", " + std::string(found->meaning) +
                     ", which is not supported; expected a model of type mdp or dtmc");
  }
  tokens_.expected("mdp, dtmc, const, formula, label, global, module, rewards, init or system");
}

void ProgramParser::constant() {
  tokens_.reading("constant");
  Constant constant;
  const bool is_const = tokens_.accept("const");
  if (tokens_.accept("double") || tokens_.accept("rate") || tokens_.accept("prob")) {
    constant.type = Type::number;
  } else if (is_const && tokens_.accept("bool")) {
    constant.type = Type::truth;
  } else {
    tokens_.accept("int");
  }
  const Token name = tokens_.expect_name("the name of a constant");
  constant.name = name.text;
  constant.place = name.place;
  tokens_.reading("constant " + in_quotes(name.text));
  if (tokens_.accept("=")) constant.value = read_expression(tokens_);
  if (!tokens_.at(";")) tokens_.expected(constant.value ? "';'" : "'=' or ';'");
  tokens_.take();
  program_.constants.push_back(std::move(constant));
}

void ProgramParser::formula() {
  tokens_.reading("formula");
  tokens_.take();
  const Token name = tokens_.expect_name("the name of a formula");
  tokens_.reading("formula " + in_quotes(name.text));
  tokens_.expect("=");
  const Token first = tokens_.peek();
  Expression value = read_expression(tokens_);
  std::string text = tokens_.text_since(first);
  tokens_.expect(";");
  program_.formulas.push_back(
      {std::string(name.text), name.place, std::move(value), std::move(text)});
}

void ProgramParser::label() {
  tokens_.reading("label");
  tokens_.take();
  const Place place = tokens_.peek().place;
  std::string name = tokens_.expect_quoted_name("a name in quotation marks such as \"done\"");
  tokens_.reading("label " + in_quotes(name));
  tokens_.expect("=");
  Expression condition = read_expression(tokens_);
  tokens_.expect(";");
  program_.labels.push_back({std::move(name), place, std::move(condition)});
}

void ProgramParser::rewards() {
  tokens_.reading("rewards");
  RewardStructure rewards;
  rewards.place = tokens_.take().place;
  if (tokens_.peek().kind == Token::Kind::text) {
    rewards.name = tokens_.expect_quoted_name("a name in quotation marks such as \"cost\"");
    tokens_.reading("rewards " + in_quotes(rewards.name));
  }
  while (!tokens_.accept("endrewards")) rewards.items.push_back(reward_item());
  program_.rewards.push_back(std::move(rewards));
}

RewardItem ProgramParser::reward_item() {
  RewardItem item;
  item.place = tokens_.peek().place;
  if (tokens_.at("[")) item.action = read_action(tokens_);
  const Token& next = tokens_.peek();
  const bool is_end = next.kind == Token::Kind::end ||
                      (next.kind == Token::Kind::word && next.text.starts_with("end"));
  if (is_end && !item.action) tokens_.expected("an item such as x=1 : 2; or 'endrewards'");
  item.guard = read_expression(tokens_);
  if (item.action && tokens_.accept("->")) item.target = read_expression(tokens_);
  tokens_.expect(":");
  item.value = read_expression(tokens_);
  tokens_.expect(";");
  return item;
}

void ProgramParser::initial() {
  tokens_.reading("init");
  if (program_.initial) tokens_.expected("a statement; init ... endinit was given before");
  program_.initial_place = tokens_.take().place;
  program_.initial = read_expression(tokens_);
  tokens_.expect("endinit");
}

void ProgramParser::system() {
  tokens_.reading("system");
  if (program_.system) tokens_.expected("a statement; system ... endsystem was given before");
  program_.system = read_system(tokens_);
}

}  // namespace

Program parse(std::string_view text, const std::string& source, WorkWatch* watch) {
  Tokens tokens(text, source, ErrorCode::bad_model, watch);
  return ProgramParser(tokens).read();
}

Expression parse_expression(std::string_view text, const std::string& source) {
  Tokens tokens(text, source, ErrorCode::bad_request);
  Expression expression = read_expression(tokens);
  if (tokens.peek().kind != Token::Kind::end)
    tokens.expected("an operator or the end of the expression");
  return expression;
}

}  // namespace quantiplan::prism
