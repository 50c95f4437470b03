// Names of choices from action labels, which may repeat within a state or be absent.
//
//     labels  a   a     b        (none)  (none)
//     names   a   a#2   b   a#3  []      []#2
//
// name(base) is the base if no choice of the state has that name yet, else base#k with the least
// k >= 2 that is free; so names of a state are unique whatever its labels are. Cost: O(1) expected.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "quantiplan/model.hpp"

namespace quantiplan {

constexpr std::string_view kUnlabelled = "[]";

class ChoiceNames {
 public:
  void start_state();
  // The name of the next choice of the state; valid until the next call.
  std::string_view name(std::string_view base);

 private:
  [[nodiscard]] bool is_used(const std::string& text) const;
  void use(std::string text);

  std::vector<std::string> used_;  // its first count_ entries; the others keep their memory
  std::size_t count_ = 0;
  // Of a state with many choices: all names, and by base the k to try next.
  std::unordered_set<std::string> many_;
  std::unordered_map<std::string, std::size_t> next_;
};

// For each choice of a state, the label from which ChoiceNames makes its name again; empty for a
// choice without one, which is named "[]" or "[] M".
std::vector<std::string> labels_of(const Model& model, State s);

}  // namespace quantiplan
