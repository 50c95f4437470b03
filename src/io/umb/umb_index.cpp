#include "io/umb/umb_index.hpp"

#include <algorithm>
#include <array>

#include "base/quoted.hpp"
#include "base/whole_text.hpp"
#include "io/json/json_tree.hpp"
#include "io/text/checked_text.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

using Kind = UmbType::Kind;

constexpr std::array<std::string_view, 6> kUmbTypes{
    "bool", "int", "uint", "double", "rational", "string"};

class UmbIndexReader {
 public:
  explicit UmbIndexReader(const std::string& source) : source_(source) {}

  UmbIndex read(const JsonNode& root) {
    if (!root.is(JsonKind::object)) fail(root, "index.json", "an object");
    const JsonNode& version = need(root, "format-version", JsonKind::number);
    if (version.text != "1" && version.text != "0")
      throw_at(version,
               "format-version: found " + in_quotes(version.text) +
                   ", expected 1: this is another format than the one that is known");
    read_system(need(root, "transition-system", JsonKind::object));
    if (const JsonNode* annotations = root.find("annotations")) read_annotations(*annotations);
    if (const JsonNode* valuations = root.find("valuations")) read_valuations(*valuations);
    return std::move(out_);
  }

 private:
  [[noreturn]] void throw_at(const JsonNode& node, const std::string& message) const {
    throw Error(
        ErrorCode::bad_model, source_ + ": index.json:" + std::to_string(node.line), message);
  }
  [[noreturn]] void fail(const JsonNode& node, std::string_view key, const char* expected) const {
    const std::string found = node.is(JsonKind::string) || node.is(JsonKind::number)
                                  ? in_quotes(node.text)
                                  : std::string(name_of(node.kind));
    throw_at(node, std::string(key) + ": found " + found + ", expected " + expected);
  }
  const JsonNode& need(const JsonNode& object, std::string_view key, JsonKind kind) const {
    const JsonNode* found = object.find(key);
    if (found == nullptr) throw_at(object, "no '" + std::string(key) + "', expected it here");
    if (found->kind != kind) fail(*found, key, name_of(kind));
    return *found;
  }
  [[nodiscard]] std::uint64_t count(const JsonNode& node, std::string_view key) const {
    const auto value =
        node.is(JsonKind::number) ? number_in<std::uint64_t>(node.text) : std::nullopt;
    if (!value) fail(node, key, "a whole number, at least 0");
    return *value;
  }
  [[nodiscard]] std::uint64_t count_in(const JsonNode& object,
                                       std::string_view key,
                                       std::optional<std::uint64_t> usual = std::nullopt) const {
    if (const JsonNode* found = object.find(key)) return count(*found, key);
    if (usual) return *usual;
    throw_at(object, "no '" + std::string(key) + "', expected it here");
  }

  void read_system(const JsonNode& system) {
    const JsonNode& time = need(system, "time", JsonKind::string);
    if (!time.says("discrete"))
      fail(time, "time", "'discrete': models in continuous time are not supported");
    const std::uint64_t players = count_in(system, "#players");
    if (players > 1)
      throw_at(system,
               "#players: found " + std::to_string(players) +
                   ", expected 0 (a DTMC) or 1 (an MDP): games are not supported");
    out_.is_chain = players == 0;
    out_.states = count_in(system, "#states");
    out_.initial_states = count_in(system, "#initial-states");
    out_.choices = count_in(system, "#choices");
    out_.choice_actions = count_in(system, "#choice-actions", 0);
    out_.branches = count_in(system, "#branches");
    if (count_in(system, "#observations", 0) > 0)
      throw_at(system, "#observations: found some, expected 0: POMDPs are not supported");
    if (count_in(system, "#branch-actions", 0) > 0)
      out_.ignored.emplace_back("actions of branches");
    if (const JsonNode* type = system.find("branch-probability-type"))
      out_.probability = number_type(*type, "branch-probability-type");
    constexpr std::uint64_t kMost = 0xFFFFFFFE;
    if (out_.states == 0) throw_at(system, "#states: found 0, expected one at least");
    if (out_.states > kMost || out_.choices > kMost)
      throw Error(ErrorCode::refused, source_, "more than 4294967294 states or choices");
  }

  UmbType type_of(const JsonNode& node, std::string_view key) const {
    if (!node.is(JsonKind::object)) fail(node, key, "an object with 'type' and 'size'");
    const JsonNode& name = need(node, "type", JsonKind::string);
    if (name.text.ends_with("-interval"))
      throw_at(name,
               std::string(key) + ": found " + in_quotes(name.text) +
                   ", expected numbers: interval MDPs and chains are not solved");
    const auto* found = std::ranges::find(kUmbTypes, name.text);
    if (found == kUmbTypes.end()) fail(name, key, "bool, int, uint, double, rational or string");
    UmbType out{static_cast<Kind>(found - kUmbTypes.begin()), 64};
    if (out.kind == Kind::boolean) out.bits = 1;
    if (out.kind == Kind::rational) out.bits = 128;
    if (const JsonNode* size = node.find("size")) {
      const std::uint64_t bits = count(*size, "size");
      constexpr std::uint64_t kMostBits = std::uint64_t{1} << 16U;
      if (bits == 0 || bits > kMostBits) fail(*size, "size", "from 1 to 65536 bits");
      out.bits = static_cast<std::uint32_t>(bits);
    }
    return out;
  }

  // Of arrays: of whole bytes.
  UmbType number_type(const JsonNode& node, std::string_view key) const {
    const UmbType type = type_of(node, key);
    const bool fits = (type.kind == Kind::real && type.bits == 64) ||
                      (type.kind == Kind::rational && type.bits % 128 == 0) ||
                      ((type.kind == Kind::integer || type.kind == Kind::natural) &&
                       (type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64));
    if (!fits)
      throw_at(node,
               std::string(key) + ": found " + std::string(name_of(type.kind)) + " of " +
                   std::to_string(type.bits) +
                   " bits, expected double (64), rational (a multiple of 128), int or uint (8, 16, "
                   "32 or 64)");
    return type;
  }

  void read_annotations(const JsonNode& groups) {
    if (!groups.is(JsonKind::object)) fail(groups, "annotations", "an object");
    for (std::size_t g = 0; g < groups.keys.size(); ++g) {
      const std::string& group = groups.keys[g];
      const JsonNode& entries = groups.items[g];
      if (!entries.is(JsonKind::object)) fail(entries, group, "an object");
      if (group != "rewards" && group != "aps") {
        out_.ignored.push_back("the annotations " + in_quotes(group));
        continue;
      }
      for (std::size_t i = 0; i < entries.keys.size(); ++i)
        read_annotation(group, entries.keys[i], entries.items[i]);
    }
  }

  void read_annotation(const std::string& group, const std::string& id, const JsonNode& node) {
    const std::string what = group + " " + in_quotes(id);
    if (!node.is(JsonKind::object)) fail(node, what, "an object");
    UmbAnnotation out;
    out.id = id;
    out.name = id;
    if (const JsonNode* alias = node.find("alias"); alias != nullptr && !alias->text.empty())
      out.name = alias->text;
    if (node.find("probability-type") != nullptr)
      throw_at(node, what + ": found 'probability-type', expected none: values must be certain");
    const JsonNode& type = need(node, "type", JsonKind::object);
    const bool is_label = group == "aps";
    out.type = is_label ? type_of(type, what) : number_type(type, what);
    if (is_label && (out.type.kind != Kind::boolean || out.type.bits != 1))
      fail(type, what, "bool of 1 bit");
    const JsonNode* places = node.find("applies-to");
    if (places == nullptr) throw_at(node, what + ": no 'applies-to', expected it here");
    if (places->is(JsonKind::string)) {
      add_place(out, *places, what);
    } else if (places->is(JsonKind::list)) {
      for (const JsonNode& place : places->items) add_place(out, place, what);
    } else {
      fail(*places, what, "a list of places");
    }
    if (is_label && (out.on_choices || out.on_branches))
      out_.ignored.push_back("what " + what + " says of choices and branches");
    (is_label ? out_.labels : out_.rewards).push_back(std::move(out));
  }

  void add_place(UmbAnnotation& out, const JsonNode& place, const std::string& what) const {
    if (place.says("states")) {
      out.on_states = true;
    } else if (place.says("choices")) {
      out.on_choices = true;
    } else if (place.says("branches")) {
      out.on_branches = true;
    } else {
      fail(place, what, "states, choices or branches");
    }
  }

  void read_valuations(const JsonNode& valuations) {
    if (!valuations.is(JsonKind::object)) fail(valuations, "valuations", "an object");
    for (std::size_t i = 0; i < valuations.keys.size(); ++i) {
      if (valuations.keys[i] != "states") {
        out_.ignored.push_back("the valuations of " + valuations.keys[i]);
        continue;
      }
      const JsonNode& classes = need(valuations.items[i], "classes", JsonKind::list);
      for (const JsonNode& each : classes.items) {
        std::vector<UmbField>& fields = out_.state_classes.emplace_back();
        for (const JsonNode& variable : need(each, "variables", JsonKind::list).items)
          fields.push_back(field_of(variable));
      }
    }
  }

  UmbField field_of(const JsonNode& node) const {
    if (!node.is(JsonKind::object)) fail(node, "a variable", "an object");
    UmbField out;
    if (const JsonNode* padding = node.find("padding")) {
      const std::uint64_t bits = count(*padding, "padding");
      if (bits == 0 || bits > 65536) fail(*padding, "padding", "from 1 to 65536 bits");
      out.type = {Kind::natural, static_cast<std::uint32_t>(bits)};
      return out;
    }
    out.name = need(node, "name", JsonKind::string).text;
    if (out.name.empty()) throw_at(node, "a variable has an empty name, expected a name");
    const JsonNode& type = need(node, "type", JsonKind::object);
    out.type = type_of(type, out.name);
    const bool is_whole = out.type.kind == Kind::integer || out.type.kind == Kind::natural;
    const bool fits = out.type.kind == Kind::boolean    ? out.type.bits == 1
                      : is_whole                        ? out.type.bits <= 64
                      : out.type.kind == Kind::rational ? out.type.bits % 2 == 0
                                                        : out.type.bits == 64;
    if (!fits) fail(type, out.name, "another size: bool 1, int and uint up to 64, the others 64");
    if (const JsonNode* optional = node.find("is-optional"))
      out.is_optional = optional->is(JsonKind::boolean) && optional->text == "true";
    if (const JsonNode* offset = node.find("offset"); offset != nullptr && is_whole) {
      const auto value = number_in<std::int64_t>(offset->text);
      if (!value) fail(*offset, "offset", "a whole number");
      out.offset = *value;
    }
    return out;
  }

  const std::string& source_;
  UmbIndex out_;
};

}  // namespace

std::string_view name_of(UmbType::Kind kind) { return kUmbTypes[static_cast<std::size_t>(kind)]; }

UmbIndex read_umb_index(std::string_view text, const std::string& source, WorkWatch& watch) {
  const std::string place = source + ": index.json";
  if (const auto fault = check_text(text))
    throw Error(ErrorCode::bad_model, place + ":" + std::to_string(fault->line), fault->message);
  return UmbIndexReader(source).read(read_json_tree(text, place, watch));
}

}  // namespace quantiplan
