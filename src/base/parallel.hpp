// Runs independent pieces of one layer on several threads; results never depend on how many.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace quantiplan {

// Calls body(worker, begin, end) for chunks that cover [0, count), worker in [0, threads). Chunks
// are handed out as workers ask for them, so uneven pieces balance. The first exception of a worker
// is rethrown here, after all have stopped. Where the system refuses threads, those that there are
// do all the work: the chunks do not belong to workers.
template <class Body>
void parallel_for(unsigned threads, std::size_t count, std::size_t chunk, const Body& body) {
  if (threads <= 1 || count <= chunk) {
    if (count > 0) body(0U, std::size_t{0}, count);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto work = [&](unsigned worker) {
    try {
      for (;;) {
        const std::size_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
        if (begin >= count) return;
        body(worker, begin, std::min(begin + chunk, count));
      }
    } catch (...) {
      const std::scoped_lock lock(failure_lock);
      if (!failure) failure = std::current_exception();
      next.store(count, std::memory_order_relaxed);
    }
  };
  std::vector<std::jthread> others;
  try {
    for (unsigned worker = 1; worker < threads; ++worker) others.emplace_back(work, worker);
  } catch (const std::system_error&) {  // no more threads
  } catch (const std::bad_alloc&) {     // no memory for one
  }
  work(0);
  others.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace quantiplan
