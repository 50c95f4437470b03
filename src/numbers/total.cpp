#include "quantiplan/total.hpp"

namespace quantiplan {

Total Total::negated() const {
  switch (kind_) {
    case Kind::minus_infinity:
      return plus_infinity();
    case Kind::plus_infinity:
      return minus_infinity();
    case Kind::finite:
      return Rational(-value_);
    case Kind::miss:
      break;
  }
  return *this;
}

std::weak_ordering operator<=>(const Total& a, const Total& b) {
  if (a.kind_ != b.kind_) return a.kind_ <=> b.kind_;
  if (!a.is_finite()) return std::weak_ordering::equivalent;
  return cmp(a.value_, b.value_) <=> 0;
}

std::string to_text(const Total& total) {
  switch (total.kind()) {
    case Total::Kind::miss:
      return "miss";
    case Total::Kind::minus_infinity:
      return "-inf";
    case Total::Kind::plus_infinity:
      return "inf";
    case Total::Kind::finite:
      break;
  }
  return to_text(total.value());
}

}  // namespace quantiplan
