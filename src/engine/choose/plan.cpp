#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace quantiplan {
namespace {

// Bits of the least common denominator of all probabilities met, or a huge number if there are
// many.
double denominator_bits(const Stages& stages) {
  constexpr std::size_t kMostBits = 4096;
  Integer common = 1;
  std::unordered_set<std::size_t> seen;
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
    if (t > 0 && stages.same_layer(t, t - 1)) continue;
    for (const State s : stages.layer(t).states()) {
      for (const Choice c : stages.model().choices(s)) {
        for (const Outcome& o : stages.model().outcomes(c)) {
          if (!seen.insert(index(o.probability)).second) continue;
          common = lcm(common, stages.model().probability(o).get_den());
          if (mpz_sizeinbase(common.get_mpz_t(), 2) > kMostBits) return 1e9;
        }
      }
    }
  }
  return static_cast<double>(mpz_sizeinbase(common.get_mpz_t(), 2));
}

// Products of a sparse pass, from above: a function has no more steps than its window has levels,
// nor than its children's functions together. Stops counting beyond `enough`.
double products_at_most(const Stages& stages, const Windows& windows, double enough) {
  double products = 0;
  std::vector<double> later(stages.layer(stages.horizon()).size(), 0);
  for (std::uint64_t t = stages.horizon(); t-- > 0 && products < enough;) {
    const Layer& layer = stages.layer(t);
    const Layer& next_layer = stages.layer(t + 1);
    std::vector<double> now(layer.size());
    for (std::size_t slot = 0; slot < layer.size(); ++slot) {
      double outcomes = 0;
      double steps = 0;
      for (const Choice c : stages.model().choices(layer.state(slot))) {
        for (const Outcome& o : stages.model().outcomes(c)) {
          ++outcomes;
          steps += later[next_layer.slot(o.next)] + 1;
        }
      }
      now[slot] = std::min(static_cast<double>(windows.at(t, slot).width()), steps);
      products += outcomes * (now[slot] + 1);
    }
    later = std::move(now);
  }
  return products;
}

// A rational product takes about 0.3 microseconds, more for long numbers: up to a few tenths of a
// second.
bool exact_is_cheap(const Stages& stages, const Windows& windows) {
  constexpr double kCheap = 5e5;
  const double products = products_at_most(stages, windows, kCheap);
  if (products >= kCheap) return false;
  const double words = 1 + static_cast<double>(stages.horizon()) * denominator_bits(stages) / 512;
  return products * words < kCheap;
}

}  // namespace

Plan choose_plan(const Stages& stages, const Windows& windows, const Options& options) {
  Plan plan;
  plan.paper = options.engine == Engine::paper;
  if (options.arithmetic == Arithmetic::exact) {
    plan.exact = true;
    plan.why = "rationals throughout, as asked";
  } else if (options.arithmetic == Arithmetic::automatic &&
             options.representation != Representation::dense && exact_is_cheap(stages, windows)) {
    plan.exact = true;
    plan.why = "small enough for rationals throughout";
  } else {
    plan.why = "doubles with a certified error bound, open comparisons settled in rationals";
  }
  const std::string way =
      plan.paper ? "the paper's binary search over targets, as asked; "
                 : "wealth is exact on an integer grid, so one pass answers every tau; ";
  plan.why = way + plan.why;
  return plan;
}

EngineReport no_engine_report(const Options& options) {
  EngineReport report;
  for (const OptionEntry& entry : option_table()) {
    if (entry.name == "engine") report.given = entry.get(options);
  }
  report.used = "none";
  report.why = "ended before the model was laid out; the bracket holds for every policy";
  return report;
}

EngineReport engine_report(const Options& options,
                           const Plan& plan,
                           std::uint64_t dense_layers,
                           std::uint64_t layers) {
  EngineReport report = no_engine_report(options);
  const char* form = dense_layers == 0        ? "sparse"
                     : dense_layers == layers ? "dense"
                                              : "sparse, then dense";
  report.used = fmt::format(
      "{} ({}, {})", plan.paper ? "paper" : "steps", form, plan.exact ? "exact" : "double");
  report.why = plan.why;
  return report;
}

}  // namespace quantiplan
