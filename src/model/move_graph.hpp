// The shape of a decision process, without numbers: which states each choice can lead to.
//
//     node --has--> choices choice_begin[v] .. choice_begin[v+1]
//     choice --leads to--> next[arc_begin[c]] .. next[arc_begin[c+1] - 1]
#pragma once

#include <cstdint>
#include <vector>

namespace quantiplan {

struct MoveGraph {
  std::vector<std::uint32_t> choice_begin{0};
  std::vector<std::uint64_t> arc_begin{0};
  std::vector<std::uint32_t> next;

  [[nodiscard]] std::size_t nodes() const noexcept { return choice_begin.size() - 1; }
  [[nodiscard]] std::size_t choices() const noexcept { return arc_begin.size() - 1; }
  // Choices are closed one after another, and so are nodes.
  void close_choice() { arc_begin.push_back(next.size()); }
  void close_node() { choice_begin.push_back(static_cast<std::uint32_t>(choices())); }
};

}  // namespace quantiplan
