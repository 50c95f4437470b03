#include "preferences/preference_product.hpp"

#include <algorithm>
#include <stdexcept>

#include "preferences/preference_play.hpp"

namespace quantiplan::testing {

InfinitePreference::InfinitePreference(const PreferenceModel& model)
    : model_(model), judge_(model_.wealth) {
  const auto node_of = [&](std::size_t state, const Holding& wealth) {
    const auto [at, is_new] = nodes_.try_emplace({state, wealth}, places_.size());
    if (is_new) {
      places_.emplace_back(state, wealth);
      process_.add_node();
    }
    return at->second;
  };
  node_of(model_.plain.initial, judge_.start());
  for (std::size_t n = 0; n < places_.size(); ++n) {
    const auto [state, wealth] = places_[n];
    for (const PlainChoice& choice : model_.plain.states[state].choices) {
      std::vector<Arc> arcs;
      for (const PlainOutcome& o : choice.outcomes)
        arcs.push_back({node_of(o.next, judge_.after(wealth, o.reward)), o.probability});
      process_.choices[n].push_back(std::move(arcs));
    }
  }
  find_classes();
  find_direction();
}

void InfinitePreference::find_classes() {
  std::map<std::vector<Rational>, Holding> met;
  for (const auto& [state, wealth] : places_) met.emplace(judge_.merit(wealth), wealth);
  for (const auto& [merit, wealth] : met) {
    texts_.push_back(judge_.class_text(wealth));
    ranks_.push_back(judge_.declared_rank(wealth));
  }
  for (const auto& [state, wealth] : places_)
    classes_.push_back(
        static_cast<std::size_t>(std::distance(met.begin(), met.find(judge_.merit(wealth)))) + 1);
}

void InfinitePreference::find_direction() {
  for (std::size_t n = 0; n < places_.size(); ++n)
    for (const std::vector<Arc>& choice : process_.choices[n])
      for (const Arc& arc : choice) {
        rises_ = rises_ || classes_[arc.next] > classes_[n];
        falls_ = falls_ || classes_[arc.next] < classes_[n];
      }
}

std::size_t InfinitePreference::position(const std::string& class_text) const {
  const auto at = std::find(texts_.begin(), texts_.end(), class_text);
  return at == texts_.end() ? 0 : static_cast<std::size_t>(at - texts_.begin()) + 1;
}

Process InfinitePreference::process_for(std::size_t position) const {
  if (rises_ && falls_) throw std::logic_error("the rank rises and falls");
  Process process = process_;
  for (std::size_t n = 0; n < classes_.size(); ++n)
    process.targets[n] = falls_ ? classes_[n] < position : classes_[n] >= position;
  return process;
}

Rational InfinitePreference::at_least(std::size_t position) const {
  const Process process = process_for(position);
  if (falls_) return 1 - reach(process, Aim::least)[0];
  return reach(process, Aim::greatest)[0];
}

std::optional<Rational> InfinitePreference::at_least_by_counting(std::size_t position,
                                                                 std::size_t most) const {
  const Process process = process_for(position);
  const auto chances = reach_by_counting(process, falls_ ? Aim::least : Aim::greatest, most);
  if (!chances) return std::nullopt;
  return falls_ ? Rational(1 - chances->front()) : chances->front();
}

Rational InfinitePreference::at_least(std::size_t position,
                                      const Model& model,
                                      const Policy& policy) const {
  const Process process = process_for(position);
  Chain chain(places_.size());
  std::vector<bool> met(places_.size(), false);
  std::vector<std::size_t> open{0};
  met[0] = true;
  while (!open.empty()) {
    const std::size_t n = open.back();
    open.pop_back();
    const auto& [state, wealth] = places_[n];
    // Once a target is met the rest does not matter.
    if (process_.choices[n].empty() || process.targets[n]) continue;
    chain[n] = process_.choices[n].at(chosen(model, policy, 0, state, judge_.text(wealth)));
    for (const Arc& arc : chain[n]) {
      if (!met[arc.next]) open.push_back(arc.next);
      met[arc.next] = true;
    }
  }
  const Rational chance = reach(chain, process.targets)[0];
  return falls_ ? Rational(1 - chance) : chance;
}

std::vector<CurveStep> InfinitePreference::steps() const {
  std::vector<CurveStep> steps;
  for (std::size_t i = 1; i <= class_count(); ++i) {
    const Rational value = at_least(i);
    if (!steps.empty() && steps.back().probability == value) steps.pop_back();
    if (value > 0) steps.push_back({Rational(i), value});
  }
  return steps;
}

Optimum InfinitePreference::optimum(const Rational& tau, Side side) const {
  const Rational theta = 1 - tau;
  Optimum found{1, 1};
  for (const auto& [level, value] : steps())
    if (side == Side::upper ? value >= theta : value > theta) found = {level, value};
  return found;
}

}  // namespace quantiplan::testing
