// The range of attainable returns, in doubles.
//
//     least_k(s) = min over outcomes (s', r) of all choices of  r + gamma * least_{k-1}(s')
//     and the same with max; 0 with no steps to go, or at a terminal state
#pragma once

#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::bench {

struct ReturnRange {
  double least = 0;
  double greatest = 0;
  [[nodiscard]] double width() const { return greatest - least; }
};

struct Returns {
  ReturnRange from_initial;  // over the whole horizon
  ReturnRange anywhere;      // from any state, with any number of steps to go
};

Returns attainable_returns(const Model& model, const Setting& setting = {});

}  // namespace quantiplan::bench
