// Who may do what: the nodes of each time, the choices that are open at a node, and where their
// outcomes lead. What is computed over all policies, over one, or over the rest of one is the same
// recursion over other nodes:
//
//     every policy       nodes are slots; every choice is open          EveryPolicy
//     a Markov policy    nodes are slots; one choice each               OneChoice
//     a policy's rests   nodes are what is left to be played, as the    Rests (rests.hpp)
//                        residual makes it differ; one choice each
#pragma once

#include <cstdint>
#include <vector>

#include "finite/stages.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

// Thrown where the limits ended the work, and caught where it began: nothing half done is used.
struct WorkEnded {};

class Plays {
 public:
  Plays() = default;
  Plays(const Plays&) = delete;
  Plays& operator=(const Plays&) = delete;
  virtual ~Plays() = default;

  [[nodiscard]] virtual std::size_t nodes(std::uint64_t time) const = 0;
  // None where the episode is over.
  virtual void choices(std::uint64_t time, std::uint32_t node, std::vector<Choice>& out) const = 0;
  // The node that the outcome at position `which` of a choice leads to.
  [[nodiscard]] virtual std::uint32_t next(std::uint64_t time,
                                           std::uint32_t node,
                                           std::size_t which,
                                           const Outcome& o) const = 0;
};

class PlaysBySlot : public Plays {
 public:
  explicit PlaysBySlot(const Stages& stages) : stages_(stages) {}
  [[nodiscard]] std::size_t nodes(std::uint64_t time) const override {
    return stages_.layer(time).size();
  }
  [[nodiscard]] std::uint32_t next(std::uint64_t time,
                                   std::uint32_t,
                                   std::size_t,
                                   const Outcome& o) const override {
    return static_cast<std::uint32_t>(stages_.layer(time + 1).slot(o.next));
  }

 protected:
  [[nodiscard]] bool is_over(std::uint64_t time, std::uint32_t node) const {
    return stages_.is_over(time, stages_.layer(time).state(node));
  }
  const Stages& stages_;
};

class EveryPolicy final : public PlaysBySlot {
 public:
  using PlaysBySlot::PlaysBySlot;
  void choices(std::uint64_t time, std::uint32_t node, std::vector<Choice>& out) const override {
    out.clear();
    if (is_over(time, node)) return;
    const auto all = stages_.model().choices(stages_.layer(time).state(node));
    out.assign(all.begin(), all.end());
  }
};

class OneChoice final : public PlaysBySlot {
 public:
  // The choices are looked up as they come to be known, from the horizon backward.
  OneChoice(const Stages& stages, const std::vector<std::vector<Choice>>& by_slot)
      : PlaysBySlot(stages), by_slot_(by_slot) {}
  void choices(std::uint64_t time, std::uint32_t node, std::vector<Choice>& out) const override {
    out.clear();
    if (!is_over(time, node)) out.push_back(by_slot_[time][node]);
  }

 private:
  const std::vector<std::vector<Choice>>& by_slot_;
};

}  // namespace quantiplan
