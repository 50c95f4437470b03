#include "io/prism/language/module_parser.hpp"

#include <utility>

#include "base/quoted.hpp"
#include "io/prism/language/expression_parser.hpp"

namespace quantiplan::prism {
namespace {

// An update may begin as an expression does; its second or third token tells.
bool is_assignment_next(Tokens& tokens) {
  return tokens.at("(") && tokens.peek(1).kind == Token::Kind::word && tokens.at("'", 2);
}
bool is_update_next(Tokens& tokens) {
  const bool is_nothing = tokens.at("true") && (tokens.at(";", 1) || tokens.at("+", 1));
  return is_nothing || is_assignment_next(tokens);
}

Assignment read_assignment(Tokens& tokens) {
  if (tokens.peek().kind == Token::Kind::word && tokens.at("'", 1))
    tokens.expected("'('; an assignment stands in parentheses: (x'=1)");
  if (!tokens.at("(")) tokens.expected("an assignment such as (x'=1), or true");
  tokens.take();
  const Token variable = tokens.expect_name("the name of a variable");
  tokens.expect("'");
  tokens.expect("=");
  Assignment assignment{std::string(variable.text), variable.place, read_expression(tokens)};
  tokens.expect(")");
  return assignment;
}

// [low,high] : ... is read to its end, and refused by what it is.
[[noreturn]] void refuse_interval(Tokens& tokens) {
  const Token first = tokens.take();
  read_expression(tokens);
  tokens.expect(",");
  read_expression(tokens);
  tokens.expect("]");
  tokens.fail(first.place,
              "found the interval probability " + in_quotes(tokens.text_since(first), 60) +
                  ", expected a probability: interval MDPs and chains are not solved");
}

Update read_update(Tokens& tokens) {
  Update update;
  update.place = tokens.peek().place;
  if (tokens.at("[")) refuse_interval(tokens);
  if (!is_update_next(tokens)) {
    if (tokens.peek().kind == Token::Kind::word && tokens.at("'", 1)) read_assignment(tokens);
    update.probability = read_expression(tokens);
    tokens.expect(":");
  }
  if (tokens.accept("true")) return update;
  do {
    update.assignments.push_back(read_assignment(tokens));
  } while (tokens.accept("&"));
  return update;
}

Command read_command(Tokens& tokens) {
  Command command;
  command.place = tokens.peek().place;
  command.action = read_action(tokens);
  command.guard = read_expression(tokens);
  tokens.expect("->");
  do {
    command.updates.push_back(read_update(tokens));
  } while (tokens.accept("+"));
  // Each would have probability 1, and the writer meant something else.
  if (command.updates.size() > 1) {
    for (const Update& update : command.updates) {
      if (!update.probability) {
        tokens.fail(update.place,
                    "found one of several updates without probability, expected p : (x'=1)");
      }
    }
  }
  tokens.expect(";");
  return command;
}

void read_copy(Tokens& tokens, Module& module) {
  module.original = std::string(tokens.expect_name("the name of a module").text);
  tokens.expect("[");
  module.renamings = read_renamings(tokens, "a renaming such as x=y", false);
  if (!tokens.at("]")) tokens.expected("',' or ']'");
  tokens.take();
}

void read_items(Tokens& tokens, Module& module) {
  const std::string of_module = " of module " + in_quotes(module.name);
  while (!tokens.at("endmodule")) {
    if (tokens.at("[")) {
      tokens.reading("command" + of_module);
      module.commands.push_back(read_command(tokens));
    } else if (tokens.at("invariant")) {
      tokens.expected("a command; invariants of clocks (a PTA) are not supported");
    } else if (tokens.peek().kind == Token::Kind::word &&
               (tokens.at(":", 1) || !is_reserved(tokens.peek().text))) {
      tokens.reading("variable" + of_module);
      module.variables.push_back(read_variable(tokens));
    } else {
      tokens.expected("a variable, a command or 'endmodule'");
    }
    tokens.reading("module " + in_quotes(module.name));
  }
}

void read_type(Tokens& tokens, Variable& variable) {
  if (tokens.accept("bool")) {
    variable.is_truth = true;
  } else if (tokens.accept("[")) {
    variable.low = read_expression(tokens);
    tokens.expect("..");
    variable.high = read_expression(tokens);
    tokens.expect("]");
  } else if (tokens.at("int")) {
    tokens.expected("a range such as [0..100]: variables without bounds are not supported");
  } else if (tokens.at("clock")) {
    tokens.expected("a range such as [0..100] or bool: clocks (of a PTA) are not supported");
  } else {
    tokens.expected("a range such as [0..100] or bool");
  }
}

}  // namespace

Variable read_variable(Tokens& tokens) {
  const Token name = tokens.expect_name("the name of a variable");
  Variable variable;
  variable.name = name.text;
  variable.place = name.place;
  tokens.expect(":");
  read_type(tokens, variable);
  if (tokens.accept("init")) variable.initial = read_expression(tokens);
  if (!tokens.at(";")) tokens.expected(variable.initial ? "';'" : "'init' or ';'");
  tokens.take();
  return variable;
}

std::string read_action(Tokens& tokens) {
  tokens.expect("[");
  std::string action;
  if (!tokens.at("]")) action = tokens.expect_name("the name of an action or ']'").text;
  tokens.expect("]");
  return action;
}

std::vector<Renaming> read_renamings(Tokens& tokens, std::string_view what, bool is_arrow) {
  std::vector<Renaming> renamings;
  do {
    const Token from = tokens.expect_name(what);
    if (is_arrow) {
      if (!tokens.at("<") || !tokens.at("-", 1)) tokens.expected("'<-'");
      tokens.take();
      tokens.take();
    } else {
      tokens.expect("=");
    }
    const Token to = tokens.expect_name("a name");
    renamings.push_back({std::string(from.text), std::string(to.text), from.place});
  } while (tokens.accept(","));
  return renamings;
}

Module read_module(Tokens& tokens) {
  tokens.reading("module");
  tokens.expect("module");
  const Token name = tokens.expect_name("the name of a module");
  Module module;
  module.name = name.text;
  module.place = name.place;
  tokens.reading("module " + in_quotes(module.name));
  if (tokens.accept("=")) {
    read_copy(tokens, module);
  } else {
    read_items(tokens, module);
  }
  tokens.expect("endmodule");
  return module;
}

}  // namespace quantiplan::prism
