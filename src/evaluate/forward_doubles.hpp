// Runs a strategy forward in doubles: nodes of a hash table as long as they are few and far
// between, then arrays wherever levels fill their window (LevelStep), which is a hundred times as
// fast.
//
//     P_{t+1}(s', w + R) += p * P_t(s, w)      for the outcomes of the choice at (t, s, w)
//
// A probability that collects c contributions errs by c + 1 roundings more than those before it.
// What is taken does not depend on the memory there is, nor on the threads: nor do the digits.
#pragma once

#include <cstdint>
#include <optional>

#include "evaluate/final_mass.hpp"
#include "evaluate/level_mass.hpp"
#include "evaluate/signed_sum.hpp"
#include "finite/stages.hpp"
#include "finite/strategy.hpp"
#include "quantiplan/distribution.hpp"

namespace quantiplan {

class ForwardDoubles {
 public:
  // May be too large: nobody waits for ten million nodes of a grid, where another is as good.
  ForwardDoubles(const Stages& stages,
                 const Strategy& strategy,
                 Limits& limits,
                 bool may_be_too_large)
      : stages_(stages),
        strategy_(strategy),
        limits_(limits),
        may_be_too_large_(may_be_too_large) {}

  // Nullopt if the limits ended it, or it is too large. Throws Error(refused) if the nodes do not
  // fit the memory limit.
  [[nodiscard]] std::optional<Distribution> run();
  [[nodiscard]] bool is_too_large() const noexcept { return is_too_large_; }
  // Nodes (time, state, wealth) at which a choice was made.
  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }

 private:
  // What is met at one time, in one of two forms.
  struct Present {
    NodeMass<double> nodes;
    std::optional<LevelMass> levels;
    [[nodiscard]] bool empty() const { return !levels && nodes.size() == 0; }
  };

  // Each is false if it is not to go on.
  bool step(std::uint64_t time, Present& now);
  bool step_by_level(std::uint64_t time, Present& now);
  bool step_by_node(std::uint64_t time, Present& now);
  void to_nodes(Present& now);
  void leave(std::uint64_t time, Node node, double mass, NodeMass<double>& next);
  bool is_within_limits(const NodeMass<double>& now, const NodeMass<double>& next);
  // Nodes of one time, before it is left.
  bool count(std::uint64_t time, std::uint64_t nodes);
  void require(std::uint64_t bytes);

  void end(std::uint64_t time, Node node, double mass);
  void end(std::uint64_t time, const LevelMass& levels, std::size_t slot);
  void end_all(const Present& last);
  [[nodiscard]] unsigned shift_to_end(std::uint64_t time) const;
  [[nodiscard]] std::optional<Distribution> collect();

  const Stages& stages_;
  const Strategy& strategy_;
  Limits& limits_;
  bool may_be_too_large_;
  bool is_too_large_ = false;
  FinalMass final_;
  SignedSum true_mean_;  // of the rewards as they are, where wealth is rounded; in steps of time 0
  Integer roundings_ = 0;
  std::uint64_t products_ = 0;
  std::uint64_t next_look_ = 0;
  std::uint64_t nodes_ = 0;
  std::uint64_t last_nodes_ = 0;  // of the time before
};

}  // namespace quantiplan
