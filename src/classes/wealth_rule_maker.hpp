// Collects (time, state, wealth) -> choice, and groups them into rules: wealths that take the same
// action stand together, and the action of most wealths is the last run, which names none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

class WealthRuleMaker {
 public:
  explicit WealthRuleMaker(const Structure& structure) : structure_(structure) {}

  void add(std::uint64_t time, State state, WealthId wealth, Choice choice) {
    taken_[{time, state}].emplace_back(wealth, choice);
  }

  void fill(Policy& policy) const {
    std::map<std::string, std::uint32_t> names;
    std::vector<Grouped> all;
    for (const auto& [at, taken] : taken_) all.push_back(grouped(taken));
    for (const Grouped& rule : all) {
      for (const auto& [choice, wealths] : rule.listed)
        for (const WealthId w : wealths) names.emplace(structure_.text(w), 0);
    }
    for (auto& [text, position] : names) {
      position = static_cast<std::uint32_t>(policy.wealths.size());
      policy.wealths.push_back(text);
    }
    std::size_t i = 0;
    for (const auto& [at, taken] : taken_) {
      const Grouped& from = all[i++];
      PolicyRule rule{at.first, at.second, {}};
      for (const auto& [choice, wealths] : from.listed) {
        PolicyRun run{std::nullopt, choice, {}};
        for (const WealthId w : wealths) run.wealths.push_back(names.at(structure_.text(w)));
        std::ranges::sort(run.wealths);
        rule.runs.push_back(std::move(run));
      }
      rule.runs.push_back({std::nullopt, from.otherwise, {}});
      policy.rules.push_back(std::move(rule));
    }
  }

 private:
  using Taken = std::vector<std::pair<WealthId, Choice>>;
  struct Grouped {
    std::map<Choice, std::vector<WealthId>> listed;
    Choice otherwise{};
  };
  static Grouped grouped(const Taken& taken) {
    Grouped out;
    for (const auto& [wealth, choice] : taken) out.listed[choice].push_back(wealth);
    const auto most = std::ranges::max_element(
        out.listed, {}, [](const auto& entry) { return entry.second.size(); });
    out.otherwise = most->first;
    out.listed.erase(most);
    return out;
  }

  const Structure& structure_;
  std::map<std::pair<std::uint64_t, State>, Taken> taken_;
};

}  // namespace quantiplan
