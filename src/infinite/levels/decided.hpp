// Groups whose value the graph decides, where all arcs are inner.
//
//     one     the largest set X with: some option of each leads nowhere but into X and to values 1
//     zero    no way leads to a value above 0
//
// Every policy leaves every set of groups almost surely (equations.hpp), so whoever stays in X ends at values
// 1. These values are exact, and no iteration has to find them: where the goal can be reached almost surely from
// everywhere, nothing is left to solve. Source: [dA]. Cost: O(arcs).
#pragma once

#include <cstdint>
#include <vector>

#include "infinite/levels/equations.hpp"

namespace quantiplan {

enum class Decided : std::uint8_t { open, known, one, zero };

struct DecidedGroups {
  std::vector<Decided> how;           // by group
  std::vector<std::uint32_t> option;  // by group: keeps the value, where it is one or zero
  std::size_t open = 0;
  std::size_t found = 0;  // one or zero
};

// Arcs read from their other end: the options `into[i]`, `begin[g] <= i < begin[g + 1]`, lead to group g, one for
// each arc.
struct OptionsInto {
  std::vector<std::uint32_t> owner;  // by option: its group
  std::vector<std::uint64_t> begin;
  std::vector<std::uint32_t> into;
};

template <class A>
OptionsInto options_into(const Equations<A>& equations) {
  const auto groups = static_cast<std::uint32_t>(equations.groups());
  const std::uint32_t options = equations.first_option(groups);
  OptionsInto out;
  auto& [owner, begin, into] = out;
  owner.resize(options);
  begin.assign(groups + 1, 0);
  into.resize(equations.arcs());
  for (std::uint32_t g = 0; g < groups; ++g) {
    for (std::uint32_t o = equations.first_option(g); o < equations.first_option(g + 1); ++o)
      owner[o] = g;
  }
  for (std::uint64_t i = 0; i < equations.arcs(); ++i) ++begin[equations.arc(i).next + 1];
  for (std::uint32_t g = 0; g < groups; ++g) begin[g + 1] += begin[g];
  std::vector<std::uint64_t> at(begin.begin(), begin.end() - 1);
  for (std::uint32_t o = 0; o < options; ++o) {
    for (std::uint64_t i = equations.first_arc(o); i < equations.option(o).arc_end; ++i)
      into[at[equations.arc(i).next]++] = o;
  }
  return out;
}

template <class A>
DecidedGroups decided_groups(const Equations<A>& equations) {
  constexpr std::uint32_t kNone = Equations<A>::kNoOption;
  const auto groups = static_cast<std::uint32_t>(equations.groups());
  const OptionsInto arcs = options_into(equations);
  const auto& [owner, begin, into] = arcs;
  DecidedGroups out;
  out.how.assign(groups, Decided::one);
  out.option.assign(groups, kNone);
  std::vector<bool> is_out(owner.size(), false);
  std::vector<std::uint32_t> left(groups);  // options that are not out
  std::vector<bool> is_possible(groups, false);
  std::vector<std::uint32_t> lost;
  std::vector<std::uint32_t> possible;
  for (std::uint32_t g = 0; g < groups; ++g) {
    left[g] = equations.first_option(g + 1) - equations.first_option(g);
    if (!equations.is_known(g)) continue;
    out.how[g] = Decided::known;
    if (equations.known()[g] != A::one()) lost.push_back(g);
    is_possible[g] = equations.known()[g] != A::zero();
    if (is_possible[g]) possible.push_back(g);
  }
  // Lost: all options lead somewhere that is not worth 1.
  while (!lost.empty()) {
    const std::uint32_t g = lost.back();
    lost.pop_back();
    for (std::uint64_t i = begin[g]; i < begin[g + 1]; ++i) {
      const std::uint32_t o = into[i];
      if (is_out[o]) continue;
      is_out[o] = true;
      if (--left[owner[o]] != 0 || out.how[owner[o]] != Decided::one) continue;
      out.how[owner[o]] = Decided::open;
      lost.push_back(owner[o]);
    }
  }
  while (!possible.empty()) {
    const std::uint32_t g = possible.back();
    possible.pop_back();
    for (std::uint64_t i = begin[g]; i < begin[g + 1]; ++i) {
      const std::uint32_t from = owner[into[i]];
      if (is_possible[from]) continue;
      is_possible[from] = true;
      possible.push_back(from);
    }
  }
  for (std::uint32_t g = 0; g < groups; ++g) {
    if (out.how[g] == Decided::known) continue;
    if (out.how[g] == Decided::open && !is_possible[g]) out.how[g] = Decided::zero;
    if (out.how[g] == Decided::open) {
      ++out.open;
      continue;
    }
    ++out.found;
    std::uint32_t o = equations.first_option(g);
    while (out.how[g] == Decided::one && is_out[o]) ++o;
    out.option[g] = o;
  }
  return out;
}

}  // namespace quantiplan
