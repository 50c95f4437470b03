// Numbers as text: exact text for programs, short and never misleading text for people.
//
// A probability that is not 1 is never shown as 1, and one that is not 0 never as 0. What is
// rounded for lack of room begins with '~'.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "quantiplan/distribution.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

// The nearest double to what is known of a value.
double nearest(const Value& value);

// For people: six significant digits.
std::string probability_figure(const Value& value);
std::string mean_figure(const Value& value);
// Exact text if that takes at most `most` characters, else ten significant digits after a '~'.
std::string wealth_figure(const Rational& wealth, std::size_t most = 18);
// One level, or "[a, b]" where the two differ.
std::string bracket_figure(const Rational& lower, const Rational& upper);
std::string bytes_figure(std::uint64_t bytes);  // "1.5 KiB"
std::string seconds_figure(double seconds);     // "0.012 s"
// "1 state", "2 states".
std::string count_figure(std::uint64_t count, std::string_view one, std::string_view many);
}  // namespace quantiplan
