#include "io/csv/csv_model_reader.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "io/state_order.hpp"
#include "io/text/field_lines.hpp"
#include "io/text/model_formats.hpp"

namespace quantiplan {
namespace {

constexpr std::array<std::string_view, 6> kNames{
    "idstatefrom", "idaction", "idstateto", "probability", "reward", "idoutcome"};
// The plain words that people use, with what they mean.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kPlainNames{
    {{"state", "idstatefrom"},
     {"action", "idaction"},
     {"next", "idstateto"},
     {"next_state", "idstateto"},
     {"to", "idstateto"}}};
constexpr std::size_t kRequired = 5;
constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();

std::string known_columns() {
  std::string list;
  for (std::size_t i = 0; i < kRequired; ++i) list += (i == 0 ? "" : ",") + std::string(kNames[i]);
  return list;
}

std::string as_the_format_names(const std::string& name) {
  const auto plain =
      std::ranges::find(kPlainNames, name, &std::pair<std::string_view, std::string_view>::first);
  return plain == kPlainNames.end() ? name : std::string(plain->second);
}

std::uint64_t pair_hash(std::uint32_t x, std::uint32_t y) noexcept {
  std::uint64_t h = (std::uint64_t{x} << 32U | y) * 0x9E3779B97F4A7C15U;
  h = (h ^ h >> 29U) * 0xBF58476D1CE4E5B9U;
  return h ^ h >> 32U;
}

}  // namespace

void CsvModelReader::read(std::string_view text) {
  CsvRows rows(text, separator_of(text));
  if (rows.next()) {
    if (!read_header(rows)) return;
    const std::uint64_t header = rows.line();
    bool has_rows = false;
    for (; !builder_.has_enough_problems() && rows.next(); has_rows = true) read_row(rows);
    if (!has_rows && !rows.fault())
      builder_.problem(header, "found no rows below the header, must be one for each outcome");
  }
  if (rows.fault()) drop_row(rows.fault()->line, rows.fault()->message);
  declare_states();
  if (!has_dropped_rows_) hand_over_choices();
}

bool CsvModelReader::read_header(const CsvRows& rows) {
  bool is_fine = true;
  const auto wrong = [&](const std::string& message) {
    is_fine = false;
    builder_.problem(rows.line(), "header: " + message);
  };
  position_.fill(kAbsent);
  width_ = rows.fields().size();
  for (std::size_t i = 0; i < width_; ++i) {
    const std::string name = as_the_format_names(lower_case(rows.fields()[i]));
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    if (found == kNames.end()) {
      NearestName nearest(name);
      for (const std::string_view known : kNames) nearest.offer(known);
      for (const auto& [plain, known] : kPlainNames) nearest.offer(plain);
      wrong("unknown column " + in_quotes(rows.fields()[i]) + ", must be one of " +
            known_columns() + ",idoutcome" + nearest.suggestion());
      continue;
    }
    std::size_t& position = position_[static_cast<std::size_t>(found - kNames.begin())];
    if (position != kAbsent)
      wrong("column " + in_quotes(name) + " is given twice, must be given once");
    position = i;
  }
  for (std::size_t i = 0; i < kRequired; ++i) {
    if (position_[i] == kAbsent) wrong("missing column '" + std::string(kNames[i]) + "'");
  }
  return is_fine;
}

void CsvModelReader::read_row(const CsvRows& rows) {
  if (rows.fields().size() != width_) {
    drop_row(rows.line(),
             "the row has " + std::to_string(rows.fields().size()) + " fields, must have " +
                 std::to_string(width_) + " as the header");
    return;
  }
  const auto field = [&](Column column) { return rows.fields()[position_[column]]; };
  for (const Column column : {kFrom, kAction, kTo}) {
    if (field(column).empty()) {
      drop_row(rows.line(), std::string(kNames[column]) + ": the field is empty, must have a name");
      return;
    }
  }
  const std::uint32_t choice = choice_of(field(kFrom), field(kAction), rows.line());
  const std::uint32_t next = states_.intern(field(kTo));
  const NumberId probability = number(rows, kProbability, groups_[choice]);
  const NumberId reward = number(rows, kReward, groups_[choice]);
  constexpr std::uint64_t kMostLine = std::numeric_limits<std::uint32_t>::max();
  const auto line = static_cast<std::uint32_t>(std::min(rows.line(), kMostLine));
  rows_.push_back({choice, next, probability, reward, line});
}

void CsvModelReader::drop_row(std::uint64_t line, std::string message) {
  has_dropped_rows_ = true;
  builder_.problem(line, std::move(message));
}

NumberId CsvModelReader::number(const CsvRows& rows, Column column, Group& group) {
  std::string why;
  if (const auto found = Number::try_parse(rows.fields()[position_[column]], &why)) {
    return numbers_.intern(*found);
  }
  group.is_damaged = true;
  builder_.problem(rows.line(),
                   "state " + in_quotes(states_[group.state]) + ", choice " +
                       in_quotes(actions_[group.action]) + ": " + std::string(kNames[column]) +
                       ": " + why);
  return numbers_.intern(Fraction{});
}

std::uint32_t CsvModelReader::choice_of(std::string_view state,
                                        std::string_view action,
                                        std::uint64_t line) {
  // Most files keep the rows of a choice together: then nothing is looked up.
  if (!rows_.empty()) {
    const Group& last = groups_[rows_.back().choice];
    if (states_[last.state] == state && actions_[last.action] == action) return rows_.back().choice;
  }
  const std::uint32_t s = states_.intern(state);
  const std::uint32_t a = actions_.intern(action);
  const std::uint32_t found = slots_.find(pair_hash(s, a), [&](std::uint32_t id) {
    return groups_[id].state == s && groups_[id].action == a;
  });
  if (found != IdSlots::kNone) return found;
  if (groups_.size() >= IdSlots::kNone)
    throw Error(ErrorCode::refused, "", "more than 4294967295 choices");
  const auto id = static_cast<std::uint32_t>(groups_.size());
  groups_.push_back({s, a, line, false});
  slots_.insert(pair_hash(s, a), id, [&](std::uint32_t old) {
    return pair_hash(groups_[old].state, groups_[old].action);
  });
  return id;
}

void CsvModelReader::declare_states() {
  std::vector<std::string_view> names(states_.size());
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = states_[i];
  state_of_.resize(names.size());
  std::uint32_t position = 0;
  for (const std::uint32_t i : order_of_ids(names)) {
    builder_.declare_state(names[i]);
    state_of_[i] = State{position++};
  }
}

void CsvModelReader::hand_over_choices() {
  // Rows by choice: a stable counting sort.
  std::vector<std::uint64_t> begin(groups_.size() + 1, 0);
  for (const Row& row : rows_) ++begin[row.choice + std::size_t{1}];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  if (!std::is_sorted(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
        return a.choice < b.choice;
      })) {
    std::vector<Row> sorted(rows_.size());
    std::vector<std::uint64_t> at(begin.begin(), begin.end() - 1);
    for (const Row& row : rows_) sorted[at[row.choice]++] = row;
    rows_ = std::move(sorted);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].is_damaged) continue;
    builder_.begin_choice(
        state_of_[groups_[g].state], actions_[groups_[g].action], groups_[g].line);
    for (std::uint64_t i = begin[g]; i < begin[g + 1]; ++i) {
      const Row& row = rows_[i];
      builder_.add_outcome(state_of_[row.next],
                           numbers_.number(row.probability),
                           numbers_.number(row.reward),
                           row.line);
    }
  }
}

void read_csv_model(std::string_view text, ModelBuilder& builder) {
  CsvModelReader(builder).read(text);
}

}  // namespace quantiplan
