// How a history is judged: what its rewards are, how they add up to a wealth, which wealth is
// better.
//
//     sum                   numbers; w + r                       the default
//     max, min              numbers; the best, or the worst reward met; nothing met: -inf, or inf
//     product               numbers above 0; w * r
//     lexicographic         vectors; added by components, compared by the first that differs
//     counts                labels, listed from worst to best; how often each was met
//                             worst first: fewest of the worst, then fewest of the next ..., and at
//                                          last most of the best
//                             best first:  most of the best, then most of the next ..., and at last
//                                          fewest of the worst
//     weighted counts       labels; the sum of their weights
//     automaton             labels; a node is moved by each, and every node has a class
//     table                 the same, where the nodes are the classes themselves
//
// Other structures are written in C++ (structure.hpp).
//
// A reward that is no number is stored in the model as a position: in `labels`, or in `vectors`.
// kNoLabel stands where an outcome has none: it changes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/number.hpp"

namespace quantiplan {

enum class WealthKind {
  sum,
  max,
  min,
  product,
  lexicographic,
  counts,
  weighted_counts,
  automaton,
  table
};
std::string_view to_text(WealthKind kind);
std::optional<WealthKind> wealth_kind(std::string_view text);

// One sum of a lexicographic wealth; the first is the most important.
struct WealthComponent {
  std::string name;  // may be empty
  bool less_is_better = false;
};

struct Wealth {
  WealthKind kind = WealthKind::sum;

  std::vector<WealthComponent> components;     // lexicographic
  std::vector<std::vector<Rational>> vectors;  // .. reward i is vectors[i]

  std::vector<std::string> labels;  // counts: from worst to best; .. reward i is labels[i]
  bool best_first = false;          // counts
  std::vector<Rational> weights;    // weighted counts: of each label

  // Automaton and table: where label l takes node n is next[n * labels.size() + l].
  std::vector<std::string> nodes;
  std::uint32_t start = 0;
  std::vector<std::uint32_t> next;
  std::vector<std::uint32_t> class_of;  // of each node
  std::vector<std::string> classes;     // from worst to best

  static constexpr int kNoLabel = -1;

  [[nodiscard]] bool has_labels() const noexcept { return kind >= WealthKind::counts; }
  [[nodiscard]] bool has_vectors() const noexcept { return kind == WealthKind::lexicographic; }
  // Rewards are numbers that mean themselves.
  [[nodiscard]] bool has_numbers() const noexcept { return kind <= WealthKind::product; }
  [[nodiscard]] bool is_sum() const noexcept { return kind == WealthKind::sum; }
  // The final wealth is a number: an expectation exists.
  [[nodiscard]] bool is_numeric() const noexcept {
    return has_numbers() || kind == WealthKind::weighted_counts;
  }
  // A wealth or class as answers write it: 5/2 is 2.5 where wealth is a number, names stay as they
  // are.
  [[nodiscard]] std::string written(std::string_view text) const;
  [[nodiscard]] std::optional<std::uint32_t> find_label(std::string_view label) const;
  // What makes no sense in it by itself, in the words of the model file; empty if nothing.
  [[nodiscard]] std::string problem() const;
};

}  // namespace quantiplan
