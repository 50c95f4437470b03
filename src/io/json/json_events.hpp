// JSON as a stream of events, each with its line: no tree, no recursion, numbers as their text.
//
// Needs: text that passed check_text (no NUL). Guarantees: every byte is read once; nesting deeper
// than most_depth is a fault as soon as it is met; memory is the longest single string.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/text/checked_text.hpp"

namespace quantiplan {

enum class JsonKind { object, list, string, number, boolean, null };
// "an object", "a list", "a string", ...
const char* name_of(JsonKind kind);

// Each event returns false to stop reading.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;
  virtual bool key(std::string_view name, std::uint64_t line) = 0;
  virtual bool scalar(JsonKind kind, std::string_view text, std::uint64_t line) = 0;
  virtual bool open(JsonKind kind, std::uint64_t line) = 0;
  virtual bool close(std::uint64_t line) = 0;
  // A number that stands where a value may, but that is too large to be read: the last event.
  virtual void large_number(std::uint64_t line, std::string why) = 0;
};

constexpr int kMostDepth = 64;

// Nothing if the text was read to its end, if the receiver stopped it, or if it knows the fault.
std::optional<TextFault> read_json(std::string_view text,
                                   JsonEvents& receiver,
                                   int most_depth = kMostDepth);

}  // namespace quantiplan
