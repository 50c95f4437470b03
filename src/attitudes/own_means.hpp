// A policy of (time, state) in the making, and the mean of what it will still collect, by which it
// settles its own ties.
//
//     M_t(s) = sum over outcomes of the policy's choice of  p * ( r + gamma M_{t+1}(s') )
//
// In units of the present time, of the true rewards. Doubles with an error that is carried along:
//     error_t <= sum p error_{t+1} + n u sum p ( |r| + |M_{t+1}| ),   n = outcomes + 8
// and rationals where that leaves a comparison open, for the states it leads to alone.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "attitudes/exact_numbers.hpp"
#include "attitudes/plays.hpp"
#include "base/limits.hpp"
#include "finite/stages.hpp"

namespace quantiplan {

class OwnMeans {
 public:
  // Of each time and state: a choice, twice while it is handed on, a mean and its error.
  static constexpr std::uint64_t kBytesPerSlot = 2 * sizeof(Choice) + 2 * sizeof(double);

  OwnMeans(const Stages& stages, const ExactNumbers& numbers, const Limits& limits);

  // The choice with the greatest mean, the first of equals, once the choices of all later times are
  // set; it is set. Throws WorkEnded.
  void set_best(std::uint64_t time, std::uint32_t slot, const std::vector<Choice>& candidates);
  [[nodiscard]] const std::vector<std::vector<Choice>>& choices() const noexcept {
    return choices_;
  }

 private:
  struct Mean {
    double value = 0;
    double error = 0;
  };
  [[nodiscard]] Mean of(std::uint64_t time, Choice c) const;
  [[nodiscard]] Rational exact_of(std::uint64_t time, Choice c);
  [[nodiscard]] Rational exact_sum(std::uint64_t time, Choice c) const;
  void settle(std::uint64_t time, Choice c);

  const Stages& stages_;
  const ExactNumbers& numbers_;
  const Limits& limits_;
  double gamma_;
  std::vector<std::vector<Choice>> choices_;  // by time and slot
  std::vector<std::vector<Mean>> mean_;
  std::vector<std::unordered_map<std::uint32_t, Rational>> exact_;  // by time, where it was asked
};

}  // namespace quantiplan
