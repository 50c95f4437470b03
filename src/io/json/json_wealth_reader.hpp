// Reads "wealth" from a model file, and nothing else of it.
//
//     document -> model -> wealth -> components:  [component...]
//                                 -> labels, states: [name...]
//                                 -> weights:     {label: weight}
//                                 -> transitions: [transition...]
//                                 -> classes:     [class...] -> states: [name...]
//                                 -> table:       {class: {label: class}}
//
// What a reward means depends on it, and it may stand behind the choices: so it is read first, and
// what is wrong with the rest of the text is left to the reader of that (json_model_reader.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/json/json_walk.hpp"
#include "io/json/wealth_draft.hpp"
#include "quantiplan/wealth.hpp"

namespace quantiplan {

// What a file says of the wealth: sums, if it says nothing.
struct WealthDeclaration {
  Wealth wealth;
  std::uint64_t line = 0;
  bool is_damaged = false;        // then rewards cannot be understood, and are not looked at
  std::vector<TextFault> faults;  // why, unless the text breaks off there
};

class JsonWealthReader final : public JsonWalk {
 public:
  JsonWealthReader();
  WealthDeclaration read(std::string_view text);
  void large_number(std::uint64_t line, std::string why) override;

 private:
  struct Shapes;  // what may stand where

  void problem(std::uint64_t line, std::string message) override;
  [[nodiscard]] bool is_enough() const override;

  void read_wealth(JsonValue found);
  void read_components(JsonValue found);
  void read_better(JsonValue found);
  void read_weight(JsonValue found);
  void read_class(JsonValue found);
  // A name; empty, with a problem, if it is no string.
  WealthDraft::Name name(JsonValue found);

  WealthDraft draft_;
  std::string row_;  // of a table
  std::vector<TextFault> faults_;
  bool is_begun_ = false;
  bool is_done_ = false;
};

}  // namespace quantiplan
