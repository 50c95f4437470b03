#include "sparse_backup.hpp"

#include <algorithm>

#include "contested.hpp"

namespace quantiplan {

template <class N>
void SparseBackup<N>::gather_children(std::uint64_t time, Choice c) {
  const Layer& next_layer = input_.stages.layer(time + 1);
  children_.clear();
  for (const Outcome& o : input_.stages.model().outcomes(c)) {
    const std::size_t slot = next_layer.slot(o.next);
    children_.push_back({numbers_.probability(o), input_.stages.reward_key(time, o), slot,
                         &input_.windows.at(time + 1, slot)});
  }
}

// Levels strictly between `above` and `below` after the shift.
template <class N>
void SparseBackup<N>::add_to_grid(std::span<const std::int64_t> levels, std::int64_t shift,
                                  std::int64_t above, std::int64_t below) {
  for (const std::int64_t level : levels) {
    const std::int64_t y = level + shift;
    if (y > above && y < below) grid_.push_back(y);
  }
}

template <class N>
void SparseBackup<N>::finish_grid(std::int64_t last) {
  grid_.push_back(last);
  std::ranges::sort(grid_);
  grid_.erase(std::unique(grid_.begin(), grid_.end()), grid_.end());
}

template <class N>
void SparseBackup<N>::build_grid(std::uint64_t time, const Window& window, const StepLayer<N>& later) {
  grid_.clear();
  if (window.width() == 0) return;
  for (const Choice c : order_) {
    gather_children(time, c);
    for (const Child& child : children_) {
      const std::span levels(later.upto.data() + later.begin[child.slot], later.steps(child.slot));
      add_to_grid({&child.window->sure, 1}, child.reward, window.sure, window.possible);
      add_to_grid(levels, child.reward, window.sure, window.possible);
    }
  }
  finish_grid(window.possible);
}

template <class N>
void SparseBackup<N>::mix(const StepLayer<N>& later) {
  candidate_.assign(grid_.size(), N(0));
  for (const Child& child : children_) {
    std::uint64_t at = later.begin[child.slot];
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      const std::int64_t y = grid_[i] - child.reward;
      if (y > child.window->possible) break;
      if (y <= child.window->sure) {
        candidate_[i] += child.probability;
      } else {
        while (later.upto[at] < y) ++at;
        candidate_[i] += child.probability * later.value[at];
      }
    }
  }
  ++backups;
  multiply_adds += children_.size() * grid_.size();
}

template <class N>
void SparseBackup<N>::improve(std::uint32_t local_choice) {
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    if (candidate_[i] > best_[i]) {
      second_[i] = std::max(second_[i], best_[i]);
      best_[i] = candidate_[i];
      chosen_[i] = local_choice;
    } else {
      second_[i] = std::max(second_[i], candidate_[i]);
    }
  }
}

template <class N>
void SparseBackup<N>::emit_values(StepPiece<N>& out) const {
  const Contest<N> contest(input_.stages.horizon(), input_.stages.model().most_outcomes());
  StepLayer<N>& f = out.functions;
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    const std::uint32_t what =
        Decisions::encode({chosen_[i], contest.is_open(best_[i], second_[i])});
    if (i > 0 && f.value.back() == best_[i] && out.what.back() == what) {
      f.upto.back() = grid_[i];
      continue;
    }
    f.upto.push_back(grid_[i]);
    f.value.push_back(best_[i]);
    out.what.push_back(what);
  }
  f.begin.push_back(f.upto.size());
}

// The mean on (above, upto], where the policy makes choice c.
template <class N>
void SparseBackup<N>::emit_mean_run(std::uint64_t time, std::int64_t above, std::int64_t upto,
                                    Choice c, const StepLayer<N>& later, StepLayer<N>& out) {
  gather_children(time, c);
  grid_.clear();
  N reward = 0;
  for (const Child& child : children_) {
    reward += child.probability * Arithmetics<N>::key(child.reward);
    const std::uint64_t begin = later.mean_begin[child.slot];
    const std::uint64_t end = later.mean_begin[child.slot + 1];
    add_to_grid({&child.window->least, 1}, child.reward, above, upto);
    add_to_grid({later.mean_upto.data() + begin, end - begin}, child.reward, above, upto);
  }
  finish_grid(upto);
  candidate_.assign(grid_.size(), reward);
  for (const Child& child : children_) {
    std::uint64_t at = later.mean_begin[child.slot];
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      const std::int64_t y = grid_[i] - child.reward;
      if (child.window->is_free(y)) {
        candidate_[i] += child.probability * input_.expectation.value(time + 1, child.slot);
      } else {
        while (later.mean_upto[at] < y) ++at;
        candidate_[i] += child.probability * later.mean[at];
      }
    }
  }
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    const bool first = out.mean_upto.size() == out.mean_begin.back();
    if (!first && out.mean.back() == candidate_[i]) {
      out.mean_upto.back() = grid_[i];
    } else {
      out.mean_upto.push_back(grid_[i]);
      out.mean.push_back(candidate_[i]);
    }
  }
}

template <class N>
void SparseBackup<N>::emit_means(std::uint64_t time, const Window& window, std::size_t first_choice,
                                 const StepLayer<N>& later, StepPiece<N>& out) {
  StepLayer<N>& f = out.functions;
  std::int64_t above = window.least;
  if (window.sure > above) {
    emit_mean_run(time, above, window.sure, window.sure_choice, later, f);
    above = window.sure;
  }
  const std::uint64_t begin = f.begin[f.begin.size() - 2];
  for (std::uint64_t i = begin; i < f.upto.size(); ++i) {
    // Steps of equal choice make one run, contested or not.
    if (i + 1 < f.upto.size() && out.what[i] / 2 == out.what[i + 1] / 2) continue;
    const Choice c{static_cast<std::uint32_t>(first_choice + out.what[i] / 2)};
    emit_mean_run(time, above, f.upto[i], c, later, f);
    above = f.upto[i];
  }
  f.mean_begin.push_back(f.mean_upto.size());
}

template <class N>
void SparseBackup<N>::run(std::uint64_t time, std::size_t slot, const StepLayer<N>& later,
                          StepPiece<N>& out) {
  const State s = input_.stages.layer(time).state(slot);
  const Model& model = input_.stages.model();
  if (model.is_terminal(s)) {
    out.functions.begin.push_back(out.functions.upto.size());
    out.functions.mean_begin.push_back(out.functions.mean_upto.size());
    return;
  }
  // Step 1. Choices in the order that breaks ties.
  input_.expectation.order(input_.stages, numbers_, time, slot, order_);
  std::erase_if(order_, [&](Choice c) { return !input_.filter.allows(time, slot, c); });
  // Step 2. The levels at which anything can change.
  const Window& window = input_.windows.at(time, slot);
  build_grid(time, window, later);
  best_.assign(grid_.size(), N(-1));
  second_.assign(grid_.size(), N(-1));
  chosen_.assign(grid_.size(), 0);
  // Step 3. The best choice at each.
  const std::size_t first_choice = index(model.choices(s)[0]);
  if (!grid_.empty()) {
    for (const Choice c : order_) {
      gather_children(time, c);
      mix(later);
      improve(static_cast<std::uint32_t>(index(c) - first_choice));
    }
  }
  emit_values(out);
  // Step 4. The mean of the policy that makes these choices.
  if (input_.record_means) emit_means(time, window, first_choice, later, out);
}

template class SparseBackup<double>;
template class SparseBackup<Rational>;

}  // namespace quantiplan
