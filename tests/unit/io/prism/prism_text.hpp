// Programs in the PRISM language read to models, for tests: what comes out, or what is wrong.
#pragma once

#include <string>
#include <vector>

#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan::prism {

inline ReadModel read(const std::string& text, const ReadOptions& options = {}) {
  return parse_model(text, Format::prism, "p.prism", options);
}

inline std::string problem(const std::string& text, const ReadOptions& options = {}) {
  return thrown(ErrorCode::bad_model, [&] { read(text, options); });
}

// What was asked of the program makes no sense: --const, --reward.
inline std::string bad_request(const std::string& text, const ReadOptions& options) {
  return thrown(ErrorCode::bad_request, [&] { read(text, options); });
}

inline ReadOptions with_constants(std::vector<Definition> constants) {
  ReadOptions options;
  options.constants = std::move(constants);
  return options;
}

inline ReadOptions with_reward(std::string name) {
  ReadOptions options;
  options.reward = std::move(name);
  return options;
}

// "(x=0) (x=1)", in the order of the model.
inline std::string states(const Model& model) {
  std::string text;
  for (std::uint32_t s = 0; s < model.state_count(); ++s)
    text += (s == 0 ? "" : " ") + std::string(model.state_name(State{s}));
  return text;
}
inline std::string states(const std::string& text) { return states(read(text).model); }

// "a: 1/2 (x=1) +3, 1/2 (x=0)" of each choice of a state, with " | " between them; a reward of 0 is
// left out.
inline std::string choices(const Model& model, const std::string& state) {
  const auto s = model.find_state(state);
  if (!s) return "no state " + state;
  std::string text;
  for (const Choice c : model.choices(*s)) {
    text += (text.empty() ? "" : " | ") + std::string(model.action_name(c)) + ":";
    const char* separator = " ";
    for (const Outcome& o : model.outcomes(c)) {
      text += separator + quantiplan::to_text(model.probability(o)) + " ";
      text += model.state_name(o.next);
      if (model.reward(o) != 0) text += " +" + quantiplan::to_text(model.reward(o));
      separator = ", ";
    }
  }
  return text;
}
inline std::string choices(const std::string& text, const std::string& state) {
  return choices(read(text).model, state);
}

// One line a notice.
inline std::string notices(const std::string& text, const ReadOptions& options = {}) {
  std::string all;
  for (const std::string& notice : read(text, options).notices) all += notice + "\n";
  return all;
}

}  // namespace quantiplan::prism
