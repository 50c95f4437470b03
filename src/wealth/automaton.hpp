// A node that every label moves, each node in one of the ranked classes. A table is an automaton
// whose nodes are its classes.
#pragma once

#include <cstdint>
#include <string>

#include "quantiplan/structure.hpp"

namespace quantiplan {

struct Automaton {
  using Wealth = std::uint32_t;  // a node
  const quantiplan::Wealth& declared;

  [[nodiscard]] Wealth initial() const { return declared.start; }
  [[nodiscard]] Wealth update(Wealth node, const Reward& r) const {
    if (r.number < 0) return node;
    return declared.next[node * declared.labels.size() + r.number.get_num().get_ui()];
  }
  [[nodiscard]] std::weak_ordering order(Wealth a, Wealth b) const {
    return declared.class_of[a] <=> declared.class_of[b];
  }
  [[nodiscard]] std::string text(Wealth node) const { return declared.nodes[node]; }
  [[nodiscard]] std::string class_text(Wealth node) const {
    return declared.classes[declared.class_of[node]];
  }
  [[nodiscard]] std::size_t classes() const { return declared.classes.size(); }
  [[nodiscard]] std::size_t class_of(Wealth node) const { return declared.class_of[node]; }
};

}  // namespace quantiplan
