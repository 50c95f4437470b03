#include "classes/promised_class.hpp"

#include <algorithm>

namespace quantiplan {

PromisedClass PromisedClass::for_mean(std::uint32_t k, std::vector<Rational> number) {
  PromisedClass out;
  out.rungs_ = {0, k};
  out.number_ = std::move(number);
  return out;
}

std::optional<PromisedClass> PromisedClass::for_classes(std::uint32_t k, std::uint32_t classes) {
  PromisedClass out;
  for (std::uint32_t j = k + 1; j < classes; ++j) out.rungs_.push_back(j);
  const std::size_t above = out.rungs_.size();
  for (std::uint32_t j = k; j-- > 1;) out.rungs_.push_back(j);
  if (out.rungs_.empty()) return std::nullopt;
  out.promise_ = std::max<std::size_t>(1, above);
  out.rungs_.insert(out.rungs_.begin() + static_cast<std::ptrdiff_t>(out.promise_), k);
  return out;
}

ClassWorth PromisedClass::at_end(std::uint32_t klass) const {
  ClassWorth out;
  out.reserve(rungs_.size());
  for (const std::uint32_t rung : rungs_) out.emplace_back(klass >= rung ? 1 : 0);
  if (!number_.empty()) out.front() = number_[klass];
  return out;
}

bool PromisedClass::is_better(const ClassAim& aim, const ClassWorth& a, const ClassWorth& b) const {
  if (!aim.in_order) {
    if (aim.aim.weight) {
      const Rational& l = *aim.aim.weight;
      const int sign = cmp(Rational(a[0] + l * a[promise_]), Rational(b[0] + l * b[promise_]));
      if (sign != 0) return sign > 0;
    }
    const int sign = cmp(a[promise_], b[promise_]);
    if (sign != 0) return sign > 0;
  }
  return a > b;
}

Prospect PromisedClass::prospect(const Aim& aim, const ClassWorth& worth) const {
  const Rational& probability = worth[promise_];
  Prospect out{Value::exactly(probability), probability, worth[0]};
  if (aim.weight) out.optimum = Rational(worth[0] + *aim.weight * probability);
  return out;
}

}  // namespace quantiplan
