// One layer of a pass, cut by levels among the ranks: who owns what, and how others get it.
//
//     rank q owns the levels (above_q, upto_q] of every function; where functions are stored, all know
//     fetch: every rank names an interval, and gets what lies in it from whoever owns it
//
// Sizes of messages follow from spans and cuts, which all ranks know, so a message is the values
// alone, function after function.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "finite/pass/dense_layer.hpp"
#include "finite/pass/step_layer.hpp"
#include "finite/segments.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {

class RankLayer {
 public:
  explicit RankLayer(RankGroup& group) : group_(&group) {}

  // A layer that every rank holds in full; the steps are spelt out where they are fetched.
  void replicate(SpannedSteps<double> steps);
  void replicate(DenseLayer layer);
  // Functions on `spans`, of which this rank holds the levels owned[rank] in `own`.
  void distribute(std::vector<Span<double>> spans, std::vector<Interval> owned, DenseLayer own);

  [[nodiscard]] const std::vector<Span<double>>& spans() const noexcept { return spans_; }
  void coarsen(unsigned shift);
  // Takes what the ends of functions became (DenseLayer::trim); stored values stay where they are.
  void narrow(std::vector<Span<double>> spans) { spans_ = std::move(spans); }

  // Fills `into` with the part of each function in wanted[rank]; all ranks at the same time. False if
  // it is over.
  bool fetch(const std::vector<Interval>& wanted,
             DenseLayer& into,
             const RankGroup::IsOver& is_over) const;
  // The number of steps of each function, or nothing if one has more than a sixteenth of its span.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> few_steps() const;
  // Everything, for every rank.
  [[nodiscard]] std::vector<Interval> all_levels() const;
  [[nodiscard]] bool is_replicated() const noexcept { return owned_.empty(); }
  [[nodiscard]] const std::vector<Interval>& owned() const noexcept { return owned_; }
  [[nodiscard]] const DenseLayer& own() const noexcept { return own_; }
  // The arrays, to be used again.
  DenseLayer take_own() { return std::move(own_); }

 private:
  [[nodiscard]] std::vector<std::uint64_t> count_own_steps() const;
  void pack(const Interval& levels, std::vector<std::byte>& out) const;
  void copy_own(const Interval& levels, DenseLayer& into) const;

  RankGroup* group_;
  std::vector<Span<double>> spans_;
  std::vector<Interval> owned_;  // by rank; empty: replicated
  DenseLayer own_;               // this rank's part, or all of it
  StepLayer<double> steps_;      // instead, where a layer came by breakpoints
  bool has_steps_ = false;
};

// The spans cut to an interval: what lies outside is not stored, and not asked for.
std::vector<Span<double>> cut_spans(const std::vector<Span<double>>& spans, const Interval& levels);

}  // namespace quantiplan
