#include "infinite/levels/located_level.hpp"

#include <type_traits>

#include "numbers/rounding_bound.hpp"

namespace quantiplan {
namespace {

enum class Verdict { yes, no, open };

// In doubles `no` is strict, so that it excludes equality; the other three know equality exactly.
template <class A>
Verdict reaches_theta(const typename A::Value& value, double error, const Question& question) {
  const Rational theta = 1 - question.tau;
  if constexpr (std::is_same_v<A, Real>) {
    if (!(error < 1)) return Verdict::open;
    const Rational distance = Rational(value) - theta;
    if (abs(distance) <= Rational(error)) return Verdict::open;
    return distance > 0 ? Verdict::yes : Verdict::no;
  } else if constexpr (std::is_same_v<A, Exact>) {
    return reaches(value, theta, question.side) ? Verdict::yes : Verdict::no;
  } else {
    return value != 0 ? Verdict::yes : Verdict::no;
  }
}

template <class A>
bool equals_theta(const typename A::Value& value, const Question& question) {
  if constexpr (std::is_same_v<A, Exact>) return value == 1 - question.tau;
  // Sure: P = 1 = theta; Possible: P = 0 = theta.
  if constexpr (std::is_same_v<A, Sure>) return value != 0;
  if constexpr (std::is_same_v<A, Possible>) return value == 0;
  return false;
}

// Doubles only: theta is not clearly on the far side of the limit, `direction` 1 below it and -1
// above it, even if levels had no more than this error.
template <class A>
bool stays_open(const WholeValues<A>& limit,
                double error,
                const Question& question,
                int direction) {
  if constexpr (std::is_same_v<A, Real>) {
    if (!(error + limit.error < 1)) return true;
    const Rational distance = Rational(limit.value[0]) - (1 - question.tau);
    return direction * distance <= Rational(error) + Rational(limit.error);
  }
  return false;
}

using Place = LocatedLevel::Place;

LocatedLevel settled(const Total& total, Place place, bool attained = true) {
  LocatedLevel out;
  out.lower = out.upper = total;
  out.place = place;
  out.attained = attained;
  return out;
}

template <class A>
LocatedLevel among_gains(Series<A>& series, const Question& question) {
  const Event& event = series.problem().event;
  const auto& limit = series.limit();
  const Verdict beyond = reaches_theta<A>(limit.value[0], limit.error, question);
  if (beyond == Verdict::yes) {
    if (event.miss == Miss::best) return settled(Total::miss(), Place::limit);
    return settled(Total::plus_infinity(), Place::limit, event.miss == Miss::none);
  }
  if (beyond == Verdict::no && question.side == Side::lower &&
      equals_theta<A>(limit.value[0], question) &&
      choices_above_limit<A>(series.problem(), series.base(), limit, series.limits())) {
    // Every number is exceeded with more than theta; with a goal, by no single policy.
    return settled(Total::plus_infinity(), Place::above_limit, event.miss == Miss::none);
  }
  LocatedLevel out;
  const Verdict at_base = reaches_theta<A>(series.base().value[0], series.base().error, question);
  if (at_base == Verdict::no) return settled(Total::miss(), Place::base);
  out.is_open = beyond == Verdict::open || at_base == Verdict::open;
  out.lower = at_base == Verdict::yes ? Total(0) : Total::miss();
  out.upper = event.miss == Miss::best ? Total::miss() : Total::plus_infinity();
  out.place = at_base == Verdict::yes ? Place::level : Place::base;
  if (at_base == Verdict::open) return out;
  out.next_level = 1;
  bool saw_open = false;
  for (std::uint64_t k = 1;; ++k) {
    if (!series.reach(k)) {
      out.ended = true;
      return out;
    }
    const Verdict here = reaches_theta<A>(series.value(k), series.error(k), question);
    if (here == Verdict::no) {
      out.upper = saw_open ? total_of(series, k - 1) : out.lower;
      return out;
    }
    if (here == Verdict::yes && !saw_open) {
      out.level = k;
      out.next_level = k + 1;
      out.lower = total_of(series, k);
    }
    if (here == Verdict::open) {
      saw_open = out.is_open = true;
      // Errors add up: where not even the limit would be below theta by now, no level will be.
      if (stays_open<A>(limit, series.error(k), question, -1)) return out;
    }
  }
}

template <class A>
LocatedLevel among_losses(Series<A>& series, const Question& question, Limits& limits) {
  const Event& event = series.problem().event;
  const auto& base = series.base();
  const auto& limit = series.limit();
  const Verdict at_base = reaches_theta<A>(base.value[0], base.error, question);
  if (event.miss == Miss::best && at_base == Verdict::yes)
    return settled(Total::miss(), Place::base);
  const Verdict beyond = reaches_theta<A>(limit.value[0], limit.error, question);
  const Total nothing = event.miss == Miss::worst ? Total::miss() : Total::minus_infinity();
  if (beyond == Verdict::no) return settled(nothing, Place::limit);
  LocatedLevel out;
  out.place = Place::limit;
  out.lower = nothing;
  out.upper = event.miss == Miss::best && at_base == Verdict::open ? Total::miss() : Total(0);
  if (beyond == Verdict::yes && question.side == Side::upper &&
      equals_theta<A>(limit.value[0], question)) {
    const auto meets = meets_limit<A>(series.problem(), base, limit, limits);
    if (!meets) {
      out.ended = true;
      return out;
    }
    if (!*meets) return settled(Total::minus_infinity(), Place::limit);
  }
  out.is_open = beyond == Verdict::open || (event.miss == Miss::best && at_base == Verdict::open);
  bool saw_open = out.upper.is_miss();
  for (std::uint64_t k = 0;; ++k) {
    if (!series.reach(k)) {
      out.ended = true;
      return out;
    }
    const Verdict here = reaches_theta<A>(series.value(k), series.error(k), question);
    if (here == Verdict::yes) {
      out.place = Place::level;
      out.level = k;
      out.next_level = k - 1;  // of level 0: the base
      out.lower = total_of(series, k);
      if (!saw_open) out.upper = out.lower;
      return out;
    }
    if (here == Verdict::open) {
      if (!saw_open) out.upper = total_of(series, k);
      saw_open = out.is_open = true;
      if (stays_open<A>(limit, series.error(k), question, 1)) return out;
    } else if (!saw_open) {
      // The next level is at most the next multiple of the unit below.
      out.upper = Rational(total_of(series, k).value() - series.problem().weights.unit);
    }
  }
}

}  // namespace

template <class A>
LocatedLevel locate(Series<A>& series, const Question& question) {
  return series.problem().event.gains ? among_gains<A>(series, question)
                                      : among_losses<A>(series, question, series.limits());
}

template LocatedLevel locate<Real>(Series<Real>&, const Question&);
template LocatedLevel locate<Exact>(Series<Exact>&, const Question&);
template LocatedLevel locate<Sure>(Series<Sure>&, const Question&);
template LocatedLevel locate<Possible>(Series<Possible>&, const Question&);

}  // namespace quantiplan
