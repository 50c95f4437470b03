#include "check/common/demand.hpp"

#include <array>
#include <charconv>
#include <cstdio>

namespace quantiplan::checking {

Verdict Demand::met_by(const Rational& probability) const {
  const bool met = side == Side::upper ? probability >= theta : probability > theta;
  return met ? Verdict::yes : Verdict::no;
}

Verdict Demand::met_by(const Bounds& probability) const {
  // The demand is monotone in the probability, so the ends settle it if they agree.
  const Verdict at_low = met_by(probability.low);
  const Verdict at_high = met_by(probability.high);
  return at_low == at_high ? at_low : Verdict::open;
}

std::string Demand::text() const {
  return (side == Side::upper ? "at least " : "more than ") + to_text(theta);
}

Tolerance Tolerance::of_steps(std::uint64_t horizon, std::size_t most_outcomes) {
  const double roundings =
      2 * static_cast<double>(horizon) * (static_cast<double>(most_outcomes) + 2);
  return {up(roundings * 0x1p-53), up(roundings * std::numeric_limits<double>::denorm_min())};
}

bool agrees(double claimed, const Interval& probability, const Tolerance& tolerance) {
  const double relative = tolerance.relative;
  const double low = down(probability.low * (relative < 1 ? down(1 - relative) : 0));
  const double high = up(up(probability.high * up(1 + relative)) + tolerance.absolute);
  return claimed >= down(low - tolerance.absolute) && claimed <= high && claimed <= 1;
}

std::string level_text(const Rational& level) {
  constexpr std::size_t kLongest = 18;
  constexpr std::size_t kLongestFraction = 9;
  std::string text = to_text(level);
  const bool is_fraction = text.find('/') != std::string::npos;
  if (text.size() <= (is_fraction ? kLongestFraction : kLongest)) return text;
  // Nine places, cut towards 0: "..." stands for what follows.
  const Rational scaled = abs(level) * 1'000'000'000;
  const Integer digits = scaled.get_num() / scaled.get_den();
  std::string whole = digits.get_str();
  if (whole.size() < 10) whole.insert(0, 10 - whole.size(), '0');
  whole.insert(whole.size() - 9, ".");
  return (level < 0 ? "-" : "") + whole + "...";
}

std::string level_text(const Total& level) {
  return level.is_finite() ? level_text(level.value()) : to_text(level);
}

std::string shown(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

std::string mean_text(const Value& mean) {
  if (mean.exact) return level_text(*mean.exact);
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), mean.nearest).ptr;
  return {text.data(), end};
}

namespace {

// The exact text if it is short.
std::string short_text(const Rational& probability) {
  constexpr std::size_t kLongest = 40;
  std::string text = to_text(probability);
  return text.size() <= kLongest ? text : std::string();
}

}  // namespace

std::string shown(const Rational& probability) {
  const std::string text = short_text(probability);
  return text.empty() ? "is about " + shown(probability.get_d()) : "is " + text;
}

std::string shown_at_least(const Bounds& probability) {
  const std::string text = short_text(probability.low);
  return "is at least " + (text.empty() ? shown(enclose(probability.low).low) : text);
}

std::string shown_at_most(const Bounds& probability) {
  const std::string text = short_text(probability.high);
  return "is at most " + (text.empty() ? shown(enclose(probability.high).high) : text);
}

std::string shown(const Interval& probability) {
  if (probability.low == probability.high) return "is " + shown(probability.low);
  return "lies in [" + shown(probability.low) + ", " + shown(probability.high) + "]";
}

std::string shown(const Bounds& probability) {
  if (probability.is_exact()) return shown(probability.low);
  return shown(Interval{enclose(probability.low).low, enclose(probability.high).high});
}

}  // namespace quantiplan::checking
