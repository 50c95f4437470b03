// What a result promises, as sentences that are true to the letter.
//
//     upper side: P(W >= q) >= theta   "With probability at least 0.9 the total is at least -40"
//     lower side: P(W >= q) >  theta   "With probability more than 0.9 ..."
//     theta = 1   "The total is surely at least q"     theta = 0   "A total of at least q is
//     possible"
//
// A bracket's ends are rounded outwards, so that a sentence with rounded figures is true as well.
// At a finite horizon probability 1 means surely (semantics, section 3).
#pragma once

#include <optional>
#include <string>

#include "quantiplan/answer.hpp"

namespace quantiplan {

// The promise of the returned policy, and what is known of all others.
std::string guarantee_sentence(const Result& result);

// Whether the expectation-optimal policy keeps the same promise; nullopt if rounding leaves it
// open.
std::optional<bool> expectation_keeps_promise(const Result& result);

// "The expectation-optimal policy reaches that with probability 0.802 only."; empty if not
// compared.
std::string comparison_sentence(const Result& result);

// Why the result is less than solved; empty if it is solved.
std::string status_sentence(const Result& result);

// How wide a bracket is, against the width that was good enough; empty if there is none.
std::string width_sentence(const Result& result, const std::optional<Rational>& epsilon);

}  // namespace quantiplan
