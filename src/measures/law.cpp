#include "measures/law.hpp"

#include <algorithm>

#include "measures/tail_bounds.hpp"

namespace quantiplan {
namespace {

// The law whose P(W >= w) is tail(w), which falls at these levels alone.
template <class Tail>
Law law_of(std::vector<Total> levels, const Tail& tail, const Limits& limits) {
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  Law law;
  Rational above = 0;
  for (std::size_t i = levels.size(); i-- > 0;) {
    if (i % 1024 == 0) look_at_measures(limits);
    const Rational from = i == 0 ? Rational(1) : tail(levels[i]);
    if (from > above) {
      law.push_back({levels[i], from - above});
      above = from;
    }
  }
  std::ranges::reverse(law);
  return law;
}

Law sampled_law(const Distribution& distribution) {
  Rational sum = 0;
  for (const Atom& atom : distribution.atoms) sum += Rational(atom.probability.nearest);
  Law law;
  for (const Atom& atom : distribution.atoms)
    law.push_back({atom.wealth, Rational(atom.probability.nearest) / sum});
  return law;
}

}  // namespace

void look_at_measures(const Limits& limits) {
  if (limits.ended()) refuse_unfinished("measures");
}

LawBracket laws_around(const Distribution& d, const Limits& limits) {
  if (d.sample) return {sampled_law(d), {}, true};
  const TailBounds tails(d, true);
  std::vector<Total> levels;
  for (const Atom& atom : d.atoms) levels.push_back(atom.wealth);
  if (d.rest) levels.push_back(d.rest->from);
  LawBracket laws{law_of(
                      levels, [&](const Total& w) { return tails.lower(w); }, limits),
                  {}};
  laws.is_exact = !d.rest && d.slack == 0 && tails.is_exact();
  if (laws.is_exact) return laws;
  if (d.rest) levels.back() = d.rest->to;
  for (Total& level : levels) level = raised(level, d.slack);
  laws.greatest = law_of(
      levels, [&](const Total& w) { return tails.upper(w); }, limits);
  return laws;
}

Total worst_share_mean(const Law& law, const Rational& tau) {
  if (tau == 0 || !law.front().wealth.is_finite()) return law.front().wealth;
  Rational share = tau;
  Rational sum = 0;
  for (const LawAtom& atom : law) {
    if (share == 0) break;
    if (!atom.wealth.is_finite()) return Total::plus_infinity();
    const Rational& part = std::min(share, atom.probability);
    sum += part * atom.wealth.value();
    share -= part;
  }
  return Total(Rational(sum / tau));
}

std::optional<Total> law_mean(const Law& law) {
  if (law.front().wealth.is_miss()) return std::nullopt;
  const bool is_below = law.front().wealth == Total::minus_infinity();
  const bool is_above = law.back().wealth == Total::plus_infinity();
  if (is_below && is_above && law.size() > 1) return std::nullopt;
  if (is_below || is_above) return is_below ? law.front().wealth : law.back().wealth;
  return worst_share_mean(law, 1);
}

}  // namespace quantiplan
