#include "finite/pass/dense_backup.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "finite/pass/step_layer.hpp"

namespace quantiplan {

void DenseBackup::gather_terms(std::uint64_t time,
                               const Span<double>& span,
                               const DenseLayer& later,
                               const RowMixes& mixes) {
  terms_.clear();
  choices_.clear();
  for (const Choice c : order_) {
    MixTerm shared{};
    const Outcome& first = input_.stages.model().outcomes(c).front();
    if (mixes.term_of(input_, c, input_.stages.reward_key(time, first), span.from, shared)) {
      terms_.push_back(shared);
    } else {
      append_terms(input_, numbers_, time, c, true, span.from, later, terms_);
    }
    choices_.push_back({terms_.size(), static_cast<double>(index(c) - first_choice_)});
  }
}

void DenseBackup::run_tile(std::int64_t first, double* value, std::size_t size) {
  if (order_.size() == 1 && !input_.record_decisions) {
    input_.kernel->mix(terms_, first, {value, size});
    return;
  }
  // Whether a choice is contested is asked only where decisions are hints for an exact solve: not
  // where values were dropped.
  input_.kernel->back_up(terms_,
                         choices_,
                         first,
                         {size,
                          value,
                          input_.record_decisions && input_.drop == 0 ? second_ : nullptr,
                          input_.record_decisions ? chosen_ : nullptr});
}

void DenseBackup::record_tile(std::int64_t before,
                              const double* best,
                              std::size_t size,
                              std::uint64_t runs_begin,
                              RunPiece& runs) {
  if (input_.drop == 0) {
    for (std::size_t i = 0; i < size; ++i) {
      what_[i] = 2 * static_cast<std::uint32_t>(static_cast<std::int32_t>(chosen_[i])) +
                 (contest_.is_open(best[i], second_[i]) ? 1U : 0U);
    }
  } else {
    for (std::size_t i = 0; i < size; ++i) {
      what_[i] = 2 * static_cast<std::uint32_t>(static_cast<std::int32_t>(chosen_[i]));
    }
  }
  for (std::size_t i = 0; i < size;) {
    const std::uint32_t what = what_[i];
    while (i < size && what_[i] == what) ++i;
    const std::int64_t upto = before + static_cast<std::int64_t>(i);
    if (runs.upto.size() > runs_begin && runs.what.back() == what) {
      runs.upto.back() = upto;
    } else {
      runs.upto.push_back(upto);
      runs.what.push_back(what);
    }
  }
}

void DenseBackup::run(std::uint64_t time,
                      std::size_t slot,
                      const DenseLayer& later,
                      const RowMixes& mixes,
                      DenseLayer& now,
                      RunPiece& runs) {
  const State s = input_.stages.layer(time).state(slot);
  const Model& model = input_.stages.model();
  const std::uint64_t runs_begin = runs.upto.size();
  const Span<double> span = now.span(slot);
  if (!model.is_terminal(s) && span.width() > 0) {
    // Step 1. Choices in the order that breaks ties, and where their outcomes' values lie.
    first_choice_ = index(model.choices(s)[0]);
    if (part_.orders != nullptr)
      part_.orders->copy(slot, model.choices(s)[0], order_);
    else
      order_choices(input_, numbers_, time, slot, order_);
    std::erase_if(order_, [&](Choice c) { return !input_.filter.allows(time, slot, c); });
    gather_terms(time, span, later, mixes);
    // Step 2. The best choice at each residual, tile by tile.
    double* value = now.row(slot);
    for (std::uint64_t first = 0; first < span.width(); first += kTile) {
      // A wide span takes long: the limits are looked at every few milliseconds.
      if (first % (64 * kTile) == 0 && limits_.ended()) return;
      const auto size =
          static_cast<std::size_t>(std::min<std::uint64_t>(kTile, span.width() - first));
      run_tile(static_cast<std::int64_t>(first), value + first, size);
      if (input_.record_decisions) {
        record_tile(
            span.from + static_cast<std::int64_t>(first), value + first, size, runs_begin, runs);
      }
    }
    backups += order_.size();
    multiply_adds += terms_.size() * span.width();
    if (input_.drop > 0 && part_.whole_rows) {
      now.trim(slot, input_.drop, input_.stages.scale().rounding() == Rounding::down);
    }
  }
  if (input_.record_decisions && part_.whole_rows && runs.upto.size() > runs_begin)
    close_runs(input_, time, slot, runs.upto, runs.what);
  runs.begin.push_back(runs.upto.size());
}

void close_runs(const PassInput<double>& input,
                std::uint64_t time,
                std::size_t slot,
                std::vector<std::int64_t>& upto,
                std::vector<std::uint32_t>& what) {
  const std::int64_t possible = input.windows.at(time, slot).possible;
  if (upto.back() >= possible) return;
  const Choice first = input.stages.model().choices(input.stages.layer(time).state(slot))[0];
  const std::size_t free = index(input.expectation.choice(time, slot)) - index(first);
  upto.push_back(possible);
  what.push_back(Decisions::encode({static_cast<std::uint32_t>(free), false}));
}

std::optional<LayerRuns> back_up_layer(const PassInput<double>& input,
                                       const Arithmetics<double>& numbers,
                                       const Limits& limits,
                                       std::uint64_t time,
                                       const DenseLayer& later,
                                       const RowMixes& mixes,
                                       DenseLayer& now,
                                       const BackupPart& part) {
  const std::size_t slots = now.spans().size();
  const unsigned workers = limits.threads();
  std::vector<DenseBackup> backups(workers, DenseBackup(input, numbers, limits, part));
  LayerRuns out;
  out.pieces.resize(workers);
  out.refs.resize(slots);
  parallel_for(workers,
               slots,
               chunk_of_slots(slots, workers),
               [&](unsigned worker, std::size_t begin, std::size_t end) {
                 RunPiece& piece = out.pieces[worker];
                 for (std::size_t slot = begin; slot < end; ++slot) {
                   if (limits.ended()) return;
                   out.refs[slot] = {worker, static_cast<std::uint32_t>(piece.begin.size() - 1)};
                   backups[worker].run(time, slot, later, mixes, now, piece);
                 }
               });
  if (limits.ended()) return std::nullopt;
  for (const DenseBackup& backup : backups) {
    out.backups += backup.backups;
    out.multiply_adds += backup.multiply_adds;
  }
  return out;
}

Decisions::LayerRules joined(const std::vector<RunPiece>& pieces,
                             const std::vector<PieceRef>& refs) {
  Decisions::LayerRules rules;
  rules.begin.push_back(0);
  for (const PieceRef& ref : refs) {
    const RunPiece& piece = pieces[ref.worker];
    for (std::uint64_t i = piece.begin[ref.position]; i < piece.begin[ref.position + 1]; ++i) {
      rules.upto.push_back(piece.upto[i]);
      rules.what.push_back(piece.what[i]);
    }
    rules.close_slot();
  }
  return rules;
}

}  // namespace quantiplan
