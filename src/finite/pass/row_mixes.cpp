#include "finite/pass/row_mixes.hpp"

#include "base/parallel.hpp"

namespace quantiplan {

void append_terms(const PassInput<double>& input,
                  const Arithmetics<double>& numbers,
                  std::uint64_t time,
                  Choice c,
                  bool rewarded,
                  std::int64_t from,
                  const DenseLayer& later,
                  std::vector<MixTerm>& out) {
  const Layer& next_layer = input.stages.layer(time + 1);
  for (const Outcome& o : input.stages.model().outcomes(c)) {
    const std::size_t slot = next_layer.slot(o.next);
    const Span<double>& span = later.span(slot);
    // Entry i of this span is residual from + 1 + i, and entry i + shift of the child's.
    const std::int64_t reward = rewarded ? input.stages.reward_key(time, o) : 0;
    out.push_back({numbers.probability(o),
                   later.row(slot),
                   from - reward - span.from,
                   static_cast<std::int64_t>(span.width()),
                   span.below,
                   span.above,
                   span.below_slope,
                   span.above_slope});
  }
}

void RowMixes::plan(const PassInput<double>& input,
                    std::uint64_t time,
                    const std::vector<Span<double>>& spans) {
  rows_.clear();
  size_ = 0;
  if (!input.share_rows || input.stages.rows_at(time).empty()) return;
  rows_.resize(input.stages.rows().size());
  const Model& model = input.stages.model();
  for (std::size_t slot = 0; slot < spans.size(); ++slot) {
    if (spans[slot].width() == 0) continue;
    for (const Choice c : model.choices(input.stages.layer(time).state(slot))) {
      const std::uint32_t row = input.stages.rows().row(c);
      if (row == SharedRows::kNone || !input.filter.allows(time, slot, c)) continue;
      const std::int64_t reward = input.stages.reward_key(time, model.outcomes(c).front());
      rows_[row].asked.cover(spans[slot].from - reward, spans[slot].upto - reward);
      ++rows_[row].users;
      rows_[row].one_by_one += static_cast<double>(spans[slot].width());
    }
  }
  for (Row& row : rows_) {
    if (static_cast<double>(row.asked.size()) > row.one_by_one) row.users = 0;
    if (row.users < 2) continue;
    row.begin = size_;
    size_ += static_cast<std::uint64_t>(row.asked.size());
  }
}

void RowMixes::restrict(const Interval& asked) {
  size_ = 0;
  for (Row& row : rows_) {
    if (row.users < 2) continue;
    row.asked = {std::max(row.asked.above, asked.above), std::min(row.asked.upto, asked.upto)};
    row.begin = size_;
    size_ += static_cast<std::uint64_t>(row.asked.size());
  }
}

std::vector<std::pair<std::uint32_t, Interval>> RowMixes::shared() const {
  std::vector<std::pair<std::uint32_t, Interval>> out;
  for (std::uint32_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].users >= 2) out.emplace_back(i, rows_[i].asked);
  return out;
}

bool RowMixes::is_shared(const PassInput<double>& input, Choice c) const {
  if (rows_.empty()) return false;
  const std::uint32_t row = input.stages.rows().row(c);
  return row != SharedRows::kNone && rows_[row].users >= 2;
}

void RowMixes::run(const PassInput<double>& input,
                   const Arithmetics<double>& numbers,
                   std::uint64_t time,
                   const DenseLayer& later,
                   const Limits& limits) {
  if (size_ == 0) return;
  if (capacity_ < size_) {
    capacity_ = size_;
    values_.reset();
    values_ = std::make_unique_for_overwrite<double[]>(capacity_);
  }
  constexpr std::int64_t kTile = 512;
  std::vector<std::uint64_t> products(limits.threads(), 0);
  parallel_for(
      limits.threads(), rows_.size(), 1, [&](unsigned worker, std::size_t begin, std::size_t end) {
        std::vector<MixTerm> terms;
        for (std::size_t i = begin; i < end; ++i) {
          Row& row = rows_[i];
          if (row.users < 2) continue;
          terms.clear();
          const Choice c = input.stages.rows().example(static_cast<std::uint32_t>(i));
          append_terms(input, numbers, time, c, false, row.asked.above, later, terms);
          row.below = row.above = 0;
          for (const MixTerm& term : terms) {
            row.below += term.probability * term.below;
            row.above += term.probability * term.above;
          }
          for (std::int64_t first = 0; first < row.asked.size(); first += kTile) {
            if (first % (64 * kTile) == 0 && limits.ended()) return;
            const auto size = static_cast<std::size_t>(std::min(kTile, row.asked.size() - first));
            input.kernel->mix(
                terms,
                first,
                {values_.get() + row.begin + static_cast<std::uint64_t>(first), size});
          }
          products[worker] += terms.size() * static_cast<std::uint64_t>(row.asked.size());
        }
      });
  for (const std::uint64_t p : products) multiply_adds_ += p;
}

bool RowMixes::term_of(const PassInput<double>& input,
                       Choice c,
                       std::int64_t reward,
                       std::int64_t from,
                       MixTerm& out) const {
  if (size_ == 0) return false;
  const std::uint32_t at = input.stages.rows().row(c);
  if (at == SharedRows::kNone || rows_[at].users < 2) return false;
  const Row& row = rows_[at];
  out = {1.0,
         values_.get() + row.begin,
         from - reward - row.asked.above,
         row.asked.size(),
         row.below,
         row.above};
  return true;
}

}  // namespace quantiplan
