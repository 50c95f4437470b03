#include "quantiplan/measures.hpp"

#include <algorithm>
#include <cmath>

#include "measures/law.hpp"
#include "measures/spread.hpp"
#include "measures/tilted.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {
namespace {

constexpr const char* kNoNumber = "wealth is not a number";
constexpr const char* kMisses = "an episode may miss its goal";
constexpr const char* kInfinite = "a total may be infinite";
constexpr const char* kUndefined = "totals may be infinite, up and down";
constexpr const char* kNotMonotone =
    "the utility falls somewhere, and the totals are not known exactly";

// The totals of a sample are no better than its shares: doubles do, and sums of them stay short.
void shorten(Distribution& d) {
  for (Atom& atom : d.atoms) {
    if (!atom.wealth.is_finite()) continue;
    const double near = to_nearest_double(atom.wealth.value());
    if (std::isfinite(near)) atom.wealth = Total(Rational(near));
  }
}

// Classes by their numbers; nothing if one of them has none.
std::optional<Distribution> in_numbers(Distribution d) {
  if (d.sample && !d.classes) shorten(d);
  if (!d.classes) return d;
  for (Atom& atom : d.atoms) {
    const auto number = atom.wealth.number();
    if (!number) return std::nullopt;
    atom.wealth = *number;
  }
  std::ranges::stable_sort(d.atoms, {}, &Atom::wealth);
  d.classes = nullptr;
  return d;
}

Total finite_or_infinite(double end) {
  if (std::isfinite(end)) return Total(Rational(end));
  return end < 0 ? Total::minus_infinity() : Total::plus_infinity();
}

TotalBracket doubles_around(const Enclosure& value) {
  if (mpfr_equal_p(value.lower_end().get(), value.upper_end().get()) != 0) {
    const Total exactly(value.lower_exactly());
    return {exactly, exactly};
  }
  return {finite_or_infinite(value.lower()), finite_or_infinite(value.upper())};
}

Rational finite_mass(const Law& law) {
  Rational mass = 0;
  for (const LawAtom& atom : law)
    if (atom.wealth.is_finite()) mass += atom.probability;
  return mass;
}

TotalBracket entropic_of(const Law& law, const Rational& beta, const Limits& limits) {
  const Total& worst = law.front().wealth;
  if (!worst.is_finite()) return {worst, worst};
  return doubles_around(TiltedLaw(law, limits).entropic(beta));
}

TotalBracket evar_of(const Law& law, const Rational& tau, const Limits& limits) {
  const Total& worst = law.front().wealth;
  // Beyond every number, an infinity that more than 1 - tau of the mass attains takes the rest with it.
  const Total share = worst_share_mean(law, tau);
  if (tau == 0 || tau == 1 || !worst.is_finite() || !share.is_finite() || finite_mass(law) < tau)
    return {share, share};
  TotalBracket found = doubles_around(TiltedLaw(law, limits).evar(tau));
  return {std::max(found.lower, worst), std::min(found.upper, share)};
}

// Neighbours taken together where there are more totals than EVaR should take time for: moved down, or up.
Law coarser(const Law& law, bool down) {
  constexpr std::size_t kMost = 32768;
  if (law.size() <= kMost) return law;
  const std::size_t group = (law.size() + kMost - 1) / kMost;
  Law coarse;
  for (std::size_t i = 0; i < law.size(); i += group) {
    const std::size_t end = std::min(i + group, law.size());
    LawAtom together{law[down ? i : end - 1].wealth, 0};
    for (std::size_t j = i; j < end; ++j) together.probability += law[j].probability;
    coarse.push_back(std::move(together));
  }
  return coarse;
}

// All measures of one distribution.
class Measuring {
 public:
  Measuring(const Distribution& distribution, const MeasureQuery& query, const Limits& limits)
      : distribution_(in_numbers(distribution)),
        query_(query),
        limits_(limits),
        has_classes_(distribution.classes != nullptr) {
    if (distribution_) laws_ = laws_around(*distribution_, limits);
  }

  void add(Measure measure, std::vector<MeasuredValue>& list) const {
    switch (measure) {
      case Measure::quantile:
      case Measure::cvar:
      case Measure::evar:
        for (const Rational& tau : query_.taus) list.push_back(value(measure, tau));
        return;
      case Measure::entropic:
        for (const Rational& beta : query_.betas) list.push_back(value(measure, beta));
        return;
      case Measure::utility:
        if (query_.utility) list.push_back(value(measure, std::nullopt));
        return;
      default:
        list.push_back(value(measure, std::nullopt));
    }
  }

 private:
  [[nodiscard]] MeasuredValue value(Measure measure, std::optional<Rational> parameter) const {
    look_at_measures(limits_);
    MeasuredValue found{measure, std::move(parameter)};
    if (!distribution_) {
      found.why = kNoNumber;
    } else {
      fill(found);
    }
    return found;
  }

  void fill(MeasuredValue& found) const {
    switch (found.measure) {
      case Measure::quantile:
        found.value = quantile(*found.parameter);
        return;
      case Measure::cvar:
        found.value = between_laws([&](const Law& law) {
          const Total mean = worst_share_mean(law, *found.parameter);
          return TotalBracket{mean, mean};
        });
        if (const auto whole = share_by_mean(*found.parameter)) found.value = whole;
        return;
      case Measure::evar:
        found.value = evar(*found.parameter);
        return;
      case Measure::entropic:
        found.value = between_laws(
            [&](const Law& law) { return entropic_of(law, *found.parameter, limits_); });
        return;
      case Measure::worst_case:
        found.value = quantile(0);
        return;
      case Measure::best_case:
        found.value = quantile(1);
        return;
      case Measure::mean:
        return fill_mean(found);
      case Measure::standard_deviation:
        return fill_deviation(found);
      case Measure::utility:
        return fill_utility(found);
    }
  }

  [[nodiscard]] TotalBracket evar(const Rational& tau) const {
    const Law least = coarser(laws_.least, true);
    TotalBracket lower = evar_of(least, tau, limits_);
    if (laws_.is_exact && least.size() == laws_.least.size()) return lower;
    return {lower.lower, evar_of(coarser(greatest(), false), tau, limits_).upper};
  }

  // Lower side, but for the worst case, which the upper side has alone.
  [[nodiscard]] TotalBracket quantile(const Rational& tau) const {
    const auto found = distribution_->quantile(tau, tau == 0 ? Side::upper : Side::lower);
    return {found.lower, found.upper};
  }

  // Of a measure that never falls as wealth grows.
  template <class Of>
  [[nodiscard]] TotalBracket between_laws(const Of& of) const {
    const TotalBracket least = of(laws_.least);
    return laws_.is_exact ? least : TotalBracket{least.lower, of(laws_.greatest).upper};
  }

  [[nodiscard]] const Law& greatest() const {
    return laws_.is_exact ? laws_.least : laws_.greatest;
  }
  [[nodiscard]] bool has_misses() const { return laws_.least.front().wealth.is_miss(); }
  [[nodiscard]] bool is_finite() const {
    return laws_.least.front().wealth.is_finite() && greatest().back().wealth.is_finite();
  }

  // The mean is known where totals were not followed to their end: what the others lack of it is theirs. Of the
  // worst share tau, if that holds all of them: (E W - what the best 1 - tau add to it) / tau.
  [[nodiscard]] std::optional<TotalBracket> share_by_mean(const Rational& tau) const {
    const Distribution& d = *distribution_;
    const bool is_known = d.mean.exact && d.rest && d.slack == 0 && d.relative_error == 0 &&
                          d.absolute_error == 0 && !d.sample && tau > 0;
    if (!is_known) return std::nullopt;
    Rational best = 1 - tau;
    Rational sum = *d.mean.exact;
    for (std::size_t i = d.atoms.size(); i-- > 0 && best > 0;) {
      const Atom& atom = d.atoms[i];
      if (!atom.probability.exact || !atom.wealth.is_finite() || atom.wealth <= d.rest->to)
        return std::nullopt;
      const Rational part = std::min(best, *atom.probability.exact);
      sum -= part * atom.wealth.value();
      best -= part;
    }
    if (best > 0) return std::nullopt;
    const Total mean(Rational(sum / tau));
    return TotalBracket{mean, mean};
  }

  void fill_mean(MeasuredValue& found) const {
    // One mean, whatever became of the totals.
    if (const auto& exact = distribution_->mean.exact; exact && !has_classes_) {
      found.value = TotalBracket{Total(*exact), Total(*exact)};
      return;
    }
    const auto lower = law_mean(laws_.least);
    const auto upper = law_mean(greatest());
    if (lower && upper) {
      found.value = TotalBracket{*lower, *upper};
    } else {
      found.why = has_misses() ? kMisses : kUndefined;
    }
  }

  void fill_deviation(MeasuredValue& found) const {
    if (is_finite()) {
      found.value = doubles_around(deviation_of(*distribution_));
    } else {
      found.why = has_misses() ? kMisses : kInfinite;
    }
  }

  void fill_utility(MeasuredValue& found) const {
    const Utility& utility = *query_.utility;
    if (!is_finite()) {
      found.why = has_misses() ? kMisses : kInfinite;
    } else if (utility.is_monotone() || laws_.is_exact) {
      found.value = between_laws([&](const Law& law) { return expected_utility(law, utility); });
    } else {
      found.why = kNotMonotone;
    }
  }

  std::optional<Distribution> distribution_;
  const MeasureQuery& query_;
  const Limits& limits_;
  bool has_classes_;  // their numbers are no sums that have a mean of their own
  LawBracket laws_;
};

void require_in_range(const MeasureQuery& query) {
  for (const Rational& tau : query.taus) {
    if (tau < 0 || tau > 1) {
      throw Error(ErrorCode::bad_request,
                  "tau",
                  "found " + to_text(tau) + ", expected a number from 0 to 1");
    }
  }
  for (const Rational& beta : query.betas) {
    if (beta <= 0)
      throw Error(
          ErrorCode::bad_request, "beta", "found " + to_text(beta) + ", expected more than 0");
  }
}

// A law with a tail for each level, from below and from above, as rationals and as intervals; sums of
// long rationals are as long.
std::uint64_t bytes_of_laws(const Distribution& distribution) {
  constexpr std::uint64_t kBytesPerAtom = 800;
  constexpr std::uint64_t kSumsPerAtom = 4;
  std::uint64_t longest = 0;
  for (const Atom& atom : distribution.atoms) {
    if (!atom.probability.exact) continue;
    const Rational& p = *atom.probability.exact;
    longest = std::max<std::uint64_t>(
        longest, sizeof(mp_limb_t) * (mpz_size(p.get_num_mpz_t()) + mpz_size(p.get_den_mpz_t())));
  }
  return distribution.atoms.size() * (kBytesPerAtom + kSumsPerAtom * longest);
}

}  // namespace

std::vector<MeasuredValue> measure(const Distribution& distribution,
                                   const MeasureQuery& query,
                                   const Options& options) {
  require_in_range(query);
  Limits limits(options);
  limits.take(bytes_of_laws(distribution), "the measures");
  const Measuring measuring(distribution, query, limits);
  std::vector<MeasuredValue> values;
  for (const Measure one : query.measures) measuring.add(one, values);
  return values;
}

}  // namespace quantiplan
