#include "oracles/plain_model.hpp"

#include <numeric>
#include <sstream>

namespace quantiplan::testing {
namespace {

State state(std::size_t i) { return State{static_cast<std::uint32_t>(i)}; }

// "s0", "s2"
std::string names(const std::vector<std::size_t>& states) {
  std::string text;
  for (const std::size_t s : states)
    text.append(text.empty() ? "\"" : ", \"").append(state_name(s)).append("\"");
  return text;
}

}  // namespace

// append: g++ 12 warns falsely of overlap in "s" + std::to_string(i).
std::string state_name(std::size_t i) { return std::string("s").append(std::to_string(i)); }
std::string action_name(std::size_t i) { return std::string("a").append(std::to_string(i)); }

Model build(const PlainModel& plain) {
  ModelBuilder builder;
  builder.name("plain").horizon(plain.horizon).discount(Number(plain.discount));
  builder.initial(state_name(plain.initial));
  for (const std::size_t s : plain.goal) builder.goal(state_name(s));
  builder.rewards_are_costs(plain.cost);
  for (std::size_t i = 0; i < plain.states.size(); ++i) builder.declare_state(state_name(i));
  for (std::size_t i = 0; i < plain.states.size(); ++i) {
    const std::vector<PlainChoice>& choices = plain.states[i].choices;
    for (std::size_t j = 0; j < choices.size(); ++j) {
      builder.begin_choice(state_name(i), action_name(j));
      for (const PlainOutcome& o : choices[j].outcomes)
        builder.add_outcome(state_name(o.next), Number(o.probability), Number(o.reward));
    }
  }
  return builder.build();
}

PlainModel take_apart(const Model& model) {
  PlainModel plain;
  plain.horizon = model.horizon().value();
  plain.discount = model.discount().value_or(Rational(1));
  plain.initial = index(model.initial()->only());
  for (const State s : model.goal()) plain.goal.push_back(index(s));
  plain.cost = model.has_costs();
  plain.states.resize(model.state_count());
  for (std::size_t i = 0; i < model.state_count(); ++i) {
    for (const Choice c : model.choices(state(i))) {
      PlainChoice choice;
      for (const Outcome& o : model.outcomes(c))
        choice.outcomes.push_back({index(o.next), model.probability(o), model.reward(o)});
      plain.states[i].choices.push_back(std::move(choice));
    }
  }
  return plain;
}

Rational reward_unit(const PlainModel& plain) {
  Rational unit = 0;
  for (const PlainState& state : plain.states) {
    for (const PlainChoice& choice : state.choices) {
      for (const PlainOutcome& o : choice.outcomes) {
        // gcd(a/b, c/d) = gcd(ad, cb) / bd
        const Integer b = unit.get_den(), d = o.reward.get_den();
        Rational next(gcd(Integer(unit.get_num() * d), Integer(o.reward.get_num() * b)),
                      Integer(b * d));
        next.canonicalize();
        unit = next;
      }
    }
  }
  return unit == 0 ? Rational(1) : unit;
}

std::string json_text(const PlainModel& plain) {
  std::ostringstream out;
  out << "{\"format\": \"quantiplan-model/1\", \"name\": \"plain\", \"horizon\": "
      << (plain.is_infinite() ? "\"infinite\"" : std::to_string(plain.horizon))
      << ", \"discount\": \"" << plain.discount << "\", \"initial\": \""
      << state_name(plain.initial) << "\",\n";
  if (plain.cost) out << " \"rewards\": \"cost\",\n";
  if (!plain.goal.empty()) out << " \"goal\": [" << names(plain.goal) << "],\n";
  std::vector<std::size_t> all(plain.states.size());
  std::iota(all.begin(), all.end(), 0U);
  out << " \"states\": [" << names(all) << "],\n \"choices\": [";
  const char* separator = "\n";
  for (std::size_t i = 0; i < plain.states.size(); ++i) {
    for (std::size_t j = 0; j < plain.states[i].choices.size(); ++j) {
      out << separator << "  {\"state\": \"" << state_name(i) << "\", \"action\": \""
          << action_name(j) << "\", \"next\": [";
      separator = ",\n";
      const char* between = "";
      for (const PlainOutcome& o : plain.states[i].choices[j].outcomes) {
        out << between << "{\"to\": \"" << state_name(o.next) << "\", \"probability\": \""
            << o.probability << "\", \"reward\": \"" << o.reward << "\"}";
        between = ", ";
      }
      out << "]}";
    }
  }
  out << "]}\n";
  return out.str();
}

}  // namespace quantiplan::testing
