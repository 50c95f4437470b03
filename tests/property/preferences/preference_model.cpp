#include "preferences/preference_model.hpp"

#include <sstream>
#include <string_view>
#include <vector>

namespace quantiplan::testing {
namespace {

std::string in_quotes(std::string_view text) {
  return std::string("\"").append(text).append("\"");  // no name of these tests needs an escape
}
std::string in_quotes(const Rational& value) { return in_quotes(value.get_str()); }

template <class List, class Show>
std::string listed(const List& list, Show show) {
  std::string text;
  for (const auto& item : list) text.append(text.empty() ? "[" : ", ").append(show(item));
  return text.empty() ? "[]" : text.append("]");
}
std::string name_list(const std::vector<std::string>& names) {
  return listed(names, [](const std::string& name) { return in_quotes(name); });
}

std::string components_text(const Wealth& wealth) {
  return "\"components\": " + listed(wealth.components, [](const WealthComponent& c) {
           return "{\"name\": " + in_quotes(c.name) +
                  ", \"better\": " + in_quotes(c.less_is_better ? "less" : "more") + "}";
         });
}

std::string weights_text(const Wealth& wealth) {
  std::string text;
  for (std::size_t i = 0; i < wealth.labels.size(); ++i)
    text.append(i == 0 ? "" : ", ")
        .append(in_quotes(wealth.labels[i]))
        .append(": ")
        .append(in_quotes(wealth.weights[i]));
  return "\"weights\": {" + text + "}";
}

std::string automaton_text(const Wealth& wealth) {
  const std::size_t n = wealth.labels.size();
  std::string moves, classes;
  for (std::size_t i = 0; i < wealth.next.size(); ++i)
    moves.append(i == 0 ? "" : ", ")
        .append("{\"from\": " + in_quotes(wealth.nodes[i / n]))
        .append(", \"label\": " + in_quotes(wealth.labels[i % n]))
        .append(", \"to\": " + in_quotes(wealth.nodes[wealth.next[i]]) + "}");
  for (std::size_t k = 0; k < wealth.classes.size(); ++k) {
    std::vector<std::string> members;
    for (std::size_t i = 0; i < wealth.nodes.size(); ++i)
      if (wealth.class_of[i] == k) members.push_back(wealth.nodes[i]);
    classes.append(k == 0 ? "" : ", ")
        .append("{\"name\": " + in_quotes(wealth.classes[k]))
        .append(", \"states\": " + name_list(members) + "}");
  }
  return "\"states\": " + name_list(wealth.nodes) +
         ", \"start\": " + in_quotes(wealth.nodes[wealth.start]) +
         ", \"labels\": " + name_list(wealth.labels) + ", \"transitions\": [" + moves +
         "], \"classes\": [" + classes + "]";
}

std::string table_text(const Wealth& wealth) {
  const std::size_t n = wealth.labels.size();
  std::string rows;
  for (std::size_t i = 0; i < wealth.nodes.size(); ++i) {
    std::string row;
    for (std::size_t l = 0; l < n; ++l)
      row.append(l == 0 ? "" : ", ")
          .append(in_quotes(wealth.labels[l]) + ": ")
          .append(in_quotes(wealth.nodes[wealth.next[i * n + l]]));
    rows.append(i == 0 ? "" : ", ").append(in_quotes(wealth.nodes[i]) + ": {" + row + "}");
  }
  return "\"classes\": " + name_list(wealth.classes) +
         ", \"start\": " + in_quotes(wealth.nodes[wealth.start]) +
         ", \"labels\": " + name_list(wealth.labels) + ", \"table\": {" + rows + "}";
}

std::string wealth_text(const Wealth& wealth) {
  switch (wealth.kind) {
    case WealthKind::sum:
      return in_quotes("sum");
    case WealthKind::max:
      return in_quotes("max");
    case WealthKind::min:
      return in_quotes("min");
    case WealthKind::product:
      return in_quotes("product");
    case WealthKind::lexicographic:
      return "{\"kind\": \"lexicographic\", " + components_text(wealth) + "}";
    case WealthKind::counts:
      return "{\"kind\": \"counts\", \"labels\": " + name_list(wealth.labels) +
             ", \"first\": " + in_quotes(wealth.best_first ? "best" : "worst") + "}";
    case WealthKind::weighted_counts:
      return "{\"kind\": \"weighted counts\", " + weights_text(wealth) + "}";
    case WealthKind::automaton:
      return "{\"kind\": \"automaton\", " + automaton_text(wealth) + "}";
    case WealthKind::table:
      return "{\"kind\": \"table\", " + table_text(wealth) + "}";
  }
  return {};
}

// ", \"reward\": ...", or nothing where an outcome has no label.
std::string reward_text(const Wealth& wealth, const Rational& reward) {
  if (wealth.has_numbers()) return ", \"reward\": " + in_quotes(reward);
  if (reward < 0) return {};
  const std::size_t at = reward.get_num().get_ui();
  if (wealth.has_labels()) return ", \"reward\": " + in_quotes(wealth.labels[at]);
  return ", \"reward\": " +
         listed(wealth.vectors[at], [](const Rational& value) { return in_quotes(value); });
}

Number number_of(ModelBuilder& builder, const Wealth& wealth, const Rational& reward) {
  if (wealth.has_numbers() || reward < 0) return {reward};
  const std::size_t at = reward.get_num().get_ui();
  return wealth.has_vectors() ? builder.reward(wealth.vectors[at]).value()
                              : builder.reward(wealth.labels[at]).value();
}

}  // namespace

bool makes_sense(const PreferenceModel& preference) {
  const Wealth& wealth = preference.wealth;
  const std::size_t count = wealth.has_vectors() ? wealth.vectors.size() : wealth.labels.size();
  for (const PlainState& state : preference.plain.states)
    for (const PlainChoice& choice : state.choices)
      for (const PlainOutcome& o : choice.outcomes) {
        if (wealth.kind == WealthKind::product && o.reward <= 0) return false;
        if (wealth.has_numbers()) continue;
        if (o.reward.get_den() != 1 || o.reward >= Rational(count)) return false;
        if (o.reward < (wealth.has_labels() ? -1 : 0)) return false;
      }
  return true;
}

Model build(const PreferenceModel& preference) {
  const PlainModel& plain = preference.plain;
  Wealth declared = preference.wealth;
  declared.vectors.clear();  // the builder collects those that occur
  ModelBuilder builder;
  builder.name("preference").horizon(plain.horizon).initial(state_name(plain.initial));
  builder.wealth(std::move(declared));
  for (std::size_t i = 0; i < plain.states.size(); ++i) builder.declare_state(state_name(i));
  for (std::size_t i = 0; i < plain.states.size(); ++i) {
    const std::vector<PlainChoice>& choices = plain.states[i].choices;
    for (std::size_t j = 0; j < choices.size(); ++j) {
      builder.begin_choice(state_name(i), action_name(j));
      for (const PlainOutcome& o : choices[j].outcomes)
        builder.add_outcome(state_name(o.next),
                            Number(o.probability),
                            number_of(builder, preference.wealth, o.reward));
    }
  }
  return builder.build();
}

PreferenceModel take_preference_apart(const Model& model) {
  return {take_apart(model), model.wealth()};
}

std::string json_text(const PreferenceModel& preference) {
  const PlainModel& plain = preference.plain;
  std::ostringstream out;
  out << "{\"format\": \"quantiplan-model/1\", \"name\": \"preference\", \"horizon\": "
      << (plain.is_infinite() ? "\"infinite\"" : std::to_string(plain.horizon))
      << ", \"initial\": " << in_quotes(state_name(plain.initial))
      << ",\n \"wealth\": " << wealth_text(preference.wealth) << ",\n \"states\": [";
  for (std::size_t i = 0; i < plain.states.size(); ++i)
    out << (i == 0 ? "" : ", ") << in_quotes(state_name(i));
  out << "],\n \"choices\": [";
  const char* separator = "\n";
  for (std::size_t i = 0; i < plain.states.size(); ++i) {
    for (std::size_t j = 0; j < plain.states[i].choices.size(); ++j) {
      out << separator << "  {\"state\": " << in_quotes(state_name(i))
          << ", \"action\": " << in_quotes(action_name(j)) << ", \"next\": "
          << listed(plain.states[i].choices[j].outcomes,
                    [&](const PlainOutcome& o) {
                      return "{\"to\": " + in_quotes(state_name(o.next)) +
                             ", \"probability\": " + in_quotes(o.probability) +
                             reward_text(preference.wealth, o.reward) + "}";
                    })
          << "}";
      separator = ",\n";
    }
  }
  out << "]}\n";
  return out.str();
}

}  // namespace quantiplan::testing
