// How far recursions over (time, state) go, and what may follow.
//
//     finite horizon              all its steps, and nothing after them; with a goal, whoever is not there has missed it
//     infinite, with a discount   so many steps N that gamma^N (greatest - least) is small beside what a claim leaves open;
//                                 what follows lies between `least` and `greatest`, in units of that time:
//                                 min(0, rmin) / (1 - gamma) and max(0, rmax) / (1 - gamma)
#pragma once

#include <cstdint>
#include <optional>

#include "check/common/check_limits.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::checking {

struct Course {
  const Model& model;
  const ResolvedSetting& setting;
  CheckLimits& limits;
  std::uint64_t steps = 0;
  Rational least = 0;
  Rational greatest = 0;

  [[nodiscard]] bool is_cut() const { return setting.is_infinite(); }
  // No choice, or a goal: nothing is added any more.
  [[nodiscard]] bool is_end(State s) const;
  // An end that is not the goal, if there is one.
  [[nodiscard]] bool is_miss(State s) const { return !setting.goal.empty() && !setting.is_goal(s); }
  // What an outcome adds, in units of its time.
  [[nodiscard]] Rational reward(const Outcome& o) const;
};

// What follows is no more than `rest` altogether, in units of time 0. Nullopt if there are too many pairs (time, state).
std::optional<Course> course_of(const Model& model,
                                const ResolvedSetting& setting,
                                const Rational& rest,
                                CheckLimits& limits);

}  // namespace quantiplan::checking
