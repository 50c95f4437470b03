#include "io/json/json_tree.hpp"

#include <algorithm>
#include <utility>

#include "base/quoted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// Opened values wait on a stack; a closed one moves into the one below it.
class JsonTreeBuilder : public JsonEvents {
 public:
  JsonTreeBuilder(const std::string& source, WorkWatch& watch) : source_(source), watch_(watch) {}

  bool key(std::string_view name, std::uint64_t line) override {
    watch_.step();
    JsonNode& object = open_.back();
    // Objects of a few keys: what has many is a map of names, and no longer than it must be.
    constexpr std::size_t kMostKeys = 100000;
    if (object.keys.size() >= kMostKeys)
      throw Error(ErrorCode::refused, at(line), "an object of more than 100000 keys");
    object.keys.emplace_back(name);
    return true;
  }
  bool scalar(JsonKind kind, std::string_view text, std::uint64_t line) override {
    watch_.step();
    JsonNode node;
    node.kind = kind;
    node.text = text;
    node.line = line;
    add(std::move(node));
    return true;
  }
  bool open(JsonKind kind, std::uint64_t line) override {
    watch_.step();
    JsonNode& node = open_.emplace_back();
    node.kind = kind;
    node.line = line;
    return true;
  }
  bool close(std::uint64_t /*line*/) override {
    JsonNode node = std::move(open_.back());
    open_.pop_back();
    std::vector<std::string_view> sorted(node.keys.begin(), node.keys.end());
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      throw Error(ErrorCode::bad_model,
                  at(node.line),
                  "the key " + in_quotes(*twice) + " is given twice, must be once");
    add(std::move(node));
    return true;
  }
  void large_number(std::uint64_t line, std::string why) override {
    throw Error(ErrorCode::bad_model, at(line), why);
  }

  JsonNode take() { return std::move(root_); }
  [[nodiscard]] std::string at(std::uint64_t line) const {
    return source_ + ":" + std::to_string(line);
  }

 private:
  void add(JsonNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else {
      watch_.before_push(open_.back().items);
      open_.back().items.push_back(std::move(node));
    }
  }

  const std::string& source_;
  WorkWatch& watch_;
  std::vector<JsonNode> open_;
  JsonNode root_;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key);
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

JsonNode read_json_tree(std::string_view text,
                        const std::string& source,
                        WorkWatch& watch,
                        int most_depth) {
  JsonTreeBuilder builder(source, watch);
  if (const auto fault = read_json(text, builder, most_depth))
    throw Error(ErrorCode::bad_model, builder.at(fault->line), fault->message);
  return builder.take();
}

}  // namespace quantiplan
