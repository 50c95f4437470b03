#include "check/common/counted.hpp"

#include <utility>

#include "check/common/demand.hpp"

namespace quantiplan::checking {

int counted_sign(const ResolvedSetting& setting) {
  return setting.cost == setting.adversarial ? 1 : -1;
}

Misses misses_of(const ResolvedSetting& setting) {
  if (setting.goal.empty()) return Misses::none;
  return setting.adversarial ? Misses::best : Misses::worst;
}

Event::Event(const ResolvedSetting& setting, const Total& total, bool strictly)
    : user_text_(level_text(total)),
      level_(setting.adversarial ? total.negated() : total),
      misses_(misses_of(setting)),
      strictly_(strictly),
      adversarial_(setting.adversarial) {}

Event::Event(std::string class_name, bool strictly)
    : user_text_(std::move(class_name)),
      misses_(Misses::none),
      strictly_(strictly),
      adversarial_(false) {}

Event::Numbers Event::numbers() const {
  switch (level_.kind()) {
    case Total::Kind::finite:
      return Numbers::compared;
    case Total::Kind::minus_infinity:
      return Numbers::all;
    case Total::Kind::plus_infinity:
      return Numbers::none;
    case Total::Kind::miss:
      break;
  }
  return misses_ == Misses::best ? Numbers::none : Numbers::all;
}

bool Event::holds(const Rational& counted) const {
  if (numbers() != Numbers::compared) return numbers() == Numbers::all;
  return strictly_ ? counted > level_.value() : counted >= level_.value();
}

bool Event::holds_at_miss() const {
  if (level_.is_miss()) return !strictly_;
  return misses_ == Misses::best;
}

bool Event::holds_at_plus_infinity() const {
  if (level_ == Total::plus_infinity()) return !strictly_;
  return !level_.is_miss() || misses_ != Misses::best;
}

bool Event::holds_at_minus_infinity() const {
  if (level_ == Total::minus_infinity()) return !strictly_;
  return level_.is_miss() && misses_ != Misses::best;
}

std::string Event::text() const {
  if (adversarial_) return (strictly_ ? "W < " : "W <= ") + user_text_;
  return (strictly_ ? "W > " : "W >= ") + user_text_;
}

}  // namespace quantiplan::checking
