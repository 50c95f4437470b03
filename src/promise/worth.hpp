// What a policy is worth besides its promise, and which of two is better.
//
//     mean      E          the expected total
//     goal      Pgoal, K, -steps   lexicographically: the chance of the goal, then the expected total
//                          of the episodes that arrive, K = E[W; goal], then the fewest steps
//     arriving  K, -steps  among the choices that keep the greatest chance of the goal
//
//     E = sum p ( r + E' )    Pgoal = sum p Pgoal'    K = sum p ( r Pgoal' + K' )    at a goal: 1, 0, 0
//
// Who misses the target still wants the goal. Source: criteria, section 2.
#pragma once

#include <array>
#include <compare>
#include <cstddef>

#include "promise/aim.hpp"

namespace quantiplan {

using Worth = std::array<Rational, 3>;  // of the mean: the first alone
enum class WorthKind { mean, goal, arriving };

// Which of the worths is maximised first.
constexpr std::size_t objective(WorthKind kind) { return kind == WorthKind::arriving ? 1 : 0; }
// Of the worths, from the objective on.
std::weak_ordering order(WorthKind kind, const Worth& a, const Worth& b);
// Adds what an outcome of probability p and reward r brings, given the worth of what follows.
void add_outcome(
    WorthKind kind, const Rational& p, const Rational& reward, const Worth& next, Worth& sum);

// What a policy attains for one target.
struct PromisedWorth {
  Rational probability = 0;  // of keeping the promise
  Worth worth = {};
};
// True if `a` is better than `b`: in what is aimed at, then by what is left of the worth.
bool is_better(const Aim& aim, WorthKind kind, const PromisedWorth& a, const PromisedWorth& b);
Prospect prospect_of(const Aim& aim, WorthKind kind, const PromisedWorth& best);

}  // namespace quantiplan
