// The rows of a .tra or a .trew: transitions of an MDP or a DTMC, each with a number.
//
//     MDP    i k j x [a]      state, choice within it, next state, probability or reward, label
//     DTMC   i j x [a]        k is 0
//     rows   i x1:j1 x2:j2 [a]        one line a choice, in order (PRISM's -exportrows)
//
// Rows may stand in any order where they number their choices. A row that cannot be read gives a problem and is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/text/field_lines.hpp"
#include "io/text/placed_problems.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

struct TraRow {
  std::uint32_t state = 0;
  std::uint32_t choice = 0;
  std::uint32_t next = 0;
  Number value;
  std::string_view label;
  std::uint64_t line = 0;
};

// What the first line says.
struct TraHeader {
  bool is_dtmc = false;
  bool has_counts = true;  // not in Storm's variant, whose first line is mdp or dtmc
  std::uint64_t states = 0;
  std::uint64_t choices = 0;  // of an MDP
  std::uint64_t transitions = 0;
  std::uint64_t line = 0;
};

// Each nullopt, with a problem, if the text is none; `name` says what it is to be.
std::optional<std::uint32_t> state_number(std::string_view text,
                                          const char* name,
                                          std::uint64_t states,
                                          std::uint64_t line,
                                          PlacedProblems& problems);
std::optional<Number> number_of(std::string_view text,
                                const char* name,
                                std::uint64_t line,
                                PlacedProblems& problems);
// Reports that the first line says another count of something than there are.
void check_said_count(const char* what,
                      std::uint64_t said,
                      std::uint64_t found,
                      std::uint64_t line,
                      PlacedProblems& problems);

class TraRows {
 public:
  // `lines` stands at the header, or has not begun. `what` names the number: "probability".
  TraRows(FieldLines& lines, const TraHeader& header, const char* what, PlacedProblems& problems)
      : lines_(lines), header_(header), what_(what), problems_(problems) {}

  // The next row that can be read; false at the end, and after many problems.
  bool next(TraRow& row);
  // So far, those that could not be read included.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  bool read_line(TraRow& row);
  bool start_list(TraRow& row);
  bool read_listed(TraRow& row);
  bool read_state(std::string_view text, const char* name, std::uint32_t& into);
  bool read_value(std::string_view text, Number& into);

  FieldLines& lines_;
  const TraHeader& header_;
  const char* what_;
  PlacedProblems& problems_;
  std::uint64_t count_ = 0;
  // Of a line with x:j pairs: where the next stands, and where the label.
  std::size_t listed_at_ = 0;
  std::size_t listed_end_ = 0;
  TraRow listed_;
  std::optional<std::uint32_t> last_listed_state_;
};

}  // namespace quantiplan
