#include "io/prism/language/system_parser.hpp"

#include <algorithm>
#include <utility>

#include "io/prism/language/module_parser.hpp"
#include "io/prism/language/prism_parser.hpp"

namespace quantiplan::prism {
namespace {

using Kind = Composition::Kind;

// A composition and the nodes on its longest way down.
struct SystemTree {
  Composition root;
  std::size_t depth = 1;
};

class SystemParser {
 public:
  explicit SystemParser(Tokens& tokens) : tokens_(tokens) {}

  SystemTree full();  // A || B || ...

 private:
  SystemTree interleaved();
  SystemTree on_actions();
  SystemTree hidden_or_renamed();
  SystemTree atom();

  bool is_bars_next(std::size_t count);
  std::vector<std::string> actions();
  SystemTree above(Kind kind, Place place, SystemTree operand);
  void add(SystemTree& parent, SystemTree operand);
  [[noreturn]] void too_deep(Place place);

  Tokens& tokens_;
  std::size_t nesting_ = 0;
};

void SystemParser::too_deep(Place place) {
  tokens_.fail(place, "nested too deeply, in more than " + std::to_string(kMostDepth) + " levels");
}

void SystemParser::add(SystemTree& parent, SystemTree operand) {
  parent.depth = std::max(parent.depth, operand.depth + 1);
  if (parent.depth > kMostDepth) too_deep(parent.root.place);
  parent.root.operands.push_back(std::move(operand.root));
}

SystemTree SystemParser::above(Kind kind, Place place, SystemTree operand) {
  SystemTree tree;
  tree.root.kind = kind;
  tree.root.place = place;
  add(tree, std::move(operand));
  return tree;
}

// Exactly so many: "||" is not the beginning of "|||". And "|" before "[" belongs to |[a]|.
bool SystemParser::is_bars_next(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!tokens_.at("|", i)) return false;
  }
  return count == 3 || !tokens_.at("|", count);
}

SystemTree SystemParser::full() {
  if (++nesting_ > kMostDepth) too_deep(tokens_.peek().place);
  SystemTree left = interleaved();
  if (is_bars_next(2)) {
    left = above(Kind::full, tokens_.peek().place, std::move(left));
    while (is_bars_next(2)) {
      for (int bar = 0; bar < 2; ++bar) tokens_.take();
      add(left, interleaved());
    }
  }
  --nesting_;
  return left;
}

SystemTree SystemParser::interleaved() {
  SystemTree left = on_actions();
  if (!is_bars_next(3)) return left;
  left = above(Kind::interleaved, tokens_.peek().place, std::move(left));
  while (is_bars_next(3)) {
    for (int bar = 0; bar < 3; ++bar) tokens_.take();
    add(left, on_actions());
  }
  return left;
}

SystemTree SystemParser::on_actions() {
  SystemTree left = hidden_or_renamed();
  while (tokens_.at("|") && tokens_.at("[", 1)) {
    left = above(Kind::on_actions, tokens_.take().place, std::move(left));
    tokens_.expect("[");
    left.root.actions = actions();
    tokens_.expect("]");
    tokens_.expect("|");
    add(left, hidden_or_renamed());
  }
  return left;
}

SystemTree SystemParser::hidden_or_renamed() {
  SystemTree inner = atom();
  while (tokens_.at("/") || tokens_.at("{")) {
    const bool is_hiding = tokens_.at("/");
    inner =
        above(is_hiding ? Kind::hiding : Kind::renaming, tokens_.peek().place, std::move(inner));
    if (is_hiding) tokens_.take();
    tokens_.expect("{");
    if (is_hiding) {
      inner.root.actions = actions();
    } else {
      inner.root.renamings = read_renamings(tokens_, "a renaming such as a<-b", true);
    }
    tokens_.expect("}");
  }
  return inner;
}

SystemTree SystemParser::atom() {
  if (tokens_.accept("(")) {
    SystemTree inner = full();
    tokens_.expect(")");
    return inner;
  }
  const Token name = tokens_.expect_name("the name of a module or '('");
  SystemTree tree;
  tree.root.place = name.place;
  tree.root.module = name.text;
  return tree;
}

std::vector<std::string> SystemParser::actions() {
  std::vector<std::string> names;
  do {
    names.emplace_back(tokens_.expect_name("the name of an action").text);
  } while (tokens_.accept(","));
  return names;
}

}  // namespace

Composition read_system(Tokens& tokens) {
  tokens.reading("system");
  tokens.expect("system");
  if (tokens.peek().kind == Token::Kind::text) tokens.expect_quoted_name("the name of a system");
  Composition composition = SystemParser(tokens).full().root;
  tokens.expect("endsystem");
  return composition;
}

}  // namespace quantiplan::prism
