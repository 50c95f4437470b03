// A call of the library that can take long: shows progress, and ends early at the first Ctrl-C.
#pragma once

#include <memory>

#include "console.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan::cli {

// What the call returns may keep its options, and so the line: it is shared, and silent afterwards.
// `is_cost`: brackets of wealth are shown as those of costs.
template <class Call>
auto watched(Options options, bool quiet, bool is_cost, Call&& call) {
  const InterruptGuard guard;
  const auto line = std::make_shared<ProgressLine>(quiet);
  options.stop = InterruptGuard::flag();
  options.progress = [line, is_cost](Progress progress) {
    if (is_cost && progress.bracket)
      progress.bracket = {-progress.bracket->upper, -progress.bracket->lower};
    line->show(progress);
  };
  auto result = call(options);
  line->end();
  return result;
}

}  // namespace quantiplan::cli
