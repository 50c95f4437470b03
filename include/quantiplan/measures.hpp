// What a distribution is worth, by the measures that people ask for.
//
//     quantile             min{ w : P(W <= w) >= tau }; of tau = 0 the worst case
//     cvar                 the mean of the worst share tau:  max_y { y - E(y - W)^+ / tau }
//     evar                 sup over beta > 0 of { entropic(beta) + ln(tau) / beta }
//     mean                 E W
//     standard_deviation   sqrt(E W^2 - (E W)^2)
//     worst_case           the least total that can happen
//     best_case            the greatest
//     entropic             -(1 / beta) ln E exp(-beta W), beta > 0
//     utility              E u(W)
//
//     worst_case <= evar <= cvar <= quantile,   evar <= cvar <= mean,   for one tau
//
// Each lies in [lower, upper]: a single rational where the distribution is exact and the measure
// rational; where exp, ln and sqrt are needed, or the distribution has errors of its own, ends that are
// rounded outwards. Values are in wealth; reports turn them into costs.
//
// Misses are worse than every number: a distribution that has them has the worst case "miss", and so have
// cvar, evar and entropic, which no share of better totals makes up for; it has no mean, no deviation and
// no utility. Minus infinity counts likewise. Infinity is as good as any number can be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/distribution.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/total.hpp"
#include "quantiplan/utility.hpp"

namespace quantiplan {

enum class Measure {
  quantile,
  cvar,
  evar,
  mean,
  standard_deviation,
  worst_case,
  best_case,
  entropic,
  utility
};
// "standard-deviation".
std::string_view to_text(Measure measure);
// The measures of a list such as "cvar,evar", or "all". Throws Error(bad_request); `place` is its place.
std::vector<Measure> parse_measures(std::string_view list, const std::string& place = "--measures");

struct MeasureQuery {
  std::vector<Measure> measures;                  // in the order they are wanted
  std::vector<Rational> taus;                     // of quantile, cvar and evar: each in [0, 1]
  std::vector<Rational> betas;                    // of entropic: each above 0
  std::optional<Utility> utility = std::nullopt;  // absent: no expected utility
};

struct TotalBracket {
  Total lower;
  Total upper;
  [[nodiscard]] bool is_exact() const { return lower == upper; }
};

struct MeasuredValue {
  Measure measure = Measure::mean;
  std::optional<Rational> parameter = std::nullopt;  // tau or beta
  std::optional<TotalBracket> value = std::nullopt;
  std::string why = {};  // there is no value
};

// One after the other, those with a parameter once for each. Of a sample they are those of the episodes
// that were played, without a promise about others. Throws Error(bad_request) for a tau or beta out of
// range, and Error(refused) at a limit of the options.
std::vector<MeasuredValue> measure(const Distribution& distribution,
                                   const MeasureQuery& query,
                                   const Options& options = {});

}  // namespace quantiplan
