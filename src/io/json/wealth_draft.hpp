// The "wealth" of a model file as it stands there, and what it comes to.
//
// Its keys come in any order, "kind" may be the last: so all of them are collected, and whether
// they fit the kind and each other is settled at the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/checked_text.hpp"
#include "quantiplan/wealth.hpp"

namespace quantiplan {

struct WealthDraft {
  struct Name {
    std::string text;
    std::uint64_t line = 0;
  };
  struct Weight {
    Name label;
    Rational weight;
  };
  // Also an entry of a table.
  struct Transition {
    std::string from;
    std::string label;
    std::string to;
    std::uint64_t line = 0;
  };
  struct Class {
    std::optional<std::string> name;
    std::vector<Name> states;
    std::uint64_t line = 0;
    bool is_one_name = false;  // stands there as a string
  };

  std::uint64_t line = 0;
  std::vector<std::string_view> keys;  // those that are there, in the order of the format
  Name kind;
  std::vector<WealthComponent> components;
  std::vector<Name> labels;
  Name first;
  std::vector<Weight> weights;
  std::vector<Name> states;
  Name start;
  std::vector<Transition> transitions;
  std::vector<Class> classes;

  [[nodiscard]] bool has(std::string_view key) const {
    return std::ranges::find(keys, key) != keys.end();
  }
};

// In place of a label: every label without a transition of its own.
constexpr std::string_view kEveryOtherLabel = "*";

}  // namespace quantiplan
