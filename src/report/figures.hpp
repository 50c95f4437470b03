// Numbers as text: exact text for programs, short and never misleading text for people.
//
// A probability that is not 1 is never shown as 1, and one that is not 0 never as 0. What is
// rounded for lack of room begins with '~'; but the ends of a bracket are rounded outwards, which
// keeps what they say true, and have no mark.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "quantiplan/distribution.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan {

// The nearest double to what is known of a value.
double nearest(const Value& value);

// For people: six significant digits.
std::string probability_figure(const Value& value);
// The same of a value that may be a bound: ">= 0.9", or "0.9" if all six digits are certain.
std::string known_figure(const Value& value);
// In a sentence: "at least 0.9", or "0.9".
std::string known_words(const Value& value);
// "inf" and "-inf" where it is not finite, "undefined" where there is none; a bound is rounded to its
// side.
std::string mean_figure(const Value& value);
// A bound of a mean, rounded down or up: six digits that hold.
std::string mean_bound_figure(const Value& bound, bool down);
// A lower bound: rounded down, "0.900031".
std::string lower_bound_figure(const Value& value);
std::string upper_bound_figure(const Value& value);
// How large an error can be: two digits, or more, rounded up.
std::string size_figure(const Rational& size, int digits = 2);
// Exact text if that takes at most `most` characters, else ten significant digits after a '~'. Long
// fractions count as too long. "inf", "-inf" and "miss" are what they are.
std::string wealth_figure(const Total& wealth, std::size_t most = 18);

// The ends of a bracket as it is shown: exact where both are short, else rounded outwards by at
// most a tenth of the width; beside an end that is no number, to ten digits.
struct BracketFigures {
  std::string lower;
  std::string upper;
};
BracketFigures bracket_figures(const Total& lower, const Total& upper);
// One level, or "[a, b]" where the two differ.
std::string bracket_figure(const Total& lower, const Total& upper);
// Two levels of which one is meant: never rounded outwards.
std::string tie_figure(const Total& lower, const Total& upper);
// "[0.42, 0.45]", six digits, rounded outwards.
std::string probability_bracket_figure(const ProbabilityBracket& bracket);
// True if probabilities of reaching a total are known as brackets only.
bool is_open(const Distribution& distribution);
// "?" for an end that a sample leaves open.
std::string quantile_figure(const QuantileOfDistribution& quantile);

// The nearest doubles that are not above, and not below.
double double_below(const Rational& value);
double double_above(const Rational& value);
std::string bytes_figure(std::uint64_t bytes);  // "1.5 KiB"
std::string seconds_figure(double seconds);     // "0.012 s"
// "1 state", "2 states".
std::string count_figure(std::uint64_t count, std::string_view one, std::string_view many);
}  // namespace quantiplan
