#include "finite/pass/layer_form.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"

namespace quantiplan {
namespace {

// What a slot costs for each level: its outcomes, and one for a mixture that is shared.
double products_of(const PassInput<double>& input, std::uint64_t t, std::size_t slot) {
  const Stages& stages = input.stages;
  const Model& model = stages.model();
  const ChoiceRange choices = model.choices(stages.layer(t).state(slot));
  if (choices.empty()) return 0;
  if (!input.share_rows || stages.rows().size() == 0) {
    const auto last = model.outcomes(choices[choices.size() - 1]);
    return static_cast<double>(last.data() + last.size() - model.outcomes(choices.front()).data());
  }
  double products = 0;
  for (const Choice c : choices) {
    const bool shared = stages.rows().row(c) != SharedRows::kNone;
    products += shared ? 1 : static_cast<double>(model.outcomes(c).size());
  }
  return products;
}

}  // namespace

bool is_cheaper_dense(const PassInput<double>& input,
                      std::uint64_t t,
                      const std::vector<Span<double>>& spans,
                      const SpannedSteps<double>& later,
                      unsigned threads) {
  constexpr double kSparseCost = 8;
  const Stages& stages = input.stages;
  const Layer& next_layer = stages.layer(t + 1);
  // The later layer must be spelt out, too.
  double dense = 0;
  for (const Span<double>& span : later.spans) dense += static_cast<double>(span.width());
  double sparse = 0;
  const auto steps_of = [&](std::span<const Outcome> outcomes) {
    double steps = 0;
    for (const Outcome& o : outcomes)
      steps += static_cast<double>(later.steps.steps(next_layer.slot(o.next)) + 1);
    return steps;
  };
  const auto of_row = stages.by_row<double>(t, steps_of);
  // A look at each outcome: by several threads, added up in the order of slots.
  std::vector<double> sparse_of(stages.layer(t).size());
  parallel_for(threads, sparse_of.size(), 1024, [&](unsigned, std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot) {
      const auto width = static_cast<double>(spans[slot].width());
      double steps = 0;
      for (const Choice c : stages.model().choices(stages.layer(t).state(slot))) {
        if (steps >= width) break;
        const std::uint32_t row = stages.rows().row(c);
        steps += row != SharedRows::kNone ? of_row[row] : steps_of(stages.model().outcomes(c));
      }
      sparse_of[slot] = products_of(input, t, slot) * std::min(width, steps);
    }
  });
  for (std::size_t slot = 0; slot < sparse_of.size(); ++slot) {
    dense += products_of(input, t, slot) * static_cast<double>(spans[slot].width());
    sparse += sparse_of[slot];
  }
  return dense < kSparseCost * sparse;
}

bool is_cheaper_sparse(const PassInput<double>& input,
                       std::uint64_t t,
                       const std::vector<Span<double>>& spans,
                       DenseBackend& wide) {
  constexpr double kCheap = 1e6;
  constexpr double kSparseCost = 16;
  const Stages& stages = input.stages;
  const auto later = static_cast<double>(wide.entries());
  double dense = 0;
  std::size_t slot = 0;
  const auto count_until = [&](double enough) {
    for (; slot < spans.size() && dense < enough; ++slot)
      dense += products_of(input, t, slot) * static_cast<double>(spans[slot].width());
  };
  // Counting the steps costs a look at each entry: only where that is little beside the work.
  const double least = std::max(kCheap, 4 * later);
  count_until(least);
  if (dense < least) return false;
  const auto steps = wide.few_steps();
  if (!steps) return false;
  count_until(std::numeric_limits<double>::infinity());
  double sparse = 0;
  const Layer& next_layer = stages.layer(t + 1);
  const auto steps_of = [&](std::span<const Outcome> outcomes) {
    double sum = 0;
    for (const Outcome& o : outcomes)
      sum += static_cast<double>((*steps)[next_layer.slot(o.next)] + 1);
    return sum;
  };
  const auto of_row = stages.by_row<double>(t, steps_of);
  for (std::size_t s = 0; s < spans.size(); ++s) {
    double products = 0;
    double own = 0;
    for (const Choice c : stages.model().choices(stages.layer(t).state(s))) {
      const std::uint32_t row = stages.rows().row(c);
      const bool shared = row != SharedRows::kNone;
      products +=
          shared && input.share_rows ? 1 : static_cast<double>(stages.model().outcomes(c).size());
      own += shared ? of_row[row] : steps_of(stages.model().outcomes(c));
    }
    sparse += products * std::min(static_cast<double>(spans[s].width()), own);
  }
  return dense > kSparseCost * sparse;
}

double EntriesAhead::most(std::uint64_t t) {
  if (unforeseen_) return 0;
  if (most_.empty()) {
    double most = 0;
    for (std::uint64_t i = 0; i <= stages_.horizon(); ++i) {
      double entries = 0;
      for (std::size_t slot = 0; slot < stages_.layer(i).size(); ++slot) {
        const Window& w = windows_.at(i, slot);
        Interval open{w.sure, w.possible};
        if (needs_ != nullptr) {
          const Interval& need = needs_->at(i, slot);
          open = {std::max(open.above, need.above), std::min(open.upto, need.upto)};
        }
        entries += static_cast<double>(open.size());
      }
      most = std::max(most, entries);
      most_.push_back(most);
    }
  }
  return most_[t];
}

std::uint64_t EntriesAhead::bytes_needed(std::uint64_t t) {
  constexpr double kMost = 9e18;
  const double slots = 2.0 * static_cast<double>(stages_.model().state_count() + 1);
  return static_cast<std::uint64_t>(
      std::min(sizeof(double) * (2 * most(t + 1) + 7 * slots), kMost));
}

}  // namespace quantiplan
