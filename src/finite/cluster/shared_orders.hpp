// The order of choices at the next time, found by ranks together: each orders a part of the slots, and
// its orders travel with the decisions of the step before.
//
// An order takes all outcomes of a state, however few of its levels a rank computes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "finite/pass/choice_orders.hpp"
#include "finite/pass/pass.hpp"

namespace quantiplan {

class SharedOrders {
 public:
  SharedOrders(const PassInput<double>& input, const Arithmetics<double>& numbers);

  // Of the time: lays out the arrays and fills the part of `rank`; nothing if that does not pay.
  void find(std::uint64_t time, std::uint32_t rank, std::uint32_t ranks, const Limits& limits);
  void put(std::uint32_t rank, std::uint32_t ranks, std::vector<std::byte>& out);
  // The part of a rank from the front of its message, which is cut to the rest.
  void take(std::uint32_t rank, std::uint32_t ranks, std::span<const std::byte>& message);
  // Null unless they are of that time.
  [[nodiscard]] const ChoiceOrders* at(std::uint64_t time) const noexcept {
    return orders_.time == time ? &orders_ : nullptr;
  }
  // Most that it holds of any time.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

 private:
  [[nodiscard]] std::span<std::uint16_t> part(std::uint32_t rank, std::uint32_t ranks);

  const PassInput<double>& input_;
  const Arithmetics<double>& numbers_;
  bool may_be_;  // decisions are recorded, and no state has too many choices
  ChoiceOrders orders_;
};

}  // namespace quantiplan
