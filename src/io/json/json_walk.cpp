#include "io/json/json_walk.hpp"

#include <algorithm>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"

namespace quantiplan {

bool JsonWalk::is_skipping() const {
  return !frames_.empty() && (frames_.back().node == kSkipped || frames_.back().key == kSkippedKey);
}

bool JsonWalk::key(std::string_view name, std::uint64_t line) {
  line_ = line;
  Frame& frame = frames_.back();
  if (frame.node == kSkipped) return true;
  const Shape known = shape(frame.node);
  if (known.keys.empty()) {
    frame.key = map_key(name) ? 0 : kSkippedKey;
    return !is_enough();
  }
  const auto found = std::find(known.keys.begin(), known.keys.end(), name);
  frame.key = kSkippedKey;
  if (found == known.keys.end()) {
    NearestName nearest(name);
    std::string list;
    for (const std::string_view k : known.keys) {
      nearest.offer(k);
      list += (list.empty() ? "'" : ", '") + std::string(k) + "'";
    }
    problem(line,
            "unknown key " + in_quotes(name) + " in " + known.title + ", must be one of " + list +
                nearest.suggestion());
    return !is_enough();
  }
  const auto position = static_cast<unsigned>(found - known.keys.begin());
  if ((frame.seen >> position & 1U) != 0) {
    problem(
        line,
        "key " + in_quotes(name) + " is given twice in " + known.title + ", must be given once");
    return !is_enough();
  }
  frame.seen |= 1U << position;
  frame.key = static_cast<int>(position);
  return true;
}

bool JsonWalk::scalar(JsonKind kind, std::string_view text, std::uint64_t line) {
  line_ = line;
  if (is_skipping()) return true;
  value(kind, text);
  return !is_enough();
}

bool JsonWalk::open(JsonKind kind, std::uint64_t line) {
  line_ = line;
  const Node entered = is_skipping() ? kSkipped : enter(kind);
  frames_.push_back({entered, 0, 0, line});
  return !is_enough();
}

bool JsonWalk::close(std::uint64_t line) {
  line_ = line;
  if (node() != kSkipped) leave(node());
  frames_.pop_back();
  return !is_enough();
}

void JsonWalk::require(std::initializer_list<int> keys) {
  const Shape known = shape(node());
  for (const int k : keys) {
    if (has(k)) continue;
    problem(first_line(),
            "missing key '" + std::string(known.keys[static_cast<std::size_t>(k)]) + "' in " +
                known.title);
  }
}

void JsonWalk::large_number(std::uint64_t line, std::string why) {
  line_ = line;
  problem(line, label() + std::move(why));
}

std::string JsonWalk::label() const {
  if (frames_.empty() || is_skipping()) return {};
  const Shape known = shape(node());
  if (known.keys.empty()) return std::string("in ") + known.title + ": ";
  return std::string(known.keys[static_cast<std::size_t>(current_key())]) + ": ";
}

JsonWalk::Node JsonWalk::wrong_kind(JsonKind found, const char* expected) {
  problem(line_, label() + "found " + name_of(found) + ", expected " + expected);
  return kSkipped;
}

}  // namespace quantiplan
