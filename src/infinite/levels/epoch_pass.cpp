#include "infinite/levels/epoch_pass.hpp"

#include <algorithm>
#include <type_traits>

namespace quantiplan {
namespace {

template <class A>
std::vector<std::optional<typename A::Value>> ends_of(const Moves& moves, const Event& event) {
  std::vector<std::optional<typename A::Value>> fixed(moves.slots());
  for (std::size_t v = 0; v < moves.slots(); ++v) {
    if (moves.end[v] == End::none) continue;
    const bool counts = moves.end[v] == End::goal ? event.goal_counts() : event.other_end_counts();
    fixed[v] = counts ? A::one() : A::zero();
  }
  return fixed;
}

template <class A>
Equations<A> level_equations(const EpochProblem& problem) {
  const auto fixed = ends_of<A>(problem.moves, problem.event);
  return Equations<A>(
      {problem.moves, problem.weights.of_arc, fixed, problem.event.staying_counts(), nullptr});
}

}  // namespace

void DecisionRecord::add(std::uint64_t level, const std::vector<std::uint32_t>& options) {
  for (std::size_t g = 0; g < runs_.size(); ++g) {
    if (!runs_[g].empty() && runs_[g].back().option == options[g]) continue;
    runs_[g].push_back({level, options[g]});
    ++count_;
  }
}

std::uint32_t DecisionRecord::at(std::uint32_t group, std::uint64_t level) const {
  const auto& runs = runs_[group];
  const auto after = std::ranges::upper_bound(runs, level, {}, &Run::from);
  return (after - 1)->option;
}

template <class A>
EpochPass<A>::EpochPass(const EpochProblem& problem,
                        const std::vector<Value>& base,
                        double base_error,
                        Limits& limits,
                        bool record)
    : problem_(problem),
      limits_(limits),
      equations_(level_equations<A>(problem)),
      fixpoint_(equations_, limits),
      ladder_(problem.weights.distinct, problem.event.gains),
      base_(equations_.groups()),
      records_(record),
      record_(record ? equations_.groups() : 0),
      error_(base_error) {
  for (std::uint32_t v = 0; v < problem.moves.starts; ++v)
    starts_.push_back(equations_.group_of(v));
  for (std::uint32_t v = 0; v < problem.moves.slots(); ++v) base_[equations_.group_of(v)] = base[v];
  const std::uint64_t bytes = equations_.bytes() + base_.size() * sizeof(Value);
  limits_.take(bytes, "the equations of a level");
  held_bytes_ = bytes;
}

template <class A>
EpochPass<A>::~EpochPass() {
  limits_.give_back(held_bytes_);
}

template <class A>
bool EpochPass<A>::advance() {
  if (is_over_) return false;
  if (has_begun_ || problem_.event.gains) {
    // Without a positive weight gains have one level, of all y > 0, and losses that of y <= 0.
    const bool weightless = problem_.weights.distinct.size() == 1;
    if (weightless && has_begun_) is_over_ = true;
    if (is_over_) return false;
    if (!weightless && !ladder_.climb()) {
      is_over_ = true;
      return false;
    }
    if (!has_begun_) first_row_ = weightless ? 0 : 1;
  }
  has_begun_ = true;
  return solve_level();
}

template <class A>
bool EpochPass<A>::solve_level() {
  typename Equations<A>::Rows rows(problem_.weights.distinct.size(), base_.data());
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::uint64_t level = ladder_.referred(i);
    if (level != Ladder::kBase) rows[i] = rows_[level - first_row_].data();
  }
  // The last level's values are where this one's search begins.
  Row values = rows_.empty() ? Row() : rows_.back();
  if (!fixpoint_.solve(std::move(rows), values, options_)) return false;
  if constexpr (std::is_same_v<A, Real>) error_ += fixpoint_.error();
  const std::uint64_t row_bytes = values.size() * sizeof(Value);
  limits_.take(row_bytes, "the levels that can be referred to");
  held_bytes_ += row_bytes;
  rows_.push_back(std::move(values));
  while (rows_.size() > 1 && first_row_ < ladder_.least_referred()) {
    rows_.pop_front();
    ++first_row_;
    limits_.give_back(row_bytes);
    held_bytes_ -= row_bytes;
  }
  if (records_) {
    const std::uint64_t before = record_.bytes();
    record_.add(ladder_.level(), options_);
    limits_.take(record_.bytes() - before, "the decisions of the policy");
    held_bytes_ += record_.bytes() - before;
  }
  ++solved_;
  return true;
}

template class EpochPass<Real>;
template class EpochPass<Exact>;
template class EpochPass<Sure>;
template class EpochPass<Possible>;

}  // namespace quantiplan
