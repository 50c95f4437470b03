// A model as text, so that models can be compared whatever file they come from.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "quantiplan/model.hpp"
#include "tra_texts.hpp"

namespace quantiplan {

// "0 a: 1 0.5 3, 2 0.5 3" for each choice: state and next states by number, outcomes in order of
// next states.
inline std::string choices_text(const Model& model) {
  std::string text;
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{s})) {
      text += std::to_string(s) + " " + std::string(model.action_name(c)) + ":";
      std::vector<Outcome> outcomes(model.outcomes(c).begin(), model.outcomes(c).end());
      std::sort(outcomes.begin(), outcomes.end(), [&](const Outcome& a, const Outcome& b) {
        return a.next != b.next ? a.next < b.next : model.reward(a) < model.reward(b);
      });
      const char* separator = " ";
      for (const Outcome& o : outcomes) {
        text += separator + std::to_string(index(o.next)) + " " + to_text(model.probability(o)) +
                " " + to_text(model.reward(o));
        separator = ", ";
      }
      text += "\n";
    }
  }
  return text;
}

// "init: 0" and "goal: 1 2", in the order of the names.
inline std::string labels_text(const Model& model) {
  std::string text = "init:";
  if (model.initial() && model.initial()->is_certain())
    text += " " + std::to_string(index(model.initial()->only()));
  std::vector<StateLabel> labels = model.labels();
  std::sort(labels.begin(), labels.end(), [](const StateLabel& a, const StateLabel& b) {
    return a.name < b.name;
  });
  for (const StateLabel& label : labels) {
    text += "\n" + label.name + ":";
    for (const State s : label.states) text += " " + std::to_string(index(s));
  }
  return text + "\n";
}

inline std::string names_text(const Model& model) {
  std::string text;
  for (std::uint32_t s = 0; s < model.state_count(); ++s)
    text += std::string(model.state_name(State{s})) + "\n";
  return text;
}

// What a .tra and its files make of a model, without the disk.
inline Model through_tra(const Model& model) {
  std::vector<std::string> lost;
  return read_tra_texts(format_tra_model(model, lost));
}

}  // namespace quantiplan
