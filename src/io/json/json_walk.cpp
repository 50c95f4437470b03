#include "io/json/json_walk.hpp"

#include <algorithm>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "io/text/format_words.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

bool JsonWalk::is_skipping() const {
  return !frames_.empty() && (frames_.back().shape == nullptr || frames_.back().key == kSkippedKey);
}

bool JsonWalk::key(std::string_view name, std::uint64_t line) {
  line_ = line;
  Frame& frame = frames_.back();
  if (frame.shape == nullptr) return true;
  const Shape& known = *frame.shape;
  if (known.keys.empty()) {
    frame.key = known.name(*this, name) ? 0 : kSkippedKey;
    return goes_on();
  }
  const auto found = std::ranges::find(known.keys, name, &Place::key);
  frame.key = kSkippedKey;
  if (found == known.keys.end()) {
    NearestName nearest(name);
    std::string list;
    for (const Place& place : known.keys) {
      nearest.offer(place.key);
      list += (list.empty() ? "'" : ", '") + std::string(place.key) + "'";
    }
    problem(line,
            "unknown key " + in_quotes(name) + " in " + known.title + ", must be one of " + list +
                nearest.suggestion());
    return goes_on();
  }
  const auto position = static_cast<unsigned>(found - known.keys.begin());
  if ((frame.seen >> position & 1U) != 0) {
    problem(
        line,
        "key " + in_quotes(name) + " is given twice in " + known.title + ", must be given once");
    return goes_on();
  }
  frame.seen |= 1U << position;
  frame.key = static_cast<int>(position);
  return true;
}

const JsonWalk::Place& JsonWalk::enter_place() {
  if (frames_.empty()) return document_;
  Frame& frame = frames_.back();
  if (!frame.shape->keys.empty()) {
    const auto key = static_cast<std::size_t>(frame.key);
    if (frames_.size() == 1) lines_[key] = line_;
    return frame.shape->keys[key];
  }
  frame.seen = 1;
  return frame.shape->items;
}

void JsonWalk::take(const Place& place, JsonValue found) {
  before_value();
  if (place.read != nullptr) {
    place.read(*this, found);
  } else {
    wrong_kind(found, place.expected);
  }
}

bool JsonWalk::scalar(JsonKind kind, std::string_view text, std::uint64_t line) {
  line_ = line;
  if (is_skipping()) return true;
  take(enter_place(), {kind, text});
  return goes_on();
}

bool JsonWalk::open(JsonKind kind, std::uint64_t line) {
  line_ = line;
  const Shape* entered = nullptr;
  if (!is_skipping()) {
    const Place& place = enter_place();
    entered = kind == JsonKind::object ? place.object : place.list;
    if (entered == nullptr) {
      take(place, {kind, ""});
    } else if (entered->begin != nullptr && !entered->begin(*this)) {
      entered = nullptr;
    }
  }
  frames_.push_back({entered, 0, 0, line});
  return goes_on();
}

bool JsonWalk::close(std::uint64_t line) {
  line_ = line;
  if (const Shape* shape = frames_.back().shape) {
    for (const Place& place : shape->keys) {
      if (place.is_required) require(place.key);
    }
    if (shape->end != nullptr) shape->end(*this);
  }
  frames_.pop_back();
  return goes_on();
}

std::uint64_t JsonWalk::line_of(std::string_view key) const {
  const auto keys = document_.object->keys;
  return lines_[static_cast<std::size_t>(std::ranges::find(keys, key, &Place::key) - keys.begin())];
}

bool JsonWalk::has(std::string_view key) const {
  const auto keys = frames_.back().shape->keys;
  const auto found = std::ranges::find(keys, key, &Place::key);
  return (frames_.back().seen >> static_cast<unsigned>(found - keys.begin()) & 1U) != 0;
}

std::vector<std::string_view> JsonWalk::keys_seen() const {
  std::vector<std::string_view> seen;
  for (const Place& place : frames_.back().shape->keys) {
    if (has(place.key)) seen.push_back(place.key);
  }
  return seen;
}

void JsonWalk::require(std::string_view key) {
  if (has(key)) return;
  problem(first_line(), "missing key '" + std::string(key) + "' in " + frames_.back().shape->title);
}

void JsonWalk::large_number(std::uint64_t line, std::string why) {
  line_ = line;
  problem(line, label() + std::move(why));
}

std::string JsonWalk::label() const {
  if (frames_.empty() || is_skipping()) return {};
  const Frame& frame = frames_.back();
  if (frame.shape->keys.empty()) return std::string("in ") + frame.shape->title + ": ";
  return std::string(frame.shape->keys[static_cast<std::size_t>(frame.key)].key) + ": ";
}

void JsonWalk::wrong_kind(JsonValue found, const char* expected) {
  problem(line_, label() + "found " + name_of(found.kind) + ", expected " + expected);
}

bool JsonWalk::is_string(JsonValue found) {
  if (found.kind != JsonKind::string) wrong_kind(found, "a string");
  return found.kind == JsonKind::string;
}

void JsonWalk::read_format(JsonValue found, std::string_view expected) {
  if (!is_string(found) || found.text == expected) return;
  is_foreign_ = true;
  problem(line_,
          "format: found " + in_quotes(found.text) + ", must be '" + std::string(expected) + "'");
}

std::optional<std::uint64_t> JsonWalk::horizon(JsonValue found, const std::string& expected) {
  if (found.kind == JsonKind::string && found.text == kInfinite) return kInfiniteHorizon;
  if (found.kind != JsonKind::number && found.kind != JsonKind::string) {
    wrong_kind(found, "a number or 'infinite'");
    return std::nullopt;
  }
  const auto number = Number::try_parse(found.text);
  const Fraction* steps = number ? number->small() : nullptr;
  if (steps != nullptr && steps->denominator == 1 && steps->numerator >= 0)
    return static_cast<std::uint64_t>(steps->numerator);
  problem(line_, "horizon: found " + in_quotes(found.text, 40) + ", must be " + expected);
  return std::nullopt;
}

std::optional<bool> JsonWalk::has_costs(JsonValue found) {
  if (!is_string(found)) return std::nullopt;
  if (found.text == kCost || found.text == kReward) return found.text == kCost;
  problem(line_, "rewards: found " + in_quotes(found.text) + ", must be 'reward' or 'cost'");
  return std::nullopt;
}

}  // namespace quantiplan
