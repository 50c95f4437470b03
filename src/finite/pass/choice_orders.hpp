// The order in which ties among the choices of each state of one time are broken, found beforehand.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "finite/stages.hpp"

namespace quantiplan {

struct ChoiceOrders {
  static constexpr std::uint64_t kOfNoTime = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t time = kOfNoTime;
  std::vector<std::uint64_t> begin;  // by slot, and the end of the last
  std::vector<std::uint16_t> what;   // choices, counted from the first of their state

  void copy(std::size_t slot, Choice first, std::vector<Choice>& out) const {
    out.clear();
    for (std::uint64_t i = begin[slot]; i < begin[slot + 1]; ++i)
      out.push_back(Choice{static_cast<std::uint32_t>(index(first)) + what[i]});
  }
};

}  // namespace quantiplan
