// A policy as the engines hold it: a choice by time, slot and wealth so far, in keys of the time.
//
//     y = target - wealth      y <= least or y > possible   free: the expectation-optimal choice
//                              least < y <= sure            the sure choice (target raised to the edge)
//                              otherwise                    the decision of the pass
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/node_table.hpp"
#include "finite/decisions.hpp"
#include "finite/stages.hpp"
#include "finite/windows.hpp"
#include "numbers/wealth_key.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// Levels of wealth from .. to that have one choice.
struct ChoiceRun {
  WealthKey from;
  WealthKey to;
  Choice choice;
};

class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;
  [[nodiscard]] virtual Choice choose(std::uint64_t time,
                                      std::size_t slot,
                                      WealthKey wealth) const = 0;
  // The runs that choose() makes of from .. to, from the greatest wealth down; neighbours differ.
  // Levels that are not asked for may be left out: those that no play meets, or that have no rule.
  [[nodiscard]] virtual std::vector<ChoiceRun> runs(std::uint64_t time,
                                                    std::size_t slot,
                                                    WealthKey from,
                                                    WealthKey to) const = 0;
};

// What all strategies of one problem share.
struct Groundwork {
  std::shared_ptr<const Stages> stages;
  std::shared_ptr<const Windows> windows;
  std::vector<std::vector<Choice>> expectation_choice;  // by time and slot
};

// Choices settled one by one in exact arithmetic; points[t] are nodes (slot, residual).
struct SettledPoints {
  std::vector<NodeTable> nodes;
  std::vector<std::vector<Choice>> choice;
};

// The choice at a residual target, by the table above. Decisions come from a pass, or point by
// point from the exact solve; with neither, the target must be at most sure at s0, where none is
// ever asked for.
class ResidualRule {
 public:
  ResidualRule(std::shared_ptr<const Groundwork> ground,
               std::shared_ptr<const Decisions> decisions,
               std::shared_ptr<const SettledPoints> points)
      : ground_(std::move(ground)), decisions_(std::move(decisions)), points_(std::move(points)) {}
  [[nodiscard]] Choice choose(std::uint64_t time, std::size_t slot, std::int64_t residual) const;
  // Calls visit(above, upto, choice) for runs that cover (above, upto], in order; without decisions
  // the window is left out.
  template <class Visit>
  void for_each_run(std::uint64_t time,
                    std::size_t slot,
                    std::int64_t above,
                    std::int64_t upto,
                    const Visit& visit) const;

 private:
  // Inside the window.
  template <class Visit>
  void for_each_decision(std::uint64_t time,
                         std::size_t slot,
                         std::int64_t above,
                         std::int64_t upto,
                         const Visit& visit) const;

  std::shared_ptr<const Groundwork> ground_;
  std::shared_ptr<const Decisions> decisions_;
  std::shared_ptr<const SettledPoints> points_;
};

class ResidualStrategy final : public Strategy {
 public:
  ResidualStrategy(std::shared_ptr<const Stages> stages, ResidualRule rule, WealthKey target)
      : stages_(std::move(stages)), rule_(std::move(rule)), target_(target) {}
  [[nodiscard]] Choice choose(std::uint64_t time,
                              std::size_t slot,
                              WealthKey wealth) const override {
    const std::int64_t target =
        target_.value * (std::int64_t{1} << stages_->scale().shift_until(time));
    return rule_.choose(time, slot, target - wealth.value);
  }
  [[nodiscard]] std::vector<ChoiceRun> runs(std::uint64_t time,
                                            std::size_t slot,
                                            WealthKey from,
                                            WealthKey to) const override;

 private:
  std::shared_ptr<const Stages> stages_;
  ResidualRule rule_;
  WealthKey target_;
};

// A policy read from a table (policy.hpp). Throws Error(bad_policy) where it has no rule. A policy
// that goes by the index of a grid needs stages rounded down to that grid; one that goes by the
// residual itself needs exact ones.
class TableStrategy final : public Strategy {
 public:
  TableStrategy(const Stages& stages, const Policy& policy);
  [[nodiscard]] Choice choose(std::uint64_t time,
                              std::size_t slot,
                              WealthKey wealth) const override;
  [[nodiscard]] std::vector<ChoiceRun> runs(std::uint64_t time,
                                            std::size_t slot,
                                            WealthKey from,
                                            WealthKey to) const override;

 private:
  struct Run {
    WealthKey at_least;  // applies from this wealth on
    Choice choice;
  };
  // The run that decides.
  static std::vector<Run>::const_iterator first_at_most(const std::vector<Run>& rule,
                                                        WealthKey wealth) {
    return std::ranges::partition_point(rule,
                                        [&](const Run& run) { return run.at_least > wealth; });
  }
  const Stages& stages_;
  std::vector<std::vector<std::vector<Run>>> runs_;  // by time and slot, falling
};

}  // namespace quantiplan
