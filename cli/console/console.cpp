#include "console/console.hpp"

#include <fmt/format.h>
#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "console/colours.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<int> caught{0};           // the signal that came first
std::atomic<bool> is_watched{false};  // an InterruptGuard lives
std::atomic<bool> interrupted_later{false};
std::atomic<bool> handler_stays{false};  // a guard has lived, and what it guarded is to be shown
bool progress_is_drawn = false;
bool silent = false;
std::string unsaid;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "set from a signal handler");

void set_action(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

extern "C" void on_signal(int number) {
  set_action(SIG_DFL, 0);  // the second, of either kind, ends the program
  caught.store(number);
  interrupted.store(true);
  if (!is_watched.load()) interrupted_later.store(true);
}

constexpr int kBarWidth = 30;
constexpr int kShortBarWidth = 15;  // beside a bracket, so that the line fits a terminal

// ", bracket 5.0279 to 5.0584 (0.031 wide)": enough digits to see it narrow.
std::string bracket_text(const Progress::Bracket& bracket) {
  const double width = bracket.upper - bracket.lower;
  const double size = std::max(std::abs(bracket.lower), std::abs(bracket.upper));
  int digits = 6;
  if (width > 0 && size > 0)
    digits = std::clamp(static_cast<int>(std::log10(size / width)) + 3, 3, 15);
  return fmt::format(", bracket {:.{}g} to {:.{}g} ({:.2g} wide)",
                     bracket.lower,
                     digits,
                     bracket.upper,
                     digits,
                     width);
}

}  // namespace

void silence_console(bool is_silenced) noexcept { silent = is_silenced; }
bool is_silent() noexcept { return silent; }
const std::string& silenced_text() noexcept { return unsaid; }

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void prepare_console() {
  std::setlocale(LC_CTYPE, "");
  // A closed pipe shall end print(), not the program in the middle of anything.
  std::signal(SIGPIPE, SIG_IGN);
}

bool console_is_unicode() { return std::string_view(nl_langinfo(CODESET)) == "UTF-8"; }

void erase_progress() {
  if (!progress_is_drawn) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  progress_is_drawn = false;
}

void print(std::string_view text) {
  if (silent) return;
  erase_progress();
  const OutputGuard guard;
  if (write_all(STDOUT_FILENO, text)) return;
  if (errno == EPIPE) throw ClosedPipe{};
  throw Error(
      ErrorCode::io, "standard output", fmt::format("cannot write: {}", std::strerror(errno)));
}

void write_output(const std::string& path, std::string_view text) {
  if (silent) return;
  if (path == "-") return print(text);
  erase_progress();
  const OutputGuard guard;
  write_text(path, text);
}

void print_notices(const std::vector<std::string>& notices) {
  for (const std::string& notice : notices) print_error("notice: " + notice);
}

void print_error(const std::string& line) noexcept {
  if (silent) {
    unsaid += (unsaid.empty() ? "" : "; ") + line;
    return;
  }
  erase_progress();
  // One call, so that the lines of several programs do not mix. If it fails, nobody is there.
  const std::string shown = visible(line);
  write_all(STDERR_FILENO, (has_colours(STDERR_FILENO) ? coloured_message(shown) : shown) + '\n');
}

InterruptGuard::InterruptGuard() {
  is_watched.store(true);
  if (caught.load() == 0) set_action(on_signal, SA_RESTART);
}
// The handler stays: what was found is still to be shown, and the first signal waits for that.
InterruptGuard::~InterruptGuard() {
  is_watched.store(false);
  handler_stays.store(true);
}
const std::atomic<bool>* InterruptGuard::flag() { return &interrupted; }
const std::atomic<bool>* InterruptGuard::later_flag() { return &interrupted_later; }

// Without SA_RESTART: whoever waits for the other end of a pipe to be opened can still be stopped.
OutputGuard::OutputGuard() : holds_(!is_watched.load() && caught.load() == 0) {
  if (holds_) set_action(on_signal, 0);
}
OutputGuard::~OutputGuard() {
  if (!holds_) return;
  const int number = caught.load();
  if (number == 0 && handler_stays.load()) {
    set_action(on_signal, SA_RESTART);
    return;
  }
  set_action(SIG_DFL, 0);
  if (number != 0) raise(number);
}

ProgressLine::ProgressLine(bool quiet) : active_(!quiet && !silent && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { end(); }

void ProgressLine::end() {
  active_ = false;
  if (drawn_) erase_progress();
  drawn_ = false;
}

void ProgressLine::show(const Progress& progress) {
  if (!active_) return;
  drawn_ = true;
  progress_is_drawn = true;
  if (progress.fraction < 0) {
    std::fputs(fmt::format("\r{}\033[K", visible(progress.phase)).c_str(), stderr);
    std::fflush(stderr);
    return;
  }
  const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
  const int width = progress.bracket ? kShortBarWidth : kBarWidth;
  std::string bar(static_cast<std::size_t>(fraction * width), '#');
  bar.resize(static_cast<std::size_t>(width), '.');
  const std::string line =
      fmt::format("\r{} [{}] {:3.0f} %{}\033[K",
                  visible(progress.phase),
                  bar,
                  fraction * 100,
                  progress.bracket ? bracket_text(*progress.bracket) : std::string());
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace quantiplan::cli
