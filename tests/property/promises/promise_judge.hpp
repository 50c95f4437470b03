// Results that prefer the mean, held against all policies there are.
#pragma once

#include <string>

#include "promises/promise_case.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::testing {

// Tiny models, every fourth one told as costs; all discounts.
PlainModel promise_model(std::uint64_t seed);

void require_quantile(PromiseCase& c, const Result& result, const std::string& where);

// The policy keeps the promise; its probability and its mean are as stated, by the book and by
// evaluate(). Gives the mean.
Rational require_promising(PromiseCase& c, const Result& result, const std::string& where);

// The bound of a policy of this mean: nobody exceeds it, and it is as low as the gap asked for lets
// it be. Either the mean comes as near to it, or a finished search meets no better policy.
void require_bound(PromiseCase& c,
                   const PromiseRun& run,
                   const Query& query,
                   const Result& result,
                   const Rational& mean,
                   const std::string& where);

}  // namespace quantiplan::testing
