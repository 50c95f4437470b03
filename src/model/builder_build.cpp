// Steps 2 and 3: check the whole, sort by state, fill the flat arrays.
#include <algorithm>
#include <numeric>
#include <set>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "model/builder_parts.hpp"
#include "model/setting_range.hpp"
#include "model/shown.hpp"

namespace quantiplan {

void ModelBuilder::Parts::ask_for_the_model() {
  if (watch == nullptr) return;
  // An outcome is copied to where it stays; a choice has its place in the order, its action and its
  // end; a state its position, its first choice, and while names are sorted a key with a position.
  constexpr std::uint64_t kChoice = 4 + 4 + 8;
  constexpr std::uint64_t kState = 4 + 4 + 16 + 4;
  watch->ask(outcomes.size() * sizeof(Outcome) + choices.size() * kChoice + states.size() * kState);
}

void ModelBuilder::Parts::check_states() {
  if (!states_declared) return;
  if (declared.empty()) {
    add_problem(0, "the list of states is empty, must name every state");
    return;
  }
  for (std::uint32_t id = 0; id < states.size() && !more_problems; ++id) {
    if (is_declared[id] || states[id].empty()) continue;  // an empty name is known to be wrong
    NearestName nearest(states[id]);
    for (const std::uint32_t known : declared) nearest.offer(states[known]);
    const FirstUse& use = first_use[id];
    add_problem(use.line,
                where(choices[use.choice]) + "unknown state " + in_quotes(states[id]) +
                    ", must be one of the declared states" + nearest.suggestion());
  }
}

void ModelBuilder::Parts::require_state(std::string_view text,
                                        const char* what,
                                        std::uint64_t line) {
  // Where the reader had to skip something, that may be what named the state.
  if (reader_found_problems && !states_declared) return;
  const auto found = states.find(text);
  if (found && (!states_declared || is_declared[*found])) return;
  NearestName nearest(text);
  for (std::uint32_t id = 0; id < states.size(); ++id) {
    if (!states_declared || is_declared[id]) nearest.offer(states[id]);
  }
  add_problem(line,
              std::string(what) + ": unknown state " + in_quotes(text) +
                  ", must be a state of the model" + nearest.suggestion());
}

void ModelBuilder::Parts::check_initial() {
  std::set<std::string_view> seen;
  Rational sum = 0;
  for (const InitialDraft& draft : initial) {
    if (more_problems) return;
    const auto& [text, line] = draft.state;
    require_state(text, "initial", line);
    if (!seen.insert(text).second)
      add_problem(line, "initial: state " + in_quotes(text) + " is given twice, must be once");
    if (draft.probability < 0)
      add_problem(line,
                  "initial: the probability of state " + in_quotes(text) + " is " +
                      shown(draft.probability) + ", must be from 0 to 1");
    sum += draft.probability;
  }
  if (initial.empty() || reader_found_problems) return;
  if (sum != 1 && abs(sum - 1) <= tolerance && problems.empty()) {
    for (InitialDraft& draft : initial) draft.probability /= sum;
    initial_sum = sum;
    return;
  }
  if (const std::string wrong = wrong_initial_sum(sum); !wrong.empty())
    add_problem(initial.front().state.line, "initial: " + wrong);
}

void ModelBuilder::Parts::check_possible_initial() {
  std::set<std::string_view> seen;
  for (const NamedState& state : possible_initial) {
    if (more_problems) return;
    require_state(state.name, "initial", state.line);
    if (!seen.insert(state.name).second)
      add_problem(state.line,
                  "initial: state " + in_quotes(state.name) + " is given twice, must be once");
  }
}

void ModelBuilder::Parts::check_goal() {
  std::set<std::string_view> seen;
  for (const NamedState& state : goal) {
    if (more_problems) return;
    require_state(state.name, "goal", state.line);
    if (!seen.insert(state.name).second)
      add_problem(state.line,
                  "goal: state " + in_quotes(state.name) + " is given twice, must be once");
  }
}

void ModelBuilder::Parts::check_repeated_actions(const std::vector<std::uint32_t>& order) {
  // By action: the last choice that used it, and so the last state.
  std::vector<std::uint32_t> last(actions.size(), IdSlots::kNone);
  for_each_choice(order, [&](std::uint32_t c) {
    const ChoiceRecord& choice = choices[c];
    std::uint32_t& previous = last[choice.action];
    if (previous == IdSlots::kNone || choices[previous].state != choice.state) {
      previous = c;
      return;
    }
    const std::uint64_t first_line = line_of(choices[previous]);
    add_problem(line_of(choice),
                where(choice) + "given twice" +
                    (first_line == 0 ? "" : ", first on line " + std::to_string(first_line)) +
                    "; actions of one state must have different names");
  });
}

// Where each state id goes: as declared, or as met. Undeclared ones (an error) go behind.
std::vector<std::uint32_t> ModelBuilder::Parts::state_positions() const {
  std::vector<std::uint32_t> positions(states.size());
  std::uint32_t next = 0;
  for (const std::uint32_t id : declared) positions[id] = next++;
  for (std::uint32_t id = 0; id < positions.size(); ++id) {
    if (!is_declared[id]) positions[id] = next++;
  }
  return positions;
}

std::vector<std::uint32_t> ModelBuilder::Parts::choices_by_state(
    const std::vector<std::uint32_t>& positions) const {
  const auto position = [&](const ChoiceRecord& c) { return positions[c.state]; };
  if (std::ranges::is_sorted(choices, {}, position)) return {};
  std::vector<std::uint32_t> begin(positions.size() + 1, 0);
  for (const ChoiceRecord& c : choices) ++begin[positions[c.state] + std::size_t{1}];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> order(choices.size());
  for (std::uint32_t c = 0; c < choices.size(); ++c)
    order[begin[positions[choices[c].state]]++] = c;
  return order;
}

NameTable ModelBuilder::Parts::take_state_names(const std::vector<std::uint32_t>& positions) {
  if (std::is_sorted(positions.begin(), positions.end())) return states.take();
  NameInterner sorted;
  for (const std::uint32_t id : declared) sorted.intern(states[id]);
  return sorted.take();
}

void ModelBuilder::Parts::fill_outcomes(Model::Body& body,
                                        const std::vector<std::uint32_t>& order) {
  const auto begin_of = [this](std::uint32_t c) { return c == 0 ? 0 : choices[c - 1].outcome_end; };
  body.outcome_begin.reserve(choices.size() + 1);
  for_each_choice(order, [&](std::uint32_t c) {
    const std::uint64_t count = choices[c].outcome_end - begin_of(c);
    body.outcome_begin.push_back(body.outcome_begin.back() + count);
    body.most_outcomes = std::max<std::size_t>(body.most_outcomes, count);
  });
  fill_rewards(body, order);
  if (order.empty()) {
    // Room to grow beyond 32 MiB was never touched, and is no memory: glibc maps such blocks alone.
    constexpr std::size_t kMapped = std::size_t{32} << 20U;
    if (outcomes.capacity() * sizeof(Outcome) < kMapped) outcomes.shrink_to_fit();
    body.outcomes = std::move(outcomes);
    return;
  }
  body.outcomes.reserve(outcomes.size());
  for (const std::uint32_t c : order) {
    const auto from = outcomes.begin() + static_cast<std::ptrdiff_t>(begin_of(c));
    const auto to = outcomes.begin() + static_cast<std::ptrdiff_t>(choices[c].outcome_end);
    body.outcomes.insert(body.outcomes.end(), from, to);
  }
}

void ModelBuilder::Parts::fill_rewards(Model::Body& body, const std::vector<std::uint32_t>& order) {
  body.reward_names = std::move(reward_names);
  body.chosen_reward = chosen_reward;
  if (order.empty()) {
    body.other_rewards = std::move(other_rewards);
    return;
  }
  body.other_rewards.reserve(other_rewards.size());
  for (const std::uint32_t c : order) {
    const std::uint64_t from = c == 0 ? 0 : choices[c - 1].outcome_end;
    for (std::uint64_t i = from * other_count; i < choices[c].outcome_end * other_count; ++i)
      body.other_rewards.push_back(other_rewards[i]);
  }
}

void ModelBuilder::Parts::fill(Model::Body& body,
                               const std::vector<std::uint32_t>& positions,
                               const std::vector<std::uint32_t>& order) {
  body.name = std::move(name);
  body.horizon = horizon;
  body.discount = std::move(discount);
  std::vector<InitialStates::Drawn> drawn;
  for (const InitialDraft& draft : initial)
    drawn.push_back({State{positions[*states.find(draft.state.name)]}, draft.probability});
  if (!drawn.empty()) body.initial = InitialStates(std::move(drawn));
  for (const NamedState& state : possible_initial)
    body.possible_initial.push_back(State{positions[*states.find(state.name)]});
  std::ranges::sort(body.possible_initial);
  if (body.possible_initial.size() == 1) {
    body.initial = InitialStates(body.possible_initial.front());
    body.possible_initial.clear();
  }
  body.is_chain = is_chain;
  for (const NamedState& state : goal)
    body.goal.push_back(State{positions[*states.find(state.name)]});
  std::ranges::sort(body.goal);
  fill_labels(body, positions);
  body.has_costs = has_costs;
  body.wealth = std::move(wealth);
  if (!std::is_sorted(positions.begin(), positions.end())) {
    for (Outcome& o : outcomes) o.next = State{positions[index(o.next)]};
  }
  fill_outcomes(body, order);
  body.choice_begin.assign(states.size() + 1, 0);
  body.action_of_choice.reserve(choices.size());
  for_each_choice(order, [&](std::uint32_t c) {
    ++body.choice_begin[positions[choices[c].state] + std::size_t{1}];
    body.action_of_choice.push_back(choices[c].action);
  });
  std::partial_sum(body.choice_begin.begin(), body.choice_begin.end(), body.choice_begin.begin());
  body.state_names = take_state_names(positions);
  body.action_names = actions.take();
  body.numbers = numbers.take();
}

}  // namespace quantiplan
