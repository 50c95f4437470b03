// What a result promises, as sentences that are true to the letter.
//
//     upper side: P(W >= q) >= theta   "With probability at least 0.9 the total is at least -40"
//     lower side: P(W >= q) >  theta   "With probability more than 0.9 ..."
//
// promise.hpp has the words for other settings, and for theta 0 and 1. A bracket's ends are rounded
// outwards, so that a sentence with rounded figures is true as well.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "quantiplan/answer.hpp"

namespace quantiplan {

// The promise of the returned policy, and what is known of all others; in an adversarial setting,
// what is guaranteed, and that no more is.
std::string guarantee_sentence(const Result& result, const ModelFacts& facts);
// The same where wealth goes by classes:
// "With probability more than 0.9 the wealth is '2 gold' or better; no policy promises more."
std::string class_sentence(const Result& result, const Answer& answer);

// Whether the expectation-optimal policy keeps the same promise; nullopt if rounding leaves it
// open.
std::optional<bool> expectation_keeps_promise(const Result& result);

// "The expectation-optimal policy reaches that with probability 0.802 only."; empty if not
// compared.
std::string comparison_sentence(const Result& result, const ModelFacts& facts);

// "Its mean is -71.75; no policy that keeps the promise has more than -71.72."; empty if the policy
// was not chosen for its mean. The bound is rounded away from the truth.
std::string mean_sentence(const Result& result, const ModelFacts& facts);

// "It reaches 'gold' or better with probability 0.4; no policy that keeps the promise does so with more
// than 0.45."; empty if the policy was not chosen for the next class.
std::string next_class_sentence(const Result& result);

// "This policy reaches the goal with probability 0.9 (mean cost then 12.5); the expectation-optimal
// one with probability 1 (mean cost then 30)."; empty where there is no goal, or nothing is known of it.
std::string goal_sentence(const Result& result, const ModelFacts& facts);

// "A coin between two policies, 0.37 for the first, has P(W >= -80) at least 0.9 and the mean
// -71.73."; empty if it was not asked for.
std::string mixed_sentence(const Result& result, const ModelFacts& facts);

// Why a result is less than solved, and that `what` (a noun) is in its bracket all the same; empty
// if it is solved.
std::string status_sentence(Status status, std::string_view what, const EngineReport& engine);
// The same of a quantile.
std::string status_sentence(const Result& result, const Answer& answer);

// How wide a bracket is, against the width that was good enough; empty if there is none.
std::string width_sentence(const Result& result, const std::optional<Rational>& epsilon);

}  // namespace quantiplan
