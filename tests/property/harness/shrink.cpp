#include "harness/shrink.hpp"

#include <utility>

namespace quantiplan::testing {
namespace {

std::size_t digits(const Rational& value) { return value.get_str().size() + (value == 0 ? 0 : 1); }

void drop_state(PlainModel& model, std::size_t dropped, std::size_t instead) {
  const auto moved = [&](std::size_t s) {
    if (s == dropped) s = instead;
    return s > dropped ? s - 1 : s;
  };
  model.states.erase(model.states.begin() + static_cast<std::ptrdiff_t>(dropped));
  model.initial = moved(model.initial);
  std::erase(model.goal, dropped);
  for (std::size_t& s : model.goal) s = moved(s);
  for (PlainState& state : model.states)
    for (PlainChoice& choice : state.choices)
      for (PlainOutcome& o : choice.outcomes) o.next = moved(o.next);
}

void drop_outcome(PlainChoice& choice, std::size_t dropped) {
  const Rational rest = 1 - choice.outcomes[dropped].probability;
  choice.outcomes.erase(choice.outcomes.begin() + static_cast<std::ptrdiff_t>(dropped));
  for (PlainOutcome& o : choice.outcomes) o.probability /= rest;
}

// The same wealth without costs.
void tell_as_rewards(PlainModel& model) {
  model.cost = false;
  for (PlainState& state : model.states)
    for (PlainChoice& choice : state.choices)
      for (PlainOutcome& o : choice.outcomes) o.reward = -o.reward;
}

class Simplifier {
 public:
  explicit Simplifier(const PlainModel& model) : model_(model) {}

  std::vector<PlainModel> run() {
    if (model_.horizon > 1 && !model_.is_infinite()) {
      variant().horizon /= 2;
      variant().horizon -= 1;
    }
    variant().discount = 1;
    for (std::size_t i = 0; i < model_.goal.size(); ++i) {
      std::vector<std::size_t>& fewer = variant().goal;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (model_.cost) tell_as_rewards(variant());
    if (model_.states.size() > 1) {
      for (std::size_t s = 0; s < model_.states.size(); ++s)
        for (std::size_t other = 0; other < model_.states.size(); ++other)
          if (other != s) drop_state(variant(), s, other);
    }
    for (std::size_t s = 0; s < model_.states.size(); ++s) simplify_state(s);
    return std::move(found_);
  }

 private:
  PlainModel& variant() { return found_.emplace_back(model_); }

  void simplify_state(std::size_t s) {
    const std::vector<PlainChoice>& choices = model_.states[s].choices;
    if (choices.empty()) return;
    variant().states[s].choices.clear();
    for (std::size_t c = 0; c < choices.size(); ++c) {
      std::vector<PlainChoice>& fewer = variant().states[s].choices;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(c));
      simplify_choice(s, c);
    }
  }

  void simplify_choice(std::size_t s, std::size_t c) {
    const std::vector<PlainOutcome>& outcomes = model_.states[s].choices[c].outcomes;
    const auto choice = [&]() -> PlainChoice& { return variant().states[s].choices[c]; };
    for (std::size_t i = 0; i < outcomes.size() && outcomes.size() > 1; ++i)
      drop_outcome(choice(), i);
    for (PlainOutcome& o : choice().outcomes)
      o.probability = Rational(1, static_cast<unsigned long>(outcomes.size()));
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const Rational& reward = outcomes[i].reward;
      choice().outcomes[i].reward = 0;
      choice().outcomes[i].reward = 1;
      choice().outcomes[i].reward = abs(reward);
      choice().outcomes[i].reward = Rational(reward.get_num() / reward.get_den());
      choice().outcomes[i].reward = Rational(reward.get_num() / (reward.get_den() * 2));
    }
  }

  const PlainModel& model_;
  std::vector<PlainModel> found_;
};

}  // namespace

std::size_t weight(const PlainModel& model) {
  std::size_t sum = model.states.size() * 300 + digits(model.discount);
  sum += model.is_infinite() ? 0 : model.horizon * 500;
  sum += model.goal.size() * 100 + (model.cost ? 1000 : 0);
  for (const PlainState& state : model.states) {
    for (const PlainChoice& choice : state.choices) {
      sum += 200;
      for (const PlainOutcome& o : choice.outcomes)
        sum += 50 + digits(o.probability) + digits(o.reward);
    }
  }
  return sum;
}

std::vector<PlainModel> simpler(const PlainModel& model) {
  std::vector<PlainModel> all = Simplifier(model).run();
  std::erase_if(all, [&](const PlainModel& m) { return weight(m) >= weight(model); });
  return all;
}

PlainModel shrink(PlainModel model, const Fails& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (PlainModel& candidate : simpler(model)) {
      if (!fails(candidate)) continue;
      model = std::move(candidate);
      smaller = true;
      break;
    }
  }
  return model;
}

}  // namespace quantiplan::testing
