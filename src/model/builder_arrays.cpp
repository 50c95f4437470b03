// Choices from arrays: floats are settled in blocks, on all cores, and interned in their order.
#include <algorithm>
#include <thread>

#include "base/parallel.hpp"
#include "model/array_rows.hpp"
#include "model/builder_parts.hpp"
#include "numbers/reward_decimals.hpp"
#include "quantiplan/arrays.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16U;  // outcomes that are settled at a time
constexpr std::size_t kChunk = std::size_t{1} << 12U;  // of them, those that a worker takes
constexpr std::size_t kAhead = 16;                     // outcomes from a lookup to its prefetch

std::size_t length(const NumberArray& numbers) {
  return std::visit([](const auto& all) { return all.size(); }, numbers);
}

void require_fitting(const ChoiceArrays& arrays) {
  const auto refuse = [](const char* what) {
    throw Error(ErrorCode::bad_request, "arrays", std::string("found ") + what);
  };
  const std::size_t choices = arrays.state.size();
  if (arrays.action.size() != choices || arrays.begin.size() != choices + 1)
    refuse("lengths that differ, expected an action and a begin for each choice");
  if (arrays.begin.front() != 0 || !std::ranges::is_sorted(arrays.begin) ||
      static_cast<std::size_t>(arrays.begin.back()) != arrays.next.size())
    refuse("begins that do not ascend from 0 to the number of outcomes, expected such");
  if (length(arrays.probability) != arrays.next.size())
    refuse("lengths that differ, expected a probability for each outcome");
  if (length(arrays.reward) != 1 && length(arrays.reward) != arrays.next.size())
    refuse("lengths that differ, expected a reward for each outcome, or one for all");
  for (const std::uint32_t action : arrays.action)
    if (action >= arrays.actions.size()) refuse("an action beyond the names, expected a position");
}

}  // namespace

// One block after the other.
class ModelBuilder::Parts::ArrayChoices {
 public:
  ArrayChoices(ModelBuilder& builder, Parts& parts, const ChoiceArrays& arrays)
      : builder_(builder),
        parts_(parts),
        arrays_(arrays),
        tolerance_(parts.tolerance),
        threads_(arrays.next.size() < kChunk ? 1
                                             : std::max(1U, std::thread::hardware_concurrency())),
        workers_(threads_),
        probability_(arrays.probability),
        reward_(arrays.reward),
        reward_step_(length(arrays.reward) == 1 ? 0 : 1) {}

  void add() {
    // Whoever rounds, watches or judges otherwise goes the way of single outcomes.
    const bool may_settle = parts_.wealth.is_sum() && !parts_.decimals && parts_.other_count == 0 &&
                            parts_.watch == nullptr && parts_.declared_in_order &&
                            parts_.states_declared;
    parts_.outcomes.reserve(parts_.outcomes.size() + arrays_.next.size());
    parts_.choices.reserve(parts_.choices.size() + arrays_.state.size());
    for (std::size_t first = 0; first < arrays_.state.size();) {
      std::size_t last = first + 1;
      while (last < arrays_.state.size() && at(last + 1) - at(first) <= kBlock) ++last;
      rows_.assign(last - first, {});
      if (may_settle) settle(first, last);
      for (std::size_t c = first; c < last; ++c) {
        if (rows_[c - first].is_settled) {
          push(c, rows_[c - first], at(first));
        } else {
          spell_out(c);
        }
        if (parts_.more_problems) return;
      }
      first = last;
    }
  }

 private:
  [[nodiscard]] std::size_t at(std::size_t choice) const {
    return static_cast<std::size_t>(arrays_.begin[choice]);
  }

  void settle(std::size_t first, std::size_t last) {
    const std::size_t entries = at(last) - at(first);
    probabilities_.resize(entries);
    rewards_.resize(entries);
    const std::size_t rows = std::max<std::size_t>(1, (last - first) * kChunk / (entries + 1));
    parallel_for(
        threads_, last - first, rows, [&](unsigned worker, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            settle_row(workers_[worker], first + i, rows_[i], at(first));
        });
  }

  void settle_row(RowWorker& worker, std::size_t c, SettledRow& row, std::size_t offset) {
    const std::size_t begin = at(c);
    const std::size_t count = at(c + 1) - begin;
    const std::size_t state_count = parts_.declared.size();
    const std::span next = arrays_.next.subspan(begin, count);
    if (count == 0 || arrays_.state[c] >= state_count) return;
    for (const std::int64_t to : next)
      if (to < 0 || static_cast<std::size_t>(to) >= state_count) return;
    if (!worker.are_distinct(next)) return;
    for (std::size_t o = begin; o < begin + count; ++o) {
      SettledReward& reward = rewards_[o - offset];
      reward = worker.reward(arrays_.reward, o * reward_step_);
      if (reward.value.denominator < 0) return;
    }
    const std::span out = std::span(probabilities_).subspan(begin - offset, count);
    const auto settles = [&](const auto& all) {
      using Span = std::decay_t<decltype(all)>;
      if constexpr (std::is_floating_point_v<typename Span::value_type>) {
        return worker.row.settle(all.subspan(begin, count), tolerance_, out);
      } else {
        return false;
      }
    };
    row.is_settled = std::visit(settles, arrays_.probability);
    if (!row.is_settled) return;
    row.deviation = worker.row.deviation();
    row.sum = worker.row.sum();
  }

  void push(std::size_t c, const SettledRow& row, std::size_t offset) {
    auto& choice = parts_.open_choice(arrays_.actions[arrays_.action[c]], 0);
    choice.state = arrays_.state[c];
    parts_.choice_is_open = false;
    for (std::size_t o = at(c) - offset; o < at(c + 1) - offset; ++o) {
      if (o + kAhead < probabilities_.size()) {
        parts_.numbers.prefetch(probabilities_[o + kAhead].hash);
        parts_.numbers.prefetch(rewards_[o + kAhead].hash);
      }
      const SettledNumber& p = probabilities_[o];
      if (p.value.numerator == 0) continue;
      const auto next = static_cast<std::uint32_t>(arrays_.next[o + offset]);
      const NumberId reward = settled_reward(rewards_[o], o + offset);
      const auto small = to_fraction(p.value);
      const NumberId probability =
          small ? parts_.numbers.intern(*small, p.hash) : parts_.numbers.intern(p.value, p.hash);
      parts_.outcomes.push_back({State{next}, probability, reward});
    }
    parts_.choices.back().outcome_end = parts_.outcomes.size();
    if (row.deviation == 0) return;
    if (row.deviation <= worst_) {
      ++parts_.normalised;
      return;
    }
    worst_ = row.deviation;
    Rational sum = to_rational(row.sum);
    sum.canonicalize();
    parts_.count_normalised(sum);
  }

  NumberId settled_reward(const SettledReward& reward, std::size_t o) {
    if (reward.value.denominator == 0) return parts_.settled_reward(reward_[o * reward_step_]);
    const NumberId id = parts_.numbers.intern(reward.value, reward.hash);
    if (is_fine(reward.value)) parts_.note_fine(id);
    return id;
  }

  void spell_out(std::size_t c) {
    builder_.begin_choice(State{arrays_.state[c]}, arrays_.actions[arrays_.action[c]]);
    for (std::size_t o = at(c); o < at(c + 1); ++o)
      builder_.add_outcome(State{static_cast<std::uint32_t>(arrays_.next[o])},
                           probability_[o],
                           reward_[o * reward_step_]);
    parts_.close_choice();
  }

  ModelBuilder& builder_;
  Parts& parts_;
  const ChoiceArrays& arrays_;
  RowTolerance tolerance_;
  unsigned threads_;
  std::vector<RowWorker> workers_;
  ArrayNumbers probability_;
  ArrayNumbers reward_;
  std::size_t reward_step_;
  UInt128 worst_ = 0;  // deviation of a row that was pushed
  // Of the block.
  std::vector<SettledRow> rows_;
  std::vector<SettledNumber> probabilities_;
  std::vector<SettledReward> rewards_;
};

ModelBuilder& ModelBuilder::add_choices(const ChoiceArrays& arrays) {
  require_fitting(arrays);
  Parts::ArrayChoices(*this, *parts_, arrays).add();
  return *this;
}

}  // namespace quantiplan
