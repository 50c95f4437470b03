// A mean as a Value, from the interval in which it certainly lies.
//
//     both ends round to one double      rounded: it is the nearest
//     else                               a lower bound, with an upper one beside it (Value::most)
//
// Needs: ends in order. Guarantees: the truth lies in [ends_of(v).low, ends_of(v).high], unless the
// value is a bound on one side only.
#pragma once

#include "quantiplan/value.hpp"

namespace quantiplan {

struct MeanEnds {
  Rational low;
  Rational high;
};

Value mean_between(const MeanEnds& ends);
// Computed in doubles, with an error of at most this.
Value mean_within(const Rational& computed, const Rational& error);
// Of a bound on one side only, that side twice.
MeanEnds ends_of(const Value& mean);
// With something added that lies between these. What is not finite stays so.
Value added_to(const Value& mean, const MeanEnds& more);

}  // namespace quantiplan
