// Where a probability is certain without any arithmetic on probabilities.
//
//     sure_t(s)     = max_a min_o ( R + sure_{t+1}(s') )       D = 1  iff  y <= sure
//     possible_t(s) = max_a max_o ( R + possible_{t+1}(s') )   D = 0  iff  y >  possible
//     least_t(s)    = min_a min_o ( R + least_{t+1}(s') )      every policy collects at least this
//
//         D = 1, any choice | D = 1, play sure_choice | undecided window | D = 0, any choice
//     ----------------------|-------------------------|------------------|-------------------> y
//                         least                     sure              possible
//
// Source: semantics, section 3. At a finite horizon "with probability 1" means "surely", so these
// are recursions on rewards, not on probabilities, and exact. Cost: O(T * outcomes).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "finite/stages.hpp"

namespace quantiplan {

// Which choices may be played: all of them, exactly one per time and slot (a Markov policy), or those
// of a list by time and choice, at least one in each state.
class ChoiceFilter {
 public:
  ChoiceFilter() = default;
  explicit ChoiceFilter(const std::vector<std::vector<Choice>>& only) : only_(&only) {}
  explicit ChoiceFilter(const std::vector<std::vector<bool>>& allowed) : allowed_(&allowed) {}
  [[nodiscard]] bool is_open() const { return only_ == nullptr && allowed_ == nullptr; }
  [[nodiscard]] bool allows(std::uint64_t time, std::size_t slot, Choice c) const {
    if (allowed_ != nullptr) return (*allowed_)[time][index(c)];
    return only_ == nullptr || (*only_)[time][slot] == c;
  }
  // The two kinds by themselves: by slot, and by choice; null: not that kind.
  [[nodiscard]] const std::vector<Choice>* only(std::uint64_t time) const {
    return only_ == nullptr || allowed_ != nullptr ? nullptr : &(*only_)[time];
  }
  [[nodiscard]] const std::vector<bool>* allowed(std::uint64_t time) const {
    return allowed_ == nullptr ? nullptr : &(*allowed_)[time];
  }

 private:
  const std::vector<std::vector<Choice>>* only_ = nullptr;
  const std::vector<std::vector<bool>>* allowed_ = nullptr;
};

struct Window {
  std::int64_t sure = 0;
  std::int64_t possible = 0;
  std::int64_t least = 0;
  Choice sure_choice{};

  [[nodiscard]] std::uint64_t width() const noexcept {
    return static_cast<std::uint64_t>(possible - sure);
  }
  [[nodiscard]] bool is_free(std::int64_t y) const noexcept { return y <= least || y > possible; }
};

class Windows {
 public:
  // With a filter, slots the policy cannot meet keep an empty window.
  Windows(const Stages& stages, const ChoiceFilter& filter, const Limits& limits);
  // As somebody else found them, by time and slot.
  explicit Windows(std::vector<std::vector<Window>> at)
      : at_(std::make_shared<Table>(std::move(at))), complete_(true) {}
  // Those of the problem from one of its initial states (Stages::from_start).
  [[nodiscard]] Windows from_start(std::size_t slot) const;
  [[nodiscard]] const Window& at(std::uint64_t time, std::size_t slot) const noexcept {
    return (*at_)[time][time == 0 ? first_ + slot : slot];
  }
  // Of the initial states together, before one is drawn: what is sure from all of them, possible from
  // one. Its choice is nobody's.
  [[nodiscard]] Window start() const;
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  // The same with the sure level lowered to the least: decisions are asked for all the way down to
  // it, by whoever cares for more than the promise.
  [[nodiscard]] Windows down_to_least() const;
  // The same without edges: decisions are asked for at every level.
  [[nodiscard]] Windows without_edges() const;

 private:
  using Table = std::vector<std::vector<Window>>;
  // A table of one's own, to be changed.
  [[nodiscard]] std::shared_ptr<Table> copied() const;

  std::shared_ptr<const Table> at_ = std::make_shared<Table>();
  std::size_t first_ = 0;              // slot of time 0 that is the first here
  std::optional<std::size_t> starts_;  // absent: all from there on
  bool complete_ = false;
};

}  // namespace quantiplan
