// What a final total is worth, where that is no promise: the terminal function of a pass.
//
//     U_T(s, y) = u(-y)      U_t(s, y) = max_a  sum p U_{t+1}(s', y - R)      y: what is left of a target
//
// kinked    u(x) = gain x for x >= 0 and loss x for x < 0, 0 <= gain <= loss:
//               y <= low:       U = gain (E_t(s) - y)      low = sure if gain is 0, else least
//               y >  possible:  U = loss (E_t(s) - y)      E: the greatest expected remaining reward
//           so that it is stored on (low, possible] only, like a promise. CVaR has gain 0, loss 1.
// spelt     any function, given level by level. Nothing is known of U outside what was asked for, so it is
//           stored wherever a residual can be met from the targets.
//
// Source: criteria, sections 1 and 3. Rewards and E are those of the keys, also where these are rounded: a
// rounded problem is solved as one of its own.
#pragma once

#include <cstdint>
#include <functional>

namespace quantiplan {

template <class N>
struct FinalWorth {
  N gain = 0;
  N loss = 1;
  // By time and residual, in steps of that time; empty: kinked.
  std::function<N(std::uint64_t time, std::int64_t residual)> spelt = nullptr;

  [[nodiscard]] bool is_kinked() const noexcept { return spelt == nullptr; }
};

}  // namespace quantiplan
