#include "attitudes/own_means.hpp"

#include <algorithm>
#include <cmath>

namespace quantiplan {

OwnMeans::OwnMeans(const Stages& stages, const ExactNumbers& numbers, const Limits& limits)
    : stages_(stages),
      numbers_(numbers),
      limits_(limits),
      gamma_(to_nearest_double(stages.setting().discount)),
      choices_(stages.horizon() + 1),
      mean_(stages.horizon() + 1),
      exact_(stages.horizon() + 1) {
  for (std::uint64_t t = 0; t <= stages.horizon(); ++t) {
    choices_[t].resize(stages.layer(t).size());
    mean_[t].resize(stages.layer(t).size());
  }
}

OwnMeans::Mean OwnMeans::of(std::uint64_t time, Choice c) const {
  const Layer& next_layer = stages_.layer(time + 1);
  const Model& model = stages_.model();
  const auto& outcomes = model.outcomes(c);
  Mean mean;
  double size = 0;
  for (const Outcome& o : outcomes) {
    const double p = model.probabilities().nearest(o.probability);
    const double r = model.rewards().nearest(o.reward);
    const Mean& later = mean_[time + 1][next_layer.slot(o.next)];
    mean.value += p * (r + gamma_ * later.value);
    mean.error += p * later.error;
    size += p * (std::abs(r) + std::abs(later.value));
  }
  const double roundings = static_cast<double>(outcomes.size()) + 8;
  // Twice the first-order bound covers its own rounding, and the last term what underflows.
  mean.error = (mean.error + roundings * 0x1p-52 * size) * (1 + roundings * 0x1p-50) + 0x1p-1000;
  return mean;
}

Rational OwnMeans::exact_sum(std::uint64_t time, Choice c) const {
  const Layer& next_layer = stages_.layer(time + 1);
  const Rational& gamma = stages_.setting().discount;
  Rational sum = 0;
  for (const Outcome& o : stages_.model().outcomes(c)) {
    Rational term = numbers_.reward(o);
    if (!stages_.is_over(time + 1, o.next))
      term += gamma * exact_[time + 1].at(static_cast<std::uint32_t>(next_layer.slot(o.next)));
    sum += numbers_.probability(o) * term;
  }
  return sum;
}

// Makes the means of all states that the choice leads to: forward which, backward how much.
void OwnMeans::settle(std::uint64_t time, Choice c) {
  std::vector<std::vector<std::uint32_t>> open;  // by time, from the next one on
  const auto enter = [&](std::uint64_t at, Choice choice, std::vector<std::uint32_t>& out) {
    for (const Outcome& o : stages_.model().outcomes(choice)) {
      if (stages_.is_over(at, o.next)) continue;
      const auto slot = static_cast<std::uint32_t>(stages_.layer(at).slot(o.next));
      if (exact_[at].emplace(slot, 0).second) out.push_back(slot);
    }
  };
  open.emplace_back();
  enter(time + 1, c, open.back());
  while (!open.back().empty()) {
    if (limits_.ended()) throw WorkEnded();
    const std::uint64_t at = time + open.size();
    std::vector<std::uint32_t> next;
    for (const std::uint32_t slot : open.back()) enter(at + 1, choices_[at][slot], next);
    open.push_back(std::move(next));
  }
  for (std::size_t i = open.size(); i-- > 0;) {
    const std::uint64_t at = time + 1 + i;
    for (const std::uint32_t slot : open[i]) {
      if (limits_.ended()) throw WorkEnded();
      exact_[at][slot] = exact_sum(at, choices_[at][slot]);
    }
  }
}

Rational OwnMeans::exact_of(std::uint64_t time, Choice c) {
  settle(time, c);
  return exact_sum(time, c);
}

void OwnMeans::set_best(std::uint64_t time,
                        std::uint32_t slot,
                        const std::vector<Choice>& candidates) {
  std::vector<Mean> means;
  means.reserve(candidates.size());
  for (const Choice c : candidates) means.push_back(of(time, c));
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const double ahead = means[i].value - means[best].value;
    const double open = 2 * (means[i].error + means[best].error);
    const bool is_clear = std::abs(ahead) > open;
    if (is_clear ? ahead > 0 : exact_of(time, candidates[i]) > exact_of(time, candidates[best]))
      best = i;
  }
  choices_[time][slot] = candidates[best];
  mean_[time][slot] = means[best];
}

}  // namespace quantiplan
