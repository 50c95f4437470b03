// "Did you mean ...?": the known name that is closest to an unknown one, for front ends.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace quantiplan {

// "; did you mean 'solve'?", or nothing where no name is near: at most a third of its letters away.
// Of equally near names the first.
std::string suggestion_among(std::string_view wanted, std::span<const std::string> known);

}  // namespace quantiplan
