#include "finite/promise/free_worth.hpp"

namespace quantiplan {

std::shared_ptr<const FreeWorth> FreeWorth::of_mean(const Expectation<Rational>& expectation,
                                                    const ChoiceFilter& filter) {
  auto out = std::make_shared<FreeWorth>();
  out->filter_ = filter;
  out->choice_ = expectation.choices();
  out->value_.resize(out->choice_.size());
  for (std::uint64_t t = 0; t < out->choice_.size(); ++t) {
    for (std::size_t slot = 0; slot < out->choice_[t].size(); ++slot)
      out->value_[t].push_back({expectation.value(t, slot)});
  }
  return out;
}

void FreeWorth::add(const Stages& stages,
                    std::uint64_t time,
                    const Outcome& o,
                    const Rational& p,
                    const Worth& next,
                    Worth& sum) const {
  const Rational reward = Arithmetics<Rational>::reward(stages, time, o);
  const bool arrives = kind_ != WorthKind::mean && goal_.is_goal[index(o.next)];
  add_outcome(kind_, p, arrives ? Rational(reward - bonus_key_) : reward, next, sum);
}

std::shared_ptr<const FreeWorth> FreeWorth::of_goal(const Stages& stages,
                                                    const GoalTerms& goal,
                                                    const Limits& limits) {
  const Model& model = stages.model();
  const Arithmetics<Rational> numbers(model);
  auto out = std::make_shared<FreeWorth>();
  out->kind_ = WorthKind::goal;
  out->goal_ = goal;
  out->bonus_key_ = Rational(goal.bonus / stages.scale().unit()).get_num();
  const std::uint64_t horizon = stages.horizon();
  out->value_.resize(horizon + 1);
  out->choice_.resize(horizon + 1);
  out->keeps_goal_.resize(horizon + 1);
  for (std::uint64_t t = horizon + 1; t-- > 0;) {
    const Layer& layer = stages.layer(t);
    out->value_[t].resize(layer.size());
    out->choice_[t].resize(layer.size());
    out->keeps_goal_[t].resize(layer.size());
    for (std::size_t slot = 0; slot < layer.size(); ++slot) {
      if (slot % 64 == 0 && limits.ended()) return nullptr;
      const State s = layer.state(slot);
      Worth& best = out->value_[t][slot];
      if (goal.is_goal[index(s)]) best[0] = 1;
      if (stages.is_over(t, s)) continue;
      std::vector<Worth> of_choice;
      for (const Choice c : model.choices(s)) {
        Worth worth;
        for (const Outcome& o : model.outcomes(c))
          out->add(stages,
                   t,
                   o,
                   numbers.probability(o),
                   out->value_[t + 1][stages.layer(t + 1).slot(o.next)],
                   worth);
        of_choice.push_back(std::move(worth));
      }
      std::size_t taken = 0;
      for (std::size_t k = 1; k < of_choice.size(); ++k) {
        if (std::is_gt(order(WorthKind::goal, of_choice[k], of_choice[taken]))) taken = k;
      }
      best = of_choice[taken];
      out->choice_[t][slot] = model.choices(s)[taken];
      for (const Worth& worth : of_choice) out->keeps_goal_[t][slot].push_back(worth[0] == best[0]);
    }
  }
  return out;
}

std::shared_ptr<const FreeWorth> FreeWorth::arriving() const {
  auto out = std::make_shared<FreeWorth>(*this);
  out->kind_ = WorthKind::arriving;
  return out;
}

}  // namespace quantiplan
