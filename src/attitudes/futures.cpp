#include "attitudes/futures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "finite/solve/locate.hpp"

namespace quantiplan {
namespace {

constexpr double kBeyond = std::numeric_limits<double>::infinity();

// The greatest level in [low, high] where a predicate that is true up to some level holds; it is
// taken to hold at `low`.
template <class Holds>
std::int64_t last_where(std::int64_t low, std::int64_t high, const Holds& holds) {
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (holds(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace

// truth >= d (1 - relative) - absolute > theta   iff   d > (theta + absolute) / (1 - relative), and
// the other way round.
Bar::Bar(const Question& question, const RoundingBound& bound)
    : theta(1 - question.tau), side(question.side), above(kBeyond), below(-kBeyond) {
  if (bound.relative >= 1) return;
  above =
      std::nextafter(to_nearest_double((theta + bound.absolute) / (1 - bound.relative)), kBeyond);
  below =
      std::nextafter(to_nearest_double((theta - bound.absolute) / (1 + bound.relative)), -kBeyond);
}

Futures::Futures(const Stages& stages,
                 const ExactNumbers& numbers,
                 const Plays& plays,
                 Limits& limits)
    : stages_(stages),
      plays_(plays),
      limits_(limits),
      bound_(RoundingBound::of_backward_pass(stages.horizon(), stages.model().most_outcomes())),
      contest_(stages.horizon(), stages.model().most_outcomes()),
      windows_(stages.horizon() + 1),
      exact_(stages, numbers, plays, windows_, limits) {
  // At the horizon nothing is left: 1 up to 0, then 0.
  windows_.back().resize(plays.nodes(stages.horizon()));
  later_.resize(plays.nodes(stages.horizon()));
}

Futures::~Futures() { limits_.give_back(held_); }

void Futures::count(Work& work) const {
  work.backups += backups_;
  work.multiply_adds += multiply_adds_;
  work.breakpoints += breakpoints_;
  work.exact_nodes += exact_.nodes();
  ++work.passes;
}

// Appends.
void Futures::gather(std::uint64_t time,
                     std::uint32_t node,
                     Choice c,
                     std::vector<Part>& parts) const {
  std::size_t which = 0;
  for (const Outcome& o : stages_.model().outcomes(c)) {
    parts.push_back({stages_.model().probabilities().nearest(o.probability),
                     stages_.reward_key(time, o),
                     &later_[plays_.next(time, node, which++, o)]});
  }
}

TailWindow Futures::window_of(const std::vector<Part>& parts, unsigned shift) const {
  TailWindow window{std::numeric_limits<std::int64_t>::max(),
                    std::numeric_limits<std::int64_t>::min()};
  for (const Part& part : parts) {
    window.sure = std::min(window.sure, part.here(part.tail->sure, shift));
    window.possible = std::max(window.possible, part.here(part.tail->possible(), shift));
  }
  return window;
}

double Futures::mixed(const std::vector<Part>& parts, unsigned shift, std::int64_t y) {
  double sum = 0;
  for (const Part& part : parts)
    sum += part.probability * part.tail->at((y - part.reward) * (std::int64_t{1} << shift));
  return sum;
}

std::int64_t Futures::quantile(std::uint64_t time, std::uint32_t node, Choice c, const Bar& bar) {
  const unsigned shift = stages_.scale().shift_after(time);
  parts_.clear();
  gather(time, node, c, parts_);
  const TailWindow window = window_of(parts_, shift);
  // What is certain, and what is possible at all, are questions about rewards.
  if (bar.theta == 1) return window.sure;
  if (bar.theta == 0) return window.possible;
  const std::int64_t lower = last_where(window.sure, window.possible, [&](std::int64_t y) {
    return mixed(parts_, shift, y) > bar.above;
  });
  const std::int64_t upper = last_where(lower, window.possible, [&](std::int64_t y) {
    return !(mixed(parts_, shift, y) < bar.below);
  });
  const Located found = close_range({lower, upper}, bar.theta, bar.side, [&](std::int64_t level) {
    return std::optional(Settled{exact_.of_choice(time, node, c, level), nullptr});
  });
  return found.range.lower;
}

double Futures::chance(std::uint64_t time, std::uint32_t node, Choice c, std::int64_t y) {
  parts_.clear();
  gather(time, node, c, parts_);
  return mixed(parts_, stages_.scale().shift_after(time), y);
}

void Futures::keep_likeliest(std::uint64_t time,
                             std::uint32_t node,
                             std::int64_t y,
                             std::vector<Choice>& choices) {
  if (choices.size() < 2) return;
  std::vector<double> computed;
  computed.reserve(choices.size());
  for (const Choice c : choices) computed.push_back(chance(time, node, c, y));
  const double greatest = *std::ranges::max_element(computed);
  std::vector<Choice> open;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (contest_.is_open(greatest, computed[i])) open.push_back(choices[i]);
  }
  choices = std::move(open);
  if (choices.size() < 2) return;
  std::vector<Rational> exact;
  exact.reserve(choices.size());
  for (const Choice c : choices) exact.push_back(exact_.of_choice(time, node, c, y));
  const Rational most = *std::ranges::max_element(exact);
  std::size_t at = 0;
  std::erase_if(choices, [&](Choice) { return exact[at++] != most; });
}

// The levels in the window at which a sum of the parts can fall.
void Futures::collect_levels(const TailWindow& window, unsigned shift) {
  levels_.clear();
  std::uint64_t steps = 0;
  for (const Part& part : parts_) steps += part.tail->upto.size() + 1;
  if (steps >= static_cast<std::uint64_t>(window.possible - window.sure)) {
    for (std::int64_t y = window.sure + 1; y <= window.possible; ++y) levels_.push_back(y);
    return;
  }
  const auto add = [&](std::int64_t level) {
    if (level > window.sure && level <= window.possible) levels_.push_back(level);
  };
  for (const Part& part : parts_) {
    add(part.here(part.tail->sure, shift));
    for (const std::int64_t level : part.tail->upto) add(part.here(level, shift));
  }
  std::ranges::sort(levels_);
  levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
}

// The sum of the parts first .. last at every level, kept where it is the greatest so far. Each part
// walks its tail once, in step with the levels.
void Futures::add_choice(std::size_t first, std::size_t last, unsigned shift) {
  sum_.assign(levels_.size(), 0);
  for (std::size_t p = first; p < last; ++p) {
    const Part& part = parts_[p];
    const Tail& tail = *part.tail;
    std::size_t i = 0;
    for (const std::int64_t sure = part.here(tail.sure, shift);
         i < levels_.size() && levels_[i] <= sure;
         ++i)
      sum_[i] += part.probability;
    for (std::size_t step = 0; step < tail.upto.size() && i < levels_.size(); ++step) {
      const std::int64_t upto = part.here(tail.upto[step], shift);
      const double term = part.probability * tail.value[step];
      for (; i < levels_.size() && levels_[i] <= upto; ++i) sum_[i] += term;
    }
  }
  for (std::size_t i = 0; i < levels_.size(); ++i) best_[i] = std::max(best_[i], sum_[i]);
  ++backups_;
  multiply_adds_ += (last - first) * levels_.size();
}

Tail Futures::made(std::uint64_t time, std::uint32_t node) {
  plays_.choices(time, node, choices_);
  if (choices_.empty()) return {};
  const unsigned shift = stages_.scale().shift_after(time);
  constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
  TailWindow window{kLowest, kLowest};
  std::vector<Part> all;
  ends_.clear();
  for (const Choice c : choices_) {
    parts_.clear();
    gather(time, node, c, parts_);
    const TailWindow own = window_of(parts_, shift);
    window.sure = std::max(window.sure, own.sure);
    window.possible = std::max(window.possible, own.possible);
    all.insert(all.end(), parts_.begin(), parts_.end());
    ends_.push_back(all.size());
  }
  parts_ = std::move(all);
  collect_levels(window, shift);
  best_.assign(levels_.size(), 0);
  std::size_t first = 0;
  for (const std::size_t end : ends_) {
    add_choice(first, end, shift);
    first = end;
  }
  Tail tail;
  tail.sure = window.sure;
  for (std::size_t i = 0; i < levels_.size(); ++i) tail.append(levels_[i], best_[i]);
  tail.upto.shrink_to_fit();
  tail.value.shrink_to_fit();
  return tail;
}

void Futures::make_layer(std::uint64_t time) {
  static const std::string kWhat = "what can still be collected, and how probably,";
  const std::size_t nodes = plays_.nodes(time);
  std::vector<Tail> now(nodes);
  windows_[time].resize(nodes);
  const std::uint64_t before = held_;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (limits_.ended()) throw WorkEnded();
    now[node] = made(time, node);
    windows_[time][node] = {now[node].sure, now[node].possible()};
    limits_.take(now[node].bytes(), kWhat);
    held_ += now[node].bytes();
    breakpoints_ += now[node].upto.size();
  }
  // The layer that this one replaces.
  later_ = std::move(now);
  limits_.give_back(before);
  held_ -= before;
}

}  // namespace quantiplan
