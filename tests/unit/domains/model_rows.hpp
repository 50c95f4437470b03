// What the tests of the domains look at: the outcomes of a choice, by the names of the states.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/error.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

struct NamedOutcome {
  std::string next;
  Rational probability;
  Rational reward;
  friend bool operator==(const NamedOutcome&, const NamedOutcome&) = default;
  friend std::ostream& operator<<(std::ostream& out, const NamedOutcome& o) {
    return out << "{" << o.next << ", " << o.probability << ", " << o.reward << "}";
  }
};

using Rows = std::vector<NamedOutcome>;
using Names = std::vector<std::string>;

inline Rows outcomes_of(const Model& model, std::string_view state, std::string_view action) {
  Rows list;
  const Choice choice = model.find_choice(model.find_state(state).value(), action).value();
  for (const Outcome& o : model.outcomes(choice)) {
    list.push_back({std::string(model.state_name(o.next)), model.probability(o), model.reward(o)});
  }
  return list;
}

inline Names actions_of(const Model& model, std::string_view state) {
  Names names;
  for (const Choice c : model.choices(model.find_state(state).value())) {
    names.emplace_back(model.action_name(c));
  }
  return names;
}

inline void expect_probabilities_sum_to_one(const Model& model) {
  for (std::uint32_t c = 0; c < model.choice_count(); ++c) {
    Rational sum = 0;
    for (const Outcome& o : model.outcomes(Choice{c})) {
      EXPECT_GT(model.probability(o), 0);
      sum += model.probability(o);
    }
    EXPECT_EQ(sum, 1);
  }
}

// "place: message" of each problem; empty if the call does not throw.
inline std::vector<std::string> problems_of(const std::function<void()>& call) {
  std::vector<std::string> list;
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_request);
    for (const Problem& p : error.problems()) list.push_back(p.place + ": " + p.message);
  }
  return list;
}

}  // namespace quantiplan
