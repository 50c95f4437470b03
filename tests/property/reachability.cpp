#include "reachability.hpp"

#include <algorithm>

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

// Nodes from which some policy surely keeps clear of the targets, with such a choice for each:
// the greatest set with a choice that stays within it.
std::vector<std::optional<std::size_t>> avoiding(const Process& process) {
  const std::size_t n = process.choices.size();
  std::vector<bool> can(n, true);
  std::vector<std::optional<std::size_t>> how(n);
  for (bool shrinks = true; shrinks;) {
    shrinks = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (!can[i]) continue;
      how[i].reset();
      if (!process.targets[i] && process.choices[i].empty()) how[i] = 0;
      for (std::size_t c = 0; c < process.choices[i].size() && !process.targets[i]; ++c) {
        const std::vector<Arc>& arcs = process.choices[i][c];
        if (std::all_of(arcs.begin(), arcs.end(), [&](const Arc& arc) { return can[arc.next]; }))
          how[i] = c;
      }
      if (how[i]) continue;
      can[i] = false;
      shrinks = true;
    }
  }
  return how;
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
  Memoryless policy(process.choices.size(), 0);
  std::vector<bool> is_settled(policy.size(), false);
  if (aim == Aim::least) {
    const std::vector<std::optional<std::size_t>> how = avoiding(process);
    for (std::size_t n = 0; n < policy.size(); ++n) {
      if (!how[n]) continue;
      policy[n] = *how[n];
      is_settled[n] = true;
    }
  }
  for (;;) {
    const std::vector<Rational> x = reach(chain_of(process, policy), process.targets);
    bool is_optimal = true;
    for (std::size_t n = 0; n < policy.size(); ++n) {
      if (is_settled[n] || process.targets[n]) continue;
      Rational best = x[n];
      for (std::size_t c = 0; c < process.choices[n].size(); ++c) {
        const Rational other = expected(process.choices[n][c], x);
        if (!is_better(aim, other, best)) continue;
        best = other;
        policy[n] = c;
        is_optimal = false;
      }
    }
    if (is_optimal) return x;
  }
}

}  // namespace quantiplan::testing
