#include "version.hpp"

#include "quantiplan/solve.hpp"

namespace quantiplan {

std::string_view version() { return kVersion; }

}  // namespace quantiplan
