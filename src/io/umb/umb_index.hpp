// What index.json of a UMB says: how many of what there is, and of which type.
//
// Source: the UMB specification (docs/references.md). Needs nothing of the arrays; refuses by name
// what is no MDP and no DTMC: continuous time, several players, observations, intervals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_watch.hpp"

namespace quantiplan {

struct UmbType {
  enum class Kind : std::uint8_t { boolean, integer, natural, real, rational, string };
  Kind kind = Kind::real;
  std::uint32_t bits = 64;
};

struct UmbAnnotation {
  std::string id;    // as in paths
  std::string name;  // its alias, or the id
  UmbType type;
  bool on_states = false;
  bool on_choices = false;
  bool on_branches = false;
};

// A variable of a valuation, or padding if it has no name.
struct UmbField {
  std::string name;
  UmbType type;
  bool is_optional = false;
  std::int64_t offset = 0;  // added to the value
  [[nodiscard]] std::uint64_t bits() const { return type.bits + (is_optional ? 1U : 0U); }
};

struct UmbIndex {
  bool is_chain = false;
  std::uint64_t states = 0;
  std::uint64_t initial_states = 0;
  std::uint64_t choices = 0;
  std::uint64_t choice_actions = 0;
  std::uint64_t branches = 0;
  std::optional<UmbType> probability;  // absent: every choice has one branch
  std::vector<UmbAnnotation> rewards;
  std::vector<UmbAnnotation> labels;
  std::vector<std::vector<UmbField>> state_classes;  // of valuations; none: there are none
  std::vector<std::string> ignored;                  // what there is besides, for a notice
};

// Throws Error(bad_model) at "source: index.json:line".
UmbIndex read_umb_index(std::string_view text, const std::string& source, WorkWatch& watch);

// "rational" and the like.
std::string_view name_of(UmbType::Kind kind);

}  // namespace quantiplan
