#include "dense_backup.hpp"

#include <algorithm>

#include "contested.hpp"

namespace quantiplan {

void DenseBackup::gather_terms(std::uint64_t time,
                               const Span<double>& span,
                               const DenseLayer& later,
                               const RowMixes& mixes) {
  terms_.clear();
  terms_end_.clear();
  for (const Choice c : order_) {
    MixTerm shared{};
    const Outcome& first = input_.stages.model().outcomes(c).front();
    if (mixes.term_of(input_, c, input_.stages.reward_key(time, first), span.from, shared)) {
      terms_.push_back(shared);
    } else {
      append_terms(input_, numbers_, time, c, true, span.from, later, terms_);
    }
    terms_end_.push_back(terms_.size());
  }
}

void DenseBackup::run_tile(std::int64_t first, double* value, std::size_t size) {
  const std::span best(value, size);
  if (order_.size() == 1 && !input_.record_decisions) {
    input_.kernel->mix(terms_, first, best);
    return;
  }
  std::ranges::fill(best, -1.0);
  std::fill_n(second_, size, -1.0);
  std::size_t begin = 0;
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const auto terms = std::span(terms_).subspan(begin, terms_end_[k] - begin);
    begin = terms_end_[k];
    std::span<const double> candidate(candidate_, size);
    const std::int64_t at = first + terms.front().shift;
    if (terms.size() == 1 && terms.front().probability == 1 && at >= 0 &&
        at + static_cast<std::int64_t>(size) <= terms.front().width) {
      // A mixture that is there already: no need to copy it.
      candidate = {terms.front().values + at, size};
    } else {
      input_.kernel->mix(terms, first, {candidate_, size});
    }
    input_.kernel->improve(candidate,
                           static_cast<double>(index(order_[k]) - first_choice_),
                           best,
                           {second_, size},
                           {chosen_, size});
  }
}

void DenseBackup::record_tile(std::int64_t before,
                              const double* best,
                              std::size_t size,
                              std::uint64_t runs_begin,
                              RunPiece& runs) {
  const Contest<double> contest(input_.stages.horizon(), input_.stages.model().most_outcomes());
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t what = Decisions::encode(
        {static_cast<std::uint32_t>(chosen_[i]), contest.is_open(best[i], second_[i])});
    const std::int64_t y = before + 1 + static_cast<std::int64_t>(i);
    if (runs.upto.size() > runs_begin && runs.what.back() == what) {
      runs.upto.back() = y;
    } else {
      runs.upto.push_back(y);
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
    input_.expectation.order(input_.stages, numbers_, time, slot, order_);
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
    if (input_.drop > 0) {
      now.trim(slot, input_.drop, input_.stages.scale().rounding() == Rounding::down);
    }
  }
  if (input_.record_decisions && runs.upto.size() > runs_begin) finish_runs(time, slot, runs);
  runs.begin.push_back(runs.upto.size());
}

// Between the span and the window's upper edge nothing is promised, so the choice is free there.
void DenseBackup::finish_runs(std::uint64_t time, std::size_t slot, RunPiece& runs) const {
  const std::int64_t possible = input_.windows.at(time, slot).possible;
  if (runs.upto.back() >= possible) return;
  const std::size_t free = index(input_.expectation.choice(time, slot)) - first_choice_;
  runs.upto.push_back(possible);
  runs.what.push_back(Decisions::encode({static_cast<std::uint32_t>(free), false}));
}

}  // namespace quantiplan
