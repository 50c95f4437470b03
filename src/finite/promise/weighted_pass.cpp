#include "finite/promise/weighted_pass.hpp"

#include <algorithm>
#include <cmath>

#include "finite/mean_error.hpp"
#include "finite/means/node_means.hpp"
#include "finite/promise/weighted_layers.hpp"

namespace quantiplan {

class WeightedPass::Layers : public WeightedLayers {
  using WeightedLayers::WeightedLayers;
};

WeightedPass::WeightedPass(const WeightedPassInput& input)
    : in_(input),
      ground_(std::make_shared<Groundwork>()),
      bound_(RoundingBound::of_backward_pass(input.stages->sums(), input.stages->most_terms())),
      optimum_error_(
          *input.stages, *input.expectation, OutcomeGain(*input.stages, input.goal.get())) {
  ground_->stages = in_.stages;
  ground_->windows = std::make_shared<Windows>(in_.windows->down_to_least());
  // What can be kept surely may not be so with the choices that are left.
  if (in_.goal && in_.goal->kind() == WorthKind::arriving) in_.windows = ground_->windows;
  ground_->expectation_choice = in_.expectation->choices();
}
WeightedPass::~WeightedPass() = default;

std::shared_ptr<const Expectation<double>> expectation_of(const Stages& stages,
                                                          const FreeWorth& goal) {
  const std::size_t which = objective(goal.kind());
  // The chance has no unit; K is in keys of the last time.
  const int last = which == 0 ? 0 : static_cast<int>(stages.scale().shift_until(stages.horizon()));
  std::vector<std::vector<double>> value(stages.horizon() + 1);
  for (std::uint64_t t = 0; t < value.size(); ++t) {
    const int shift = static_cast<int>(stages.scale().shift_until(t)) - last;
    for (std::size_t slot = 0; slot < stages.layer(t).size(); ++slot)
      value[t].push_back(std::ldexp(to_nearest_double(goal.at(t, slot)[which]), shift));
  }
  return std::make_shared<Expectation<double>>(std::move(value), goal.choices());
}

std::unique_ptr<WeightedPass> WeightedPass::prepare(const WeightedPassInput& input,
                                                    const Limits& limits) {
  std::unique_ptr<WeightedPass> pass(new WeightedPass(input));
  Interval targets;
  for (const std::int64_t target : input.targets) targets.cover(target - 1, target);
  pass->needs_ = std::make_unique<Needs>(*input.stages, *pass->ground_->windows, targets, limits);
  if (!pass->needs_->complete()) return nullptr;
  pass->measure();
  return pass;
}

void WeightedPass::measure() {
  const Stages& stages = *in_.stages;
  mean_error_ = in_.goal ? optimum_error_.of_policy(in_.goal->kind() == WorthKind::goal)
                         : error_of_means(stages);
  const Model& model = stages.model();
  double widest = 0;
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
    double entries = 0;
    for (std::size_t slot = 0; slot < stages.layer(t).size(); ++slot) {
      const Window& w = ground_->windows->at(t, slot);
      const Interval& need = needs_->at(t, slot);
      const Interval open{std::max(need.above, w.least), std::min(need.upto, w.possible)};
      const auto width = need.empty() ? 0.0 : static_cast<double>(open.size());
      double products = 0;
      double most = 0;
      for (const Choice c : model.choices(stages.layer(t).state(slot))) {
        const std::size_t outcomes = model.outcomes(c).size();
        most = std::max(most, static_cast<double>(outcomes));
        products += stages.rows().row(c) != SharedRows::kNone ? 1 : static_cast<double>(outcomes);
      }
      size_.multiply_adds += (products + 2 * most) * width;
      entries += width;
      if (width > 0) backups_ += model.choices(stages.layer(t).state(slot)).size();
    }
    widest = std::max(widest, entries);
    entries_ += entries;
  }
  // Three functions of two times, and mixtures of rows about as wide.
  size_.bytes = 9 * sizeof(double) * widest;
  most_entries_ = widest < 1e15 ? static_cast<std::uint64_t>(widest) : 0;
}

Prospect WeightedPass::prospect_at(std::int64_t target,
                                   const Aim& aim,
                                   const Layers& layers) const {
  const WeightedLayers::Values values = layers.at(target);
  const Window window = in_.windows->start();
  Prospect out;
  out.chance = Rational(values.probability);
  out.mean = Rational(values.mean);
  out.mean_error = Rational(mean_error_);
  if (target <= window.least || (!aim.weight && target <= window.sure)) {
    out.probability = Value::exactly(1);
  } else if (target > window.possible) {
    out.probability = Value::exactly(0);
  } else {
    out.probability =
        Value::between(bound_.least(values.probability), bound_.most(values.probability));
  }
  if (aim.weight) {
    const double weight = to_nearest_double(*aim.weight);
    out.optimum = Rational(values.optimum) + Rational(optimum_error_.of(weight));
  }
  return out;
}

std::optional<std::vector<Prospect>> WeightedPass::run(const Aim& aim, Limits& limits, Work& work) {
  const auto bytes = static_cast<std::uint64_t>(size_.bytes);
  if (!limits.would_fit(bytes)) return std::nullopt;
  limits.take(bytes, "the passes for the best mean");
  limits.give_back(bytes);
  if (!layers_) {
    layers_ = std::make_unique<Layers>(*in_.stages,
                                       *in_.windows,
                                       *ground_->windows,
                                       *in_.expectation,
                                       *needs_,
                                       *in_.kernel,
                                       most_entries_,
                                       in_.goal.get());
  }
  const std::uint64_t before = layers_->multiply_adds();
  layers_->start({aim.weight ? to_nearest_double(*aim.weight) : 0, !aim.weight});
  const std::uint64_t horizon = in_.stages->horizon();
  for (std::uint64_t t = horizon; t-- > 0;) {
    if (!layers_->step(t, limits, nullptr)) return std::nullopt;
    limits.report("best mean", static_cast<double>(horizon - t) / static_cast<double>(horizon));
  }
  ++work.passes;
  work.backups += backups_;
  work.breakpoints += static_cast<std::uint64_t>(std::min(entries_, 1e18));
  work.multiply_adds += layers_->multiply_adds() - before;
  std::vector<Prospect> out;
  out.reserve(in_.targets.size());
  for (const std::int64_t target : in_.targets) out.push_back(prospect_at(target, aim, *layers_));
  return out;
}

std::optional<AimedRules> WeightedPass::rules(const Aim& aim, Limits& limits) {
  // Layers of its own: the arrays of the search may be in use by then.
  WeightedLayers layers(*in_.stages,
                        *in_.windows,
                        *ground_->windows,
                        *in_.expectation,
                        *needs_,
                        *in_.kernel,
                        most_entries_,
                        in_.goal.get());
  layers.start({aim.weight ? to_nearest_double(*aim.weight) : 0, !aim.weight});
  auto decisions = std::make_shared<Decisions>(in_.stages->horizon());
  for (std::uint64_t t = in_.stages->horizon(); t-- > 0;) {
    Decisions::LayerRules rules;
    if (!layers.step(t, limits, &rules)) return std::nullopt;
    limits.take(rules.bytes(), "the decisions of the policy");
    decisions->set_layer(t, std::move(rules));
  }
  return AimedRules{ground_, std::move(decisions), nullptr};
}

std::optional<Rational> WeightedPass::exact_probability(const Aim& aim,
                                                        std::size_t target,
                                                        Limits& limits) {
  // Some tenths of a second.
  constexpr std::uint64_t kMostNodes = 100'000;
  const auto found = rules(aim, limits);
  if (!found) return std::nullopt;
  const ResidualRule rule(found->ground, found->decisions, nullptr);
  return node_chance(*ground_, rule, in_.targets[target], kMostNodes, limits);
}

void WeightedPass::end_search() { layers_.reset(); }

Rational WeightedPass::rounded(const Rational& weight) const {
  return Rational(to_nearest_double(weight));
}

}  // namespace quantiplan
