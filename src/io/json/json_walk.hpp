// A walk through JSON of a known shape: which keys an object may have, each at most once.
//
// A reader says in tables what may stand where, and which of its member functions take it:
//
//     kRule    {"time", "state", "choose"}    an object: a place for each key
//     kChoose  [run...]                       a list, or a map of any names: one place for all items
//
// Unknown, repeated and missing keys, and values of the wrong kind, are reported here and what lies
// below them is skipped, so that one mistake gives one message.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/json/json_events.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

class JsonWalk;

// A scalar; of an object or list, the kind alone.
struct JsonValue {
  JsonKind kind;
  std::string_view text;
};

// What a reader does, [](Reader& reader, ...) {...}, as a function of the walk that the reader is.
template <class Call>
struct JsonCall;
template <class Function, class Result, class Reader, class... Found>
struct JsonCall<Result (Function::*)(Reader&, Found...) const> {
  static Result on(JsonWalk& walk, Found... found) {
    return Function{}(static_cast<Reader&>(walk), found...);
  }
  // False to skip what begins; true where the function has nothing to say.
  static bool begin(JsonWalk& walk, Found... found) {
    if constexpr (std::is_same_v<Result, bool>) return on(walk, found...);
    on(walk, found...);
    return true;
  }
};

class JsonWalk : public JsonEvents {
 public:
  bool key(std::string_view name, std::uint64_t line) final;
  bool scalar(JsonKind kind, std::string_view text, std::uint64_t line) final;
  bool open(JsonKind kind, std::uint64_t line) final;
  bool close(std::uint64_t line) final;
  void large_number(std::uint64_t line, std::string why) override;

 protected:
  struct Shape;
  // Where a value may stand.
  struct Place {
    std::string_view key{};  // of an object's place
    const char* expected = nullptr;
    void (*read)(JsonWalk&, JsonValue) = nullptr;  // all but the two below
    const Shape* object = nullptr;
    const Shape* list = nullptr;
    bool is_required = false;

    [[nodiscard]] constexpr Place or_object(const Shape& shape) const {
      Place place = *this;
      place.object = &shape;
      return place;
    }
    [[nodiscard]] constexpr Place or_list(const Shape& shape) const {
      Place place = *this;
      place.list = &shape;
      return place;
    }
    [[nodiscard]] constexpr Place required() const {
      Place place = *this;
      place.is_required = true;
      return place;
    }
  };
  template <class Read>
  static constexpr Place value(std::string_view key, Read) {
    return {key, nullptr, &JsonCall<decltype(&Read::operator())>::on};
  }
  static constexpr Place object(std::string_view key,
                                const Shape& shape,
                                const char* expected = "an object") {
    return Place{key, expected}.or_object(shape);
  }
  static constexpr Place list(std::string_view key,
                              const Shape& shape,
                              const char* expected = "a list") {
    return Place{key, expected}.or_list(shape);
  }

  struct Shape {
    const char* title;              // "a choice"
    std::span<const Place> keys{};  // none: a list or a map, of items
    Place items{};
    bool (*begin)(JsonWalk&) = nullptr;  // false to skip it
    void (*end)(JsonWalk&) = nullptr;
    bool (*name)(JsonWalk&, std::string_view) = nullptr;  // of a map's item; false to skip that
  };

  template <class Begin>
  static constexpr auto first(Begin) {
    return &JsonCall<decltype(&Begin::operator())>::begin;
  }
  template <class End>
  static constexpr auto last(End) {
    return &JsonCall<decltype(&End::operator())>::on;
  }

  explicit JsonWalk(const Place& document) : document_(document) {}

  virtual void before_value() {}
  virtual void problem(std::uint64_t line, std::string message) = 0;
  // True to stop reading.
  [[nodiscard]] virtual bool is_enough() const = 0;

  // Where the walk is.
  [[nodiscard]] bool is_in(const Shape& shape) const {
    return !frames_.empty() && frames_.back().shape == &shape;
  }
  [[nodiscard]] std::uint64_t line() const { return line_; }
  // Of the value at a key of the document; 0 if it is not there.
  [[nodiscard]] std::uint64_t line_of(std::string_view key) const;
  // In Shape::end: where it began, whether it had items, and which keys.
  [[nodiscard]] std::uint64_t first_line() const { return frames_.back().line; }
  [[nodiscard]] bool is_empty() const { return frames_.back().seen == 0; }
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] std::vector<std::string_view> keys_seen() const;
  void require(std::string_view key);

  // "reward: ", "in 'next': ", or nothing at the top and where values are skipped.
  [[nodiscard]] std::string label() const;
  // Reports "key: found a list, expected a string".
  void wrong_kind(JsonValue found, const char* expected);

  // What the files have in common; a problem where it is none.
  bool is_string(JsonValue found);
  template <class Text>
  void read_string(JsonValue found, Text& into) {
    if (is_string(found)) into = found.text;
  }
  void read_format(JsonValue found, std::string_view expected);
  // `expected` begins with "a whole number".
  std::optional<std::uint64_t> horizon(JsonValue found, const std::string& expected);
  // Whether "rewards" are costs.
  std::optional<bool> has_costs(JsonValue found);
  std::optional<Number> number(JsonValue value) {
    return number(value, [this] { return label(); });
  }
  // The problem begins as where() says.
  template <class Where>
  std::optional<Number> number(JsonValue value, const Where& where) {
    if (value.kind != JsonKind::number && value.kind != JsonKind::string) {
      wrong_kind(value, "a number, or a string with a number");
      return std::nullopt;
    }
    std::string why;
    auto found = Number::try_parse(value.text, &why);
    if (!found) problem(line_, where() + why);
    return found;
  }

 private:
  static constexpr int kSkippedKey = -1;
  struct Frame {
    const Shape* shape;  // null: skipped
    int key;
    std::uint32_t seen;  // a bit for each key; of a list or map, whether it has items
    std::uint64_t line;
  };
  [[nodiscard]] bool is_skipping() const;
  [[nodiscard]] bool goes_on() const { return !is_foreign_ && !is_enough(); }
  // Where a value stands that is not skipped.
  const Place& enter_place();
  void take(const Place& place, JsonValue found);

  const Place& document_;
  std::vector<Frame> frames_;
  std::uint64_t line_ = 0;
  std::array<std::uint64_t, 32> lines_{};  // of the document's values, by key
  bool is_foreign_ = false;                // the text says that it is something else
};

}  // namespace quantiplan
