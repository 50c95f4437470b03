#include "reduce/tails.hpp"

#include <algorithm>
#include <cmath>

#include "reduce/outward_step.hpp"

namespace quantiplan {
namespace {

constexpr double kInfinity = HUGE_VAL;

bool is_end(const Model& model, const ResolvedSetting& setting, State s) {
  return model.is_terminal(s) || setting.is_goal(s);
}

struct Recursion {
  const Model& model;
  const ResolvedSetting& setting;
  OutwardStep one;

  void step(Tails& tails) const {
    const Tails now = tails;
    for (std::uint32_t i = 0; i < model.state_count(); ++i) {
      const State s{i};
      if (is_end(model, setting, s)) continue;
      double least = kInfinity;
      double sure = -kInfinity;
      double greatest = -kInfinity;
      for (const Choice c : model.choices(s)) {
        double worst = kInfinity;
        for (const Outcome& o : model.outcomes(c)) {
          least = std::min(least, one.below(o, now.least[index(o.next)]));
          worst = std::min(worst, one.below(o, now.sure[index(o.next)]));
          greatest = std::max(greatest, one.above(o, now.greatest[index(o.next)]));
        }
        if (worst > sure) {
          sure = worst;
          tails.choice[i] = c;
        }
      }
      tails.least[i] = std::max(least, now.least[i]);
      tails.sure[i] = std::max(sure, now.sure[i]);
      tails.greatest[i] = std::min(greatest, now.greatest[i]);
    }
  }
};

}  // namespace

Tails tails_of(const Model& model, const ResolvedSetting& setting, const Limits& limits) {
  const Recursion recursion{model, setting, OutwardStep(model, setting)};
  double low = 0;
  double high = 0;
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    for (const Choice c : model.choices(State{i})) {
      for (const Outcome& o : model.outcomes(c)) {
        low = std::min(low, recursion.one.below(o, 0));
        high = std::max(high, recursion.one.above(o, 0));
      }
    }
  }
  const double steps = round_up(1 / (1 - setting.discount)) * (1 + 0x1p-40);
  Tails tails;
  tails.least.assign(model.state_count(), 0);
  tails.choice.assign(model.state_count(), Choice{});
  tails.greatest = tails.least;
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    if (is_end(model, setting, State{i})) continue;
    if (low != 0) tails.least[i] = std::nextafter(low * steps, -kInfinity);
    if (high != 0) tails.greatest[i] = std::nextafter(high * steps, kInfinity);
  }
  tails.sure = tails.least;
  // Enough for three digits, or as many steps as a model of this size affords.
  const double outcomes = static_cast<double>(model.outcome_count()) + 1;
  const double wanted = 8 / (1 - to_nearest_double(setting.discount)) + 1;
  const int rounds = static_cast<int>(std::min(wanted, std::max(4.0, 3e8 / outcomes)));
  // The first makes the choices.
  recursion.step(tails);
  for (int i = 1; i < rounds && !limits.ended(); ++i) recursion.step(tails);
  // The last greedy choices may have lost what rounding took: more than makes up for it.
  const double scale = std::max(-low, high) * steps;
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    if (!is_end(model, setting, State{i})) tails.sure[i] -= 0x1p-48 * scale * steps;
  }
  return tails;
}

Rational range_from_start(const ResolvedSetting& setting, const Tails& tails) {
  double least = tails.least[index(setting.initial[0].state)];
  double greatest = tails.greatest[index(setting.initial[0].state)];
  for (const State s : setting.initial.states()) {
    least = std::min(least, tails.least[index(s)]);
    greatest = std::max(greatest, tails.greatest[index(s)]);
  }
  return Rational(greatest) - Rational(least);
}

std::vector<bool> states_met(const Model& model, const ResolvedSetting& setting) {
  std::vector<bool> met(model.state_count(), false);
  std::vector<State> open = setting.initial.states();
  for (const State s : open) met[index(s)] = true;
  while (!open.empty()) {
    const State s = open.back();
    open.pop_back();
    if (is_end(model, setting, s)) continue;
    for (const Choice c : model.choices(s)) {
      for (const Outcome& o : model.outcomes(c)) {
        if (met[index(o.next)]) continue;
        met[index(o.next)] = true;
        open.push_back(o.next);
      }
    }
  }
  return met;
}

TailRange tail_range(const Model& model,
                     const ResolvedSetting& setting,
                     const Tails& tails,
                     const std::vector<bool>& here) {
  const std::vector<bool> met = states_met(model, setting);
  TailRange range;
  bool first = true;
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    // Episodes may have ended before.
    const bool counts = here[i] || (met[i] && is_end(model, setting, State{i}));
    if (!counts) continue;
    range.sure = first ? tails.sure[i] : std::min(range.sure, tails.sure[i]);
    range.least = first ? tails.least[i] : std::min(range.least, tails.least[i]);
    range.greatest = first ? tails.greatest[i] : std::max(range.greatest, tails.greatest[i]);
    first = false;
  }
  return range;
}

std::vector<bool> states_at(const Model& model,
                            const ResolvedSetting& setting,
                            std::uint64_t steps,
                            const Limits& limits) {
  std::vector<bool> here(model.state_count(), false);
  for (const State s : setting.initial.states()) here[index(s)] = true;
  for (std::uint64_t t = 0; t < steps; ++t) {
    std::vector<bool> next(model.state_count(), false);
    for (std::uint32_t i = 0; i < model.state_count(); ++i) {
      if (!here[i] || is_end(model, setting, State{i})) continue;
      for (const Choice c : model.choices(State{i})) {
        for (const Outcome& o : model.outcomes(c)) next[index(o.next)] = true;
      }
    }
    if (next == here) break;
    here = std::move(next);
    if (limits.ended()) {
      here = states_met(model, setting);
      break;
    }
  }
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    if (is_end(model, setting, State{i})) here[i] = false;
  }
  return here;
}

}  // namespace quantiplan
