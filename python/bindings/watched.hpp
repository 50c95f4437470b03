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
#include <utility>

#include "quantiplan/error.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan::python {

namespace nb = nanobind;

class InterruptGuard {
 public:
  explicit InterruptGuard(bool is_wanted) : is_set_(is_wanted) {
    if (!is_set_) return;
    stop_flag().store(false);
    signals() = 0;
    struct sigaction ours = {};
    ours.sa_handler = [](int) {
      stop_flag().store(true);
      signals() = signals() + 1;
    };
    sigemptyset(&ours.sa_mask);
    sigaction(SIGINT, &ours, &before_);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard() {
    if (is_set_) sigaction(SIGINT, &before_, nullptr);
  }

  [[nodiscard]] const std::atomic<bool>* stop() const { return is_set_ ? &stop_flag() : nullptr; }
  [[nodiscard]] bool was_interrupted() const { return is_set_ && stop_flag().load(); }
  // Whoever asks twice wants no answer.
  [[nodiscard]] bool was_insistent() const { return is_set_ && signals() > 1; }

 private:
  // Only the main thread has a guard, one at a time.
  static std::atomic<bool>& stop_flag() {
    static std::atomic<bool> flag = false;
    return flag;
  }
  static volatile std::sig_atomic_t& signals() {
    static volatile std::sig_atomic_t count = 0;
    return count;
  }
  bool is_set_;
  struct sigaction before_ = {};
};

// `watch`: (catches Ctrl-C, a function of progress or None).
template <class AnyOptions, class Call>
auto watched(AnyOptions options, const nb::tuple& watch, Call&& call) {
  const InterruptGuard guard(nb::cast<bool>(watch[0]));
  options.stop = guard.stop();
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
  try {
    auto result = [&] {
      const nb::gil_scoped_release free;
      return call(std::as_const(options));
    }();
    if (guard.was_insistent()) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
      throw nb::python_error();
    }
    return result;
  } catch (const Error&) {
    if (!guard.was_interrupted()) throw;
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
}

}  // namespace quantiplan::python
