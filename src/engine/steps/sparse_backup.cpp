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
    children_.push_back({numbers_.probability(o),
                         input_.stages.reward_key(time, o),
                         slot,
                         &input_.windows.at(time + 1, slot)});
  }
}

// Breakpoints before they are merged, and the four arrays beside them.
template <class N>
bool SparseBackup<N>::scratch_fits(std::uint64_t time, const StepLayer<N>& later) {
  std::uint64_t levels = 1;
  for (const Choice c : order_) {
    gather_children(time, c);
    for (const Child& child : children_) levels += later.steps(child.slot) + 1;
  }
  const std::uint64_t bytes =
      levels * (sizeof(std::int64_t) + sizeof(std::uint32_t) + 3 * sizeof(N));
  if (limits_.would_fit(bytes)) return true;
  scratch_refused = bytes;
  return false;
}

template <class N>
void SparseBackup<N>::build_grid(std::uint64_t time,
                                 const Window& window,
                                 const StepLayer<N>& later) {
  grid_.clear();
  if (window.width() == 0) return;
  const auto add = [&](std::int64_t y) {
    if (y > window.sure && y < window.possible) grid_.push_back(y);
  };
  for (const Choice c : order_) {
    gather_children(time, c);
    for (const Child& child : children_) {
      add(child.window->sure + child.reward);
      for (std::uint64_t i = later.begin[child.slot]; i < later.begin[child.slot + 1]; ++i) {
        add(later.upto[i] + child.reward);
      }
    }
  }
  grid_.push_back(window.possible);
  std::ranges::sort(grid_);
  grid_.erase(std::unique(grid_.begin(), grid_.end()), grid_.end());
}

template <class N>
void SparseBackup<N>::mix(const StepLayer<N>& later) {
  candidate_.assign(grid_.size(), N(0));
  for (const Child& child : children_) {
    if (grid_.size() > 1000 && limits_.ended()) return;
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
void SparseBackup<N>::emit(StepPiece<N>& out) const {
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

template <class N>
void SparseBackup<N>::run(std::uint64_t time,
                          std::size_t slot,
                          const StepLayer<N>& later,
                          StepPiece<N>& out) {
  const State s = input_.stages.layer(time).state(slot);
  const Model& model = input_.stages.model();
  if (model.is_terminal(s)) {
    out.functions.begin.push_back(out.functions.upto.size());
    return;
  }
  // Step 1. Choices in the order that breaks ties.
  input_.expectation.order(input_.stages, numbers_, time, slot, order_);
  std::erase_if(order_, [&](Choice c) { return !input_.filter.allows(time, slot, c); });
  // Step 2. The levels at which anything can change.
  const Window& window = input_.windows.at(time, slot);
  if (!scratch_fits(time, later)) return;
  build_grid(time, window, later);
  best_.assign(grid_.size(), N(-1));
  second_.assign(grid_.size(), N(-1));
  chosen_.assign(grid_.size(), 0);
  // Step 3. The best choice at each.
  const std::size_t first_choice = index(model.choices(s)[0]);
  if (!grid_.empty()) {
    for (const Choice c : order_) {
      if (limits_.ended()) return;
      gather_children(time, c);
      mix(later);
      improve(static_cast<std::uint32_t>(index(c) - first_choice));
    }
  }
  emit(out);
}

template class SparseBackup<double>;
template class SparseBackup<Rational>;

}  // namespace quantiplan
