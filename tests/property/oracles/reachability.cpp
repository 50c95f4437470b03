#include "oracles/reachability.hpp"

#include <algorithm>
#include <utility>

namespace quantiplan::testing {
namespace {

bool is_better(Aim aim, const Rational& a, const Rational& b) {
  return aim == Aim::greatest ? a > b : a < b;
}

Rational expected(const std::vector<Arc>& choice, const std::vector<Rational>& x) {
  Rational sum = 0;
  for (const Arc& arc : choice) sum += arc.probability * x[arc.next];
  return sum;
}

// Nodes from which some policy surely keeps clear of the targets: all but those which are targets,
// or lose each of their choices because it may lead to a node that is not among them.
std::vector<bool> avoiding(const Process& process) {
  const std::size_t n = process.choices.size();
  using Entry = std::pair<std::size_t, std::size_t>;  // node, choice
  std::vector<std::vector<Entry>> entries(n);         // choices that may lead to a node
  std::vector<std::vector<bool>> is_lost(n);
  std::vector<std::size_t> left(n);
  for (std::size_t i = 0; i < n; ++i) {
    left[i] = process.choices[i].size();
    is_lost[i].resize(left[i], false);
    for (std::size_t c = 0; c < left[i]; ++c)
      for (const Arc& arc : process.choices[i][c]) entries[arc.next].emplace_back(i, c);
  }
  std::vector<bool> can = process.targets;
  can.flip();
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < n; ++i)
    if (!can[i]) open.push_back(i);
  while (!open.empty()) {
    const std::size_t gone = open.back();
    open.pop_back();
    for (const auto& [i, c] : entries[gone]) {
      if (!can[i] || is_lost[i][c]) continue;
      is_lost[i][c] = true;
      if (--left[i] > 0) continue;
      can[i] = false;
      open.push_back(i);
    }
  }
  return can;
}

}  // namespace

std::optional<std::vector<Memoryless>> all_memoryless(const Process& process, std::size_t most) {
  std::vector<Memoryless> all{Memoryless(process.choices.size(), 0)};
  for (std::size_t n = 0; n < process.choices.size(); ++n) {
    const std::size_t before = all.size();
    if (before * std::max<std::size_t>(1, process.choices[n].size()) > most) return std::nullopt;
    for (std::size_t c = 1; c < process.choices[n].size(); ++c) {
      for (std::size_t i = 0; i < before; ++i) {
        all.push_back(all[i]);
        all.back()[n] = c;
      }
    }
  }
  return all;
}

Chain chain_of(const Process& process, const Memoryless& policy) {
  Chain chain(process.choices.size());
  for (std::size_t n = 0; n < chain.size(); ++n)
    if (!process.choices[n].empty()) chain[n] = process.choices[n][policy[n]];
  return chain;
}

std::optional<std::vector<Rational>> reach_by_counting(const Process& process,
                                                       Aim aim,
                                                       std::size_t most) {
  const auto policies = all_memoryless(process, most);
  if (!policies) return std::nullopt;
  std::optional<std::vector<Rational>> best;
  for (const Memoryless& policy : *policies) {
    const std::vector<Rational> x = reach(chain_of(process, policy), process.targets);
    if (!best) best = x;
    for (std::size_t n = 0; n < x.size(); ++n)
      if (is_better(aim, x[n], (*best)[n])) (*best)[n] = x[n];
  }
  return best;
}

std::vector<Rational> reach(const Process& process, Aim aim) {
  const std::size_t n = process.choices.size();
  Memoryless policy(n, 0);
  std::vector<bool> is_settled = process.targets;
  if (aim == Aim::least) {
    const std::vector<bool> can_avoid = avoiding(process);
    for (std::size_t i = 0; i < n; ++i) is_settled[i] = is_settled[i] || can_avoid[i];
  }
  Graph graph(n);
  for (std::size_t i = 0; i < n; ++i)
    for (const std::vector<Arc>& choice : process.choices[i])
      for (const Arc& arc : choice) graph[i].push_back(arc.next);
  std::vector<Rational> x(n);
  for (std::size_t i = 0; i < n; ++i)
    if (process.targets[i]) x[i] = 1;
  Chain chain = chain_of(process, policy);
  for (std::vector<std::size_t>& component : components(graph)) {
    std::erase_if(component,
                  [&](std::size_t i) { return is_settled[i] || process.choices[i].empty(); });
    for (bool is_better_found = true; is_better_found;) {
      settle(chain, component, x);
      is_better_found = false;
      for (const std::size_t i : component) {
        Rational best = x[i];
        for (const std::vector<Arc>& choice : process.choices[i]) {
          const Rational other = expected(choice, x);
          if (!is_better(aim, other, best)) continue;
          best = other;
          chain[i] = choice;
          is_better_found = true;
        }
      }
    }
  }
  return x;
}

}  // namespace quantiplan::testing
