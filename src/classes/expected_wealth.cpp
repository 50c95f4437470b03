#include "classes/expected_wealth.hpp"

#include <cmath>

#include "classes/forward_pass.hpp"
#include "classes/node_policy.hpp"
#include "evaluate/classes/wealth_distribution.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// Beyond so much memory the comparison is left out.
constexpr std::uint64_t kMostBytes = 64U << 20U;

std::optional<Expansion> modestly_expanded(const Model& model,
                                           const ResolvedSetting& setting,
                                           const std::shared_ptr<Structure>& structure,
                                           Limits& limits) {
  try {
    return expand(model, setting, structure, limits);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    return std::nullopt;
  }
}

}  // namespace

std::optional<Policy> expected_wealth_policy(const Model& model,
                                             const ResolvedSetting& setting,
                                             const std::shared_ptr<Structure>& structure,
                                             const Options& options,
                                             std::uint64_t most_bytes) {
  Options modest = options;
  if (modest.memory_limit_bytes == 0 || modest.memory_limit_bytes > most_bytes)
    modest.memory_limit_bytes = most_bytes;
  Limits limits(modest);
  const std::optional<Expansion> expansion = modestly_expanded(model, setting, structure, limits);
  if (!expansion) return std::nullopt;
  std::vector<double> numbers;
  for (const WealthId w : expansion->final_classes.representative) {
    const auto number = structure->number(w);
    if (!number || !number->is_finite()) return std::nullopt;
    numbers.push_back(to_nearest_double(number->value()));
    if (!std::isfinite(numbers.back())) return std::nullopt;
  }
  NodeChoices choices;
  if (!expectation_pass(*expansion, numbers, limits, &choices)) return std::nullopt;
  return policy_of_nodes(*expansion, setting, choices);
}

namespace {

// What the expectation-optimal policy attains, beside each result.
template <class LawOf>
void add_comparison(const Distribution& law, const LawOf& law_of, FoundQuantiles& answer) {
  for (FoundQuantile& found : answer.results) {
    Result& result = found.result;
    if (!result.policy) continue;
    if (!result.mean) result.mean = law_of(result.policy()).mean;
    ExpectationComparison comparison;
    comparison.mean = law.mean;
    const QuantileOfDistribution own = law.quantile(result.tau, result.side);
    comparison.quantile = own.lower;
    if (own.upper != own.lower) comparison.upper = own.upper;
    comparison.probability = law.at_least(*result.quantile);
    result.expectation_policy = comparison;
  }
}

}  // namespace

void compare_expectations(const Model& model,
                          const ResolvedSetting& setting,
                          const std::shared_ptr<Structure>& structure,
                          const Options& options,
                          FoundQuantiles& answer) {
  for (std::size_t k = 1; k <= answer.classes->size(); ++k) {
    const auto number = answer.classes->number(k);
    if (!number || !number->is_finite()) return;
  }
  const auto policy = expected_wealth_policy(model, setting, structure, options, kMostBytes);
  if (!policy) return;
  try {
    const auto law_of = [&](const Policy& each) {
      return evaluate_wealth(model, structure, each, options, answer.classes);
    };
    add_comparison(law_of(*policy), law_of, answer);
  } catch (const Error& error) {
    // The answer itself is there: it must not be lost because a limit ends the comparison.
    if (error.code() != ErrorCode::refused) throw;
  }
}

}  // namespace quantiplan
