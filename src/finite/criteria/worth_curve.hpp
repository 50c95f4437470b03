// The best worth of what follows, for every target at the initial state: U_0(s0, y) (final_worth.hpp); where that is
// drawn, one target for all of them: sum over s of mu(s) U_0(s, y).
//
// In doubles every worth and mean has an absolute error, in rationals none. Policies are remade when they
// are asked for; those of one curve share the work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/limits.hpp"
#include "finite/expectation.hpp"
#include "finite/promise/final_worth.hpp"
#include "finite/promise/promise_passes.hpp"
#include "finite/stages.hpp"
#include "finite/windows.hpp"
#include "kernels/backup.hpp"

namespace quantiplan {

using MakeWorthRules = std::function<AimedRules(Limits&)>;

template <class N>
struct WorthCurve {
  std::vector<std::int64_t> levels;  // ascending; keys of time 0
  std::vector<N> worth;              // by level
  std::vector<N> mean;               // of the maximising policy, in keys; if it was asked for
  double error = 0;
  double mean_error = 0;
  // Some total that may be met is worth less, or more, than doubles can say: counted as -inf, or as too little.
  bool is_open_below = false;
  bool is_open_above = false;
  MakeWorthRules rules;
};

// A problem laid out, for passes of any worth; of its keys, rounded or not.
template <class N>
struct WorthGround {
  std::shared_ptr<const Stages> stages;
  std::shared_ptr<const Windows> windows;
  std::shared_ptr<const Expectation<N>> expectation;  // of the keys
  const Kernel* kernel = nullptr;                     // for doubles
};

// Where the functions of a worth are stored: windows whose sure level is their lower edge.
template <class N>
std::shared_ptr<const Windows> windows_of(const FinalWorth<N>& worth, const Windows& windows) {
  if (!worth.is_kinked()) return std::make_shared<Windows>(windows.without_edges());
  return std::make_shared<Windows>(worth.gain == 0 ? windows : windows.down_to_least());
}

}  // namespace quantiplan
