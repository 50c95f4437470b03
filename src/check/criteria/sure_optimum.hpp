// Tau = 0 without probabilities: no policy has every total above the claim.
//
//     m_t(s) = max over choices of the least over outcomes of ( r + gamma m_{t+1}(s') )      P(W > u) = 1  <=>  m_0(s0) > u
//
// Over (time, state), rounded to both sides; exactly, if that leaves it open and the horizon is finite. Without goals and
// adversaries.
#pragma once

#include "check/common/check_case.hpp"

namespace quantiplan::checking {

// True if it is settled either way, with a finding.
bool settle_surely(const CheckCase& task);

}  // namespace quantiplan::checking
