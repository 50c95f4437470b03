// Probability that is followed forward in time, node by node.
//
//     P_0(first(s)) = mu(s),   P_{t+1}(n') += p * P_t(n)     for the outcomes of the choice at (t, n)
//
// What nodes are, a Walk says:
//
//     first(s)                   the node at time 0, of an initial state
//     state(t, n)                where it stands; an episode ends at a terminal state, and at the
//                                horizon
//     end(t, n, mass)            takes what ended
//     choose(t, n)               the policy's choice
//     after(t, n, outcome, p)    the node that follows, with probability p
//     bytes()                    held besides the nodes
//
// N is double or Rational. In doubles, a probability that collects at most c contributions errs by
// c + 1 roundings more than those before it. Cost: one hash look-up for each outcome of each node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "base/node_table.hpp"
#include "evaluate/infinite/mass_error.hpp"
#include "evaluate/infinite/pace.hpp"
#include "finite/expectation.hpp"
#include "quantiplan/distribution.hpp"

namespace quantiplan {

// Probability by node, with the number of contributions each collected.
template <class N>
struct NodeMass {
  NodeTable table;
  std::vector<N> probability;
  std::vector<std::uint32_t> contributions;

  void add(Node node, const N& p) {
    const std::uint32_t at = table.insert(node);
    if (at == probability.size()) {
      probability.push_back(p);
      contributions.push_back(1);
    } else {
      probability[at] += p;
      ++contributions[at];
    }
  }
  [[nodiscard]] std::size_t size() const { return table.size(); }
  [[nodiscard]] Node node(std::size_t i) const { return table.nodes()[i]; }
  [[nodiscard]] std::uint64_t most_contributions() const {
    return contributions.empty() ? 0 : *std::ranges::max_element(contributions);
  }
  // What it holds now. Numbers of one time are of one kind: the last one stands for all.
  [[nodiscard]] std::uint64_t bytes() const {
    constexpr std::uint64_t kPerNode = NodeTable::kBytesPerNode + 4;
    return size() * (kPerNode + (probability.empty() ? 0 : bytes_of(probability.back())));
  }
};

template <class N, class Walk>
class MassWalk {
 public:
  MassWalk(const Model& model,
           const InitialStates& initial,
           std::uint64_t horizon,
           Walk& walk,
           Limits& limits)
      : model_(model),
        initial_(initial),
        horizon_(horizon),
        walk_(walk),
        limits_(limits),
        numbers_(model),
        pace_(limits) {}

  // False if the limits ended it. Throws Error(refused) if the nodes do not fit the memory limit.
  [[nodiscard]] bool run() {
    NodeMass<N> now;
    for (const auto& [state, mu] : initial_) now.add(walk_.first(state), as_mass(mu));
    if (!initial_.is_certain()) roundings_ += 1;
    for (std::uint64_t t = 0; t < horizon_ && now.size() > 0; ++t) {
      NodeMass<N> next;
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (!is_within_limits(i == 0, now, next)) return false;
        step(t, now.node(i), now.probability[i], next);
      }
      roundings_ += static_cast<unsigned long>(next.most_contributions() + 2);
      now = std::move(next);
      limits_.report("forward pass", static_cast<double>(t + 1) / static_cast<double>(horizon_));
    }
    if (pace_.has_ended()) return false;
    for (std::size_t i = 0; i < now.size(); ++i)
      walk_.end(horizon_, now.node(i), now.probability[i]);
    return true;
  }

  [[nodiscard]] std::uint64_t products() const { return products_; }
  // Of atoms that took at most so many additions each: sums of them add one rounding for each atom;
  // a product that underflows loses less than 2^-1074.
  void bound_errors(Distribution& d, std::uint64_t additions) const {
    if constexpr (std::is_same_v<N, double>) {
      d.relative_error = relative_after(roundings_ + Integer(additions + d.atoms.size()));
      d.absolute_error = static_cast<double>(products_) * 0x1p-1074;
    }
  }

 private:
  static N as_mass(const Rational& mu) {
    if constexpr (std::is_same_v<N, double>) {
      return to_nearest_double(mu);
    } else {
      return mu;
    }
  }
  // Limits are looked at every so many products.
  [[nodiscard]] bool is_within_limits(bool at_once,
                                      const NodeMass<N>& now,
                                      const NodeMass<N>& next) {
    if (pace_.has_ended()) return false;
    if (!at_once && products_ < next_look_) return true;
    next_look_ = products_ + 4096;
    if (limits_.ended()) return false;
    const std::uint64_t bytes = 2 * (now.bytes() + next.bytes()) + walk_.bytes();
    if (!limits_.would_fit(bytes)) limits_.take(bytes, "the forward pass");
    return true;
  }

  void step(std::uint64_t t, Node node, const N& mass, NodeMass<N>& next) {
    if (model_.is_terminal(walk_.state(t, node))) {
      walk_.end(t, node, mass);
      return;
    }
    for (const Outcome& o : model_.outcomes(walk_.choose(t, node))) {
      const N p = numbers_.probability(o) * mass;
      if (pace_.after(p)) return;
      ++products_;
      next.add(walk_.after(t, node, o, p), p);
    }
  }

  const Model& model_;
  const InitialStates& initial_;
  std::uint64_t horizon_;
  Walk& walk_;
  Limits& limits_;
  Arithmetics<N> numbers_;
  Pace pace_;
  Integer roundings_ = 0;
  std::uint64_t products_ = 0;
  std::uint64_t next_look_ = 0;
};

}  // namespace quantiplan
