#include "dense_backup.hpp"

#include <algorithm>

#include "contested.hpp"

namespace quantiplan {

void DenseBackup::gather_terms(std::uint64_t time, const Window& window, const DenseLayer& later) {
  const Layer& next_layer = input_.stages.layer(time + 1);
  terms_.clear();
  terms_end_.clear();
  for (const Choice c : order_) {
    for (const Outcome& o : input_.stages.model().outcomes(c)) {
      const std::size_t slot = next_layer.slot(o.next);
      const Window& w = input_.windows.at(time + 1, slot);
      // Entry i of this window is residual sure + 1 + i, and entry i + shift of the child's.
      terms_.push_back({numbers_.probability(o),
                        later.row(slot),
                        window.sure - input_.stages.reward_key(time, o) - w.sure,
                        static_cast<std::int64_t>(w.width())});
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
    input_.kernel->mix(
        std::span(terms_).subspan(begin, terms_end_[k] - begin), first, {candidate_, size});
    input_.kernel->improve({candidate_, size},
                           static_cast<double>(index(order_[k]) - first_choice_),
                           best,
                           {second_, size},
                           {chosen_, size});
    begin = terms_end_[k];
  }
}

void DenseBackup::record_tile(const Window& window,
                              std::int64_t first,
                              const double* best,
                              std::size_t size,
                              std::uint64_t runs_begin,
                              RunPiece& runs) {
  const Contest<double> contest(input_.stages.horizon(), input_.stages.model().most_outcomes());
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t what = Decisions::encode(
        {static_cast<std::uint32_t>(chosen_[i]), contest.is_open(best[i], second_[i])});
    const std::int64_t y = window.sure + 1 + first + static_cast<std::int64_t>(i);
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
                      DenseLayer& now,
                      RunPiece& runs) {
  const State s = input_.stages.layer(time).state(slot);
  const Model& model = input_.stages.model();
  const std::uint64_t runs_begin = runs.upto.size();
  if (!model.is_terminal(s)) {
    // Step 1. Choices in the order that breaks ties, and where their outcomes' values lie.
    const Window& window = input_.windows.at(time, slot);
    first_choice_ = index(model.choices(s)[0]);
    input_.expectation.order(input_.stages, numbers_, time, slot, order_);
    std::erase_if(order_, [&](Choice c) { return !input_.filter.allows(time, slot, c); });
    gather_terms(time, window, later);
    // Step 2. The best choice at each residual, tile by tile.
    double* value = now.row(slot);
    for (std::uint64_t first = 0; first < window.width(); first += kTile) {
      // A wide window takes long: the limits are looked at every few milliseconds.
      if (first % (64 * kTile) == 0 && limits_.ended()) return;
      const auto size =
          static_cast<std::size_t>(std::min<std::uint64_t>(kTile, window.width() - first));
      run_tile(static_cast<std::int64_t>(first), value + first, size);
      if (input_.record_decisions) {
        record_tile(
            window, static_cast<std::int64_t>(first), value + first, size, runs_begin, runs);
      }
    }
    backups += order_.size();
    multiply_adds += terms_.size() * window.width();
  }
  runs.begin.push_back(runs.upto.size());
}

}  // namespace quantiplan
