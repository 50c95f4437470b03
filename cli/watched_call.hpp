// A call of the library that can take long: shows progress, and ends early at the first Ctrl-C.
#pragma once

#include <memory>

#include "console.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan::cli {

// What the call returns may keep its options, and so the line: it is shared, and silent afterwards.
template <class Call>
auto watched(Options options, bool quiet, Call&& call) {
  const InterruptGuard guard;
  const auto line = std::make_shared<ProgressLine>(quiet);
  options.stop = InterruptGuard::flag();
  options.progress = [line](const Progress& progress) { line->show(progress); };
  auto result = call(options);
  line->end();
  return result;
}

}  // namespace quantiplan::cli
