// A JSON text as a tree, for small documents whose parts refer to one another: an index, a program.
//
// Needs: text that passed check_text. Guarantees: every value with its line; keys in their order, a
// repeated one is a fault. Cost: about 120 bytes a value, which the watch looks at as they grow.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_watch.hpp"
#include "io/json/json_events.hpp"

namespace quantiplan {

struct JsonNode {
  JsonKind kind = JsonKind::null;
  std::string text;  // of a scalar: its characters, without quotation marks
  std::uint64_t line = 0;
  std::vector<std::string> keys;  // of an object: one for each item
  std::vector<JsonNode> items;

  // The value of a key; null if this is no object or has no such key.
  [[nodiscard]] const JsonNode* find(std::string_view key) const;
  [[nodiscard]] bool is(JsonKind wanted) const { return kind == wanted; }
  // Of a string with this text.
  [[nodiscard]] bool says(std::string_view wanted) const {
    return kind == JsonKind::string && text == wanted;
  }
};

// Throws Error(bad_model) at "source:line", and Error(refused) at a limit of the watch.
JsonNode read_json_tree(std::string_view text,
                        const std::string& source,
                        WorkWatch& watch,
                        int most_depth = kMostDepth);

}  // namespace quantiplan
