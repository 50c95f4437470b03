// States of a PRISM program: how many a second, and how many bytes each.
//
// The family: three walkers on 0..K, of which the policy moves one; (K+1)^3 states, three choices
// each, two transitions a choice. Floor: one lookup of each transition's state in a table that does
// not fit the caches. The contender in the same run is the same walk written by hand in C++, with
// the standard library's table and no model at the end: what an interpreter of the language costs,
// and what the table saves.
#include <fmt/format.h>

#include <array>
#include <deque>
#include <unordered_set>

#include "agreement.hpp"
#include "io/prism/state_set.hpp"
#include "quantiplan/formats.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

constexpr const char* kWalkers = R"(mdp
const int K;
module first
  x : [0..K];
  [a] true -> 1/2 : (x'=min(x+1,K)) + 1/2 : (x'=max(x-1,0));
endmodule
module second = first [x=y, a=b] endmodule
module third = first [x=z, a=c] endmodule
rewards [a] true : 1; [b] true : 2; [c] true : 3; endrewards
)";

using Walkers = std::array<int, 3>;
struct WalkersHash {
  std::size_t operator()(const Walkers& w) const {
    std::uint64_t h = 0;
    for (const int x : w) h = (h ^ static_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15U;
    return h ^ h >> 32U;
  }
};

struct Counts {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
};

Counts walk_by_hand(int k) {
  Counts counts;
  std::unordered_set<Walkers, WalkersHash> met{Walkers{}};
  std::deque<Walkers> open{Walkers{}};
  while (!open.empty()) {
    const Walkers at = open.front();
    open.pop_front();
    ++counts.states;
    for (std::size_t i = 0; i < at.size(); ++i) {
      for (const int step : {1, -1}) {
        Walkers next = at;
        next[i] = std::clamp(next[i] + step, 0, k);
        ++counts.transitions;
        if (met.insert(next).second) open.push_back(next);
      }
    }
  }
  return counts;
}

ReadModel explore(int k) {
  ReadOptions options;
  options.constants = {{"K", std::to_string(k)}};
  return parse_model(kWalkers, Format::prism, "walkers", options);
}

// Of the table of states alone, filled with as many.
double set_bytes_per_state(int k) {
  std::vector<prism::MachineVariable> variables(3);
  for (auto& variable : variables) variable.high = k;
  prism::StateSet set(variables);
  for (std::int64_t x = 0; x <= k; ++x)
    for (std::int64_t y = 0; y <= k; ++y)
      for (std::int64_t z = 0; z <= k; ++z) {
        const std::array<std::int64_t, 3> values{x, y, z};
        set.insert(values.data());
      }
  return static_cast<double>(set.bytes()) / set.size();
}

void prove(int k, const Model& model, const Counts& by_hand) {
  const auto side = static_cast<std::uint64_t>(k) + 1;
  const std::uint64_t states = side * side * side;
  if (model.state_count() != states || model.choice_count() != 3 * states ||
      model.outcome_count() != 6 * states || by_hand.states != states ||
      by_hand.transitions != 6 * states) {
    throw Disagreement(fmt::format("walkers on 0..{}: {} states and {} outcomes, by hand {} and {}",
                                   k,
                                   model.state_count(),
                                   model.outcome_count(),
                                   by_hand.states,
                                   by_hand.transitions));
  }
}

}  // namespace

Section exploration_section(const Plan& plan) {
  Section section{"Exploring a PRISM program",
                  "Three walkers on 0..K: from the text to the finished model, names included, "
                  "against the same walk written by hand, which keeps only the set of states.",
                  {"K",
                   "states",
                   "transitions",
                   "explore",
                   "states per second",
                   "by hand",
                   "bytes per state, table",
                   "bytes per state, model"},
                  {},
                  {}};
  const std::vector<int> sizes =
      plan.quick ? std::vector<int>{9} : std::vector<int>{21, 46, 99, 149};
  for (const int k : sizes) {
    std::uint64_t states = 0;
    std::uint64_t outcomes = 0;
    double model_bytes = 0;
    {
      const Model model = explore(k).model;
      prove(k, model, walk_by_hand(k));
      states = model.state_count();
      outcomes = model.outcome_count();
      model_bytes = static_cast<double>(model.bytes());
    }
    double seconds = 1e300;
    double by_hand = 1e300;
    for (int round = 0; round < plan.effort.rounds; ++round) {
      seconds = std::min(seconds, seconds_of([&] { explore(k); }));
      by_hand = std::min(by_hand, seconds_of([&] { walk_by_hand(k); }));
    }
    const auto count = static_cast<double>(states);
    section.rows.push_back({std::uint64_t{static_cast<unsigned>(k)},
                            states,
                            outcomes,
                            Quantity{seconds, "s"},
                            Quantity{count / seconds, "/s"},
                            Quantity{by_hand, "s"},
                            Quantity{set_bytes_per_state(k), "B"},
                            Quantity{model_bytes / count, "B"}});
    section.ratios.push_back({fmt::format("K = {}: time / time of the walk by hand", k),
                              seconds / by_hand,
                              Ratio::Bound::none,
                              0});
  }
  return section;
}

}  // namespace quantiplan::bench
