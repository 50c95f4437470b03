// The values of a reach graph under one selection, block by block: roughly, or exactly.
//
// In doubles blocks of any size are solved, large ones by sweeps that may stop too early: whoever
// uses these values proves them (reach_bounds.hpp). In rationals it ends where it becomes too much.
#pragma once

#include <optional>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/infinite/reach_graph.hpp"

namespace quantiplan::checking {

// What rational arithmetic may cost: operations, weighed by the length of their numbers.
class Effort {
 public:
  bool spend(std::size_t count, const Rational& number) {
    const std::size_t words = mpz_size(number.get_num_mpz_t()) + mpz_size(number.get_den_mpz_t());
    const std::size_t cost = count * (1 + words / 4);
    if (cost >= left_) left_ = 0;
    left_ -= std::min(cost, left_);
    return left_ > 0;
  }

 private:
  std::size_t left_ = 5'000'000;  // some seconds
};

struct RoughValues {
  std::vector<double> value;
  // Expected moves until a node with a worth is met, or one from which none ever is.
  std::vector<double> moves;
};

// Nullopt if time is up.
std::optional<RoughValues> rough_values(const ReachGraph& graph,
                                        const Selection& selection,
                                        CheckLimits& limits);
// Nullopt if time is up or it takes too much.
std::optional<std::vector<Rational>> exact_values(const ReachGraph& graph,
                                                  const Selection& selection,
                                                  Effort& effort,
                                                  CheckLimits& limits);

}  // namespace quantiplan::checking
