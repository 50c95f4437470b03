// Where the quantile of one question lies: decided in this order, before and while numbers are
// computed.
//
//     gains    limit reaches theta            +inf   (with misses as the best: a miss)
//              limit = theta, lower side, and V_k stays above it     +inf, which nobody attains
//              base does not reach theta      a miss
//              else                           the last level that reaches it
//     losses   base reaches theta             a miss (as the best)
//              limit does not reach theta     -inf   (with misses as the worst: a miss)
//              limit = theta, upper side, and no V_k meets it        -inf
//              else                           the first level that reaches it
//
// "reaches": >= theta for the upper side, > theta for the lower. In doubles a comparison may stay
// open; then the result says so, and the same question is put to rationals. All totals are counted
// ones (moves.hpp). Source: semantics, section 4.
#pragma once

#include <optional>

#include "infinite/levels/series.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan {

struct LocatedLevel {
  // Whose policy attains `lower`.
  enum class Place { level, limit, above_limit, base };
  Total lower;
  Total upper;  // equal if it is settled
  bool attained = true;
  Place place = Place::level;
  std::uint64_t level = 0;       // of `lower`; gains: 0 is the base
  std::uint64_t next_level = 0;  // the level of totals above it: gains level + 1, losses level - 1
  bool is_open = false;          // a comparison was too close to call
  bool ended = false;            // a limit was met
};

template <class A>
LocatedLevel locate(Series<A>& series, const Question& question);

// The counted total of a level.
template <class A>
Total total_of(const Series<A>& series, std::uint64_t level) {
  const Rational size = series.problem().weights.unit *
                        Rational(Integer(static_cast<unsigned long>(series.sigma(level))));
  return series.problem().event.gains ? size : Rational(-size);
}

}  // namespace quantiplan
