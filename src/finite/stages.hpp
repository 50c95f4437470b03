// One problem laid out over time: which states are met when, and every reward as an integer.
//
//     layer 0 = initial states,   layer t+1 = successors of layer t,   t < horizon
//
// This is the ground all engines stand on. The effective horizon ends where only terminal states
// are left. Throws Error(refused) if the layers do not fit
// the memory limit. Where exact wealth does not fit 64-bit integers, has_keys() is false, and only
// problems rounded to a grid may be made of it. Cost: O(outcomes) per distinct layer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/limits.hpp"
#include "finite/layer.hpp"
#include "finite/shared_rows.hpp"
#include "finite/wealth_scale.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

class Stages {
 public:
  Stages(const Model& model, const ResolvedSetting& setting, Limits& limits);
  // From time 1 on every state in every layer, met or not, as the paper's induction has it. What is
  // computed for states that are not met means nothing.
  void add_states_not_met(Limits& limits);
  // The same problem with rewards rounded to a grid; shares the layers. Not complete if the limits
  // ended it; null: none.
  Stages(const Stages& laid_out,
         const Grid& grid,
         Rounding rounding,
         const Limits* limits = nullptr);
  // The same problem from one of its initial states, that of a slot of layer 0; shares all later layers,
  // which may hold states that are not met from it.
  [[nodiscard]] Stages from_start(std::size_t slot) const;

  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] const ResolvedSetting& setting() const noexcept { return setting_; }
  // Number of decisions at most: the asked horizon, or less if all episodes end before.
  [[nodiscard]] std::uint64_t horizon() const noexcept { return layers_.size() - 1; }
  [[nodiscard]] const Layer& layer(std::uint64_t time) const noexcept { return *layers_[time]; }
  // Initial states are the slots of layer 0. Draws one: sum over slots of mu(slot) value(slot), in N.
  [[nodiscard]] std::size_t starts() const noexcept { return setting_.initial.size(); }
  template <class N, class ValueOf>
  [[nodiscard]] N drawn(const ValueOf& value) const {
    if (starts() == 1) return value(0);
    N sum = 0;
    for (std::size_t slot = 0; slot < starts(); ++slot)
      sum += start_probability<N>(slot) * value(slot);
    return sum;
  }
  template <class N>
  [[nodiscard]] N start_probability(std::size_t slot) const {
    const Rational& mu = setting_.initial[slot].probability;
    if constexpr (std::is_same_v<N, Rational>) {
      return mu;
    } else {
      return to_nearest_double(mu);
    }
  }
  // Of the rounding of D: each time is a sum of products, and so is a draw.
  [[nodiscard]] std::uint64_t sums() const noexcept { return horizon() + (starts() > 1 ? 1 : 0); }
  [[nodiscard]] std::size_t most_terms() const noexcept {
    return std::max(model_.most_outcomes(), starts());
  }
  // True if both times have the same states, slot by slot.
  [[nodiscard]] bool same_layer(std::uint64_t a, std::uint64_t b) const noexcept {
    return layers_[a] == layers_[b];
  }
  // Choices that share a mixture, and which of these rows choices of a time have.
  [[nodiscard]] const SharedRows& rows() const noexcept { return *rows_; }
  [[nodiscard]] const std::vector<std::uint32_t>& rows_at(std::uint64_t time) const noexcept {
    return *rows_at_[time];
  }
  // What `of_row` makes of the outcomes of each row met at a time, by row: once for all choices
  // that share it.
  template <class T, class OfRow>
  [[nodiscard]] std::vector<T> by_row(std::uint64_t time, const OfRow& of_row) const {
    std::vector<T> out(rows_at(time).empty() ? 0 : rows().size());
    for (const std::uint32_t row : rows_at(time))
      out[row] = of_row(model_.outcomes(rows().example(row)));
    return out;
  }
  // True if the episode is over: the horizon is reached, or the state is terminal.
  [[nodiscard]] bool is_over(std::uint64_t time, State s) const noexcept {
    return time == horizon() || model_.is_terminal(s);
  }
  [[nodiscard]] const WealthScale& scale() const noexcept { return scale_; }
  [[nodiscard]] std::int64_t reward_key(std::uint64_t time, const Outcome& o) const noexcept {
    return scale_.key(time, o.reward);
  }
  // What is left to collect after a reward, in steps of the next time.
  [[nodiscard]] std::int64_t next_residual(std::uint64_t time,
                                           std::int64_t residual,
                                           const Outcome& o) const noexcept {
    return (residual - reward_key(time, o)) * (std::int64_t{1} << scale_.shift_after(time));
  }
  // True if wealth has integer keys: exact ones, or rounded to a grid.
  [[nodiscard]] bool has_keys() const noexcept { return scale_.fits(); }
  [[nodiscard]] const RewardsMet& rewards() const noexcept { return rewards_; }
  // True while everything was laid out; false if time ran out on the way (nothing may be asked
  // then).
  [[nodiscard]] bool complete() const noexcept { return complete_; }

 private:
  void lay_out(Limits& limits);
  void find_rows(const Limits& limits);
  [[nodiscard]] RewardsMet rewards_met(const Limits& limits) const;

  Model model_;
  ResolvedSetting setting_;
  bool complete_ = false;
  std::vector<std::shared_ptr<const Layer>> layers_;
  std::shared_ptr<const SharedRows> rows_;
  std::vector<std::shared_ptr<const std::vector<std::uint32_t>>> rows_at_;  // by time
  RewardsMet rewards_;
  WealthScale scale_;
};

}  // namespace quantiplan
