#include "report/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace quantiplan {
namespace {

// A fraction is harder to read than a decimal of the same length.
constexpr std::size_t kMostFraction = 9;
constexpr std::size_t kMostExactEnd = 12;

bool is_readable(const std::string& text, std::size_t most) {
  return text.size() <= most &&
         (text.size() <= kMostFraction || text.find('/') == std::string::npos);
}

// Some significant digits of a number that is not negative, never above it (or never below).
std::string digits_of(const Rational& value, int digits, bool down) {
  constexpr double kTiny = 1e-290;  // below it, digits are not counted
  const double shown = to_nearest_double(value);
  if (shown < kTiny) return value == 0 || down ? "0" : "1e-290";
  const double unit = std::pow(10, std::floor(std::log10(shown)) - (digits - 1));
  for (int step = 0;; ++step) {
    // A unit of the last digit at a time, if the nearest text lies on the wrong side.
    std::string text =
        fmt::format("{:.{}g}", std::max(0.0, shown + (down ? -step : step) * unit), digits);
    const Rational exact = Number::parse(text).rational();
    if (down ? exact <= value : exact >= value) return text;
  }
}

// The same of a bound: one that is known as a double only has the shortest text of that double.
std::string bound_digits(const Value& bound, bool down) {
  if (bound.exact) return digits_of(*bound.exact, 6, down);
  std::string text = fmt::format("{:.6g}", bound.nearest);
  const bool is_all = to_nearest_double(Number::parse(text).rational()) == bound.nearest;
  return is_all ? text : digits_of(Rational(bound.nearest), 6, down);
}

Rational power_of_ten(long exponent) {
  Integer ten;
  mpz_ui_pow_ui(ten.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
  return exponent >= 0 ? Rational(ten) : Rational(1 / Rational(ten));
}

// The nearest multiple of a unit that is not above a value, or not below.
std::string multiple_of(const Rational& unit, const Rational& value, bool down) {
  const Rational units = value / unit;
  Integer whole;
  if (down) {
    mpz_fdiv_q(whole.get_mpz_t(), units.get_num_mpz_t(), units.get_den_mpz_t());
  } else {
    mpz_cdiv_q(whole.get_mpz_t(), units.get_num_mpz_t(), units.get_den_mpz_t());
  }
  return to_text(Rational(whole) * unit);
}

// An end of a bracket whose other end is no number, and so has no width to round by.
std::string end_figure(const Total& end, bool down) {
  std::string exact = to_text(end);
  if (!end.is_finite() || is_readable(exact, kMostExactEnd)) return exact;
  const double size = std::log10(std::abs(to_nearest_double(end.value())));
  if (!std::isfinite(size)) return exact;
  return multiple_of(power_of_ten(static_cast<long>(std::floor(size)) - 9), end.value(), down);
}

}  // namespace

double nearest(const Value& value) {
  return value.exact ? to_nearest_double(*value.exact) : value.nearest;
}

std::string probability_figure(const Value& value) {
  const double shown = nearest(value);
  std::string text = fmt::format("{:.6g}", shown);
  const bool certain = value.exact ? *value.exact == 1 : shown == 1;
  if (text == "1" && !certain) {
    // 1 - p is exact in doubles near 1 (Sterbenz); from the exact value where that is known.
    const double missing = value.exact ? to_nearest_double(1 - *value.exact) : 1 - shown;
    text = missing > 0 ? fmt::format("1-{:.2g}", missing) : fmt::format("1+{:.2g}", -missing);
  }
  const bool impossible = value.exact ? *value.exact == 0 : shown == 0;
  return text == "0" && !impossible ? "~0" : text;
}

namespace {

// A lower bound of which all the digits that are shown are certain, as an upper bound has the same.
std::optional<std::string> certain_digits(const Value& bound) {
  if (bound.exact || bound.is == Value::Is::rounded) return probability_figure(bound);
  if (!bound.most) return std::nullopt;
  std::string least = probability_figure({bound.nearest});
  // Too small for a double to bound it from below.
  if (bound.nearest == 0 && *bound.most < 1e-290) return "~0";
  if (least != probability_figure({*bound.most})) return std::nullopt;
  return least;
}

}  // namespace

std::string known_figure(const Value& value) {
  return certain_digits(value).value_or(">= " + lower_bound_figure(value));
}

std::string known_words(const Value& value) {
  return certain_digits(value).value_or("at least " + lower_bound_figure(value));
}

std::string mean_figure(const Value& value) {
  if (value.exact) {
    std::string text = to_text(*value.exact);
    if (text.size() <= 10) return text;
  }
  const double shown = nearest(value);
  if (std::isnan(shown)) return "undefined";
  const auto plain = [](double mean) { return mean == 0 ? "0" : fmt::format("{:.6g}", mean); };
  const bool is_bound = !value.exact && value.is != Value::Is::rounded;
  if (!is_bound || !std::isfinite(shown)) return plain(shown);
  std::string least = mean_bound_figure(value, value.is == Value::Is::lower_bound);
  if (!value.most) return least;
  // All the digits that are shown are certain, or both ends are.
  if (plain(shown) == plain(*value.most)) return plain(shown);
  return fmt::format("[{}, {}]", least, mean_bound_figure({*value.most}, false));
}

std::string mean_bound_figure(const Value& bound, bool down) {
  if (bound.exact) {
    std::string text = to_text(*bound.exact);
    if (text.size() <= 10 && text.find('/') == std::string::npos) return text;
  }
  const Rational value = bound.exact ? *bound.exact : Rational(bound.nearest);
  return value < 0 ? "-" + digits_of(-value, 6, !down) : digits_of(value, 6, down);
}

std::string lower_bound_figure(const Value& value) {
  const bool is_zero = value.exact ? *value.exact == 0 : value.nearest == 0;
  const std::string text = bound_digits(value, true);
  return text == "0" && !is_zero ? "~0" : text;
}

std::string upper_bound_figure(const Value& value) { return bound_digits(value, false); }

std::string size_figure(const Rational& size, int digits) { return digits_of(size, digits, false); }

std::string wealth_figure(const Total& wealth, std::size_t most) {
  std::string text = to_text(wealth);
  if (!wealth.is_finite()) return text;
  // Sentences, which have more room, show fractions of any length that fits.
  const bool fits = most > 18 ? text.size() <= most : is_readable(text, most);
  return fits ? text : fmt::format("~{:.10g}", to_nearest_double(wealth.value()));
}

BracketFigures bracket_figures(const Total& lower, const Total& upper) {
  BracketFigures exact{to_text(lower), to_text(upper)};
  if (lower == upper ||
      (is_readable(exact.lower, kMostExactEnd) && is_readable(exact.upper, kMostExactEnd)))
    return exact;
  if (!lower.is_finite() || !upper.is_finite())
    return {end_figure(lower, true), end_figure(upper, false)};
  const double width = std::log10(to_nearest_double(upper.value() - lower.value()));
  if (!std::isfinite(width)) return exact;
  const Rational unit = power_of_ten(static_cast<long>(std::floor(width)) - 1);
  return {multiple_of(unit, lower.value(), true), multiple_of(unit, upper.value(), false)};
}

std::string bracket_figure(const Total& lower, const Total& upper) {
  if (lower == upper) return wealth_figure(lower);
  const BracketFigures ends = bracket_figures(lower, upper);
  return fmt::format("[{}, {}]", ends.lower, ends.upper);
}

std::string tie_figure(const Total& lower, const Total& upper) {
  return lower == upper ? wealth_figure(lower)
                        : fmt::format("[{}, {}]", wealth_figure(lower), wealth_figure(upper));
}

std::string probability_bracket_figure(const ProbabilityBracket& bracket) {
  return fmt::format(
      "[{}, {}]", digits_of(bracket.lower, 6, true), digits_of(bracket.upper, 6, false));
}

bool is_open(const Distribution& distribution) {
  return distribution.slack > 0 || distribution.sample || distribution.rest;
}

std::string quantile_figure(const QuantileOfDistribution& quantile) {
  if (!quantile.open_below && !quantile.open_above)
    return bracket_figure(quantile.lower, quantile.upper);
  return fmt::format("[{}, {}]",
                     quantile.open_below ? "?" : wealth_figure(quantile.lower),
                     quantile.open_above ? "?" : wealth_figure(quantile.upper));
}

// As they are written, too: the shortest text of a double may lie beyond it.
double double_below(const Rational& value) { return Value::no_less_than(value).nearest; }

double double_above(const Rational& value) { return Value::no_more_than(value).nearest; }

std::string bytes_figure(std::uint64_t bytes) {
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return count_figure(bytes, "byte", "bytes");
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; size >= 1000 && unit + 1 < kUnits.size(); ++unit) size /= 1024;
  return fmt::format("{:.3g} {}", size, kUnits[unit]);
}

std::string seconds_figure(double seconds) {
  return seconds < 100 ? fmt::format("{:.2g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string count_figure(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace quantiplan
