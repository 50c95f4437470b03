// The terminal: reports on standard output, everything else on standard error.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/options.hpp"

namespace quantiplan::cli {

// Locale and SIGPIPE; once, before anything is written.
void prepare_console();
// True if the locale of standard output can show block characters.
bool console_is_unicode();

// Nothing is printed or written from now on: another process does. What would have gone to standard
// error is kept.
void silence_console(bool is_silenced = true) noexcept;
[[nodiscard]] bool is_silent() noexcept;
[[nodiscard]] const std::string& silenced_text() noexcept;

// Nobody reads standard output any more, as behind `| head -1`: an end without a message.
struct ClosedPipe {};

// All of it, whatever interrupts; false, with errno, if the descriptor does not take it.
bool write_all(int descriptor, std::string_view text);
// To standard output. Throws Error(io) if standard output does not take all of it: a script must
// not go on with half. Throws ClosedPipe if its reader is gone.
void print(std::string_view text);
// To standard output for "-", else to the file; throws as above.
void write_output(const std::string& path, std::string_view text);
// "notice: ..." on standard error, one line each.
void print_notices(const std::vector<std::string>& notices);
// A line on standard error, made visible (quoted.hpp): it may name what others named. Where that is
// closed, nobody is there to be told.
void print_error(const std::string& line) noexcept;

// Ctrl-C and SIGTERM are one. Outside these guards they end the program at once: nothing is lost
// then, as files appear whole or not at all.
//
//     InterruptGuard   the first sets a flag that ends the call early, with what is known;
//                      after it, until the end, the first ends what is still made of the answer,
//                      and what was found is shown
//     OutputGuard      the first waits for the output that has begun: it is never cut in two
//     both             the second ends the program

class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  [[nodiscard]] static const std::atomic<bool>* flag();
  // Up if the first comes after the call: for what is made of its answer.
  [[nodiscard]] static const std::atomic<bool>* later_flag();
};

class OutputGuard {
 public:
  OutputGuard();
  // Ends the program if a signal came meanwhile.
  ~OutputGuard();
  OutputGuard(const OutputGuard&) = delete;
  OutputGuard& operator=(const OutputGuard&) = delete;

 private:
  bool holds_;  // else a guard around it does, or the first signal has come
};

// Erases the progress line that is on the screen, if there is one; whatever prints does so first.
void erase_progress();

// One line on standard error, with the bracket as it narrows, redrawn in place and erased at the
// end; nothing unless it is a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  // Erases the line; it does not come back.
  void end();

 private:
  bool active_;
  bool drawn_ = false;
};

}  // namespace quantiplan::cli
