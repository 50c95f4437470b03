#include "io/json/json_wealth_writer.hpp"

#include <optional>

#include "io/json/wealth_draft.hpp"
#include "io/text/json_text.hpp"

namespace quantiplan {
namespace {

void append_names(std::string& out, const std::vector<std::string>& names) {
  append_json_items(
      out, "[", names, "]", [&](const std::string& name) { append_json_string(out, name); });
}

void append_key(std::string& out, const char* key, const char* separator = ", ") {
  out.append(separator).append("\"").append(key).append("\": ");
}

void append_components(std::string& out, const Wealth& wealth) {
  append_key(out, "components");
  append_json_items(out, "[", wealth.components, "]", [&](const WealthComponent& component) {
    if (component.less_is_better) out += "{\"name\": ";
    append_json_string(out, component.name);
    if (component.less_is_better) out += ", \"better\": \"less\"}";
  });
}

void append_weights(std::string& out, const Wealth& wealth) {
  append_key(out, "weights");
  std::size_t i = 0;
  append_json_items(out, "{", wealth.labels, "}", [&](const std::string& label) {
    append_json_string(out, label);
    out += ": ";
    append_json_number(out, wealth.weights[i++]);
  });
}

constexpr const char* kNewLine = ",\n    ";

// Where most labels of a node lead, the first such node; nullopt if no two lead to the same.
std::optional<std::uint32_t> usual_next(const std::uint32_t* next,
                                        std::size_t labels,
                                        std::vector<std::uint32_t>& counts) {
  std::optional<std::uint32_t> best;
  for (std::size_t l = 0; l < labels; ++l) ++counts[next[l]];
  for (std::size_t l = 0; l < labels; ++l) {
    const std::uint32_t node = next[l];
    if (counts[node] < 2) continue;
    const bool is_better =
        !best || counts[node] > counts[*best] || (counts[node] == counts[*best] && node < *best);
    if (is_better) best = node;
  }
  for (std::size_t l = 0; l < labels; ++l) counts[next[l]] = 0;
  return best;
}

// Where a label leads, by name.
struct LabelStep {
  std::string_view label;
  std::string_view to;
};

// Calls visit(node, steps) with what has to be said of each node.
template <typename Visit>
void for_each_row(const Wealth& wealth, const Visit& visit) {
  const std::size_t labels = wealth.labels.size();
  std::vector<std::uint32_t> counts(wealth.nodes.size(), 0);
  std::vector<LabelStep> row;
  for (std::size_t n = 0; n < wealth.nodes.size(); ++n) {
    const std::uint32_t* next = wealth.next.data() + n * labels;
    const auto usual = usual_next(next, labels, counts);
    row.clear();
    for (std::size_t l = 0; l < labels; ++l) {
      if (next[l] != usual) row.push_back({wealth.labels[l], wealth.nodes[next[l]]});
    }
    if (usual) row.push_back({kEveryOtherLabel, wealth.nodes[*usual]});
    visit(wealth.nodes[n], row);
  }
}

void append_transitions(std::string& out, const Wealth& wealth) {
  append_key(out, "transitions", kNewLine);
  const char* separator = "[\n      ";
  for_each_row(wealth, [&](const std::string& from, const std::vector<LabelStep>& row) {
    for (const LabelStep& step : row) {
      out.append(separator).append("{\"from\": ");
      append_json_string(out, from);
      out += ", \"label\": ";
      append_json_string(out, step.label);
      out += ", \"to\": ";
      append_json_string(out, step.to);
      out += "}";
      separator = ",\n      ";
    }
  });
  out += "]";
}

void append_table(std::string& out, const Wealth& wealth) {
  append_key(out, "table", kNewLine);
  const char* separator = "{\n      ";
  for_each_row(wealth, [&](const std::string& from, const std::vector<LabelStep>& row) {
    out += separator;
    append_json_string(out, from);
    append_json_items(out, ": {", row, "}", [&](const LabelStep& step) {
      append_json_string(out, step.label);
      out += ": ";
      append_json_string(out, step.to);
    });
    separator = ",\n      ";
  });
  out += "}";
}

void append_classes(std::string& out, const Wealth& wealth) {
  append_key(out, "classes", kNewLine);
  std::vector<std::vector<std::string>> states(wealth.classes.size());
  for (std::size_t n = 0; n < wealth.nodes.size(); ++n)
    states[wealth.class_of[n]].push_back(wealth.nodes[n]);
  std::size_t c = 0;
  const auto append = [&](const std::string& name) {
    out += "{\"name\": ";
    append_json_string(out, name);
    out += ", \"states\": ";
    append_names(out, states[c++]);
    out += "}";
  };
  append_json_items(out, "[\n      ", wealth.classes, "]", append, ",\n      ");
}

void append_automaton(std::string& out, const Wealth& wealth) {
  const bool is_table = wealth.kind == WealthKind::table;
  append_key(out, is_table ? "classes" : "states", kNewLine);
  append_names(out, wealth.nodes);
  append_key(out, "start", kNewLine);
  append_json_string(out, wealth.nodes[wealth.start]);
  append_key(out, "labels", kNewLine);
  append_names(out, wealth.labels);
  if (is_table) {
    append_table(out, wealth);
  } else {
    append_transitions(out, wealth);
    append_classes(out, wealth);
  }
}

}  // namespace

void append_json_vector(std::string& out, const std::vector<Rational>& numbers) {
  append_json_items(
      out, "[", numbers, "]", [&](const Rational& number) { append_json_number(out, number); });
}

void append_json_wealth(std::string& out, const Wealth& wealth) {
  out += ",\n  \"wealth\": ";
  if (wealth.has_numbers()) {
    append_json_string(out, to_text(wealth.kind));
    return;
  }
  out += "{\"kind\": ";
  append_json_string(out, to_text(wealth.kind));
  switch (wealth.kind) {
    case WealthKind::lexicographic:
      append_components(out, wealth);
      break;
    case WealthKind::counts:
      append_key(out, "labels");
      append_names(out, wealth.labels);
      if (wealth.best_first) {
        append_key(out, "first");
        append_json_string(out, "best");
      }
      break;
    case WealthKind::weighted_counts:
      append_weights(out, wealth);
      break;
    default:
      append_automaton(out, wealth);
  }
  out += "}";
}

}  // namespace quantiplan
