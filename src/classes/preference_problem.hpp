// A problem with another wealth structure than the sum, laid out: what both engines can be asked.
//
//     chance of class k = the greatest P(class of the final wealth >= k) of any policy
//
// Classes are counted from 0, the worst, whose chance is 1.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

struct Expansion;

// By which arithmetic something was found, and its policy is to be made.
enum class PreferenceMethod { real, exact, sure, possible };

class PreferenceProblem {
 public:
  virtual ~PreferenceProblem() = default;
  // False if a limit of time ended it; throws Error(refused) over the memory limit.
  virtual bool lay_out(Limits& limits) = 0;

  [[nodiscard]] virtual std::vector<WealthId> classes() const = 0;
  // Nullopt if a limit ends it.
  virtual std::optional<std::vector<double>> chances(std::span<const std::uint32_t> classes,
                                                     Limits& limits) = 0;
  virtual std::optional<Rational> exact_chance(std::uint32_t k, Limits& limits) = 0;
  // Whether it is 1, and whether it is more than 0: by the graph alone.
  virtual std::optional<bool> is_sure(std::uint32_t k, Limits& limits) = 0;
  virtual std::optional<bool> is_possible(std::uint32_t k, Limits& limits) = 0;
  // Rules and wealths of a policy that attains the chance.
  virtual Policy policy(std::uint32_t k, PreferenceMethod method, Limits& limits) = 0;

  // The reachable (time, state, wealth), where they were laid out; null elsewhere.
  [[nodiscard]] virtual std::shared_ptr<const Expansion> expansion() const { return nullptr; }
  // What one pass of one class costs, in products; and whether a pass answers for all of them.
  [[nodiscard]] virtual std::uint64_t products() const = 0;
  [[nodiscard]] virtual bool answers_all_at_once() const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
  virtual void add_work(Work& work) const = 0;
};

std::shared_ptr<PreferenceProblem> forward_problem(const Model& model,
                                                   const ResolvedSetting& setting,
                                                   std::shared_ptr<Structure> structure);
std::shared_ptr<PreferenceProblem> ranked_problem(const Model& model,
                                                  const ResolvedSetting& setting,
                                                  std::shared_ptr<Structure> structure);

}  // namespace quantiplan
