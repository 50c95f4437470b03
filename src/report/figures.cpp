#include "figures.hpp"

#include <fmt/format.h>

#include <array>

namespace quantiplan {

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

std::string mean_figure(const Value& value) {
  if (value.exact) {
    std::string text = to_text(*value.exact);
    if (text.size() <= 10) return text;
  }
  const double shown = nearest(value);
  return shown == 0 ? "0" : fmt::format("{:.6g}", shown);
}

std::string wealth_figure(const Rational& wealth, std::size_t most) {
  std::string text = to_text(wealth);
  return text.size() <= most ? text : fmt::format("~{:.10g}", to_nearest_double(wealth));
}

std::string bracket_figure(const Rational& lower, const Rational& upper) {
  return lower == upper ? wealth_figure(lower)
                        : fmt::format("[{}, {}]", wealth_figure(lower), wealth_figure(upper));
}

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
