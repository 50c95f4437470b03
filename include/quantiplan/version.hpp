// The version of these headers, for the preprocessor; version() of solve.hpp is the library's.
//
// The build compares it with project() in the root CMakeLists.txt.
#pragma once

#define QUANTIPLAN_VERSION_MAJOR 0
#define QUANTIPLAN_VERSION_MINOR 1
#define QUANTIPLAN_VERSION_PATCH 0
// To compare with: QUANTIPLAN_VERSION >= 102 from 0.1.2 on.
#define QUANTIPLAN_VERSION \
  (QUANTIPLAN_VERSION_MAJOR * 10000 + QUANTIPLAN_VERSION_MINOR * 100 + QUANTIPLAN_VERSION_PATCH)
