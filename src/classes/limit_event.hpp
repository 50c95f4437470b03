// Preferences at an infinite horizon, one class at a time: the event "the limit is of class k or better" as a
// goal of a model without rewards.
//
//     max, automata that only rise    reachability: greatest P(reach k or better)
//     min, automata that only fall    safety: 1 - least P(reach what is worse than k)
//
// For max and min the states are those of the model: a reward reaches the goal or does not. For
// automata they are the reachable (state, node).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

enum class Direction { rises, falls };

// A state of the derived models.
struct Pair {
  State state;
  std::optional<WealthId> wealth;  // automata only
};

class LimitEvents {
 public:
  // Throws Error(refused) where the structure has no limit, or over the memory limit.
  LimitEvents(const Model& model,
              const ResolvedSetting& setting,
              std::shared_ptr<Structure> structure,
              Limits& limits);

  // False if the limits ended it: then nothing else may be asked but the direction.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] Direction direction() const { return direction_; }
  // One wealth of each class that a history may pass or end in, ascending.
  [[nodiscard]] const std::vector<WealthId>& classes() const { return classes_; }
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }

  // What is to be reached for class k (counted from 0), or avoided where wealth falls.
  struct Event {
    // Absent if the first pair decides it: then the event is sure, or impossible.
    std::optional<Model> model;
    ResolvedSetting setting;
    bool is_sure = false;
  };
  [[nodiscard]] Event event(std::uint32_t k) const;

 private:
  void expand(Limits& limits);
  void sort();
  [[nodiscard]] bool has_happened(WealthId wealth, std::uint32_t k) const;

  Model model_;
  ResolvedSetting setting_;
  std::shared_ptr<Structure> structure_;
  Direction direction_;
  bool complete_ = false;
  bool in_state_;  // wealth is part of the state
  std::vector<Pair> pairs_;
  std::vector<std::vector<std::uint32_t>> next_;  // by pair: for each outcome, in order
  std::vector<std::vector<WealthId>> after_;      // by pair: the wealth of each outcome
  std::vector<WealthId> classes_;
};

}  // namespace quantiplan
