// How the message about a text that is no number ends, whatever was read.
#pragma once

#include <string>

namespace quantiplan {

inline const std::string kNumberExpected =
    "; expected a decimal such as -0.5 or 1e-3, or a fraction such as 1/3";

}  // namespace quantiplan
