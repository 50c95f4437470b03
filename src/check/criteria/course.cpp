#include "check/criteria/course.hpp"

#include <algorithm>
#include <cmath>

#include "check/criteria/criterion_law.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::uint64_t kMostPairs = 200'000;

bool is_short(const Course& course) {
  return course.steps <= kMostPairs && course.model.state_count() * course.steps <= kMostPairs;
}

void cut(Course& course, const Rational& rest) {
  Rational least = 0;
  Rational greatest = 0;
  for (std::uint32_t i = 0; i < course.model.state_count(); ++i) {
    for (const Choice c : course.model.choices(State{i})) {
      for (const Outcome& o : course.model.outcomes(c)) {
        const Rational r = course.reward(o);
        least = std::min(least, r);
        greatest = std::max(greatest, r);
      }
    }
  }
  const Rational& discount = course.setting.discount;
  course.least = least / (1 - discount);
  course.greatest = greatest / (1 - discount);
  const double range = to_nearest_double(course.greatest - course.least);
  const double small = std::max(to_nearest_double(rest), range * 0x1p-56);
  const double steps =
      range > 0 ? std::log(small / range) / std::log(to_nearest_double(discount)) : 0;
  course.steps =
      steps < 1e9 ? static_cast<std::uint64_t>(std::max(steps, 0.0)) + 1 : kMostPairs + 1;
}

}  // namespace

bool Course::is_end(State s) const { return is_end_of_episode(model, setting, s); }

Rational Course::reward(const Outcome& o) const { return counted_reward(model, setting, o); }

std::optional<Course> course_of(const Model& model,
                                const ResolvedSetting& setting,
                                const Rational& rest,
                                CheckLimits& limits) {
  Course course{model, setting, limits, setting.horizon};
  if (course.is_cut()) cut(course, rest);
  if (!is_short(course)) return std::nullopt;
  return course;
}

}  // namespace quantiplan::checking
