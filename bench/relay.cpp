#include "relay.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

namespace quantiplan::bench {
namespace {

// SplitMix64 [SLF].
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t end) {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return (z ^ (z >> 31U)) % end;
  }

 private:
  std::uint64_t state_;
};

}  // namespace

Model relay(const RelayParameters& p) {
  ModelBuilder builder;
  builder.name("relay").horizon(kInfiniteHorizon).rewards_are_costs();
  for (std::uint64_t i = 0; i < p.stations; ++i) {
    for (const char* what : {"ready", "wait", "sleep"})
      builder.declare_state(what + std::to_string(i));
  }
  builder.declare_state("goal").goal("goal").initial("ready0");
  const auto state = [](std::uint64_t number) { return State{static_cast<std::uint32_t>(number)}; };
  const State goal = state(3 * p.stations);
  Draws draws(p.seed);
  const std::uint64_t widest = std::max<std::uint64_t>(1, p.stations / 4);
  std::uint64_t layer = 0;  // first station of the layer at hand, and of the next
  std::uint64_t first = 1;
  for (std::uint64_t i = 0; i < p.stations; ++i) {
    if (i == first) {
      first += std::min(4 * (first - layer), widest);
      layer = i;
    }
    const std::uint64_t end = std::min(p.stations, first + std::min(4 * (first - layer), widest));
    const bool last = first >= p.stations;
    std::uint64_t link = 4 * (i - layer);  // the four stations this one leads to
    const State ready = state(3 * i);
    const State wait = state(3 * i + 1);
    const State sleep = state(3 * i + 2);
    const auto cost = static_cast<std::int64_t>(1 + draws.below(p.greatest_cost));
    const auto on = [&](const char* action, std::int64_t paid, const char* half, const char* back) {
      builder.begin_choice(ready, action);
      for (int k = 0; k < 2; ++k) {
        const State next = last ? goal : state(3 * (first + link++ % (end - first)));
        builder.add_outcome(next, Number(half), Number(paid));
      }
      builder.add_outcome(wait, Number(back), Number(paid));
    };
    on("send", cost, "0.4", "0.2");
    on("rush", 3 * cost, "0.475", "0.05");
    builder.begin_choice(wait, "wait");
    builder.add_outcome(ready, Number("0.5"), 0).add_outcome(sleep, Number("0.3"), 0);
    builder.add_outcome(wait, Number("0.2"), 0);
    builder.begin_choice(sleep, "wake");
    builder.add_outcome(wait, Number("0.6"), 0).add_outcome(ready, Number("0.4"), 0);
    builder.begin_choice(sleep, "stay");
    builder.add_outcome(sleep, 1, 0);
  }
  return builder.build();
}

PlainIteration iterate_plainly(const Model& model, std::uint64_t levels, double change) {
  const std::size_t states = model.state_count();
  const State goal = model.goal().front();
  PlainIteration out;
  std::vector<std::vector<double>> value(levels, std::vector<double>(states, 0));
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t c = 0; c < levels; ++c) {
    std::vector<double>& now = value[c];
    now[index(goal)] = 1;
    for (double most = 1; most > change;) {
      most = 0;
      for (std::uint32_t i = 0; i < states; ++i) {
        double best = now[i];
        for (const Choice choice : model.choices(State{i})) {
          double sum = 0;
          for (const Outcome& o : model.outcomes(choice)) {
            const auto paid = static_cast<std::uint64_t>(model.rewards().nearest(o.reward));
            if (paid > c) continue;
            sum += model.probabilities().nearest(o.probability) * value[c - paid][index(o.next)];
          }
          best = std::max(best, sum);
        }
        most = std::max(most, best - now[i]);
        now[i] = best;
      }
      ++out.sweeps;
      out.multiply_adds += model.outcome_count();
    }
    out.value.push_back(now[index(model.initial()->only())]);
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  out.seconds_per_sweep = passed.count() / static_cast<double>(out.sweeps);
  return out;
}

}  // namespace quantiplan::bench
