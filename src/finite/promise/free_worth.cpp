#include "finite/promise/free_worth.hpp"

#include <utility>

#include "finite/promise/whole_fractions.hpp"

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

Integer FreeWorth::plain_key(const Stages& stages, std::uint64_t time, const Outcome& o) const {
  const WealthScale& scale = stages.scale();
  const unsigned last = scale.shift_until(stages.horizon());
  Integer key = static_cast<long>(stages.reward_key(time, o));
  key <<= last - scale.shift_until(time);
  if (arrives(o)) key -= bonus_key_ << last;
  return key;
}

void FreeWorth::add(const Stages& stages,
                    std::uint64_t time,
                    const Outcome& o,
                    const Rational& p,
                    const Worth& next,
                    Worth& sum) const {
  const Rational reward = kind_ == WorthKind::mean ? Arithmetics<Rational>::reward(stages, time, o)
                                                   : Rational(plain_key(stages, time, o));
  add_outcome(kind_, p, reward, next, sum);
}

// The numbers of a layer are numerators over its `one`, k steps before the end D^k: sums of them need
// no common denominator (whole_fractions.hpp). Rationals are over 1.
template <class N>
bool FreeWorth::fill_goal(const Stages& stages, const GoalNumbers<N>& in, const Limits& limits) {
  const Model& model = stages.model();
  std::vector<std::array<N, 3>> later;
  N later_one = 1;
  N one = 1;
  for (std::uint64_t t = stages.horizon() + 1; t-- > 0;) {
    const Layer& layer = stages.layer(t);
    std::vector<std::array<N, 3>> now(layer.size());
    value_[t].resize(layer.size());
    choice_[t].resize(layer.size());
    keeps_goal_[t].resize(layer.size());
    chance_[t].resize(layer.size());
    for (std::size_t slot = 0; slot < layer.size(); ++slot) {
      if (slot % 64 == 0 && limits.ended()) return false;
      const State s = layer.state(slot);
      std::array<N, 3>& best = now[slot];
      if (goal_.is_goal[index(s)]) best[0] = one;
      if (!stages.is_over(t, s)) {
        std::vector<std::array<N, 3>> of_choice;
        for (const Choice c : model.choices(s)) {
          std::array<N, 3> worth;
          for (const Outcome& o : model.outcomes(c)) {
            const N& p = in.probability[index(o.probability)];
            const auto& next = later[stages.layer(t + 1).slot(o.next)];
            const N reward = plain_key(stages, t, o);
            worth[0] += p * next[0];
            worth[1] += p * (reward * next[0] + next[1]);
            worth[2] += p * (next[2] - later_one);
          }
          of_choice.push_back(std::move(worth));
        }
        std::size_t taken = 0;
        for (std::size_t k = 1; k < of_choice.size(); ++k)
          if (of_choice[k] > of_choice[taken]) taken = k;
        best = of_choice[taken];
        choice_[t][slot] = model.choices(s)[taken];
        for (const auto& worth : of_choice) keeps_goal_[t][slot].push_back(worth[0] == best[0]);
      }
      for (std::size_t i = 0; i < best.size(); ++i)
        value_[t][slot][i] = fraction(best[i], one, in.denominator);
      chance_[t][slot] = to_nearest_double(value_[t][slot][0]);
    }
    later = std::move(now);
    later_one = one;
    one *= in.denominator;
  }
  return true;
}

std::shared_ptr<const FreeWorth> FreeWorth::of_goal(const Stages& stages,
                                                    const GoalTerms& goal,
                                                    const Limits& limits) {
  auto out = std::make_shared<FreeWorth>();
  out->kind_ = WorthKind::goal;
  out->goal_ = goal;
  const Rational bonus = goal.bonus / stages.scale().unit();
  mpz_fdiv_q(out->bonus_key_.get_mpz_t(), bonus.get_num_mpz_t(), bonus.get_den_mpz_t());
  const std::uint64_t horizon = stages.horizon();
  out->value_.resize(horizon + 1);
  out->choice_.resize(horizon + 1);
  out->keeps_goal_.resize(horizon + 1);
  out->chance_.resize(horizon + 1);
  GoalNumbers<Rational> in;
  for (std::uint32_t id = 0; id < stages.model().probabilities().size(); ++id)
    in.probability.push_back(stages.model().probabilities().rational(NumberId{id}));
  const auto whole = whole_numerators(in.probability, horizon);
  const bool is_done =
      whole ? out->fill_goal<Integer>(stages, {whole->numerators, whole->denominator}, limits)
            : out->fill_goal<Rational>(stages, in, limits);
  return is_done ? out : nullptr;
}

std::shared_ptr<const FreeWorth> FreeWorth::arriving() const {
  auto out = std::make_shared<FreeWorth>(*this);
  out->kind_ = WorthKind::arriving;
  return out;
}

}  // namespace quantiplan
