#include "finite/solve/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "quantiplan/error.hpp"

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

// What an exact pass takes, from above: a function has no more steps than its window has levels,
// nor than its children's functions together.
struct ExactCost {
  double products = 0;
  double bytes = 0;  // of the widest layer, and the one before it
};

// Stops counting beyond `enough` products. With `share`, a mixture that choices share counts once.
ExactCost exact_cost(const FiniteLayout& layout, bool share, double enough) {
  const Stages& stages = *layout.stages;
  const Windows& windows = *layout.windows;
  ExactCost cost;
  std::vector<double> later(stages.layer(stages.horizon()).size(), 0);
  for (std::uint64_t t = stages.horizon(); t-- > 0 && cost.products < enough;) {
    if (layout.limits.ended()) break;
    const Layer& layer = stages.layer(t);
    const Layer& next_layer = stages.layer(t + 1);
    const auto of_row = stages.by_row<double>(t, [&](std::span<const Outcome> outcomes) {
      double steps = 0;
      for (const Outcome& o : outcomes) steps += later[next_layer.slot(o.next)] + 1;
      return steps;
    });
    std::vector<double> now(layer.size());
    double entries = 0;
    for (std::size_t slot = 0; slot < layer.size() && cost.products < enough; ++slot) {
      const auto width = static_cast<double>(windows.at(t, slot).width());
      double outcomes = 0;
      double steps = 0;
      for (const Choice c : stages.model().choices(layer.state(slot))) {
        const std::uint32_t row = stages.rows().row(c);
        const auto count = static_cast<double>(stages.model().outcomes(c).size());
        if (row != SharedRows::kNone) {
          outcomes += share ? 1 : count;
          steps += of_row[row];
          continue;
        }
        outcomes += count;
        // There are no more steps than levels: where these are few, so are the outcomes looked at.
        for (const Outcome& o : stages.model().outcomes(c)) {
          if (steps >= width) break;
          steps += later[next_layer.slot(o.next)] + 1;
        }
      }
      now[slot] = std::min(width, steps);
      cost.products += outcomes * (now[slot] + 1);
      entries += now[slot];
    }
    cost.bytes = std::max(cost.bytes, 2 * 16 * entries);
    later = std::move(now);
  }
  return cost;
}

// A rational product takes about 0.3 microseconds, more for long numbers: up to some milliseconds,
// which nobody notices. Doubles come first elsewhere, and rationals for what they leave open.
bool exact_is_cheap(const FiniteLayout& layout) {
  constexpr double kCheap = 2e4;
  const double products = exact_cost(layout, false, kCheap).products;
  if (products >= kCheap) return false;
  const Stages& stages = *layout.stages;
  const double words = 1 + static_cast<double>(stages.horizon()) * denominator_bits(stages) / 512;
  return products * words < kCheap;
}

// Some ten seconds of one core: an exact answer is worth that much waiting.
constexpr double kAffordable = 3e10;

[[noreturn]] void refuse_without_keys(const FiniteLayout& layout, std::string_view asked) {
  throw Error(
      ErrorCode::refused,
      "wealth",
      fmt::format("with horizon {} and discount {} the total reward has no common unit whose "
                  "multiples fit 64-bit integers, which {} needs; expected --engine auto or "
                  "lattice, a shorter horizon, or rewards with a coarser common denominator",
                  layout.stages->horizon(),
                  to_text(layout.setting.discount),
                  asked));
}

// Step 1. Which engine: the exact one wherever that is affordable.
Engine choose_engine(FiniteLayout& layout, std::size_t questions, std::string& why) {
  const Options& options = layout.options;
  const bool has_keys = layout.stages->has_keys();
  if (options.arithmetic == Arithmetic::exact && options.engine != Engine::paper) {
    if (!has_keys) refuse_without_keys(layout, "--exact");
    why = "wealth is exact on an integer grid, so one pass answers every tau; ";
    return Engine::steps;
  }
  if (options.engine == Engine::steps || options.engine == Engine::paper) {
    if (!has_keys && options.engine == Engine::steps) refuse_without_keys(layout, "--engine steps");
    why = options.engine == Engine::paper
              ? "the paper's binary search over targets, as asked; "
              : "wealth is exact on an integer grid, so one pass answers every tau; ";
    return options.engine;
  }
  if (options.engine != Engine::automatic) {
    why = "as asked; ";
    return options.engine;
  }
  if (!has_keys) {
    why = "the total reward has no common unit that fits 64-bit integers; ";
  } else {
    const ExactCost cost = exact_cost(layout, true, kAffordable);
    const bool fits = cost.bytes < static_cast<double>(layout.limits.limit());
    if (cost.products < kAffordable && fits) {
      why = "wealth is exact on an integer grid, so one pass answers every tau; ";
      return Engine::steps;
    }
    why = cost.products < kAffordable
              ? "the exact levels of wealth do not fit the memory limit; "
              : "an exact pass over all levels of wealth would take too long; ";
  }
  // Few steps from s0 touch a small part of a large model.
  constexpr std::uint64_t kShort = 6;
  constexpr std::size_t kLarge = 20'000;
  constexpr std::size_t kFew = 4;
  const bool shares_rows = layout.stages->rows().size() > 0;  // then whole passes are cheap
  if (!shares_rows && layout.stages->horizon() <= kShort &&
      layout.model.outcome_count() >= kLarge && questions > 0 && questions <= kFew) {
    why += "few steps in a large model, so a search from the initial state touches little of it; ";
    return Engine::search;
  }
  return Engine::lattice;
}

std::string_view bracket_way(Engine engine) {
  switch (engine) {
    case Engine::levels:
      return "probabilities rounded down and up to multiples of 1/J";
    case Engine::search:
      return "single targets between bounds from a coarse grid";
    case Engine::paper:
      return "to epsilon, rewards rounded to a grid near the finest";
    default:
      return "rewards rounded down and up to a grid, refined until the bracket is narrow";
  }
}

}  // namespace

Plan choose_plan(FiniteLayout& layout, std::size_t questions) {
  const Options& options = layout.options;
  if (options.engine == Engine::epochs) {
    throw Error(
        ErrorCode::bad_request,
        "--engine",
        "found 'epochs', expected another: it is for the infinite horizon without discount, where "
        "all rewards have one sign");
  }
  if (options.engine == Engine::ranked || options.engine == Engine::forward) {
    throw Error(ErrorCode::bad_request,
                "--engine",
                "found one that goes by classes of wealth, which only solve and frontier do; "
                "expected another");
  }
  Plan plan;
  plan.engine = choose_engine(layout, questions, plan.why);
  plan.bracket = plan.engine != Engine::steps &&
                 (plan.engine != Engine::paper || !layout.stages->has_keys() || options.epsilon);
  if (plan.bracket) {
    plan.why += bracket_way(plan.engine);
    return plan;
  }
  // Step 2. Which arithmetic.
  if (options.arithmetic == Arithmetic::exact) {
    plan.exact = true;
    plan.why += "rationals throughout, as asked";
  } else if (options.arithmetic == Arithmetic::automatic &&
             options.representation != Representation::dense && exact_is_cheap(layout)) {
    plan.exact = true;
    plan.why += "small enough for rationals throughout";
  } else {
    plan.why += "doubles with a certified error bound, open comparisons settled in rationals";
  }
  return plan;
}

EngineReport bracket_report(const Options& options, const Plan& plan, const std::string& summary) {
  EngineReport report = no_engine_report(options);
  Options named;
  named.engine = plan.engine;
  report.used = fmt::format("{} ({})", no_engine_report(named).given, summary);
  report.why = plan.why;
  report.left_open =
      plan.engine == Engine::levels
          ? "its finest levels of probability, 2^-20, cannot tell this, and never a tie; --engine "
            "lattice can tell more, and --engine steps where all totals have a common unit"
          : "its finest steps of wealth cannot tell this; a wider --epsilon can be met, and "
            "--engine steps is exact where all totals have a common unit";
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
  report.used = fmt::format("{} ({}, {})",
                            plan.engine == Engine::paper ? "paper" : "steps",
                            form,
                            plan.exact ? "exact" : "double");
  report.why = plan.why;
  return report;
}

}  // namespace quantiplan
