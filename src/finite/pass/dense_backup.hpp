// One state's backup on contiguous arrays, in tiles of residuals that stay in the first-level
// cache.
//
//     for each tile of the span:  for each choice:  mix its outcomes' shifted arrays, keep
//     the best
//
// The kernels (backup.hpp) do the arithmetic. Floor: one load of 8 bytes and one multiply-add for
// each (choice, outcome, residual).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "finite/pass/choice_orders.hpp"
#include "finite/pass/contested.hpp"
#include "finite/pass/dense_layer.hpp"
#include "finite/pass/pass.hpp"
#include "finite/pass/row_mixes.hpp"

namespace quantiplan {

// Runs of decisions a worker produced, slot after slot.
struct RunPiece {
  std::vector<std::uint64_t> begin{0};
  std::vector<std::int64_t> upto;
  std::vector<std::uint32_t> what;
};

// What is otherwise where several processes share a layer.
struct BackupPart {
  bool whole_rows = true;                // else parts of rows, whose ends are for others to see to
  const ChoiceOrders* orders = nullptr;  // of the time, if they are known
};

class DenseBackup {
 public:
  DenseBackup(const PassInput<double>& input,
              const Arithmetics<double>& numbers,
              const Limits& limits,
              const BackupPart& part = {})
      : input_(input),
        numbers_(numbers),
        limits_(limits),
        part_(part),
        contest_(input.stages.horizon(), input.stages.model().most_outcomes()) {}

  // Fills the functions of (time, slot) in `now` on its span; appends its runs to `runs` if
  // decisions are recorded.
  void run(std::uint64_t time,
           std::size_t slot,
           const DenseLayer& later,
           const RowMixes& mixes,
           DenseLayer& now,
           RunPiece& runs);

  std::uint64_t backups = 0;
  std::uint64_t multiply_adds = 0;

 private:
  static constexpr std::size_t kTile = 512;

  void gather_terms(std::uint64_t time,
                    const Span<double>& span,
                    const DenseLayer& later,
                    const RowMixes& mixes);
  void run_tile(std::int64_t first, double* value, std::size_t size);
  void record_tile(std::int64_t before,
                   const double* best,
                   std::size_t size,
                   std::uint64_t runs_begin,
                   RunPiece& runs);

  const PassInput<double>& input_;
  const Arithmetics<double>& numbers_;
  const Limits& limits_;
  BackupPart part_;
  Contest<double> contest_;
  std::vector<Choice> order_;
  std::vector<MixTerm> terms_;        // of all choices in order_, one after another
  std::vector<ChoiceTerms> choices_;  // by position in order_
  std::size_t first_choice_ = 0;
  double second_[kTile] = {};
  double chosen_[kTile] = {};
  std::uint32_t what_[kTile] = {};
};

// Between what runs cover and the window's upper edge nothing is promised, so the choice is free
// there: one more run, if runs end below it.
void close_runs(const PassInput<double>& input,
                std::uint64_t time,
                std::size_t slot,
                std::vector<std::int64_t>& upto,
                std::vector<std::uint32_t>& what);

// The runs of all slots as the workers left them: slot i's are run `refs[i].position` of piece
// `refs[i].worker`.
struct LayerRuns {
  std::vector<RunPiece> pieces;
  std::vector<PieceRef> refs;
  std::uint64_t backups = 0;
  std::uint64_t multiply_adds = 0;
};

// Backs up every slot of `now` at `time` by the threads of the call; nothing if its limits end it.
std::optional<LayerRuns> back_up_layer(const PassInput<double>& input,
                                       const Arithmetics<double>& numbers,
                                       const Limits& limits,
                                       std::uint64_t time,
                                       const DenseLayer& later,
                                       const RowMixes& mixes,
                                       DenseLayer& now,
                                       const BackupPart& part = {});

// The runs of all slots, in their order.
Decisions::LayerRules joined(const std::vector<RunPiece>& pieces,
                             const std::vector<PieceRef>& refs);

}  // namespace quantiplan
