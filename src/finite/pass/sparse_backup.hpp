// One state's backup on breakpoints: merge the children's breakpoints, then evaluate every choice
// there.
//
//     grid = union over outcomes of { breakpoints of D_{t+1}(s') + R }  within the span
//     D_t(s, y_i) = max_a  sum p * D_{t+1}(s', y_i - R)   at every grid point, constant in between
//
// Each outcome walks its child's breakpoints once, in step with the grid. Sums run over outcomes in
// the model's order, as in the dense kernels, so both give the same bits.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "finite/pass/pass.hpp"
#include "finite/pass/step_layer.hpp"

namespace quantiplan {

// A backup of multiples of 1/J, of so many terms, rounds each probability, product and sum once:
// (b + 2) u in all, and this once more. The multiple of 1/J below it, or above.
double to_probability_level(double value,
                            std::size_t terms,
                            std::uint64_t probability_levels,
                            bool down);

template <class N>
class SparseBackup {
 public:
  // `in_use`: what all workers hold that is not counted yet, this one's scratch among it.
  SparseBackup(const PassInput<N>& input,
               const Arithmetics<N>& numbers,
               const Limits& limits,
               std::atomic<std::uint64_t>& in_use)
      : input_(input), numbers_(numbers), limits_(limits), in_use_(in_use) {}

  // Appends the functions of (time, slot) on `span` to `out`; half-done if the limits ended it or
  // it is refused.
  void run(std::uint64_t time,
           std::size_t slot,
           const Span<N>& span,
           const SpannedSteps<N>& later,
           const RowSteps<N>& rows,
           StepPiece<N>& out);
  // The mixture of a row on a span, as the only function of `out`.
  void run_row(std::uint64_t time,
               std::uint32_t row,
               const Span<N>& span,
               const SpannedSteps<N>& later,
               StepLayer<N>& out);

  std::uint64_t backups = 0;
  std::uint64_t multiply_adds = 0;
  std::uint64_t scratch_refused = 0;  // bytes a single state would have needed, beyond the limit

 private:
  struct Child {
    N probability;
    std::int64_t reward;
    std::size_t slot;
    const Span<N>* span;
    const StepLayer<N>* steps;
  };

  void gather_children(std::uint64_t time,
                       Choice c,
                       const SpannedSteps<N>& later,
                       const RowSteps<N>& rows);
  void add_breakpoints(const Span<N>& span);
  bool scratch_fits(std::uint64_t time, const SpannedSteps<N>& later, const RowSteps<N>& rows);
  void build_grid(std::uint64_t time,
                  const Span<N>& span,
                  const SpannedSteps<N>& later,
                  const RowSteps<N>& rows);
  void finish_grid(const Span<N>& span);
  void mix();
  void improve(std::uint32_t local_choice);
  void round_to_levels();
  void emit(StepPiece<N>& out) const;

  const PassInput<N>& input_;
  const Arithmetics<N>& numbers_;
  const Limits& limits_;
  std::atomic<std::uint64_t>& in_use_;
  std::uint64_t scratch_bytes_ = 0;
  std::vector<Choice> order_;
  std::vector<Child> children_;
  std::vector<std::int64_t> grid_;
  std::vector<N> candidate_;
  std::vector<N> best_;
  std::vector<N> second_;
  std::vector<std::uint32_t> chosen_;
};

extern template class SparseBackup<double>;
extern template class SparseBackup<Rational>;

// The mixtures that several choices of a layer share, on what they ask for; a backup for each worker.
template <class N>
RowSteps<N> mix_rows(const PassInput<N>& input,
                     std::uint64_t t,
                     const std::vector<Span<N>>& spans,
                     const SpannedSteps<N>& later,
                     std::vector<SparseBackup<N>>& backups,
                     const Limits& limits);

}  // namespace quantiplan
