// Totals as a policy counts them itself, and the events that a claim speaks of.
//
//     W' = sum of sign * gamma^t * r_t,     sign = (cost ? -1 : 1) * (adversarial ? -1 : 1)
//     a miss as the worst  <  -inf  <  numbers  <  +inf  <  a miss as the best
//
// Everybody maximises W': an adversary counts the negative of the user's wealth, and a goal that is
// missed is the best that can happen to it. An event is {W' >= level} or {W' > level}; in the
// user's terms that is {W >= w}, {W > w} or, for an adversary, {W <= w}, {W < w}. Where wealth is
// no number, an event has a name, and whoever asks for it knows which wealths are in it.
#pragma once

#include <string>

#include "quantiplan/number.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan::checking {

int counted_sign(const ResolvedSetting& setting);

// How episodes count that never reach a goal; none: there is no goal to miss.
enum class Misses { none, worst, best };
Misses misses_of(const ResolvedSetting& setting);

class Event {
 public:
  // `total` is the user's, and a miss only if there is a goal; strictly: W' > level.
  Event(const ResolvedSetting& setting, const Total& total, bool strictly);
  // At least, or above, a class of wealths by its name.
  Event(std::string class_name, bool strictly);

  // Numbers may be compared with the level, or all of them count, or none does.
  enum class Numbers { compared, all, none };
  [[nodiscard]] Numbers numbers() const;
  [[nodiscard]] bool holds(const Rational& counted) const;
  [[nodiscard]] bool holds_at_miss() const;
  [[nodiscard]] bool holds_at_plus_infinity() const;
  [[nodiscard]] bool holds_at_minus_infinity() const;

  [[nodiscard]] Misses misses() const { return misses_; }
  [[nodiscard]] bool is_strict() const { return strictly_; }
  // {W' > level} of {W' >= level}, and the other way round: they differ by {W' = level}.
  [[nodiscard]] Event twin() const {
    Event other = *this;
    other.strictly_ = !strictly_;
    return other;
  }
  // Counted; its value needs a finite one.
  [[nodiscard]] const Total& level() const { return level_; }
  // "W >= -24", in the user's terms.
  [[nodiscard]] std::string text() const;
  // "W = -24", "-24".
  [[nodiscard]] std::string level_equation() const { return "W = " + user_text_; }
  [[nodiscard]] const std::string& user_text() const { return user_text_; }

 private:
  std::string user_text_;
  Total level_;
  Misses misses_;
  bool strictly_;
  bool adversarial_;
};

}  // namespace quantiplan::checking
