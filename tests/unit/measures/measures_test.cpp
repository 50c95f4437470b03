#include "quantiplan/measures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>

#include "numbers/enclosure.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

using Random = std::mt19937_64;

int below(Random& random, int bound) {
  return static_cast<int>(random() % static_cast<unsigned>(bound));
}

Value exact_value(const Rational& p) { return Value::exactly(p); }

Distribution distribution_of(const std::vector<std::pair<Total, Rational>>& atoms) {
  Distribution d;
  for (const auto& [wealth, p] : atoms) d.atoms.push_back({wealth, exact_value(p)});
  return d;
}

// Up to eight totals, some of them far out and rare.
Distribution random_distribution(Random& random) {
  std::vector<Rational> wealths;
  for (int i = 1 + below(random, 8); i > 0; --i)
    wealths.emplace_back(Rational(below(random, 200) - 100) / (1 + below(random, 3)));
  if (below(random, 4) == 0) wealths.emplace_back(-1000);
  std::ranges::sort(wealths);
  wealths.erase(std::unique(wealths.begin(), wealths.end()), wealths.end());
  std::vector<int> weights;
  for (std::size_t i = 0; i < wealths.size(); ++i) weights.push_back(1 + below(random, 20));
  int sum = 0;
  for (const int weight : weights) sum += weight;
  std::vector<std::pair<Total, Rational>> atoms;
  for (std::size_t i = 0; i < wealths.size(); ++i)
    atoms.emplace_back(wealths[i], Rational(weights[i]) / sum);
  return distribution_of(atoms);
}

TotalBracket measured(const Distribution& d,
                      Measure which,
                      std::optional<Rational> parameter = std::nullopt) {
  MeasureQuery query{{which}, {}, {}};
  if (parameter)
    (which == Measure::entropic ? query.betas : query.taus) = std::vector<Rational>{*parameter};
  const auto values = measure(d, query);
  EXPECT_EQ(values.size(), 1U);
  EXPECT_TRUE(values[0].value) << to_text(which) << ": " << values[0].why;
  return values[0].value.value_or(TotalBracket{});
}

Rational exactly(const Distribution& d,
                 Measure which,
                 std::optional<Rational> parameter = std::nullopt) {
  const TotalBracket found = measured(d, which, std::move(parameter));
  EXPECT_TRUE(found.is_exact()) << to_text(which);
  return found.lower.value();
}

// max over y of { y - E(y - W)^+ / tau }, which an atom attains.
Rational cvar_by_targets(const Distribution& d, const Rational& tau) {
  std::optional<Rational> best;
  for (const Atom& target : d.atoms) {
    Rational missing = 0;
    for (const Atom& atom : d.atoms)
      missing += *atom.probability.exact *
                 std::max(Rational(target.wealth.value() - atom.wealth.value()), Rational(0));
    const Rational worth = target.wealth.value() - missing / tau;
    if (!best || worth > *best) best = worth;
  }
  return *best;
}

// The formula as it stands, to 400 bits.
Enclosure entropic_by_definition(const Distribution& d, const Rational& beta) {
  constexpr mpfr_prec_t kBits = 400;
  Enclosure sum(Rational(0), kBits);
  for (const Atom& atom : d.atoms) {
    sum += Enclosure(*atom.probability.exact, kBits) *
           exp(Enclosure(Rational(-beta * atom.wealth.value()), kBits));
  }
  return -(log(sum) / Enclosure(beta, kBits));
}

const Rational kTaus[] = {Rational(1, 100), Rational(1, 10), Rational(1, 2), Rational(9, 10)};

TEST(Measures, CvarIsTheBestTargetLessItsShortfall) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const Distribution d = random_distribution(random);
    for (const Rational& tau : kTaus)
      EXPECT_EQ(exactly(d, Measure::cvar, tau), cvar_by_targets(d, tau));
    EXPECT_EQ(exactly(d, Measure::cvar, Rational(1)), exactly(d, Measure::mean));
    EXPECT_EQ(exactly(d, Measure::cvar, Rational(0)), exactly(d, Measure::worst_case));
  }
}

TEST(Measures, EntropicHoldsTheFormulaAndIsNarrow) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Distribution d = random_distribution(random);
    for (const char* beta : {"1e-30", "1e-9", "0.01", "1", "300"}) {
      const Rational given = Number(beta).rational();
      const TotalBracket found = measured(d, Measure::entropic, given);
      const Enclosure truth = entropic_by_definition(d, given);
      EXPECT_LE(found.lower.value(), truth.upper_exactly()) << beta;
      EXPECT_GE(found.upper.value(), truth.lower_exactly()) << beta;
      EXPECT_LE(found.upper.value() - found.lower.value(), Number("1e-12").rational()) << beta;
    }
  }
}

TEST(Measures, EvarIsTheBestOfAllBetas) {
  Random random(3);
  for (int i = 0; i < 12; ++i) {
    const Distribution d = random_distribution(random);
    for (const Rational& tau : kTaus) {
      const TotalBracket found = measured(d, Measure::evar, tau);
      EXPECT_LE(found.upper.value() - found.lower.value(), Number("1e-8").rational());
      // h(beta), the entropic value, does not increase, so between two betas of the grid the best is at most
      // h(the lesser) + ln(tau) / the greater; below the grid h is at most the mean.
      const Enclosure log_tau = log(Enclosure(tau, 400));
      Enclosure entropic(exactly(d, Measure::mean), 400);
      Rational greatest = d.atoms.front().wealth.value();
      for (double step = 1e-5; step < 1e4; step *= 1.15) {
        const Enclosure beta(Rational(step), 400);
        greatest = std::max(greatest, (entropic + log_tau / beta).upper_exactly());
        entropic = entropic_by_definition(d, Rational(step));
        EXPECT_GE(found.upper.value(), (entropic + log_tau / beta).lower_exactly());
      }
      EXPECT_LE(found.lower.value(), std::max(greatest, entropic.upper_exactly()));
    }
  }
}

TEST(Measures, KeepTheirOrder) {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const Distribution d = random_distribution(random);
    Rational before = exactly(d, Measure::worst_case);
    for (const Rational& tau : kTaus) {
      const TotalBracket evar = measured(d, Measure::evar, tau);
      const Rational cvar = exactly(d, Measure::cvar, tau);
      EXPECT_LE(exactly(d, Measure::worst_case), evar.lower.value());
      EXPECT_LE(evar.upper.value(), cvar);
      EXPECT_LE(cvar, exactly(d, Measure::quantile, tau));
      EXPECT_LE(cvar, exactly(d, Measure::mean));
      EXPECT_LE(before, cvar);
      before = cvar;
    }
    EXPECT_EQ(exactly(d, Measure::evar, Rational(1)), exactly(d, Measure::mean));
    EXPECT_EQ(exactly(d, Measure::evar, Rational(0)), exactly(d, Measure::worst_case));
  }
}

TEST(Measures, EvarOfAFrequentWorstIsTheWorst) {
  const Distribution d = distribution_of({{-5, Rational(1, 2)}, {3, Rational(1, 2)}});
  EXPECT_EQ(exactly(d, Measure::evar, Rational(1, 2)), -5);
  EXPECT_EQ(exactly(d, Measure::evar, Rational(1, 10)), -5);
  EXPECT_GT(measured(d, Measure::evar, Rational(6, 10)).lower.value(), -5);
}

TEST(Measures, DeviationIsTheRootOfTheVariance) {
  const Distribution d = distribution_of({{-3, Rational(1, 2)}, {1, Rational(1, 2)}});
  EXPECT_EQ(exactly(d, Measure::standard_deviation), 2);
  const TotalBracket root = measured(distribution_of({{0, Rational(1, 3)}, {1, Rational(2, 3)}}),
                                     Measure::standard_deviation);
  EXPECT_LE(root.lower.value() * root.lower.value(), Rational(2, 9));
  EXPECT_GE(root.upper.value() * root.upper.value(), Rational(2, 9));
}

TEST(Measures, UtilityIsExactWhereTheFunctionIs) {
  const Distribution d = distribution_of({{-4, Rational(1, 4)}, {8, Rational(3, 4)}});
  const auto expected = [&](const Utility& utility) {
    return measure(d, {{Measure::utility}, {}, {}, utility})[0];
  };
  EXPECT_EQ(expected(Utility::target(0, 1)).value->lower, Total(4));
  EXPECT_EQ(expected(Utility::table({{0, 5}, {1, -3}})).value->upper, Total(-1));
  const TotalBracket root = *expected(Utility::power(Rational(1, 2))).value;
  EXPECT_LT(root.lower, root.upper);
  EXPECT_NEAR(to_nearest_double(root.lower.value()), -0.5 + 0.75 * std::sqrt(8.0), 1e-12);
  EXPECT_EQ(expected(Utility::logarithm()).value->upper, Total::minus_infinity());
  EXPECT_TRUE(measure(d, {{Measure::utility}, {}, {}}).empty());
}

// Every measure of a truth that the errors of a distribution allow lies in the bracket.
TEST(Measures, HoldTheTruthWhateverTheErrors) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Distribution truth = random_distribution(random);
    Distribution known = truth;
    known.relative_error = 1e-3;
    for (Atom& atom : known.atoms) {
      const Rational factor = 1 + Rational(below(random, 17) - 8) / 10000;
      atom.probability = {to_nearest_double(*atom.probability.exact * factor)};
    }
    if (below(random, 2) == 0) {
      known.slack = Rational(1, 2);
      for (Atom& atom : known.atoms)
        atom.wealth = Total(Rational(atom.wealth.value() - Rational(below(random, 3)) / 4));
      std::ranges::stable_sort(known.atoms, {}, &Atom::wealth);
    }
    if (known.atoms.size() > 2 && known.slack == 0 && below(random, 2) == 0) {
      known.rest = RestOfDistribution{
          known.atoms.back().wealth, Total(2000), known.atoms.back().probability.nearest * 1.01};
      known.atoms.pop_back();
    }
    MeasureQuery query{parse_measures("all"),
                       {Rational(1, 20), Rational(1, 2), 1},
                       {Rational(1, 100), Rational(1, 2)},
                       Utility::target(0, 2)};
    const auto exact = measure(truth, query);
    const auto bracket = measure(known, query);
    ASSERT_EQ(exact.size(), bracket.size());
    for (std::size_t j = 0; j < exact.size(); ++j) {
      ASSERT_TRUE(bracket[j].value) << bracket[j].why;
      EXPECT_LE(bracket[j].value->lower, exact[j].value->upper) << to_text(exact[j].measure);
      EXPECT_GE(bracket[j].value->upper, exact[j].value->lower) << to_text(exact[j].measure);
    }
  }
}

// An error of 1e-13 must not give a rare disaster a probability of 1e-13.
TEST(Measures, RelativeErrorsStayRelativeInBothTails) {
  Distribution d;
  d.atoms = {{-1000, {1e-30}}, {0, {1.0 - 0x1p-53}}, {1000, {1e-30}}};
  d.relative_error = 1e-13;
  const TotalBracket found = measured(d, Measure::entropic, Rational(1, 20));
  EXPECT_LE(found.upper.value() - found.lower.value(), Number("1e-6").rational());
}

TEST(Measures, OfMissesAndInfinitiesAreSaidOrLeftOut) {
  const Distribution misses =
      distribution_of({{Total::miss(), Rational(1, 10)}, {3, Rational(9, 10)}});
  const MeasureQuery all{parse_measures("all"), {Rational(1, 2)}, {1}, Utility::target(0, 0)};
  std::string words;
  for (const MeasuredValue& value : measure(misses, all))
    words += std::string(to_text(value.measure)) + ' ' +
             (value.value ? to_text(value.value->lower) : value.why) + '\n';
  EXPECT_EQ(words,
            "quantile 3\ncvar miss\nevar miss\nmean an episode may miss its goal\n"
            "standard-deviation an episode may miss its goal\nworst-case miss\nbest-case 3\n"
            "entropic miss\nutility an episode may miss its goal\n");
  const Distribution infinite =
      distribution_of({{2, Rational(1, 2)}, {Total::plus_infinity(), Rational(1, 2)}});
  EXPECT_EQ(exactly(infinite, Measure::cvar, Rational(1, 2)), 2);
  EXPECT_EQ(measured(infinite, Measure::cvar, Rational(3, 5)).lower, Total::plus_infinity());
  EXPECT_EQ(measured(infinite, Measure::evar, Rational(3, 5)).lower, Total::plus_infinity());
  EXPECT_EQ(measured(infinite, Measure::mean).lower, Total::plus_infinity());
  EXPECT_NEAR(to_nearest_double(measured(infinite, Measure::entropic, Rational(1)).lower.value()),
              2 + std::log(2.0),
              1e-12);
}

TEST(Measures, EndWhereTheCallIsStopped) {
  std::atomic<bool> stop = true;
  Options options;
  options.stop = &stop;
  const Distribution d = distribution_of({{0, Rational(1, 2)}, {1, Rational(1, 2)}});
  EXPECT_THROW(measure(d, {{Measure::evar}, {Rational(1, 3)}, {}}, options), Error);
}

TEST(Measures, NamesAreReadAndRefused) {
  EXPECT_EQ(parse_measures("cvar,mean,cvar"), (std::vector{Measure::cvar, Measure::mean}));
  EXPECT_EQ(parse_measures("all").size(), 9U);
  try {
    parse_measures("cvar,evarr");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "--measures: found 'evarr', expected some of all, quantile, cvar, evar, mean, "
        "standard-deviation, worst-case, best-case, entropic, utility; did you mean 'evar'?");
  }
  EXPECT_THROW(parse_measures(""), Error);
  const Distribution d = distribution_of({{0, 1}});
  EXPECT_THROW(measure(d, {{Measure::cvar}, {2}, {}}), Error);
  EXPECT_THROW(measure(d, {{Measure::entropic}, {}, {0}}), Error);
}

}  // namespace
}  // namespace quantiplan
