#include "console.hpp"

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

#include "quantiplan/error.hpp"

namespace quantiplan::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

extern "C" void on_interrupt(int) { interrupted.store(true); }

// SA_RESETHAND: the second Ctrl-C meets the default action again.
void handle_interrupt(void (*handler)(int), unsigned flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(flags);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
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

void prepare_console() {
  std::setlocale(LC_CTYPE, "");
  // A closed pipe shall end print(), not the program in the middle of anything.
  std::signal(SIGPIPE, SIG_IGN);
}

bool console_is_unicode() { return std::string_view(nl_langinfo(CODESET)) == "UTF-8"; }

void print(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    if (errno == EPIPE) throw ClosedPipe{};
    throw Error(
        ErrorCode::io, "standard output", fmt::format("cannot write: {}", std::strerror(errno)));
  }
}

void print_notices(const std::vector<std::string>& notices) {
  for (const std::string& notice : notices) print_error("notice: " + notice);
}

void print_error(const std::string& line) noexcept {
  std::fputs(line.c_str(), stderr);
  std::fputc('\n', stderr);
}

InterruptGuard::InterruptGuard() {
  handle_interrupt(on_interrupt, static_cast<unsigned>(SA_RESETHAND) | SA_RESTART);
}
InterruptGuard::~InterruptGuard() { handle_interrupt(SIG_DFL, 0); }
const std::atomic<bool>* InterruptGuard::flag() { return &interrupted; }

ProgressLine::ProgressLine(bool quiet) : active_(!quiet && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { end(); }

void ProgressLine::end() {
  active_ = false;
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

void ProgressLine::show(const Progress& progress) {
  if (!active_) return;
  drawn_ = true;
  if (progress.fraction < 0) {
    std::fputs(fmt::format("\r{}\033[K", progress.phase).c_str(), stderr);
    std::fflush(stderr);
    return;
  }
  const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
  const int width = progress.bracket ? kShortBarWidth : kBarWidth;
  std::string bar(static_cast<std::size_t>(fraction * width), '#');
  bar.resize(static_cast<std::size_t>(width), '.');
  const std::string line =
      fmt::format("\r{} [{}] {:3.0f} %{}\033[K",
                  progress.phase,
                  bar,
                  fraction * 100,
                  progress.bracket ? bracket_text(*progress.bracket) : std::string());
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace quantiplan::cli
