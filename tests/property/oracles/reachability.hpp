// The greatest and the least chance of coming to a target, over all policies of a finite process:
// twice, by counting all memoryless policies and by policy iteration.
//
// Policies that are memoryless and deterministic suffice for both [Puterman 1994, 7.2.7; Baier and
// Katoen 2008, 10.6.2]. Iteration: a policy's chance x is replaced where a choice strictly betters
// it, one strong component of the process after another. It ends at a fixed point of
//
//     x(n) = max (or min) over choices of  sum over arcs of p * x(next)
//
// which is the chance of a policy. The greatest chance is the least fixed point, so no other is
// below it. For the least chance the nodes where some policy avoids the targets for ever are found
// on the graph and count 0; then there is one fixed point only.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/truth.hpp"
#include "oracles/markov_chain.hpp"

namespace quantiplan::testing {

struct Process {
  std::vector<std::vector<std::vector<Arc>>> choices;  // of each node; none: left never
  std::vector<bool> targets;

  std::size_t add_node() {
    choices.emplace_back();
    targets.push_back(false);
    return choices.size() - 1;
  }
};

// All memoryless deterministic policies: a position in choices[n] for each node. nullopt if there
// are more than `most`.
using Memoryless = std::vector<std::size_t>;
std::optional<std::vector<Memoryless>> all_memoryless(const Process& process, std::size_t most);
Chain chain_of(const Process& process, const Memoryless& policy);

std::optional<std::vector<Rational>> reach_by_counting(const Process& process,
                                                       Aim aim,
                                                       std::size_t most);
std::vector<Rational> reach(const Process& process, Aim aim);

}  // namespace quantiplan::testing
