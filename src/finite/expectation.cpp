#include "finite/expectation.hpp"

#include <algorithm>
#include <cmath>

#include "base/team.hpp"
#include "finite/shared_layer.hpp"
#include "finite/widest_layer.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMeansPerPoll = 256;

double magnitude(double x) { return std::abs(x); }
Rational magnitude(const Rational& x) { return abs(x); }

// Rounding of one backup: a sum of b terms p (R + E') in at most b + 4 operations, for both of two
// choices that are compared. Errors inherited from E' are left out: what is lost by taking the
// first of choices this close adds up to no more than the error of E itself.
double rounding_of_backup(double greatest_term, std::size_t most_outcomes) {
  return rounding_of_means(most_outcomes) * greatest_term;
}
Rational rounding_of_backup(const Rational&, std::size_t) { return 0; }

}  // namespace

Arithmetics<Rational>::Arithmetics(const Model& model)
    : probabilities_(model.probabilities().size()) {
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
                           Choice c,
                           N* greatest_term) const {
  const std::uint32_t row = stages.rows().row(c);
  if (row != SharedRows::kNone) {
    N value = reward(stages, time, stages.model().outcomes(c).front()) + of_row_[time][row];
    if (greatest_term != nullptr) *greatest_term = std::max<N>(*greatest_term, magnitude(value));
    return value;
  }
  const Layer& next_layer = stages.layer(time + 1);
  N sum = 0;
  for (const Outcome& o : stages.model().outcomes(c)) {
    const N& later = value_[time + 1][next_layer.slot(o.next)];
    const N term = reward(stages, time, o) + Arithmetics<N>::earlier(stages, time, later);
    if (greatest_term != nullptr) *greatest_term = std::max<N>(*greatest_term, magnitude(term));
    sum += numbers.probability(o) * term;
  }
  return sum;
}

template <class N>
void Expectation<N>::back_up(const Stages& stages,
                             const Arithmetics<N>& numbers,
                             const ChoiceFilter& filter,
                             std::uint64_t time,
                             std::size_t slot,
                             std::vector<N>& values) {
  const State s = stages.layer(time).state(slot);
  if (stages.model().is_terminal(s)) return;
  values.clear();
  N greatest_term = 0;
  std::vector<Choice> open;
  for (const Choice c : stages.model().choices(s)) {
    if (!filter.allows(time, slot, c)) continue;
    open.push_back(c);
    values.push_back(value_of(stages, numbers, time, c, &greatest_term));
  }
  const N greatest = *std::ranges::max_element(values);
  const N rounding = rounding_of_backup(greatest_term, stages.model().most_outcomes());
  const auto first =
      std::ranges::find_if(values, [&](const N& v) { return N(v + rounding) >= greatest; });
  value_[time][slot] = greatest;
  choice_[time][slot] = open[static_cast<std::size_t>(first - values.begin())];
}

template <class N>
Expectation<N>::Expectation(const Stages& stages,
                            const Limits& limits,
                            const ChoiceFilter& filter,
                            Rewards rewards,
                            RankGroup* ranks)
    : rewards_(rewards) {
  const Arithmetics<N> numbers(stages.model());
  const std::uint64_t horizon = stages.horizon();
  of_row_.resize(horizon);
  value_.resize(horizon + 1);
  choice_.resize(horizon + 1);
  value_[horizon].resize(stages.layer(horizon).size());
  choice_[horizon].resize(stages.layer(horizon).size());
  std::uint64_t mark = 0;
  Team team(widest_layer(stages) < kMeansPerPoll ? 1 : limits.threads());
  for (std::uint64_t t = horizon; t-- > 0;) {
    if (limits.ended()) return;
    const Layer& next_layer = stages.layer(t + 1);
    of_row_[t] = stages.by_row<N>(t, [&](std::span<const Outcome> outcomes) {
      N sum = 0;
      for (const Outcome& o : outcomes)
        sum += numbers.probability(o) *
               Arithmetics<N>::earlier(stages, t, value_[t + 1][next_layer.slot(o.next)]);
      return sum;
    });
    value_[t].resize(stages.layer(t).size());
    choice_[t].resize(stages.layer(t).size());
    const bool is_shared = ranks != nullptr && pays_to_share(stages, t);
    const SlotPart own = is_shared ? part_of(ranks->rank(), ranks->size(), value_[t].size())
                                   : SlotPart{0, value_[t].size()};
    const auto body = [&](unsigned, std::size_t begin, std::size_t end) {
      std::vector<N> values;
      for (std::size_t slot = own.begin + begin; slot < own.begin + end; ++slot) {
        if (slot % kMeansPerPoll == 0 && limits.ended()) return;
        back_up(stages, numbers, filter, t, slot, values);
      }
    };
    team.run(own.end - own.begin, kMeansPerPoll, body);
    if constexpr (std::is_same_v<N, double>) {
      if (!is_shared) continue;
      if (mark == 0) mark = stages_digest(stages);
      if (!share_parts(*ranks, limits, mark + t, value_[t], choice_[t])) return;
    }
  }
  complete_ = !limits.ended();
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
  for (const Choice c : out) ranked.emplace_back(value_of(stages, numbers, time, c, nullptr), c);
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::ranges::transform(ranked, out.begin(), [](const auto& r) { return r.second; });
}

template class Expectation<double>;
template class Expectation<Rational>;

}  // namespace quantiplan
