#include "attitudes/sophisticated.hpp"

#include <algorithm>

#include "attitudes/futures.hpp"
#include "attitudes/own_means.hpp"
#include "attitudes/plays.hpp"

namespace quantiplan {
namespace {

// Leaves the choices with the greatest of the values beside them.
template <class T>
void keep_greatest(const std::vector<T>& values, std::vector<Choice>& choices) {
  const T greatest = *std::ranges::max_element(values);
  std::size_t at = 0;
  std::erase_if(choices, [&](Choice) { return values[at++] != greatest; });
}

// The tau-quantile of finitely many values: the greatest that is reached often enough.
Rational quantile_of(std::vector<std::pair<Rational, const Rational*>>& values,
                     const Rational& theta,
                     Side side) {
  std::ranges::sort(values, [](const auto& a, const auto& b) { return a.first > b.first; });
  Rational reached = 0;
  for (const auto& [value, probability] : values) {
    reached += *probability;
    if (reaches(reached, theta, side)) return value;
  }
  return values.back().first;  // probabilities sum to 1
}

}  // namespace

std::vector<std::vector<Choice>> subgame_perfect_choices(const Stages& stages,
                                                         const ExactNumbers& numbers,
                                                         const Question& question,
                                                         Limits& limits,
                                                         Work& work) {
  OwnMeans means(stages, numbers, limits);
  const EveryPolicy every(stages);
  const OneChoice chosen(stages, means.choices());
  Futures laws(stages, numbers, chosen, limits);
  const Bar bar(question, laws.bound());
  std::vector<Choice> choices;
  std::vector<std::int64_t> quantiles;
  const std::uint64_t horizon = stages.horizon();
  for (std::uint64_t t = horizon; t-- > 0;) {
    for (std::uint32_t slot = 0; slot < stages.layer(t).size(); ++slot) {
      if (limits.ended()) throw WorkEnded();
      every.choices(t, slot, choices);
      if (choices.empty()) continue;
      quantiles.clear();
      for (const Choice c : choices) quantiles.push_back(laws.quantile(t, slot, c, bar));
      keep_greatest(quantiles, choices);
      means.set_best(t, slot, choices);
    }
    laws.make_layer(t);
    limits.report("subgame-perfect play",
                  static_cast<double>(horizon - t) / static_cast<double>(horizon));
  }
  laws.count(work);
  return means.choices();
}

RecursiveChoices recursive_choices(const Stages& stages,
                                   const ExactNumbers& numbers,
                                   const Question& question,
                                   const Limits& limits) {
  OwnMeans means(stages, numbers, limits);
  const EveryPolicy every(stages);
  const Rational theta = 1 - question.tau;
  const Rational& gamma = stages.setting().discount;
  std::vector<Choice> choices;
  std::vector<Rational> quantiles;
  std::vector<std::pair<Rational, const Rational*>> values;
  std::vector<Rational> later(stages.layer(stages.horizon()).size());  // V_{t+1}
  for (std::uint64_t t = stages.horizon(); t-- > 0;) {
    const Layer& next_layer = stages.layer(t + 1);
    std::vector<Rational> now(stages.layer(t).size());
    for (std::uint32_t slot = 0; slot < now.size(); ++slot) {
      if (limits.ended()) throw WorkEnded();
      every.choices(t, slot, choices);
      if (choices.empty()) continue;
      quantiles.clear();
      for (const Choice c : choices) {
        values.clear();
        for (const Outcome& o : stages.model().outcomes(c)) {
          values.emplace_back(numbers.reward(o) + gamma * later[next_layer.slot(o.next)],
                              &numbers.probability(o));
        }
        quantiles.push_back(quantile_of(values, theta, question.side));
      }
      now[slot] = *std::ranges::max_element(quantiles);
      keep_greatest(quantiles, choices);
      means.set_best(t, slot, choices);
    }
    later = std::move(now);
  }
  return {means.choices(), later[0]};
}

}  // namespace quantiplan
