#include "expectation.hpp"

#include <algorithm>
#include <cmath>

#include "parallel.hpp"

namespace quantiplan {
namespace {

// Greatest error of E in doubles: each of T backups rounds a sum of b + 1 products of size at most
// T * max|R|, with at most b + 4 roundings; doubled for second-order terms.
template <class N>
N greatest_error(const Stages& stages) {
  if constexpr (std::is_same_v<N, double>) {
    double greatest = 0;
    for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
      if (t > 0 && stages.same_layer(t, t - 1) && stages.setting().discount == 1) continue;
      for (const State s : stages.layer(t).states()) {
        for (const Choice c : stages.model().choices(s)) {
          for (const Outcome& o : stages.model().outcomes(c)) {
            greatest = std::max(greatest, std::abs(static_cast<double>(stages.reward_key(t, o))));
          }
        }
      }
    }
    const auto steps = static_cast<double>(stages.horizon());
    const auto roundings = static_cast<double>(stages.model().most_outcomes()) + 4;
    return 2 * steps * roundings * std::ldexp(1.0, -53) * steps * greatest;
  } else {
    return 0;
  }
}

}  // namespace

Arithmetics<Rational>::Arithmetics(const Model& model) : probabilities_(model.numbers().size()) {
  for (std::size_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{static_cast<std::uint32_t>(s)})) {
      for (const Outcome& o : model.outcomes(c)) {
        Rational& p = probabilities_[index(o.probability)];
        if (p == 0) p = model.probability(o);
      }
    }
  }
}

template <class N>
N Expectation<N>::value_of(const Stages& stages,
                           const Arithmetics<N>& numbers,
                           std::uint64_t time,
                           Choice c) const {
  const Layer& next_layer = stages.layer(time + 1);
  N sum = 0;
  for (const Outcome& o : stages.model().outcomes(c)) {
    const N& later = value_[time + 1][next_layer.slot(o.next)];
    sum += numbers.probability(o) * (Arithmetics<N>::key(stages.reward_key(time, o)) + later);
  }
  return sum;
}

template <class N>
Expectation<N>::Expectation(const Stages& stages, const Limits& limits) {
  const Arithmetics<N> numbers(stages.model());
  const N error = greatest_error<N>(stages);
  const std::uint64_t horizon = stages.horizon();
  value_.resize(horizon + 1);
  choice_.resize(horizon + 1);
  value_[horizon].resize(stages.layer(horizon).size());
  choice_[horizon].resize(stages.layer(horizon).size());
  for (std::uint64_t t = horizon; t-- > 0;) {
    if (limits.ended()) return;
    value_[t].resize(stages.layer(t).size());
    choice_[t].resize(stages.layer(t).size());
    parallel_for(
        limits.threads(), value_[t].size(), 256, [&](unsigned, std::size_t begin, std::size_t end) {
          std::vector<N> values;
          for (std::size_t slot = begin; slot < end; ++slot) {
            const State s = stages.layer(t).state(slot);
            if (stages.model().is_terminal(s)) continue;
            values.clear();
            for (const Choice c : stages.model().choices(s)) {
              values.push_back(value_of(stages, numbers, t, c));
            }
            const N greatest = *std::ranges::max_element(values);
            // Two computed values each err by at most `error`.
            const auto first = std::ranges::find_if(
                values, [&](const N& v) { return N(v + 2 * error) >= greatest; });
            value_[t][slot] = *first;
            choice_[t][slot] = stages.model().choices(s)[first - values.begin()];
          }
        });
  }
  complete_ = true;
}

template <class N>
void Expectation<N>::order(const Stages& stages,
                           const Arithmetics<N>& numbers,
                           std::uint64_t time,
                           std::size_t slot,
                           std::vector<Choice>& out) const {
  const auto choices = stages.model().choices(stages.layer(time).state(slot));
  out.assign(choices.begin(), choices.end());
  if (out.size() < 2) return;
  std::vector<std::pair<N, Choice>> ranked;
  ranked.reserve(out.size());
  for (const Choice c : out) ranked.emplace_back(value_of(stages, numbers, time, c), c);
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::ranges::transform(ranked, out.begin(), [](const auto& r) { return r.second; });
}

template class Expectation<double>;
template class Expectation<Rational>;

}  // namespace quantiplan
