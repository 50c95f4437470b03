#include "brackets.hpp"
#include "directed.hpp"
#include "instance.hpp"
#include "plain.hpp"
#include "plan.hpp"
#include "solver.hpp"

namespace quantiplan {
namespace {

// The least key of time 0 whose wealth is at least the target, or above it.
std::int64_t key_of(const WealthScale& scale, const Recast::PlainTarget& target) {
  const WealthKey least = scale.ceiling(target.first);
  const bool equal = target.strictly && scale.wealth(least) == target.first;
  return least.value + (equal ? 1 : 0);
}

template <class N>
PlainChance chance_at(Solver<N>& solver, std::int64_t level) {
  const Located located{{level, level}, std::nullopt};
  const Result result = solver.result_of(Question{Rational(1, 2), Side::lower}, located);
  PlainChance out;
  out.status = Status::solved;
  out.low = out.high = *result.probability;
  if (!out.low.exact) {
    const double computed = result.probability->nearest;
    const RoundingBound& bound = solver.bound();
    out.low.nearest = round_down(bound.least(computed));
    out.high.nearest = round_up(
        std::min<Rational>(1, Rational(computed) * (1 + 2 * bound.relative) + bound.absolute));
    // Above the greatest possible total nothing is, whatever was computed.
    if (level > solver.instance()->windows->at(0, 0).possible)
      out.low = out.high = Value{0, Rational(0)};
  }
  out.policy = [make = result.policy] {
    Policy policy = make();
    policy.claim.reset();
    return policy;
  };
  return out;
}

template <class N>
void answer_chances(const std::shared_ptr<Instance>& instance,
                    const Plan& plan,
                    const std::vector<Recast::PlainTarget>& targets,
                    PlainChances& out) {
  Solver<N> solver(instance, plan, false, out.work);
  const bool solved = solver.run_passes();
  out.engine =
      engine_report(instance->options, plan, solver.dense_layers(), instance->stages->horizon());
  if (!solved) return;
  for (const auto& target : targets)
    out.chances.push_back(chance_at(solver, key_of(instance->stages->scale(), target)));
}

void bracket_chances(const std::shared_ptr<Instance>& instance,
                     Plan plan,
                     const std::vector<Recast::PlainTarget>& targets,
                     PlainChances& out) {
  plan.engine = Engine::lattice;
  Brackets brackets(instance, plan, {}, false, out.work);
  brackets.run_whole(true);
  out.engine = bracket_report(instance->options, plan, brackets.summary());
  if (!brackets.has_begun() || !brackets.down()) return;
  for (const auto& target : targets) {
    Solver<double>& down = *brackets.down();
    Solver<double>& up = *brackets.up();
    PlainChance chance = chance_at(down, key_of(down.instance()->stages->scale(), target));
    // Totals rounded up lie on finer steps than targets: the target below is the one that counts.
    const WealthScale& scale = up.instance()->stages->scale();
    std::int64_t level = scale.ceiling(target.first).value;
    if (scale.wealth(WealthKey{level}) != target.first) --level;
    chance.high = chance_at(up, level).high;
    out.chances.push_back(std::move(chance));
  }
}

}  // namespace

PlainChances threshold_plain(const Model& model,
                             const ResolvedSetting& setting,
                             const std::vector<Recast::PlainTarget>& targets,
                             const Options& options) {
  PlainChances out;
  // The paper's search is for quantiles; one pass gives every probability.
  Options usual = options;
  if (usual.engine == Engine::paper) usual.engine = Engine::automatic;
  const auto instance = std::make_shared<Instance>(model, setting, usual);
  out.engine = no_engine_report(options);
  if (instance->lay_out()) {
    const Plan plan = choose_plan(*instance, 0);
    if (plan.bracket) {
      bracket_chances(instance, plan, targets, out);
    } else if (plan.exact) {
      answer_chances<Rational>(instance, plan, targets, out);
    } else {
      answer_chances<double>(instance, plan, targets, out);
    }
  }
  // A limit was met: nothing is known.
  while (out.chances.size() < targets.size()) {
    PlainChance unknown;
    unknown.status = instance->limits.ended() ? instance->limits.status() : Status::limit_reached;
    unknown.low = Value{0, Rational(0)};
    unknown.high = Value{1, Rational(1)};
    out.chances.push_back(std::move(unknown));
  }
  out.work.peak_bytes = instance->limits.peak();
  return out;
}

}  // namespace quantiplan
