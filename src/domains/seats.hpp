// Seats of a flight: which fares to accept while departure comes nearer.
//
//     state   (n, c): n periods to departure, c seats left; nothing is left to do at n = 0 or c = 0
//     accept k = 0 .. 4     a request for one of the k dearest fares is accepted, others are not
//             next    a request of class j comes with probability p_j(n), j = 1 .. 4, else none;
//                     accepted: (n - 1, c - 1), reward fare_j; else (n - 1, c), reward 0
//
// A request is known before it is accepted, and still nothing is lost by deciding on k before: with
// y to collect, class j is worth a seat if D_{n-1}(c-1, y - fare_j) >= D_{n-1}(c, y), and the left
// side grows with the fare.
//
// Fares 200, 150, 120, 80 and probabilities in five stretches of thirty periods: after Lee and Hersh
// [LH], as used for risk-averse pricing by Koenig and Meissner [KM]. With ten seats the greatest
// expected revenue is 1407.22.
#pragma once

#include <cstdint>

#include "quantiplan/model.hpp"

namespace quantiplan {

struct SeatsParameters {
  std::uint32_t seats = 10;
  std::uint64_t horizon = 30;  // periods to departure
  Rational discount = 1;

  // Throws Error(bad_request) naming the parameter, its value and the bound.
  void validate() const;
};

// States are named "periods=30,seats=10", actions "accept 2".
Model seats(const SeatsParameters& parameters, WorkWatch* watch = nullptr);

}  // namespace quantiplan
