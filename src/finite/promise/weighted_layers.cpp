#include "finite/promise/weighted_layers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"

namespace quantiplan {
namespace {

const Expectation<double> kNoExpectation;

PassInput<double> terms_input(const Stages& stages, const Windows& open, const Kernel& kernel) {
  PassInput<double> input{stages, open, kNoExpectation, ChoiceFilter(), false};
  input.kernel = &kernel;
  return input;
}

// Runs of a slot, neighbours of one choice joined.
void append_run(RunPiece& runs, std::int64_t upto, std::uint32_t choice) {
  const std::uint32_t what = Decisions::encode({choice, false});
  if (runs.upto.size() > runs.begin.back() && runs.what.back() == what) {
    runs.upto.back() = upto;
  } else {
    runs.upto.push_back(upto);
    runs.what.push_back(what);
  }
}

}  // namespace

WeightedLayers::WeightedLayers(const Stages& stages,
                               const Windows& windows,
                               const Windows& open,
                               const Expectation<double>& expectation,
                               const Needs& needs,
                               const Kernel& kernel,
                               std::uint64_t most_entries,
                               const FreeWorth* goal)
    : stages_(stages),
      windows_(windows),
      open_(open),
      expectation_(expectation),
      needs_(needs),
      most_entries_(most_entries),
      goal_(goal),
      gain_(stages, goal),
      numbers_(stages.model()),
      input_(terms_input(stages, open, kernel)),
      contest_(stages.horizon(), stages.model().most_outcomes()) {}

Span<double> WeightedLayers::worth_span(std::uint64_t t, std::size_t slot, Part part) const {
  const FinalWorth<double>& worth = *aim_.worth;
  const Interval& need = needs_.at(t, slot);
  if (!worth.is_kinked()) return {need.above, std::max(need.upto, need.above), 0, 0, 0, 0};
  const Window& w = open_.at(t, slot);
  Span<double> span{w.sure, w.possible, w.sure, w.possible, 0, 0};
  span.from = need.empty() ? w.sure : std::clamp(need.above, w.sure, w.possible);
  span.upto = need.empty() ? w.sure : std::clamp(need.upto, span.from, w.possible);
  if (part == mean) return span;
  const int shift = -static_cast<int>(stages_.scale().shift_until(t));
  const double free = expectation_.value(t, slot);
  span.below_slope = -std::ldexp(worth.gain, shift);
  span.above_slope = -std::ldexp(worth.loss, shift);
  span.below = -span.below_slope * (free - static_cast<double>(span.from));
  span.above = -span.above_slope * (free - static_cast<double>(span.upto + 1));
  return span;
}

std::vector<Span<double>> WeightedLayers::spans_at(std::uint64_t t, Part part) const {
  if (aim_.worth != nullptr) {
    std::vector<Span<double>> spans(stages_.layer(t).size());
    for (std::size_t slot = 0; slot < spans.size(); ++slot) spans[slot] = worth_span(t, slot, part);
    return spans;
  }
  const int shift = -static_cast<int>(stages_.scale().shift_until(t));
  std::vector<Span<double>> spans(stages_.layer(t).size());
  for (std::size_t slot = 0; slot < spans.size(); ++slot) {
    const Window& w = open_.at(t, slot);
    const Interval& need = needs_.at(t, slot);
    Span<double>& span = spans[slot];
    span = {w.least, w.possible, w.least, w.possible, 1, 0};
    if (need.empty()) span.upto = span.from;
    if (!need.empty()) {
      span.from = std::clamp(need.above, w.least, w.possible);
      span.upto = std::clamp(need.upto, span.from, w.possible);
    }
    if (part == probability) continue;
    const double free = std::ldexp(expectation_.value(t, slot), shift);
    span.below = part == optimum ? free + aim_.weight : free;
    span.above = free;
  }
  return spans;
}

void WeightedLayers::reset(std::uint64_t t, std::array<DenseLayer, kParts>& layers) {
  for (const Part part : {optimum, probability, mean}) {
    if (has(part)) layers[part].reset(spans_at(t, part), most_entries_);
  }
}

void WeightedLayers::spell_end(std::uint64_t t,
                               std::size_t slot,
                               std::array<DenseLayer, kParts>& layers) const {
  const Span<double>& span = layers[optimum].span(slot);
  double* values = layers[optimum].row(slot);
  for (std::int64_t y = span.from + 1; y <= span.upto; ++y) *values++ = aim_.worth->spelt(t, y);
  if (has(mean)) std::fill_n(layers[mean].row(slot), span.width(), 0.0);
}

void WeightedLayers::start(const FloatingAim& aim) {
  aim_ = aim;
  const std::uint64_t horizon = stages_.horizon();
  reset(horizon, later_);
  if (aim_.worth == nullptr || aim_.worth->is_kinked()) return;
  for (std::size_t slot = 0; slot < stages_.layer(horizon).size(); ++slot)
    spell_end(horizon, slot, later_);
}

// A promise is about the true mean; what is worth something is the total as it is rounded, whose square
// and mean must be of one law.
double WeightedLayers::gain_of(std::uint64_t t, Choice c) const {
  double sum = 0;
  for (const Outcome& o : stages_.model().outcomes(c)) {
    const double reward =
        aim_.worth != nullptr ? Arithmetics<double>::key(stages_.reward_key(t, o)) : gain_(t, o);
    sum += numbers_.probability(o) * reward;
  }
  return std::ldexp(sum, -static_cast<int>(stages_.scale().shift_until(t)));
}

std::int64_t WeightedLayers::sure_of(std::uint64_t t, Choice c) const {
  const Layer& next_layer = stages_.layer(t + 1);
  const unsigned shift = stages_.scale().shift_after(t);
  std::int64_t sure = std::numeric_limits<std::int64_t>::max();
  for (const Outcome& o : stages_.model().outcomes(c))
    sure = std::min(
        sure,
        stages_.reward_key(t, o) + (windows_.at(t + 1, next_layer.slot(o.next)).sure >> shift));
  return sure;
}

void WeightedLayers::gather(std::uint64_t t, std::size_t slot, Desk& desk) const {
  const State s = stages_.layer(t).state(slot);
  const std::int64_t from = now_[lead()].span(slot).from;
  desk.choices.clear();
  desk.position.clear();
  desk.gains.clear();
  desk.sure.clear();
  for (const Part part : {optimum, probability, mean}) {
    desk.terms[part].clear();
    desk.end[part].clear();
  }
  const auto choices = stages_.model().choices(s);
  for (std::size_t k = 0; k < choices.size(); ++k) {
    const Choice c = choices[k];
    if (goal_ != nullptr && !goal_->allows(t, slot, c, k)) continue;
    const Outcome& first = stages_.model().outcomes(c).front();
    for (const Part part : {optimum, probability, mean}) {
      if (!has(part)) continue;
      MixTerm shared{};
      if (mixes_[part].term_of(input_, c, stages_.reward_key(t, first), from, shared)) {
        desk.terms[part].push_back(shared);
      } else {
        append_terms(input_, numbers_, t, c, true, from, later_[part], desk.terms[part]);
      }
      desk.end[part].push_back(desk.terms[part].size());
    }
    desk.gains.push_back(has(mean) ? gain_of(t, c) : 0);
    const double gain = aim_.worth == nullptr ? desk.gains.back() : 0;
    const auto place = static_cast<double>(desk.choices.size());
    desk.choices.push_back({desk.terms[optimum].size(), place, gain});
    desk.position.push_back(static_cast<std::uint32_t>(k));
    if (aim_.probability_first) desk.sure.push_back(sure_of(t, c));
  }
}

void WeightedLayers::mix(
    Part part, std::size_t choice, std::int64_t first, std::span<double> out, Desk& desk) const {
  const std::size_t begin = choice == 0 ? 0 : desk.end[part][choice - 1];
  const std::size_t count = desk.end[part][choice] - begin;
  input_.kernel->mix(std::span(desk.terms[part]).subspan(begin, count), first, out);
  if (part == mean)
    for (double& value : out) value += desk.gains[choice];
  desk.multiply_adds += count * out.size();
}

void WeightedLayers::best_weighted(std::size_t slot,
                                   std::uint64_t first,
                                   std::size_t size,
                                   Desk& desk) {
  input_.kernel->back_up(desk.terms[optimum],
                         desk.choices,
                         static_cast<std::int64_t>(first),
                         {size, now_[optimum].row(slot) + first, nullptr, desk.chosen});
  desk.multiply_adds += desk.terms[optimum].size() * size;
  for (std::size_t i = 0; i < size;) {
    const std::size_t begin = i;
    while (i < size && desk.chosen[i] == desk.chosen[begin]) ++i;
    const auto choice = static_cast<std::size_t>(desk.chosen[begin]);
    for (const Part part : {probability, mean}) {
      if (!has(part)) continue;
      mix(part,
          choice,
          static_cast<std::int64_t>(first + begin),
          {now_[part].row(slot) + first + begin, i - begin},
          desk);
    }
  }
}

// Where rounding leaves open which probability is greater, the mean decides; where that is as close,
// the order of the model does.
void WeightedLayers::best_probability(
    std::uint64_t t, std::size_t slot, std::uint64_t first, std::size_t size, Desk& desk) {
  double* chance = now_[probability].row(slot) + first;
  double* gain = now_[mean].row(slot) + first;
  std::fill_n(chance, size, -1.0);
  const std::int64_t before = now_[mean].span(slot).from + static_cast<std::int64_t>(first);
  // Residuals up to here can be met surely, by the choices that do.
  const std::int64_t sure = windows_.at(t, slot).sure - before - 1;
  const double close = 0x1p-50 * static_cast<double>(stages_.model().most_outcomes() + 6);
  for (std::size_t k = 0; k < desk.choices.size(); ++k) {
    mix(probability, k, static_cast<std::int64_t>(first), {desk.chance, size}, desk);
    mix(mean, k, static_cast<std::int64_t>(first), {desk.gain, size}, desk);
    const std::int64_t kept = desk.sure[k] - before - 1;
    for (std::size_t i = 0; i < size; ++i) {
      const auto at = static_cast<std::int64_t>(i);
      if (at <= sure && at > kept) continue;
      if (at <= sure) desk.chance[i] = 1;
      const bool is_open = at <= sure ? chance[i] == 1
                                      : contest_.is_open(std::max(chance[i], desk.chance[i]),
                                                         std::min(chance[i], desk.chance[i]));
      const bool better =
          chance[i] < 0 ||
          (is_open ? desk.gain[i] - gain[i] > close * (std::abs(desk.gain[i]) + std::abs(gain[i]))
                   : desk.chance[i] > chance[i]);
      if (!better) continue;
      chance[i] = desk.chance[i];
      gain[i] = desk.gain[i];
      desk.chosen[i] = static_cast<double>(k);
    }
  }
}

void WeightedLayers::back_up(
    std::uint64_t t, std::size_t slot, bool record, const Limits& limits, Desk& desk) {
  const Span<double> span = now_[lead()].span(slot);
  const bool is_end = stages_.model().is_terminal(stages_.layer(t).state(slot));
  if (is_end && aim_.worth != nullptr && !aim_.worth->is_kinked()) spell_end(t, slot, now_);
  if (!is_end && span.width() > 0) {
    gather(t, slot, desk);
    for (std::uint64_t first = 0; first < span.width(); first += kTile) {
      if (first % (64 * kTile) == 0 && limits.ended()) return;
      const auto size =
          static_cast<std::size_t>(std::min<std::uint64_t>(kTile, span.width() - first));
      if (aim_.probability_first) {
        best_probability(t, slot, first, size, desk);
      } else {
        best_weighted(slot, first, size, desk);
      }
      for (std::size_t i = 0; record && i < size; ++i) {
        append_run(desk.runs,
                   span.from + static_cast<std::int64_t>(first + i) + 1,
                   desk.position[static_cast<std::size_t>(desk.chosen[i])]);
      }
    }
    // What is not needed has no rule; the last one stands in up to the window's edge.
    if (record) desk.runs.upto.back() = std::max(desk.runs.upto.back(), open_.at(t, slot).possible);
  }
  if (record) desk.runs.begin.push_back(desk.runs.upto.size());
}

bool WeightedLayers::step(std::uint64_t t, const Limits& limits, Decisions::LayerRules* rules) {
  const unsigned shift = stages_.scale().shift_after(t);
  reset(t, now_);
  for (const Part part : {optimum, probability, mean}) {
    if (!has(part)) continue;
    if (shift > 0) later_[part].coarsen(shift);
    mixes_[part].plan(input_, t, now_[part].spans());
    mixes_[part].run(input_, numbers_, t, later_[part], limits);
  }
  const std::size_t slots = stages_.layer(t).size();
  std::vector<Desk> desks(limits.threads());
  std::vector<PieceRef> refs(slots);
  parallel_for(
      limits.threads(), slots, 4, [&](unsigned worker, std::size_t begin, std::size_t end) {
        Desk& desk = desks[worker];
        for (std::size_t slot = begin; slot < end; ++slot) {
          if (limits.ended()) return;
          refs[slot] = {worker, static_cast<std::uint32_t>(desk.runs.begin.size() - 1)};
          back_up(t, slot, rules != nullptr, limits, desk);
        }
      });
  if (limits.ended()) return false;
  if (rules != nullptr) {
    std::vector<RunPiece> pieces;
    pieces.reserve(desks.size());
    for (Desk& desk : desks) pieces.push_back(std::move(desk.runs));
    *rules = joined(pieces, refs);
  }
  for (const Desk& desk : desks) multiply_adds_ += desk.multiply_adds;
  std::swap(later_, now_);
  return true;
}

WeightedLayers::Values WeightedLayers::at(std::int64_t target) const {
  const auto of = [&](Part part) {
    return stages_.drawn<double>([&](std::size_t slot) {
      const Span<double>& span = later_[part].span(slot);
      if (target <= span.from)
        return span.below + span.below_slope * static_cast<double>(target - span.from);
      if (target > span.upto)
        return span.above + span.above_slope * static_cast<double>(target - span.upto - 1);
      return later_[part].row(slot)[target - span.from - 1];
    });
  };
  return {has(optimum) ? of(optimum) : 0,
          has(probability) ? of(probability) : 0,
          has(mean) ? of(mean) : 0};
}

std::uint64_t WeightedLayers::multiply_adds() const {
  std::uint64_t sum = multiply_adds_;
  for (const RowMixes& mixes : mixes_) sum += mixes.multiply_adds();
  return sum;
}

}  // namespace quantiplan
