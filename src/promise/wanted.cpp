#include "promise/wanted.hpp"

namespace quantiplan {

bool wants_better_policies(const Wishes& wishes) {
  if (wishes.as_found) return false;
  // Whoever wants no means does not choose by them, unless it is asked for.
  return wishes.compare || wishes.bounded_means || wishes.mixed ||
         wishes.prefer != Prefer::automatic;
}

std::string best_mean_left_out(const std::string& why) {
  return why.empty() ? why : "the best mean that keeps the promise: " + why;
}

}  // namespace quantiplan
