// What is left of a policy at every place it meets: places from which it goes on alike are one.
//
//     place (t, s, residual)  ->  rest = (s, choice, the rest after each outcome)
//
//         ..low_t(s)]   the first run, now and ever after   |  (high_t(s)..  the last run, likewise
//
// Outside (low, high] the residual no longer matters, and is forgotten. A policy of (time, state) has
// no inside at all: one rest for each state met. One that carries its residual may have as many as
// there are levels. Cost: the places met, once forward and once backward.
#pragma once

#include <cstdint>
#include <vector>

#include "attitudes/plays.hpp"
#include "base/limits.hpp"
#include "finite/stages.hpp"
#include "finite/windows.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

class Rests final : public Plays {
 public:
  // The policy is one of the stages' own problem: on their grid, where they have one. Throws
  // WorkEnded, or Error(refused) if memory is short.
  Rests(const Stages& stages, const Policy& policy, Limits& limits);
  ~Rests() override;

  [[nodiscard]] std::size_t nodes(std::uint64_t time) const override { return rests_[time].size(); }
  void choices(std::uint64_t time, std::uint32_t node, std::vector<Choice>& out) const override;
  [[nodiscard]] std::uint32_t next(std::uint64_t time,
                                   std::uint32_t node,
                                   std::size_t which,
                                   const Outcome&) const override {
    return next_[time][rests_[time][node].first + which];
  }
  [[nodiscard]] std::uint32_t slot(std::uint64_t time, std::uint32_t node) const {
    return rests_[time][node].slot;
  }

  // At most so much do the laws of all rests take: a step for each level of the window, or for each
  // step of the laws that are mixed.
  struct Cost {
    double bytes = 0;          // of two neighbouring layers
    double multiply_adds = 0;  // of all
  };
  [[nodiscard]] Cost cost_of_laws(const Windows& windows) const;

 private:
  struct Rest {
    std::uint32_t slot = 0;
    bool is_over = true;
    Choice choice{};
    std::uint64_t first = 0;  // in next_
  };
  struct Met;
  void go_forward(Met& met);
  void go_backward(const Met& met);
  void take(std::uint64_t bytes);

  const Stages& stages_;
  Limits& limits_;
  std::vector<std::vector<Rest>> rests_;          // by time
  std::vector<std::vector<std::uint32_t>> next_;  // by time: the rests after each outcome
  std::uint64_t taken_ = 0;
};

}  // namespace quantiplan
