// Limits of work that gives all or nothing, as reading or generating a model does: time, memory, a
// request to stop.
//
//     memory   what the process holds now, less what it held when the work began; where the work is part of a call
//              (call.hpp), when that began
//
// What is resident says what counts of bytes leave out: vectors with room to grow, nodes of maps,
// limbs of numbers, what the allocator keeps. It is asked for before a large piece is taken, and
// looked at every some thousand steps besides. Other threads of the process are part of it.
// Cost: some microseconds a look, nothing a step. Under sanitizers, whose memory would count, only
// what is asked for at once is compared with the limit.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace quantiplan {

class Call;

class WorkWatch {
 public:
  // For messages: "reading the model" and "read" of "m.json".
  struct Words {
    std::string place;
    std::string doing;
    std::string done;
  };

  // From an Options or a ReadOptions. No memory limit: 80 % of what is free.
  template <class Limited>
  WorkWatch(Words words, const Limited& options)
      : WorkWatch(std::move(words),
                  options.memory_limit_bytes,
                  options.time_limit_seconds,
                  options.stop) {
    if constexpr (requires { options.call; }) count_from(options.call.get());
  }
  WorkWatch(Words words,
            std::uint64_t memory_limit_bytes,
            double time_limit_seconds,
            const std::atomic<bool>* stop);

  // Each throws Error(refused) at a limit.
  void step(std::uint64_t steps = 1) {
    steps_ += steps;
    if (steps_ >= kSteps) look();
  }
  void look() { ask(0); }
  // Before this many bytes are taken at once.
  void ask(std::uint64_t bytes);
  // Whether this many bytes may be taken; no exception, and no look at anything else.
  [[nodiscard]] bool has_room(std::uint64_t bytes) const;
  // As ask(), for bytes that were counted, where these are no more than a part of what is held.
  void require(std::uint64_t counted) const;
  // Before a vector grows by one: it is copied to a place of twice its size.
  template <class Vector>
  void before_push(const Vector& vector) {
    if (vector.size() == vector.capacity())
      ask_if_large(vector.capacity() * sizeof(typename Vector::value_type));
  }
  void ask_if_large(std::uint64_t bytes) {
    if (bytes >= kLarge) ask(bytes);
  }

  // What is done from now on. `so_far` is part of messages: ", after 12 states".
  void now(std::string doing, std::string done, std::function<std::string()> so_far = {});
  [[nodiscard]] std::uint64_t limit() const { return limit_; }

 private:
  void count_from(const Call* call);

  static constexpr std::uint64_t kSteps = 16384;
  static constexpr std::uint64_t kLarge = 65536;

  [[nodiscard]] std::uint64_t held() const;  // since the work began
  [[nodiscard]] std::uint64_t allowed() const;
  [[nodiscard]] std::string so_far() const { return so_far_ ? so_far_() : std::string(); }

  Words words_;
  std::function<std::string()> so_far_;
  std::uint64_t limit_;
  std::uint64_t held_before_;
  std::chrono::steady_clock::time_point deadline_;
  const std::atomic<bool>* stop_;
  std::uint64_t steps_ = 0;  // since the last look
};

}  // namespace quantiplan
