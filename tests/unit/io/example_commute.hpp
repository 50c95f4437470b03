// The commute as it is shipped, for the tests of policies' files.
#pragma once

#include "quantiplan/formats.hpp"

namespace quantiplan {

inline Model example_commute() {
  return read_model(QUANTIPLAN_SOURCE_DIR "/examples/commute.json").model;
}

}  // namespace quantiplan
