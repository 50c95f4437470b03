#include "preferences/preference_oracle.hpp"

#include <algorithm>
#include <utility>

namespace quantiplan::testing {

PreferenceOracle::PreferenceOracle(const PreferenceModel& model)
    : model_(model), judge_(model_.wealth) {
  std::set<std::pair<std::size_t, Holding>> layer{{model_.plain.initial, judge_.start()}};
  std::map<std::vector<Rational>, Holding> ends;
  for (std::uint64_t to_go = model_.plain.horizon; !layer.empty(); --to_go) {
    std::set<std::pair<std::size_t, Holding>> next;
    for (const auto& [s, w] : layer) {
      if (is_over(to_go, s)) {
        ends.emplace(judge_.merit(w), w);
        continue;
      }
      for (const PlainChoice& choice : model_.plain.states[s].choices)
        for (const PlainOutcome& o : choice.outcomes)
          next.emplace(o.next, judge_.after(w, o.reward));
    }
    layer = std::move(next);
  }
  for (const auto& [merit, wealth] : ends) {
    positions_.emplace(merit, positions_.size() + 1);
    texts_.push_back(judge_.class_text(wealth));
    ranks_.push_back(judge_.declared_rank(wealth).value_or(texts_.size()));
    numbers_.push_back(judge_.number(wealth));
  }
}

bool PreferenceOracle::is_over(std::uint64_t steps_to_go, std::size_t state) const {
  return steps_to_go == 0 || model_.plain.states[state].choices.empty();
}

std::size_t PreferenceOracle::position(const Holding& wealth) const {
  return positions_.at(judge_.merit(wealth));
}

std::size_t PreferenceOracle::position(const std::string& class_text) const {
  const auto at = std::find(texts_.begin(), texts_.end(), class_text);
  return at == texts_.end() ? 0 : static_cast<std::size_t>(at - texts_.begin()) + 1;
}

const Rational& PreferenceOracle::best(const Place& place, std::size_t target) {
  const auto [at, is_new] = known_.try_emplace({place, target}, 0);
  Rational& found = at->second;
  if (!is_new) return found;
  const auto& [to_go, s, w] = place;
  if (is_over(to_go, s)) return found = position(w) >= target ? 1 : 0;
  for (const PlainChoice& choice : model_.plain.states[s].choices) {
    Rational sum = 0;
    for (const PlainOutcome& o : choice.outcomes)
      sum += o.probability * best({to_go - 1, o.next, judge_.after(w, o.reward)}, target);
    if (sum > found) found = sum;
  }
  return found;
}

Rational PreferenceOracle::at_least(std::size_t position) {
  return best({model_.plain.horizon, model_.plain.initial, judge_.start()}, position);
}

std::vector<CurveStep> PreferenceOracle::steps() {
  std::vector<CurveStep> steps;
  for (std::size_t i = 1; i <= class_count(); ++i) {
    const Rational value = at_least(i);
    if (!steps.empty() && steps.back().probability == value) steps.pop_back();
    if (value > 0) steps.push_back({Rational(i), value});
  }
  return steps;
}

Optimum PreferenceOracle::optimum(const Rational& tau, Side side) {
  const Rational theta = 1 - tau;
  Optimum found{1, 1};
  for (std::size_t i = 1; i <= class_count(); ++i) {
    const Rational value = at_least(i);
    if (side == Side::upper ? value >= theta : value > theta) found = {Rational(i), value};
  }
  return found;
}

std::optional<std::vector<Law>> PreferenceOracle::laws(std::size_t most) {
  const std::set<Law>* found =
      laws_from({model_.plain.horizon, model_.plain.initial, judge_.start()}, most);
  if (found == nullptr) return std::nullopt;
  return std::vector<Law>(found->begin(), found->end());
}

const std::set<Law>* PreferenceOracle::laws_from(const Place& place, std::size_t most) {
  const auto known = known_laws_.find(place);
  if (known != known_laws_.end()) return &known->second;
  const auto& [to_go, s, w] = place;
  std::set<Law> found;
  if (is_over(to_go, s)) {
    found.insert(Law{{Rational(position(w)), 1}});
  } else {
    for (const PlainChoice& choice : model_.plain.states[s].choices)
      if (!add_laws_of(choice, place, most, found)) return nullptr;
  }
  return &(known_laws_[place] = std::move(found));
}

bool PreferenceOracle::add_laws_of(const PlainChoice& choice,
                                   const Place& place,
                                   std::size_t most,
                                   std::set<Law>& found) {
  const auto& [to_go, s, w] = place;
  std::set<Law> mixed{Law{}};
  for (const PlainOutcome& o : choice.outcomes) {
    const std::set<Law>* rest = laws_from({to_go - 1, o.next, judge_.after(w, o.reward)}, most);
    if (rest == nullptr || mixed.size() * rest->size() > most * 4) return false;
    std::set<Law> next;
    for (const Law& begun : mixed)
      for (const Law& law : *rest) {
        Law sum = begun;
        for (const auto& [level, p] : law) sum[level] += o.probability * p;
        next.insert(std::move(sum));
      }
    mixed = std::move(next);
  }
  found.merge(mixed);
  return found.size() <= most;
}

}  // namespace quantiplan::testing
