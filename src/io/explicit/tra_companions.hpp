// The files beside a .tra: labels, state and transition rewards, names of states.
//
//     .lab    0="init" 1="deadlock" 2="goal"    then  i: 2 ...      PRISM's
//             #DECLARATION / init goal / #END   then  i init ...    Storm's
//     .srew   n m      then  i r
//     .trew   n c m    then  i k j r       (DTMC: n m, then i j r)
//     .sta    (x,b)    then  i:(3,true)    a state named (x=3,b=true)
//
// Storm's reward files have no first line. Needs: texts that have passed check_text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/explicit/explicit_states.hpp"
#include "io/explicit/tra_rows.hpp"
#include "io/text/field_lines.hpp"
#include "io/text/placed_problems.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

LabelSets read_lab(std::string_view text, std::uint64_t state_count, PlacedProblems& problems);
StateNames read_sta(std::string_view text, std::uint64_t state_count, PlacedProblems& problems);

class StateRewards {
 public:
  void read(std::string_view text, const TraHeader& model, PlacedProblems& problems);
  // 0 where none was read.
  [[nodiscard]] Number operator[](std::uint32_t state) const;

 private:
  NumberInterner numbers_;
  std::vector<NumberId> of_state_;  // empty: all are 0
};

class TransitionRewards {
 public:
  void read(std::string_view text, const TraHeader& model, PlacedProblems& problems);
  // The reward of a transition that the .tra has.
  [[nodiscard]] Number take(const TraRow& transition);
  // What was never taken belongs to no transition.
  void report_left_over(PlacedProblems& problems) const;

 private:
  struct Entry {
    std::uint32_t state;
    std::uint32_t choice;
    std::uint32_t next;
    NumberId reward;
    std::uint64_t line;
  };
  static bool is_before(const Entry& a, const Entry& b);

  NumberInterner numbers_;
  std::vector<Entry> entries_;  // in ascending order
  std::vector<bool> is_taken_;
};

// What a comment '# Reward structure "time"' says; empty if there is none.
std::string name_of_rewards(std::string_view text);

}  // namespace quantiplan
