// The equations of one level, with end components collapsed, ready to be solved again and again.
//
//     v(g) = max over options c of   f_c * ( sum over inner arcs of p v(g')
//                                          + sum over outer arcs of p row(g') )
//
// Groups g are the end components of the inner moves, and single slots elsewhere. Within a
// component one can go anywhere at no cost, so it has one value: that of its best way out, or 1 if
// staying counts; with neither, 0. Arcs from a group to itself are summed up: f = 1 / (1 - p_self).
// After that every policy leaves every set of groups almost surely, the equations have one
// solution, and no iteration from above can stick (semantics, section 4).
//
// Groups are numbered so that arcs between different blocks (strongly connected components of
// groups) lead to smaller numbers. Blocks of equal rank do not look at each other and are solved in
// parallel, each by one thread, so that results never depend on how many there are.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/limits.hpp"
#include "infinite/levels/moves.hpp"
#include "model/components.hpp"
#include "model/end_components.hpp"
#include "numbers/algebra.hpp"

namespace quantiplan {

// What is to be solved; vectors are by slot, choice or arc of the moves.
template <class A>
struct EquationInput {
  const Moves& moves;
  // 0: an inner arc. Else the arc looks at the row of that number.
  const std::vector<std::uint32_t>& row_of_arc;
  // Values that are known beforehand: ends, targets.
  const std::vector<std::optional<typename A::Value>>& fixed;
  bool staying_counts = false;
  const std::vector<bool>* allowed = nullptr;  // choices; null: all
};

template <class A>
class Equations {
 public:
  using Value = typename A::Value;
  using Row = std::vector<Value>;  // by group
  // By the number of a row, its values; that of row 0 are the level's own.
  using Rows = std::vector<const Value*>;
  static constexpr std::uint32_t kNoOption = ~std::uint32_t{0};

  struct Arc {
    std::uint32_t next;  // group
    std::uint32_t row;   // 0: inner
    typename A::Probability p;
  };
  struct Option {
    std::uint64_t arc_end;
    std::uint32_t choice;  // of the moves' graph
    typename A::Factor factor;
  };
  struct Block {
    std::uint32_t first;  // groups
    std::uint32_t end;
    bool is_cyclic;
  };

  explicit Equations(const EquationInput<A>& input);

  [[nodiscard]] std::size_t groups() const noexcept { return option_begin_.size() - 1; }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t slot) const { return group_of_[slot]; }
  [[nodiscard]] const std::vector<Block>& blocks() const noexcept { return blocks_; }
  // Blocks rank_begin()[r] .. rank_begin()[r+1] have rank r.
  [[nodiscard]] const std::vector<std::uint32_t>& rank_begin() const noexcept {
    return rank_begin_;
  }
  [[nodiscard]] std::uint32_t first_option(std::uint32_t group) const {
    return option_begin_[group];
  }
  [[nodiscard]] const Option& option(std::uint32_t number) const { return options_[number]; }
  [[nodiscard]] std::uint64_t first_arc(std::uint32_t option) const {
    return option == 0 ? 0 : options_[option - 1].arc_end;
  }
  [[nodiscard]] const Arc& arc(std::uint64_t number) const { return arcs_[number]; }
  // A row with the known values in place.
  [[nodiscard]] const Row& known() const noexcept { return known_; }
  [[nodiscard]] bool is_known(std::uint32_t group) const { return is_known_[group] != 0; }
  [[nodiscard]] std::size_t arcs() const noexcept { return arcs_.size(); }
  [[nodiscard]] std::size_t greatest_cycle() const noexcept { return greatest_cycle_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept;

  // f * ( sum of p v over the arcs of an option ).
  [[nodiscard]] Value worth(std::uint32_t number, const Rows& rows) const {
    return worth(first_arc(number), options_[number], rows);
  }
  // The same, for who goes through the options in their order.
  [[nodiscard]] Value worth(std::uint64_t first, const Option& option, const Rows& rows) const {
    Value sum = A::start();
    for (std::uint64_t i = first; i < option.arc_end; ++i)
      A::add(sum, arcs_[i].p, rows[arcs_[i].row][arcs_[i].next]);
    A::scale(sum, option.factor);
    return sum;
  }

  // The choice of a slot that follows from its group's option (kNoOption: staying, or nothing to
  // choose): within a component, towards the slot that has the option, by moves that come closer
  // with positive probability and so arrive almost surely. The first choice where nothing is at
  // stake; kNoOption where there is none. Remembers ways once found, so one thread asks at a time.
  [[nodiscard]] std::uint32_t choice(std::uint32_t slot, std::uint32_t option) const;

 private:
  void find_groups(const EquationInput<A>& input);
  [[nodiscard]] ArcLists arcs_between(const EquationInput<A>& input,
                                      const Components& by_group) const;
  void number_groups(const EquationInput<A>& input);
  void add_options(const EquationInput<A>& input);
  [[nodiscard]] std::uint32_t staying_choice(std::uint32_t slot) const;
  [[nodiscard]] std::unordered_map<std::uint32_t, std::uint32_t> ways_to(
      std::uint32_t group, std::uint32_t option) const;
  [[nodiscard]] bool is_allowed(const EquationInput<A>& input, std::uint32_t choice) const {
    return input.allowed == nullptr || (*input.allowed)[choice];
  }

  const Moves& moves_;
  EndComponents components_;
  std::vector<std::uint32_t> group_of_;  // by slot
  std::vector<std::uint32_t> member_begin_;
  std::vector<std::uint32_t> members_;  // slots by group
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> rank_begin_{0};
  std::vector<std::uint32_t> option_begin_{0};
  std::vector<Option> options_;
  std::vector<Arc> arcs_;
  Row known_;
  std::vector<std::uint8_t> is_known_;
  std::size_t greatest_cycle_ = 0;
  // By option of a component: the choices of its other slots that lead there.
  mutable std::unordered_map<std::uint32_t, std::unordered_map<std::uint32_t, std::uint32_t>> ways_;
};

extern template class Equations<Real>;
extern template class Equations<Exact>;
extern template class Equations<Sure>;
extern template class Equations<Possible>;

}  // namespace quantiplan
