// Where a discounted problem is cut off, and what its tails are worth there, in units of time 0.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "quantiplan/options.hpp"
#include "quantiplan/utility.hpp"
#include "reduce/tails.hpp"

namespace quantiplan {

struct Cut {
  Tails tails;
  std::uint64_t steps = 1;  // T
  std::vector<bool> here;   // by state: an episode can be in it after T steps
  Rational epsilon;         // what was asked for, or a thousandth of the range of returns
  Rational sure;            // gamma^T tails: certainly collected by the sure choices
  Rational greatest;        // no policy collects more
  Rational least;           // nor less
};

// Of an infinite horizon, without goals: T such that the tails leave half of epsilon.
Cut cut_of(const Model& model,
           const ResolvedSetting& setting,
           const Options& options,
           const Limits& limits);
// The same cut after a given number of steps.
Cut cut_at(const Model& model,
           const ResolvedSetting& setting,
           std::uint64_t steps,
           Tails tails,
           const Limits& limits);

// The least and the greatest that any policy has from any of these states on, all of it.
std::pair<Rational, Rational> returns_of(const Cut& cut, const InitialStates& initial);

// How much wealth may stay open for a utility to be known within epsilon (of utility; absent: a thousandth of its range): that
// by its greatest slope between these totals. By samples, steps left out: it says how far to go, and proves nothing. Nullopt:
// the utility is no number somewhere between.
std::optional<Rational> open_wealth(const Utility& utility,
                                    const Rational& least,
                                    const Rational& greatest,
                                    const std::optional<Rational>& epsilon);

// A decimal near a bound, on the safe side of it, within a thousandth of epsilon.
Rational shortened(const Rational& bound, const Rational& epsilon, bool down);

}  // namespace quantiplan
