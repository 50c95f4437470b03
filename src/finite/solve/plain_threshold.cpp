#include "finite/solve/brackets.hpp"
#include "finite/solve/finite_layout.hpp"
#include "finite/solve/plain.hpp"
#include "finite/solve/plan.hpp"
#include "finite/solve/shared_starts.hpp"
#include "finite/solve/solver.hpp"

namespace quantiplan {

std::int64_t key_of(const WealthScale& scale, const PlainTarget& target) {
  const WealthKey least = scale.ceiling(target.first);
  const bool equal = target.strictly && scale.wealth(least) == target.first;
  return least.value + (equal ? 1 : 0);
}

std::int64_t level_below(const WealthScale& scale, const PlainTarget& target) {
  if (scale.beyond_target() == 0) return key_of(scale, target);
  const WealthKey least = scale.ceiling(target.first);
  return scale.wealth(least) == target.first ? least.value : least.value - 1;
}

namespace {

template <class N>
FoundChance chance_at(Solver<N>& solver, std::int64_t level) {
  const Located located{{level, level}, std::nullopt};
  const Result result = solver.result_of(Question{Rational(1, 2), Side::lower}, located);
  FoundChance out;
  out.status = Status::solved;
  out.low = out.high = *result.probability;
  if (!out.low.exact) {
    out.low = Value::at_least(result.probability->least());
    out.high = Value::at_most(result.probability->greatest());
    // Above the greatest possible total nothing is, whatever was computed.
    if (level > solver.layout()->windows->start().possible) out.low = out.high = Value::exactly(0);
  }
  out.policy = result.policy;
  return out;
}

template <class N>
void answer_chances(const PlannedLayout& planned,
                    const std::vector<PlainTarget>& targets,
                    FoundChances& out) {
  const std::shared_ptr<FiniteLayout>& layout = planned.layout;
  Solver<N> solver(layout, *planned.plan, false, out.work);
  const bool solved = run_passes(solver, planned, false);
  out.engine = engine_report(
      layout->options, *planned.plan, solver.dense_layers(), layout->stages->horizon());
  if (!solved) return;
  for (const auto& target : targets)
    out.chances.push_back(chance_at(solver, key_of(layout->stages->scale(), target)));
}

void bracket_chances(const std::shared_ptr<FiniteLayout>& layout,
                     Plan plan,
                     const std::vector<PlainTarget>& targets,
                     FoundChances& out) {
  plan.engine = Engine::lattice;
  Brackets brackets(layout, plan, {}, false, out.work);
  brackets.run_whole(true);
  out.engine = bracket_report(layout->options, plan, brackets.summary());
  if (!brackets.has_begun() || !brackets.down()) return;
  for (const auto& target : targets) {
    Solver<double>& down = *brackets.down();
    Solver<double>& up = *brackets.up();
    FoundChance chance = chance_at(down, key_of(down.layout()->stages->scale(), target));
    const WealthScale& scale = up.layout()->stages->scale();
    const FoundChance above = chance_at(up, level_below(scale, target));
    // Each is known of its own rounded problem; of the true one they are bounds.
    chance.high = above.high;
    if (scale.beyond_target() != 0) {
      chance.low = Value::at_least(chance.low.least());
      chance.high = Value::at_most(chance.high.greatest());
    }
    if (chance.low.exact && *chance.low.exact == 1) chance.high = chance.low;
    if (chance.high.exact && *chance.high.exact == 0) chance.low = chance.high;
    out.chances.push_back(std::move(chance));
  }
}

}  // namespace

FoundChances threshold_plain(const Model& model,
                             const ResolvedSetting& setting,
                             const std::vector<PlainTarget>& targets,
                             const Options& options,
                             const SharedStart* shared) {
  FoundChances out;
  // The paper's search is for quantiles; one pass gives every probability.
  Options usual = options;
  if (usual.engine == Engine::paper) usual.engine = Engine::automatic;
  const PlannedLayout planned = planned_layout(model, setting, usual, 0, shared);
  const auto& layout = planned.layout;
  out.engine = no_engine_report(options);
  if (planned.plan) {
    if (planned.plan->bracket) {
      bracket_chances(layout, *planned.plan, targets, out);
    } else if (planned.plan->exact) {
      answer_chances<Rational>(planned, targets, out);
    } else {
      answer_chances<double>(planned, targets, out);
    }
  }
  // A limit was met: nothing is known.
  while (out.chances.size() < targets.size())
    out.chances.push_back(
        unknown_chance(layout->limits.ended() ? layout->limits.status() : Status::limit_reached));
  out.work.peak_bytes = layout->limits.peak();
  return out;
}

}  // namespace quantiplan
