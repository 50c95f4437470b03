#include "io/explicit/decimal_texts.hpp"

#include <fmt/format.h>

#include "io/text/json_text.hpp"

namespace quantiplan {

std::string DecimalTexts::text(const Rational& value) {
  constexpr std::size_t kMostDigits = 30;
  std::string exact = readable_text(value);
  if (exact.find('/') == std::string::npos && exact.size() <= kMostDigits) return exact;
  const double nearest = to_nearest_double(value);
  ++count_;
  const Rational change = abs(Rational(nearest) - value);
  if (change > most_) most_ = change;
  return fmt::format("{}", nearest);
}

std::string DecimalTexts::rounded() const {
  if (count_ == 0) return {};
  // Rounded upwards, so that it is a bound.
  const double bound = most_.get_d() * (1 + 1e-9);
  return fmt::format("the exact {} of {} distinct {}, rounded by at most {:.2g}",
                     count_ == 1 ? "value" : "values",
                     count_,
                     count_ == 1 ? "number" : "numbers",
                     bound * 1.05);
}

}  // namespace quantiplan
