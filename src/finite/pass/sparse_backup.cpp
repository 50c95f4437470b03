#include "finite/pass/sparse_backup.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "finite/pass/contested.hpp"

namespace quantiplan {

template <class N>
void SparseBackup<N>::gather_children(std::uint64_t time,
                                      Choice c,
                                      const SpannedSteps<N>& later,
                                      const RowSteps<N>& rows) {
  const Stages& stages = input_.stages;
  const Layer& next_layer = stages.layer(time + 1);
  children_.clear();
  const std::uint32_t row = stages.rows().row(c);
  if (!rows.position.empty() && row != SharedRows::kNone &&
      rows.position[row] != RowSteps<N>::kNone) {
    const std::uint32_t at = rows.position[row];
    const std::int64_t reward = stages.reward_key(time, stages.model().outcomes(c).front());
    children_.push_back({N(1), reward, at, &rows.functions.spans[at], &rows.functions.steps});
    return;
  }
  for (const Outcome& o : stages.model().outcomes(c)) {
    const std::size_t slot = next_layer.slot(o.next);
    children_.push_back({numbers_.probability(o),
                         stages.reward_key(time, o),
                         slot,
                         &later.spans[slot],
                         &later.steps});
  }
}

// Breakpoints before they are merged, and the four arrays beside them.
template <class N>
bool SparseBackup<N>::scratch_fits(std::uint64_t time,
                                   const SpannedSteps<N>& later,
                                   const RowSteps<N>& rows) {
  std::uint64_t levels = 1;
  for (const Choice c : order_) {
    gather_children(time, c, later, rows);
    for (const Child& child : children_) levels += child.steps->steps(child.slot) + 1;
  }
  // The levels are pushed one by one, into arrays that double; the rest are of one piece.
  constexpr std::uint64_t kNumber = StepLayer<N>::kBytesPerStep - sizeof(std::int64_t);
  const std::uint64_t bytes =
      levels * (2 * sizeof(std::int64_t) + sizeof(std::uint32_t) + 3 * kNumber);
  if (bytes <= scratch_bytes_) return true;
  const std::uint64_t more = bytes - scratch_bytes_;
  scratch_bytes_ = bytes;
  if (limits_.would_fit(in_use_.fetch_add(more) + more)) return true;
  scratch_refused = bytes;
  return false;
}

// Those of the children that lie inside the span.
template <class N>
void SparseBackup<N>::add_breakpoints(const Span<N>& span) {
  for (const Child& child : children_) {
    for (const std::int64_t level : {child.span->from, child.span->upto}) {
      const std::int64_t edge = level + child.reward;
      if (edge > span.from && edge < span.upto) grid_.push_back(edge);
    }
    const auto begin = child.steps->upto.begin();
    const auto last = begin + static_cast<std::ptrdiff_t>(child.steps->begin[child.slot + 1]);
    auto at = std::upper_bound(begin + static_cast<std::ptrdiff_t>(child.steps->begin[child.slot]),
                               last,
                               span.from - child.reward);
    for (; at != last && *at + child.reward < span.upto; ++at) {
      grid_.push_back(*at + child.reward);
    }
  }
}

template <class N>
void SparseBackup<N>::finish_grid(const Span<N>& span) {
  grid_.push_back(span.upto);
  std::ranges::sort(grid_);
  grid_.erase(std::unique(grid_.begin(), grid_.end()), grid_.end());
}

template <class N>
void SparseBackup<N>::build_grid(std::uint64_t time,
                                 const Span<N>& span,
                                 const SpannedSteps<N>& later,
                                 const RowSteps<N>& rows) {
  grid_.clear();
  if (span.width() == 0) return;
  for (const Choice c : order_) {
    gather_children(time, c, later, rows);
    add_breakpoints(span);
  }
  finish_grid(span);
}

template <class N>
void SparseBackup<N>::run_row(std::uint64_t time,
                              std::uint32_t row,
                              const Span<N>& span,
                              const SpannedSteps<N>& later,
                              StepLayer<N>& out) {
  gather_children(time, input_.stages.rows().example(row), later, {});
  for (Child& child : children_) child.reward = 0;
  grid_.clear();
  if (span.width() > 0) {
    add_breakpoints(span);
    finish_grid(span);
    mix();
    --backups;  // a mixture is no backup
  }
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    if (i > 0 && out.value.back() == candidate_[i]) {
      out.upto.back() = grid_[i];
    } else {
      out.upto.push_back(grid_[i]);
      out.value.push_back(candidate_[i]);
    }
  }
  out.begin.push_back(out.upto.size());
}

template <class N>
void SparseBackup<N>::mix() {
  candidate_.assign(grid_.size(), N(0));
  for (const Child& child : children_) {
    if (grid_.size() > 1000 && limits_.ended()) return;
    const StepLayer<N>& steps = *child.steps;
    const auto begin = steps.upto.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(steps.begin[child.slot + 1]);
    // The function is known from the first level asked for on.
    auto at = std::lower_bound(begin + static_cast<std::ptrdiff_t>(steps.begin[child.slot]),
                               end,
                               grid_.front() - child.reward);
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      if constexpr (std::is_same_v<N, Rational>) {
        // A rational may take long.
        if (i % 64 == 0 && limits_.ended()) return;
      }
      const std::int64_t y = grid_[i] - child.reward;
      if (y > child.span->upto) {
        if (child.span->above == 0) break;
        candidate_[i] += child.probability * child.span->above;
      } else if (y <= child.span->from) {
        candidate_[i] += child.probability * child.span->below;
      } else {
        while (*at < y) ++at;
        candidate_[i] += child.probability * steps.value[static_cast<std::size_t>(at - begin)];
      }
    }
  }
  ++backups;
  multiply_adds += children_.size() * grid_.size();
}

double to_probability_level(double value,
                            std::size_t terms,
                            std::uint64_t probability_levels,
                            bool down) {
  const auto levels = static_cast<double>(probability_levels);
  const double error = static_cast<double>(terms + 6) * 0x1p-53;
  // Inside a window no probability is 0, however small its double.
  return down ? std::floor(value * (1 - error) * levels) / levels
              : std::clamp(std::ceil(value * (1 + error) * levels) / levels, 1 / levels, 1.0);
}

template <class N>
void SparseBackup<N>::round_to_levels() {
  if constexpr (std::is_same_v<N, double>) {
    const bool down = input_.stages.scale().rounding() == Rounding::down;
    const std::size_t most = input_.stages.model().most_outcomes();
    for (double& value : best_)
      value = to_probability_level(value, most, input_.probability_levels, down);
  }
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
                          const Span<N>& span,
                          const SpannedSteps<N>& later,
                          const RowSteps<N>& rows,
                          StepPiece<N>& out) {
  const State s = input_.stages.layer(time).state(slot);
  const Model& model = input_.stages.model();
  if (model.is_terminal(s) || span.width() == 0) {
    out.functions.begin.push_back(out.functions.upto.size());
    return;
  }
  // Step 1. Choices in the order that breaks ties.
  order_choices(input_, numbers_, time, slot, order_);
  std::erase_if(order_, [&](Choice c) { return !input_.filter.allows(time, slot, c); });
  // Step 2. The levels at which anything can change.
  if (!scratch_fits(time, later, rows)) return;
  build_grid(time, span, later, rows);
  best_.assign(grid_.size(), N(-1));
  second_.assign(grid_.size(), N(-1));
  chosen_.assign(grid_.size(), 0);
  // Step 3. The best choice at each.
  const std::size_t first_choice = index(model.choices(s)[0]);
  if (!grid_.empty()) {
    for (const Choice c : order_) {
      if (limits_.ended()) return;
      gather_children(time, c, later, rows);
      mix();
      improve(static_cast<std::uint32_t>(index(c) - first_choice));
    }
  }
  if (input_.probability_levels > 0) round_to_levels();
  emit(out);
}

template <class N>
RowSteps<N> mix_rows(const PassInput<N>& input,
                     std::uint64_t t,
                     const std::vector<Span<N>>& spans,
                     const SpannedSteps<N>& later,
                     std::vector<SparseBackup<N>>& backups,
                     const Limits& limits) {
  RowSteps<N> out;
  const Stages& stages = input.stages;
  if (!input.share_rows || stages.rows_at(t).empty()) return out;
  std::vector<Interval> asked(stages.rows().size());
  std::vector<std::uint32_t> users(asked.size(), 0);
  for (std::size_t slot = 0; slot < spans.size(); ++slot) {
    if (spans[slot].width() == 0) continue;
    for (const Choice c : stages.model().choices(stages.layer(t).state(slot))) {
      const std::uint32_t row = stages.rows().row(c);
      if (row == SharedRows::kNone || !input.filter.allows(t, slot, c)) continue;
      const std::int64_t reward = stages.reward_key(t, stages.model().outcomes(c).front());
      asked[row].cover(spans[slot].from - reward, spans[slot].upto - reward);
      ++users[row];
    }
  }
  out.position.assign(asked.size(), RowSteps<N>::kNone);
  std::vector<std::uint32_t> shared;
  for (std::uint32_t row = 0; row < asked.size(); ++row) {
    if (users[row] < 2) continue;
    out.position[row] = static_cast<std::uint32_t>(shared.size());
    shared.push_back(row);
    out.functions.spans.push_back({asked[row].above, asked[row].upto, 0, 0, N(1), N(0)});
  }
  std::vector<StepLayer<N>> mixed(shared.size());
  parallel_for(
      limits.threads(), shared.size(), 1, [&](unsigned worker, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end && !limits.ended(); ++i) {
          backups[worker].run_row(t, shared[i], out.functions.spans[i], later, mixed[i]);
        }
      });
  StepLayer<N>& all = out.functions.steps;
  for (const StepLayer<N>& one : mixed) {
    all.upto.insert(all.upto.end(), one.upto.begin(), one.upto.end());
    all.value.insert(all.value.end(), one.value.begin(), one.value.end());
    all.begin.push_back(all.upto.size());
  }
  return out;
}

template class SparseBackup<double>;
template class SparseBackup<Rational>;

template RowSteps<double> mix_rows(const PassInput<double>&,
                                   std::uint64_t,
                                   const std::vector<Span<double>>&,
                                   const SpannedSteps<double>&,
                                   std::vector<SparseBackup<double>>&,
                                   const Limits&);
template RowSteps<Rational> mix_rows(const PassInput<Rational>&,
                                     std::uint64_t,
                                     const std::vector<Span<Rational>>&,
                                     const SpannedSteps<Rational>&,
                                     std::vector<SparseBackup<Rational>>&,
                                     const Limits&);

}  // namespace quantiplan
