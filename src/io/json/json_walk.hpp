// A walk through JSON of a known shape: which keys an object may have, each at most once.
//
// A reader names its nodes (kinds of object or list) and says, for a value met under a node and
// key, which node it is. Unknown and repeated keys, and values of the wrong kind, are reported here
// and what lies below them is skipped, so that one mistake gives one message.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/json_events.hpp"

namespace quantiplan {

class JsonWalk : public JsonEvents {
 public:
  bool key(std::string_view name, std::uint64_t line) final;
  bool scalar(JsonKind kind, std::string_view text, std::uint64_t line) final;
  bool open(JsonKind kind, std::uint64_t line) final;
  bool close(std::uint64_t line) final;
  void large_number(std::uint64_t line, std::string why) override;

 protected:
  using Node = int;
  static constexpr Node kSkipped = -1;
  static constexpr Node kDocument = 0;

  // What the reader knows. An object without known keys is a map: its keys go to map_key().
  struct Shape {
    const char* title;  // "a choice"
    std::span<const std::string_view> keys;
  };
  [[nodiscard]] virtual Shape shape(Node node) const = 0;
  // The node of an object or list met at the current node and key; wrong_kind() if there is none.
  virtual Node enter(JsonKind kind) = 0;
  virtual void leave(Node node) = 0;
  virtual void value(JsonKind kind, std::string_view text) = 0;
  // False to skip the value.
  virtual bool map_key(std::string_view) { return true; }
  virtual void problem(std::uint64_t line, std::string message) = 0;
  // True to stop reading.
  [[nodiscard]] virtual bool is_enough() const = 0;

  // Where the walk is.
  [[nodiscard]] Node node() const { return frames_.empty() ? kDocument : frames_.back().node; }
  [[nodiscard]] int current_key() const { return frames_.empty() ? 0 : frames_.back().key; }
  [[nodiscard]] std::uint64_t line() const { return line_; }
  // In leave(): where the node began, and whether it had a key.
  [[nodiscard]] std::uint64_t first_line() const { return frames_.back().line; }
  [[nodiscard]] bool has(int key) const {
    return (frames_.back().seen >> static_cast<unsigned>(key) & 1U) != 0;
  }
  void require(std::initializer_list<int> keys);

  // "reward: ", "in 'next': ", or nothing at the top and where values are skipped.
  [[nodiscard]] std::string label() const;
  // Reports "key: found a list, expected a string".
  Node wrong_kind(JsonKind found, const char* expected);

 private:
  static constexpr int kSkippedKey = -1;
  struct Frame {
    Node node;
    int key;
    std::uint32_t seen;
    std::uint64_t line;
  };
  [[nodiscard]] bool is_skipping() const;

  std::vector<Frame> frames_;
  std::uint64_t line_ = 0;
};

}  // namespace quantiplan
