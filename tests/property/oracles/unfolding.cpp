#include "oracles/unfolding.hpp"

#include <map>
#include <stdexcept>
#include <utility>

namespace quantiplan::testing {
namespace {

class Unfolder {
 public:
  Unfolder(const PlainModel& model, const Rational& target) : model_(model), target_(target) {
    if (model.discount != 1) {
      if (model.discount.get_num() != 1) throw std::logic_error("only discounts 1/k unfold");
      tails_ = tails_of(model);
    } else {
      shape_ = shape_of(model);
      if (shape_ == Shape::mixed) throw std::logic_error("mixed signs do not unfold");
    }
    result_.is_safety = model.goal.empty() && (tails_ || shape_ == Shape::never_rises);
  }

  Unfolding run() {
    lost_ = result_.process.add_node();
    won_ = result_.process.add_node();
    result_.process.targets[result_.is_safety ? lost_ : won_] = true;
    result_.start = node(model_.initial, target_);
    while (!open_.empty()) {
      const auto [place, from] = open_.back();
      open_.pop_back();
      for (const PlainChoice& choice : model_.states[place.first].choices) {
        std::vector<Arc> arcs;
        for (const PlainOutcome& o : choice.outcomes)
          arcs.push_back(
              {node(o.next, Rational((place.second - model_.counted(o)) / model_.discount)),
               o.probability});
        result_.process.choices[from].push_back(std::move(arcs));
      }
    }
    return std::move(result_);
  }

 private:
  using Place = std::pair<std::size_t, Rational>;

  std::size_t node(std::size_t state, Rational residual) {
    if (model_.ends_at(state)) {
      const bool counts = model_.goal.empty() || model_.is_goal(state);
      return counts && residual <= 0 ? won_ : lost_;
    }
    if (residual > (tails_ ? tails_->most : Rational(0)) &&
        (tails_ || shape_ == Shape::never_rises))
      return lost_;
    const Rational enough = tails_ ? tails_->least : Rational(0);
    if (residual <= enough && (tails_ || shape_ == Shape::never_falls)) {
      if (model_.goal.empty()) return won_;
      residual = enough;
    }
    const auto [at, is_new] = nodes_.try_emplace(Place{state, residual}, 0);
    if (is_new) {
      at->second = result_.process.add_node();
      open_.emplace_back(at->first, at->second);
    }
    return at->second;
  }

  const PlainModel& model_;
  Rational target_;
  Shape shape_ = Shape::never_falls;
  std::optional<Tails> tails_;
  Unfolding result_;
  std::size_t lost_ = 0, won_ = 0;
  std::map<Place, std::size_t> nodes_;
  std::vector<std::pair<Place, std::size_t>> open_;
};

Aim opposite(Aim aim) { return aim == Aim::greatest ? Aim::least : Aim::greatest; }

}  // namespace

Tails tails_of(const PlainModel& model) {
  Tails tails;
  for (const PlainState& state : model.states) {
    for (const PlainChoice& choice : state.choices) {
      for (const PlainOutcome& o : choice.outcomes) {
        tails.least = std::min(tails.least, model.counted(o));
        tails.most = std::max(tails.most, model.counted(o));
      }
    }
  }
  tails.least /= 1 - model.discount;
  tails.most /= 1 - model.discount;
  return tails;
}

std::vector<bool> reachable_states(const PlainModel& model) {
  std::vector<bool> reached(model.states.size(), false);
  std::vector<std::size_t> open{model.initial};
  reached[model.initial] = true;
  while (!open.empty()) {
    const std::size_t s = open.back();
    open.pop_back();
    if (model.ends_at(s)) continue;
    for (const PlainChoice& choice : model.states[s].choices) {
      for (const PlainOutcome& o : choice.outcomes) {
        if (reached[o.next]) continue;
        reached[o.next] = true;
        open.push_back(o.next);
      }
    }
  }
  return reached;
}

Shape shape_of(const PlainModel& model) {
  const std::vector<bool> reached = reachable_states(model);
  Graph graph(model.states.size());
  bool falls = false, rises = false, has_cycle = false;
  for (std::size_t s = 0; s < graph.size(); ++s) {
    if (!reached[s] || model.ends_at(s)) continue;
    for (const PlainChoice& choice : model.states[s].choices) {
      for (const PlainOutcome& o : choice.outcomes) {
        falls = falls || model.counted(o) < 0;
        rises = rises || model.counted(o) > 0;
        has_cycle = has_cycle || o.next == s;
        graph[s].push_back(o.next);
      }
    }
  }
  if (!falls) return Shape::never_falls;
  if (!rises) return Shape::never_rises;
  for (const std::vector<std::size_t>& component : components(graph))
    has_cycle = has_cycle || component.size() > 1;
  return has_cycle ? Shape::mixed : Shape::acyclic;
}

Unfolding unfold(const PlainModel& model, const Rational& target) {
  return Unfolder(model, target).run();
}

Rational chance(const Unfolding& unfolding, Aim aim) {
  if (!unfolding.is_safety) return reach(unfolding.process, aim)[unfolding.start];
  return 1 - reach(unfolding.process, opposite(aim))[unfolding.start];
}

std::optional<Rational> chance_by_counting(const Unfolding& unfolding, Aim aim, std::size_t most) {
  const auto found =
      reach_by_counting(unfolding.process, unfolding.is_safety ? opposite(aim) : aim, most);
  if (!found) return std::nullopt;
  const Rational& x = (*found)[unfolding.start];
  return unfolding.is_safety ? Rational(1 - x) : x;
}

}  // namespace quantiplan::testing
