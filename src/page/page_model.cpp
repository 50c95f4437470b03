#include "page/page_model.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "page/page_json.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

constexpr std::uint64_t kSampledEpisodes = 400;
constexpr std::uint64_t kSampleSeed = 1;
// Steps to be kept while visits are counted.
constexpr std::uint64_t kMostSampledSteps = 2'000'000;

std::vector<State> found_breadth_first(const Model& model, const ResolvedSetting& setting) {
  std::vector<State> found = setting.initial.states();
  std::vector<bool> seen(model.state_count());
  for (const State s : found) seen[index(s)] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (setting.is_goal(found[i])) continue;
    for (const Choice c : model.choices(found[i])) {
      for (const Outcome& o : model.outcomes(c)) {
        if (seen[index(o.next)]) continue;
        seen[index(o.next)] = true;
        found.push_back(o.next);
      }
    }
  }
  return found;
}

// The share of episodes that come to a state, by state; empty if there is no telling.
std::vector<double> shares_met(const Model& model, const Policy& policy, const Options& options) {
  std::uint64_t episodes = kSampledEpisodes;
  if (policy.setting.horizon != kInfiniteHorizon)
    episodes = std::clamp<std::uint64_t>(
        kMostSampledSteps / std::max<std::uint64_t>(1, policy.setting.horizon), 1, episodes);
  std::vector<double> met(model.state_count());
  std::vector<std::uint64_t> last(model.state_count());
  std::uint64_t number = 0;
  for (const Episode& episode :
       simulate(model, policy, {episodes, kSampleSeed, KeepEpisodes::steps}, options)) {
    ++number;
    const auto visit = [&](State s) {
      if (std::exchange(last[index(s)], number) != number) met[index(s)] += 1;
    };
    for (const Step& step : episode.steps) {
      visit(step.state);
      visit(step.next);
    }
  }
  for (double& share : met) share /= static_cast<double>(std::max<std::uint64_t>(1, number));
  return met;
}

// Numbers that occur, each once: [nearest, exact text].
class UsedNumbers {
 public:
  std::size_t position(NumberId id) {
    const auto [at, is_new] = positions_.try_emplace(index(id), order_.size());
    if (is_new) order_.push_back(id);
    return at->second;
  }
  // By NumberId.
  [[nodiscard]] std::vector<std::size_t> positions(const NumberTable& numbers) const {
    std::vector<std::size_t> out(numbers.size(), kNotShown);
    for (const auto& [id, position] : positions_) out[id] = position;
    return out;
  }
  void write(const NumberTable& numbers, PageJson& json) const {
    json.begin_list();
    for (const NumberId id : order_) json.text(to_text(numbers.rational(id)));
    json.end_list();
  }

 private:
  std::map<std::size_t, std::size_t> positions_;
  std::vector<NumberId> order_;
};

}  // namespace

std::vector<MetState> states_by_visits(const Model& model,
                                       const ResolvedSetting& setting,
                                       const Policy* policy,
                                       const Options& options) {
  std::vector<double> met(model.state_count());
  if (policy != nullptr) {
    try {
      met = shares_met(model, *policy, options);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused) throw;
    }
  }
  std::vector<MetState> states;
  for (const State s : found_breadth_first(model, setting)) states.push_back({s, met[index(s)]});
  const auto rest = states.begin() + static_cast<std::ptrdiff_t>(setting.initial.size());
  std::stable_sort(
      rest, states.end(), [](const MetState& a, const MetState& b) { return a.met > b.met; });
  return states;
}

namespace {

// The states that fit, the first of `states`, then those they lead to; fills in where they stand.
std::vector<State> fitting_states(const Model& model,
                                  const std::vector<MetState>& states,
                                  std::size_t most_bytes,
                                  PageModel& out) {
  // An outcome takes some twelve characters, a state or an action its name.
  std::size_t bytes = 0;
  std::vector<State> order;
  for (const MetState& met : states) {
    bytes += 24 + model.state_name(met.state).size();
    for (const Choice c : model.choices(met.state)) bytes += 8 + 12 * model.outcomes(c).size();
    if (bytes > most_bytes && !order.empty()) break;
    out.positions[index(met.state)] = order.size();
    order.push_back(met.state);
  }
  out.shown = order.size();
  for (std::size_t i = 0; i < out.shown; ++i) {
    for (const Choice c : model.choices(order[i])) {
      for (const Outcome& o : model.outcomes(c)) {
        if (out.positions[index(o.next)] != kNotShown) continue;
        out.positions[index(o.next)] = order.size();
        order.push_back(o.next);
      }
    }
  }
  return order;
}

void write_initial(const ResolvedSetting& setting, const PagePositions& positions, PageJson& json) {
  json.key("initial").begin_list();
  for (const auto& drawn : setting.initial) {
    json.begin_list().count(positions[index(drawn.state)]);
    json.text(to_text(drawn.probability)).end_list();
  }
  json.end_list();
}

}  // namespace

PageModel page_model(const Model& model,
                     const ResolvedSetting& setting,
                     const std::vector<MetState>& states,
                     std::size_t most_bytes) {
  PageModel out;
  out.reachable = states.size();
  out.positions.assign(model.state_count(), kNotShown);
  const std::vector<State> order = fitting_states(model, states, most_bytes, out);
  UsedNumbers probabilities;
  UsedNumbers rewards;
  std::map<std::string_view, std::size_t> action_positions;
  std::vector<std::string_view> actions;
  PageJson json;
  json.begin_object().key("shown").count(out.shown).key("reachable").count(out.reachable);
  json.key("states").begin_list();
  for (const State s : order) json.name(model.state_name(s));
  json.end_list().key("met").begin_list();
  for (std::size_t i = 0; i < out.shown; ++i) json.real(states[i].met);
  json.end_list().key("goal").begin_list();
  for (std::size_t i = 0; i < order.size(); ++i)
    if (setting.is_goal(order[i])) json.count(i);
  json.end_list();
  write_initial(setting, out.positions, json);
  // By state its choices: the action, then next state, probability and reward of each outcome.
  json.key("choices").begin_list();
  for (std::size_t i = 0; i < out.shown; ++i) {
    json.begin_list();
    for (const Choice c : model.choices(order[i])) {
      const std::string_view action = model.action_name(c);
      const auto [at, is_new] = action_positions.try_emplace(action, actions.size());
      if (is_new) actions.push_back(action);
      json.begin_list().count(at->second);
      for (const Outcome& o : model.outcomes(c)) {
        json.count(out.positions[index(o.next)]);
        json.count(probabilities.position(o.probability)).count(rewards.position(o.reward));
      }
      json.end_list();
    }
    json.end_list();
  }
  json.end_list().key("actions").begin_list();
  for (const std::string_view action : actions) json.name(action);
  json.end_list();
  probabilities.write(model.probabilities(), json.key("probabilities"));
  rewards.write(model.rewards(), json.key("rewards"));
  out.reward_positions = rewards.positions(model.rewards());
  out.json = json.end_object().str();
  return out;
}

}  // namespace quantiplan
