#include "evaluate/forward_doubles.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/infinite/mass_error.hpp"
#include "evaluate/infinite/pace.hpp"
#include "evaluate/infinite/two_numbers.hpp"
#include "evaluate/level_step.hpp"

namespace quantiplan {

std::optional<Distribution> ForwardDoubles::run() {
  Present now;
  const InitialStates& initial = stages_.setting().initial;
  for (const auto& [state, mu] : initial)
    now.nodes.add({static_cast<std::uint32_t>(stages_.layer(0).slot(state)), 0},
                  to_nearest_double(mu));
  if (!initial.is_certain()) roundings_ += 1;
  for (std::uint64_t t = 0; t < stages_.horizon() && !now.empty(); ++t) {
    if (!step(t, now)) return std::nullopt;
    limits_.report("forward pass",
                   static_cast<double>(t + 1) / static_cast<double>(stages_.horizon()));
  }
  if (limits_.ended()) return std::nullopt;
  end_all(now);
  return collect();
}

bool ForwardDoubles::step(std::uint64_t time, Present& now) {
  // A few are quickly looked up, and keep the order in which they were met.
  constexpr std::size_t kFew = 256;
  if (!now.levels && now.nodes.size() > kFew) {
    now.levels = spread_out(now.nodes, stages_.layer(time).size());
    if (now.levels) now.nodes = {};
  } else if (now.levels && !fills(now.levels->nodes(), now.levels->cells())) {
    to_nodes(now);
  }
  return now.levels ? step_by_level(time, now) : step_by_node(time, now);
}

bool ForwardDoubles::step_by_level(std::uint64_t time, Present& now) {
  const LevelMass& levels = *now.levels;
  const LevelStep step(stages_, strategy_, time, levels);
  if (!fills(step.contributions(), step.cells())) {
    to_nodes(now);
    return step_by_node(time, now);
  }
  if (!count(time, step.nodes())) return false;
  require(levels.bytes() + step.bytes() + final_.bytes());
  const Layer& layer = stages_.layer(time);
  for (std::size_t slot = 0; slot < layer.size(); ++slot)
    if (stages_.model().is_terminal(layer.state(slot))) end(time, levels, slot);
  if (stages_.scale().grid())
    step.add_rewards(-static_cast<int>(stages_.scale().shift_until(time)), true_mean_);
  auto next = step.run(limits_);
  if (!next) return false;
  products_ += step.products();
  roundings_ += static_cast<unsigned long>(step.most_additions() + 2);
  const std::uint64_t nodes = next->nodes();
  now.levels = std::move(next);
  if (nodes == 0) now.levels.reset();
  return true;
}

void ForwardDoubles::to_nodes(Present& now) {
  require(now.levels->bytes() + now.levels->nodes() * NodeTable::kBytesPerNode * 2 +
          final_.bytes());
  now.nodes = collected(*now.levels);
  now.levels.reset();
}

bool ForwardDoubles::step_by_node(std::uint64_t time, Present& now) {
  const Layer& layer = stages_.layer(time);
  const auto is_over = [&](const Node& node) {
    return stages_.model().is_terminal(layer.state(node.slot));
  };
  const auto over = std::ranges::count_if(now.nodes.table.nodes(), is_over);
  if (!count(time, now.nodes.size() - static_cast<std::size_t>(over))) return false;
  NodeMass<double> next;
  for (std::size_t i = 0; i < now.nodes.size(); ++i) {
    if ((i == 0 || products_ >= next_look_) && !is_within_limits(now.nodes, next)) return false;
    const Node node = now.nodes.node(i);
    if (is_over(node))
      end(time, node, now.nodes.probability[i]);
    else
      leave(time, node, now.nodes.probability[i], next);
  }
  roundings_ += static_cast<unsigned long>(next.most_contributions() + 2);
  now.nodes = std::move(next);
  return true;
}

void ForwardDoubles::leave(std::uint64_t time, Node node, double mass, NodeMass<double>& next) {
  const Model& model = stages_.model();
  const WealthScale& scale = stages_.scale();
  const Layer& after = stages_.layer(time + 1);
  const Choice choice = strategy_.choose(time, node.slot, WealthKey{node.level});
  for (const Outcome& o : model.outcomes(choice)) {
    const double p = model.probabilities().nearest(o.probability) * mass;
    ++products_;
    if (scale.grid())
      true_mean_.add(p * std::ldexp(scale.in_steps(time, o.reward),
                                    -static_cast<int>(scale.shift_until(time))));
    const std::int64_t later = node.level + stages_.reward_key(time, o);
    next.add({static_cast<std::uint32_t>(after.slot(o.next)),
              later * (std::int64_t{1} << scale.shift_after(time))},
             p);
  }
}

// Limits are looked at every so many products.
bool ForwardDoubles::is_within_limits(const NodeMass<double>& now, const NodeMass<double>& next) {
  constexpr std::uint64_t kProducts = 4096;
  next_look_ = products_ + kProducts;
  if (limits_.ended()) return false;
  require(2 * (now.bytes() + next.bytes()) + final_.bytes());
  return true;
}

void ForwardDoubles::require(std::uint64_t bytes) {
  if (!limits_.would_fit(bytes)) limits_.take(bytes, "the forward pass");
}

bool ForwardDoubles::count(std::uint64_t time, std::uint64_t nodes) {
  constexpr std::uint64_t kManyNodes = 10'000'000;
  // A time seldom has fewer nodes than the one before. Where it would take this many if none had
  // fewer, it is not begun: on fine grids nodes double with every step, to no end.
  constexpr std::uint64_t kForeseenNodes = 4 * kManyNodes;
  const std::uint64_t foreseen = nodes_ + last_nodes_ * (stages_.horizon() - time);
  nodes_ += nodes;
  last_nodes_ = nodes;
  is_too_large_ = may_be_too_large_ && (foreseen > kForeseenNodes || nodes_ > kManyNodes);
  return !is_too_large_;
}

// Final wealth is kept in the steps of the last time.
unsigned ForwardDoubles::shift_to_end(std::uint64_t time) const {
  const WealthScale& scale = stages_.scale();
  return scale.shift_until(stages_.horizon()) - scale.shift_until(time);
}

void ForwardDoubles::end(std::uint64_t time, Node node, double mass) {
  final_.add(node.level * (std::int64_t{1} << shift_to_end(time)), mass);
}

void ForwardDoubles::end(std::uint64_t time, const LevelMass& levels, std::size_t slot) {
  final_.add(levels.rows[slot], levels.met[slot], shift_to_end(time));
}

void ForwardDoubles::end_all(const Present& last) {
  for (std::size_t i = 0; i < last.nodes.size(); ++i)
    end(stages_.horizon(), last.nodes.node(i), last.nodes.probability[i]);
  if (!last.levels) return;
  for (std::size_t slot = 0; slot < last.levels->rows.size(); ++slot)
    end(stages_.horizon(), *last.levels, slot);
}

std::optional<Distribution> ForwardDoubles::collect() {
  constexpr double kAtom = 200;  // nanoseconds
  Pace pace(limits_);
  const WealthScale& scale = stages_.scale();
  Distribution d;
  SignedSum mean;
  for (const auto& [level, mass] : final_.entries()) {
    if (pace.after_nanoseconds(kAtom)) return std::nullopt;
    mean.add(mass * static_cast<double>(level));
    d.atoms.push_back({scale.wealth(WealthKey{level}, stages_.horizon()), value(mass)});
  }
  // Sums of atoms add one rounding for each; a product that underflows loses less than 2^-1074.
  d.relative_error = relative_after(roundings_ + Integer(final_.most_additions() + d.atoms.size()));
  d.absolute_error = static_cast<double>(products_) * 0x1p-1074;
  // On a grid the atoms are rounded, the mean is not.
  d.mean = (scale.grid() ? true_mean_ : mean).value(scale.unit(), d.relative_error);
  if (scale.grid()) d.slack = scale.slack();
  return d;
}

}  // namespace quantiplan
