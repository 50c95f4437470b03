#include "finite/strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "quantiplan/error.hpp"

namespace quantiplan {

Choice ResidualRule::choose(std::uint64_t time, std::size_t slot, std::int64_t residual) const {
  const Window& window = ground_->windows->at(time, slot);
  if (window.is_free(residual)) return ground_->expectation_choice[time][slot];
  if (residual <= window.sure) return window.sure_choice;
  if (points_) {
    const std::uint32_t node =
        points_->nodes[time].find({static_cast<std::uint32_t>(slot), residual});
    if (node != NodeTable::kAbsent) return points_->choice[time][node];
  }
  const Stages& stages = *ground_->stages;
  const State s = stages.layer(time).state(slot);
  const std::uint32_t local = decisions_->at(time, slot, residual).choice;
  return stages.model().choices(s)[static_cast<std::ptrdiff_t>(local)];
}

template <class Visit>
void ResidualRule::for_each_run(std::uint64_t time,
                                std::size_t slot,
                                std::int64_t above,
                                std::int64_t upto,
                                const Visit& visit) const {
  const Window& window = ground_->windows->at(time, slot);
  // Visits what is left up to `end`.
  const auto until = [&](std::int64_t end, const auto& visit_part) {
    end = std::min(end, upto);
    if (end <= above) return;
    visit_part(above, end);
    above = end;
  };
  const auto all_with = [&](Choice c) {
    return [&visit, c](std::int64_t after, std::int64_t end) { visit(after, end, c); };
  };
  const Choice free_choice = ground_->expectation_choice[time][slot];
  until(window.least, all_with(free_choice));
  until(std::min(window.sure, window.possible), all_with(window.sure_choice));
  until(window.possible, [&](std::int64_t after, std::int64_t end) {
    for_each_decision(time, slot, after, end, visit);
  });
  until(upto, all_with(free_choice));
}

template <class Visit>
void ResidualRule::for_each_decision(std::uint64_t time,
                                     std::size_t slot,
                                     std::int64_t above,
                                     std::int64_t upto,
                                     const Visit& visit) const {
  const Stages& stages = *ground_->stages;
  const auto choices = stages.model().choices(stages.layer(time).state(slot));
  const bool has_points = points_ && points_->nodes[time].size() > 0;
  if (has_points) {
    // Few enough to be looked at one by one.
    for (std::int64_t y = above + 1; y <= upto; ++y) {
      const std::uint32_t node = points_->nodes[time].find({static_cast<std::uint32_t>(slot), y});
      if (node != NodeTable::kAbsent)
        visit(y - 1, y, points_->choice[time][node]);
      else if (decisions_)
        visit(y - 1, y, choices[decisions_->at(time, slot, y).choice]);
    }
    return;
  }
  if (!decisions_) return;
  decisions_->for_each_run(
      time, slot, above, upto, [&](std::int64_t after, std::int64_t end, std::uint32_t local) {
        visit(after, end, choices[static_cast<std::ptrdiff_t>(local)]);
        above = end;
      });
  // Never met by the targets the pass was made for.
  if (above < upto) visit(above, upto, choices[0]);
}

namespace {

// Runs come in falling order, each next to the one before or below a gap.
void append_run(std::vector<ChoiceRun>& runs, const ChoiceRun& run) {
  if (!runs.empty() && runs.back().choice == run.choice &&
      runs.back().from.value == run.to.value + 1) {
    runs.back().from = run.from;
  } else {
    runs.push_back(run);
  }
}

}  // namespace

std::vector<ChoiceRun> ResidualStrategy::runs(std::uint64_t time,
                                              std::size_t slot,
                                              WealthKey from,
                                              WealthKey to) const {
  const std::int64_t target =
      target_.value * (std::int64_t{1} << stages_->scale().shift_until(time));
  std::vector<ChoiceRun> out;
  rule_.for_each_run(time,
                     slot,
                     target - to.value - 1,
                     target - from.value,
                     [&](std::int64_t above, std::int64_t upto, Choice choice) {
                       append_run(out, {{target - upto}, {target - above - 1}, choice});
                     });
  return out;
}

std::vector<ChoiceRun> TableStrategy::runs(std::uint64_t time,
                                           std::size_t slot,
                                           WealthKey from,
                                           WealthKey to) const {
  std::vector<ChoiceRun> out;
  const std::vector<Run>& rule = runs_[time][slot];
  for (auto run = first_at_most(rule, to); run != rule.end() && from <= to; ++run) {
    const WealthKey least = std::max(run->at_least, from);
    append_run(out, {least, to, run->choice});
    to = {least.value - 1};
  }
  return out;
}

TableStrategy::TableStrategy(const Stages& stages, const Policy& policy) : stages_(stages) {
  // i <= upto  iff  wealth >= target index - upto, in steps of the time.
  const auto by_index = [&](const Rational& target, std::uint64_t at, const Rational& upto) {
    Rational shifted;
    mpq_mul_2exp(shifted.get_mpq_t(), target.get_mpq_t(), stages.scale().shift_until(at));
    return WealthKey{static_cast<std::int64_t>(Rational(shifted - upto).get_num().get_si())};
  };
  runs_.resize(stages.horizon());
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) runs_[t].resize(stages.layer(t).size());
  Rational power = 1;  // gamma^t: a residual y at time t is gamma^t y in time-0 units
  std::uint64_t time = 0;
  for (const PolicyRule& rule : policy.rules) {
    for (; time < rule.time; ++time) power *= policy.setting.discount;
    if (rule.time >= stages.horizon()) break;
    const Layer& layer = stages.layer(rule.time);
    const std::size_t slot = layer.slot(rule.state);
    // A rule for a state that cannot be met then is harmless.
    if (slot >= layer.size() || layer.state(slot) != rule.state) continue;
    for (const PolicyRun& run : rule.runs) {
      // y <= upto  iff  target - wealth <= gamma^t upto  iff  wealth >= target - gamma^t upto.
      WealthKey at_least{std::numeric_limits<std::int64_t>::min()};
      if (run.upto) {
        if (!policy.target) {
          throw Error(ErrorCode::bad_policy,
                      "policy",
                      "found a rule by residual target, expected the policy to have a target");
        }
        at_least = policy.grid ? by_index(*policy.target / policy.grid->unit, rule.time, *run.upto)
                               : stages.scale().ceiling(*policy.target - power * *run.upto);
      }
      // The first that wealth reaches decides: one that begins no lower never does.
      std::vector<Run>& runs = runs_[rule.time][slot];
      if (runs.empty() || at_least < runs.back().at_least) runs.push_back({at_least, run.choice});
    }
  }
}

Choice TableStrategy::choose(std::uint64_t time, std::size_t slot, WealthKey wealth) const {
  const std::vector<Run>& rule = runs_[time][slot];
  if (const auto run = first_at_most(rule, wealth); run != rule.end()) return run->choice;
  const State s = stages_.layer(time).state(slot);
  throw Error(
      ErrorCode::bad_policy,
      "policy",
      fmt::format("no rule for state '{}' at time {} with a total of {} so far, expected one "
                  "since the policy can get there",
                  stages_.model().state_name(s),
                  time,
                  to_text(stages_.scale().wealth(wealth, time))));
}

}  // namespace quantiplan
