// A call of the library from Python: without the interpreter's lock, with progress, and with Ctrl-C
// ending it early.
//
// Python's own handler of SIGINT only notes the signal until the interpreter runs again, which is
// after the call. So while a call runs, in the main thread and unless the user has a handler of his own,
// a handler of ours sets the flag that the library polls.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <utility>

#include "quantiplan/error.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan::python {

namespace nb = nanobind;

class InterruptGuard {
 public:
  InterruptGuard(bool is_wanted, std::atomic<bool>& flag)
      : is_set_(is_wanted), flag_(flag), outer_(raised()) {
    if (!is_set_) return;
    if (outer_ != &flag_) flag_.store(false);
    raised() = &flag_;
    signals() = 0;
    struct sigaction ours = {};
    ours.sa_handler = [](int) {
      if (std::atomic<bool>* flag = raised()) flag->store(true);
      signals() = signals() + 1;
    };
    sigemptyset(&ours.sa_mask);
    sigaction(SIGINT, &ours, &before_);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard() {
    if (!is_set_) return;
    sigaction(SIGINT, &before_, nullptr);
    raised() = outer_;
    if (outer_ != &flag_) flag_.store(false);
  }

  [[nodiscard]] const std::atomic<bool>* stop() const { return is_set_ ? &flag_ : nullptr; }
  [[nodiscard]] bool was_interrupted() const { return is_set_ && flag_.load(); }
  // Whoever asks twice wants no answer.
  [[nodiscard]] bool was_insistent() const { return is_set_ && signals() > 1; }

 private:
  // Only the main thread has guards, one inside the other where a function of progress makes calls.
  static std::atomic<std::atomic<bool>*>& raised() {
    static std::atomic<std::atomic<bool>*> flag = nullptr;
    return flag;
  }
  static volatile std::sig_atomic_t& signals() {
    static volatile std::sig_atomic_t count = 0;
    return count;
  }
  bool is_set_;
  std::atomic<bool>& flag_;
  std::atomic<bool>* outer_;
  struct sigaction before_ = {};
};

// Of calls, and of what results make on request after them (Options::stop_later).
inline std::atomic<bool>& call_flag() {
  static std::atomic<bool> flag = false;
  return flag;
}
inline const std::shared_ptr<std::atomic<bool>>& later_flag() {
  static const auto flag = std::make_shared<std::atomic<bool>>(false);
  return flag;
}

// Without the interpreter's lock. An error that Ctrl-C brought about is a KeyboardInterrupt, and so is an
// answer that nobody waits for.
template <class Call, class IsUnwanted>
auto interruptible(const InterruptGuard& guard, const IsUnwanted& is_unwanted, Call&& call) {
  const auto interrupt = [] {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  };
  try {
    auto result = [&] {
      const nb::gil_scoped_release free;
      return call();
    }();
    if (is_unwanted()) interrupt();
    return result;
  } catch (const Error&) {
    if (guard.was_interrupted()) interrupt();
    throw;
  }
}

// `watch`: (catches Ctrl-C, a function of progress or None).
template <class AnyOptions, class Call>
auto watched(AnyOptions options, const nb::tuple& watch, Call&& call) {
  const InterruptGuard guard(nb::cast<bool>(watch[0]), call_flag());
  options.stop = guard.stop();
  if constexpr (requires { options.stop_later; }) options.stop_later = later_flag();
  // Borrowed: the caller holds it while the call lasts, and what a result keeps forgets it.
  PyObject* show = nb::object(watch[1]).ptr();
  if (show != Py_None) {
    options.progress = [show](const Progress& progress) {
      const nb::gil_scoped_acquire gil;
      nb::object bracket = nb::none();
      if (progress.bracket)
        bracket = nb::make_tuple(progress.bracket->lower, progress.bracket->upper);
      try {
        const nb::handle function(show);
        function(nb::str(progress.phase.data(), progress.phase.size()), progress.fraction, bracket);
      } catch (nb::python_error& error) {
        error.discard_as_unraisable("progress");
      }
    };
  }
  return interruptible(
      guard, [&] { return guard.was_insistent(); }, [&] { return call(std::as_const(options)); });
}

// What a result makes on request; `catches`: Ctrl-C ends it, and what is half made is not kept.
template <class Make>
auto made_later(bool catches, const Make& make) {
  const InterruptGuard guard(catches, *later_flag());
  return interruptible(
      guard, [&] { return guard.was_interrupted(); }, make);
}

}  // namespace quantiplan::python
