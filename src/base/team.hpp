// Threads that do one piece of work after another: parallel_for for loops of many short steps.
//
//     Team team(threads);   for each step:  team.run(count, chunk, body)
//
// Where a step takes less than a millisecond, starting threads anew costs more than it does. Between steps they sleep.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace quantiplan {

class Team {
 public:
  explicit Team(unsigned threads) {
    try {
      for (unsigned worker = 1; worker < threads; ++worker)
        others_.emplace_back([this, worker] { serve(worker); });
    } catch (const std::system_error&) {  // no more threads: those that there are do the work
    } catch (const std::bad_alloc&) {
    }
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    work_ = nullptr;
    announce();
  }

  // As parallel_for: body(worker, begin, end) for chunks that cover [0, count). The first exception of a worker is
  // rethrown here.
  template <class Body>
  void run(std::size_t count, std::size_t chunk, const Body& body) {
    if (others_.empty() || count <= chunk) {
      if (count > 0) body(0U, std::size_t{0}, count);
      return;
    }
    next_ = 0;
    failure_ = nullptr;
    work_ = [&](unsigned worker) {
      try {
        for (;;) {
          const std::size_t begin = next_.fetch_add(chunk, std::memory_order_relaxed);
          if (begin >= count) return;
          body(worker, begin, std::min(begin + chunk, count));
        }
      } catch (...) {
        const std::scoped_lock lock(failure_lock_);
        if (!failure_) failure_ = std::current_exception();
        next_.store(count, std::memory_order_relaxed);
      }
    };
    busy_ = static_cast<unsigned>(others_.size());
    announce();
    work_(0);
    for (unsigned busy = busy_; busy != 0; busy = busy_) busy_.wait(busy);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void announce() {
    ++step_;
    step_.notify_all();
  }
  void serve(unsigned worker) {
    for (std::uint32_t seen = 0;;) {
      step_.wait(seen);
      seen = step_;
      if (!work_) return;
      work_(worker);
      if (--busy_ == 0) busy_.notify_one();
    }
  }

  std::function<void(unsigned)> work_;  // empty: it is over
  std::atomic<std::size_t> next_{0};
  std::exception_ptr failure_;
  std::mutex failure_lock_;
  std::atomic<std::uint32_t> step_{0};
  std::atomic<unsigned> busy_{0};
  std::vector<std::jthread> others_;  // the last: they use what is above
};

}  // namespace quantiplan
