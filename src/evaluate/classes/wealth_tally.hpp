// Final wealths with their probabilities, gathered into classes from worst to best.
//
// N is double or Rational. The mean is that of the wealths' numbers; NaN where one of them has none
// or is infinite.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "quantiplan/distribution.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

template <class N>
class WealthTally {
 public:
  void add(WealthId wealth, const N& mass);
  [[nodiscard]] std::uint64_t bytes() const {
    return place_.size() * sizeof(std::uint32_t) + ended_.size() * (sizeof(Ended) + 2 * sizeof(N));
  }

  // Atoms hold positions in `classes`; where that is null, in those that were met.
  [[nodiscard]] Distribution distribution(
      const std::shared_ptr<Structure>& structure,
      std::shared_ptr<const WealthClasses> classes = nullptr) const;
  // Additions that made the largest sum of atoms: so many roundings, in doubles.
  [[nodiscard]] std::uint64_t additions() const;

 private:
  struct Ended {
    WealthId wealth;
    N mass;
    std::uint64_t additions;
  };
  [[nodiscard]] std::vector<std::size_t> sorted(const Structure& structure) const;
  [[nodiscard]] Value mean(const Structure& structure) const;

  std::vector<Ended> ended_;          // in the order they were met
  std::vector<std::uint32_t> place_;  // by wealth: in ended_, from 1
};

}  // namespace quantiplan
