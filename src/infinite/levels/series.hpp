// V at the initial slots, level by level, computed as it is asked for; with what lies before and beyond.
//
// Levels begin at first(): 1 for gains (y = sigma_k; level 0 is the base), 0 for losses (y =
// -sigma_k).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "infinite/levels/epoch_pass.hpp"
#include "infinite/levels/whole.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

template <class A>
class Series {
 public:
  using Value = typename A::Value;

  // Ends, as if a limit were met, where a pass takes more multiply-adds than `most_work`.
  Series(const EpochProblem& problem, Limits& limits, std::uint64_t most_work)
      : problem_(problem), limits_(limits), most_work_(most_work) {}

  ~Series() { limits_.give_back(held_bytes_); }
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;

  // False if the limits ended it: then nothing below may be asked.
  bool prepare() {
    base_ = base_of<A>(problem_, limits_);
    return base_.has_value();
  }
  // The same for limit(), which single levels have no use for.
  bool prepare_limit() {
    if (!limit_) limit_ = limit_of<A>(problem_, *base_, limits_);
    return limit_.has_value();
  }
  [[nodiscard]] const EpochProblem& problem() const noexcept { return problem_; }
  [[nodiscard]] Limits& limits() const noexcept { return limits_; }
  [[nodiscard]] const WholeValues<A>& base() const { return *base_; }
  [[nodiscard]] const WholeValues<A>& limit() const { return *limit_; }

  [[nodiscard]] std::uint64_t first() const noexcept { return problem_.event.gains ? 1 : 0; }
  // Solves up to `level`; false if the limits ended it, or the levels end before (is_over).
  bool reach(std::uint64_t level) {
    if (!pass_ && count() <= level)
      pass_ = std::make_unique<EpochPass<A>>(problem_, base_->value, base_->error, limits_, false);
    while (count() <= level) {
      if (pass_->multiply_adds() > most_work_ || !advance()) return false;
      // How many levels there will be nobody knows: the bar comes closer to its end for ever.
      const auto levels = static_cast<double>(pass_->levels_solved());
      limits_.report("levels", levels / (levels + 1000));
      for (std::size_t start = 0; start < pass_->starts(); ++start)
        values_.push_back(pass_->value(start));
      errors_.push_back(pass_->error());
      sigma_.push_back(is_weightless() ? count() - 1 : pass_->sigma(pass_->level()));
    }
    return true;
  }
  [[nodiscard]] bool is_over() const noexcept { return pass_ && pass_->is_over(); }
  // Of a level that was reached.
  [[nodiscard]] const Value& value(std::uint64_t level, std::size_t start = 0) const {
    return level < first() ? base_->value[start]
                           : values_[(level - first()) * pass_->starts() + start];
  }
  [[nodiscard]] double error(std::uint64_t level) const {
    return level < first() ? base_->error : errors_[level - first()];
  }
  [[nodiscard]] std::uint64_t sigma(std::uint64_t level) const {
    return level < first() ? 0 : sigma_[level - first()];
  }
  // One more than the last level reached.
  [[nodiscard]] std::uint64_t count() const noexcept { return first() + errors_.size(); }
  [[nodiscard]] const EpochPass<A>* pass() const noexcept { return pass_.get(); }

 private:
  // Memory that is refused ends the levels as any limit does: what was found holds.
  bool advance() {
    try {
      // What is kept of every level: its number here and on the ladder, its value and its error.
      constexpr std::uint64_t kLevels = 256;
      const std::uint64_t bytes = kLevels * (24 + sizeof(Value) * pass_->starts());
      if (errors_.size() % kLevels == 0) {
        limits_.take(bytes, "the levels at the initial state");
        held_bytes_ += bytes;
      }
      return pass_->advance();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused) throw;
      most_work_ = 0;
      return false;
    }
  }
  [[nodiscard]] bool is_weightless() const noexcept {
    return problem_.weights.distinct.size() == 1;
  }

  const EpochProblem& problem_;
  Limits& limits_;
  std::uint64_t most_work_;
  std::uint64_t held_bytes_ = 0;
  std::optional<WholeValues<A>> base_;
  std::optional<WholeValues<A>> limit_;
  std::unique_ptr<EpochPass<A>> pass_;
  std::vector<Value> values_;
  std::vector<double> errors_;
  std::vector<std::uint64_t> sigma_;
};

}  // namespace quantiplan
