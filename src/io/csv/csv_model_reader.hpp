// Reads the exchange form of the risk-averse MDP community (docs/model-format.md).
//
//     idstatefrom,idaction,idstateto,probability,reward     (any order; idoutcome may be there too)
//     state,action,next,probability,reward                  (the same; also next_state or to)
//
// 1. every row is read into 20 bytes (ids of names and numbers)   2. rows are grouped by (state,
// action), wherever they stand   3. the groups go to the builder. Cost: O(rows), no comparison of
// names.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv/csv_rows.hpp"
#include "numbers/interner.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

class CsvModelReader {
 public:
  explicit CsvModelReader(ModelBuilder& builder) : builder_(builder) {}
  void read(std::string_view text);

 private:
  enum Column : std::size_t { kFrom, kAction, kTo, kProbability, kReward, kOutcomeId, kColumns };
  struct Row {
    std::uint32_t choice;
    std::uint32_t next;
    NumberId probability;
    NumberId reward;
    std::uint32_t line;
  };
  struct Group {
    std::uint32_t state;
    std::uint32_t action;
    std::uint64_t line;
    bool is_damaged;  // a row of it could not be read: its sum says nothing
  };

  bool read_header(const CsvRows& rows);
  void read_row(const CsvRows& rows);
  void drop_row(std::uint64_t line, std::string message);
  std::uint32_t choice_of(std::string_view state, std::string_view action, std::uint64_t line);
  NumberId number(const CsvRows& rows, Column column, Group& group);
  void declare_states();
  void hand_over_choices();

  ModelBuilder& builder_;
  std::array<std::size_t, kColumns> position_{};
  std::size_t width_ = 0;
  bool has_dropped_rows_ = false;  // whose choice is unknown: then no sum says anything
  NameInterner states_;
  std::vector<State> state_of_;  // by id of states_, in the order of the model
  NameInterner actions_;
  NumberInterner numbers_;
  IdSlots slots_;
  std::vector<Group> groups_;
  std::vector<Row> rows_;
};

}  // namespace quantiplan
