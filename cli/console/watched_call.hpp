// A call of the library that can take long: shows progress, and ends early at the first Ctrl-C.
#pragma once

#include <atomic>
#include <memory>

#include "console/console.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan::cli {

// The flag of the first Ctrl-C after the call; it belongs to nobody.
inline std::shared_ptr<const std::atomic<bool>> later_stop() {
  return {std::shared_ptr<void>(), InterruptGuard::later_flag()};
}

// What the call returns may keep its options, and so the line: it is shared, and silent afterwards.
// What a result is asked for afterwards has a line of its own, which any output erases.
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
  const auto later = std::make_shared<ProgressLine>(quiet);
  options.progress_later = [later](const Progress& progress) { later->show(progress); };
  options.stop_later = later_stop();
  auto result = call(options);
  line->end();
  return result;
}

}  // namespace quantiplan::cli
