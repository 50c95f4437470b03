// Proves that two answers to one query are equal, before any clock starts.
//
// Quantiles and certificates must be the same, exactly. Probabilities are doubles with a certified
// relative error eta (semantics, section 3). A policy that maximises in doubles is worth at least
// G* (1-eta)/(1+eta), and its worth is computed within a factor 1 -+ eta, so two honest answers
// obey
//     p / q <= ((1 + eta) / (1 - eta))^2     for p >= q
// and no other tolerance is granted. A policy with the best mean is another one than that with the
// greatest probability: these are held to the quantile alone.
#pragma once

#include <stdexcept>
#include <string>

#include "quantiplan/answer.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::bench {

struct Disagreement : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws Disagreement that names the case, the tau and both values.
void require_equal(const std::string& case_name,
                   const Model& model,
                   const Answer& one,
                   const Answer& other);

// The same for brackets: every pair of them has a point in common, since both contain the optimum,
// even where a limit was met; require_meeting wants both calls to have ended as asked, too.
void require_holding(const std::string& case_name, const Answer& one, const Answer& other);
void require_meeting(const std::string& case_name, const Answer& one, const Answer& other);

}  // namespace quantiplan::bench
