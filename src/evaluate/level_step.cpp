#include "evaluate/level_step.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"

namespace quantiplan {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

// out[i * stride] += p * values[i], and no positive value is lost.
void add_apart(double p, const double* values, std::size_t size, double* out, std::size_t stride) {
  for (std::size_t i = 0; i < size; ++i)
    out[i * stride] += values[i] > 0 ? std::max(p * values[i], kLeastMass) : 0.0;
}

// The runs cut to levels that are met, those without any left out, and neighbours of one choice
// joined: the same whatever a strategy would do at the levels in between.
std::vector<ChoiceRun> met_runs(const MassRow& row, const std::vector<ChoiceRun>& runs) {
  std::vector<ChoiceRun> met;
  const auto is_met = [&](std::int64_t level) { return *row.at(level) > 0; };
  for (const ChoiceRun& run : runs) {
    std::int64_t from = run.from.value;
    std::int64_t to = run.to.value;
    while (to >= from && !is_met(to)) --to;
    if (to < from) continue;
    while (!is_met(from)) ++from;
    if (!met.empty() && met.back().choice == run.choice) {
      met.back().from = {from};
    } else {
      met.push_back({{from}, {to}, run.choice});
    }
  }
  return met;
}

}  // namespace

LevelStep::LevelStep(const Stages& stages,
                     const Strategy& strategy,
                     std::uint64_t time,
                     const LevelMass& now)
    : stages_(stages), time_(time), now_(now) {
  walk_runs(strategy);
  sort_pieces();
}

void LevelStep::walk_runs(const Strategy& strategy) {
  const Model& model = stages_.model();
  const Layer& layer = stages_.layer(time_);
  const Layer& after = stages_.layer(time_ + 1);
  const std::int64_t step = std::int64_t{1} << stages_.scale().shift_after(time_);
  ranges_.assign(after.size(), {kNone, -kNone});
  std::vector<std::uint64_t> additions(after.size(), 0);
  std::vector<Choice> seen;  // of one slot
  for (std::size_t slot = 0; slot < layer.size(); ++slot) {
    const MassRow& row = now_.rows[slot];
    if (row.empty() || model.is_terminal(layer.state(slot))) continue;
    nodes_ += now_.met[slot];
    const auto runs = strategy.runs(time_, slot, {row.first}, {row.last()});
    require_rules(strategy, slot, runs);
    seen.clear();
    for (const ChoiceRun& run : met_runs(row, runs)) {
      const bool is_new = std::ranges::find(seen, run.choice) == seen.end();
      if (is_new) seen.push_back(run.choice);
      const auto number = static_cast<std::uint32_t>(runs_.size());
      runs_.push_back({static_cast<std::uint32_t>(slot), run});
      const auto length = static_cast<std::uint64_t>(run.to.value - run.from.value) + 1;
      left_ += length;
      std::uint32_t place = 0;
      for (const Outcome& o : model.outcomes(run.choice)) {
        const auto next = static_cast<std::uint32_t>(after.slot(o.next));
        const std::int64_t key = stages_.reward_key(time_, o);
        Range& range = ranges_[next];
        range.first = std::min(range.first, (run.from.value + key) * step);
        range.last = std::max(range.last, (run.to.value + key) * step);
        // Runs of one choice have no level in common, so one outcome of it adds once.
        if (is_new) ++additions[next];
        pieces_.push_back({number, place++, next});
        products_ += length;
      }
    }
  }
  for (std::size_t next = 0; next < after.size(); ++next) {
    const Range& range = ranges_[next];
    most_additions_ = std::max(most_additions_, additions[next]);
    // Levels fit 62 bits, their numbers not when they are added up: no step is that large.
    constexpr std::uint64_t kEnough = std::uint64_t{1} << 62;
    if (range.first <= range.last && cells_ < kEnough)
      cells_ += static_cast<std::uint64_t>(range.last - range.first) + 1;
  }
}

// Levels that the runs leave out must not be met: whoever chooses there says what is wrong.
void LevelStep::require_rules(const Strategy& strategy,
                              std::size_t slot,
                              const std::vector<ChoiceRun>& runs) const {
  const MassRow& row = now_.rows[slot];
  std::int64_t level = row.last();
  const auto require = [&](std::int64_t above) {
    for (; level > above; --level)
      if (*row.at(level) > 0) (void)strategy.choose(time_, slot, {level});
  };
  for (const ChoiceRun& run : runs) {
    require(run.to.value);
    level = run.from.value - 1;
  }
  require(row.first - 1);
}

void LevelStep::sort_pieces() {
  begin_.assign(ranges_.size() + 1, 0);
  for (const Piece& piece : pieces_) ++begin_[piece.slot + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<Piece> sorted(pieces_.size());
  std::vector<std::uint64_t> end(begin_.begin(), begin_.end() - 1);
  for (const Piece& piece : pieces_) sorted[end[piece.slot]++] = piece;
  pieces_ = std::move(sorted);
}

std::uint64_t LevelStep::bytes() const noexcept {
  return cells_ * sizeof(double) + runs_.capacity() * sizeof(Run) +
         2 * pieces_.size() * sizeof(Piece) +
         ranges_.size() * (sizeof(MassRow) + sizeof(Range) + 3 * sizeof(std::uint64_t));
}

void LevelStep::add_rewards(int shift, SignedSum& sum) const {
  const Model& model = stages_.model();
  for (const Run& run : runs_) {
    const MassRow& row = now_.rows[run.slot];
    const double mass =
        std::accumulate(row.at(run.levels.from.value), row.at(run.levels.to.value) + 1, 0.0);
    for (const Outcome& o : model.outcomes(run.levels.choice))
      sum.add(model.probabilities().nearest(o.probability) * mass *
                  std::ldexp(stages_.scale().in_steps(time_, o.reward), shift),
              static_cast<double>(run.levels.to.value - run.levels.from.value));
  }
}

std::optional<LevelMass> LevelStep::run(const Limits& limits) const {
  const Kernel& kernel = *find_kernel("auto");
  const Model& model = stages_.model();
  double least = 1;
  for (const double each : now_.least) least = std::min(least, each);
  double least_probability = 1;
  for (const Run& run : runs_)
    for (const Outcome& o : model.outcomes(run.levels.choice))
      least_probability = std::min(least_probability, model.probabilities().nearest(o.probability));
  const bool careful = least * least_probability < 0x1p-1060;
  constexpr std::uint64_t kWorthThreads = 500'000;
  const unsigned threads = products_ < kWorthThreads ? 1 : limits.threads();
  const std::size_t slots = ranges_.size();
  LevelMass next(slots);
  parallel_for(
      threads, slots, 1 + slots / 64 / threads, [&](unsigned, std::size_t from, std::size_t to) {
        for (std::size_t slot = from; slot < to && !limits.ended(); ++slot)
          fill(next, slot, kernel, careful);
      });
  if (limits.ended()) return std::nullopt;
  return next;
}

void LevelStep::fill(LevelMass& next, std::size_t slot, const Kernel& kernel, bool careful) const {
  const Range& range = ranges_[slot];
  if (range.last < range.first) return;
  const Model& model = stages_.model();
  const auto stride = std::size_t{1} << stages_.scale().shift_after(time_);
  MassRow& out = next.rows[slot];
  out.first = range.first;
  out.mass.assign(static_cast<std::size_t>(range.last - range.first) + 1, 0.0);
  for (std::uint64_t i = begin_[slot]; i < begin_[slot + 1]; ++i) {
    const Run& run = runs_[pieces_[i].run];
    const Outcome& o = model.outcomes(run.levels.choice)[pieces_[i].place];
    const double p = model.probabilities().nearest(o.probability);
    const double* values = now_.rows[run.slot].at(run.levels.from.value);
    const auto size = static_cast<std::size_t>(run.levels.to.value - run.levels.from.value) + 1;
    double* sums = out.at((run.levels.from.value + stages_.reward_key(time_, o)) *
                          static_cast<std::int64_t>(stride));
    if (careful || stride > 1)
      add_apart(p, values, size, sums, stride);
    else
      kernel.add_scaled(p, {values, size}, {sums, size});
  }
  next.settle(slot);
}

}  // namespace quantiplan
