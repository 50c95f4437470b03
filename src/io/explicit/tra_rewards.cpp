// Rewards of the states and the transitions of a .tra.
#include <algorithm>
#include <tuple>

#include "base/quoted.hpp"
#include "io/explicit/tra_companions.hpp"

namespace quantiplan {
namespace {

// How many rewards the first line says there are.
struct SaidCount {
  std::uint64_t count;
  std::uint64_t line;
};

// The first line: the counts of the model, and that of the rows that follow; nullopt with a
// problem if they are not those of the .tra.
std::optional<SaidCount> row_count(FieldLines& lines,
                                   const std::vector<std::uint64_t>& of_model,
                                   const char* expected,
                                   PlacedProblems& problems) {
  const bool has_line = lines.next();
  const auto& fields = lines.fields();
  std::vector<std::uint64_t> numbers;
  for (const std::string_view field : fields) {
    if (const auto number = whole_number(field)) numbers.push_back(*number);
  }
  if (!has_line || fields.size() != of_model.size() + 1 || numbers.size() != fields.size()) {
    problems.add(lines.line(),
                 std::string("the first line must be '") + expected + "', found " +
                     in_quotes(has_line ? lines.whole() : std::string_view()));
    return std::nullopt;
  }
  if (!std::equal(of_model.begin(), of_model.end(), numbers.begin())) {
    std::string counts;
    for (const std::uint64_t count : of_model) counts += std::to_string(count) + " ";
    problems.add(
        lines.line(),
        "found " + in_quotes(lines.whole()) + ", must begin with " + counts + "as the .tra does");
    return std::nullopt;
  }
  return SaidCount{numbers.back(), lines.line()};
}

}  // namespace

void StateRewards::read(std::string_view text, const TraHeader& model, PlacedProblems& problems) {
  FieldLines lines(text);
  std::optional<SaidCount> said;
  if (model.has_counts) {
    said = row_count(lines, {model.states}, "states rewards", problems);
    if (!said) return;
  }
  const NumberId zero = numbers_.intern(Number());
  of_state_.assign(model.states, zero);
  std::vector<bool> is_given(model.states, false);
  std::uint64_t count = 0;
  while (!problems.full() && lines.next()) {
    ++count;
    const auto& fields = lines.fields();
    if (fields.size() != 2) {
      problems.add(lines.line(),
                   "the row has " + std::to_string(fields.size()) +
                       (fields.size() == 1 ? " field" : " fields") + ", must be 'state reward'");
      continue;
    }
    const auto state = state_number(fields[0], "state", model.states, lines.line(), problems);
    if (!state) continue;
    const auto reward = number_of(fields[1], "reward", lines.line(), problems);
    if (is_given[*state])
      problems.add(lines.line(),
                   "state " + std::to_string(*state) + " is given twice, must be once");
    is_given[*state] = true;
    if (reward) of_state_[*state] = numbers_.intern(*reward);
  }
  if (said) check_said_count("rewards", said->count, count, said->line, problems);
}

Number StateRewards::operator[](std::uint32_t state) const {
  return of_state_.empty() ? Number() : numbers_.number(of_state_[state]);
}

bool TransitionRewards::is_before(const Entry& a, const Entry& b) {
  return std::tie(a.state, a.choice, a.next) < std::tie(b.state, b.choice, b.next);
}

void TransitionRewards::read(std::string_view text,
                             const TraHeader& model,
                             PlacedProblems& problems) {
  FieldLines lines(text);
  std::optional<SaidCount> said;
  if (model.has_counts) {
    said =
        model.is_dtmc
            ? row_count(lines, {model.states}, "states rewards", problems)
            : row_count(lines, {model.states, model.choices}, "states choices rewards", problems);
    if (!said) return;
  }
  TraRows rows(lines, model, "reward", problems);
  for (TraRow row; rows.next(row);)
    entries_.push_back({row.state, row.choice, row.next, numbers_.intern(row.value), row.line});
  if (said) check_said_count("rewards", said->count, rows.count(), said->line, problems);
  if (!std::is_sorted(entries_.begin(), entries_.end(), is_before))
    std::stable_sort(entries_.begin(), entries_.end(), is_before);
  const auto are_equal = [](const Entry& a, const Entry& b) {
    return std::tie(a.state, a.choice, a.next) == std::tie(b.state, b.choice, b.next);
  };
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    if (are_equal(entries_[i - 1], entries_[i]))
      problems.add(entries_[i].line,
                   "the same transition stands on line " + std::to_string(entries_[i - 1].line) +
                       ", must be once");
  }
  is_taken_.assign(entries_.size(), false);
}

Number TransitionRewards::take(const TraRow& transition) {
  const Entry wanted{transition.state, transition.choice, transition.next, NumberId{0}, 0};
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), wanted, is_before);
  if (at == entries_.end() || is_before(wanted, *at)) return {};
  is_taken_[static_cast<std::size_t>(at - entries_.begin())] = true;
  return numbers_.number(at->reward);
}

void TransitionRewards::report_left_over(PlacedProblems& problems) const {
  for (std::size_t i = 0; i < entries_.size() && !problems.full(); ++i) {
    if (is_taken_[i]) continue;
    const Entry& entry = entries_[i];
    problems.add(entry.line,
                 "state " + std::to_string(entry.state) + ", choice " +
                     std::to_string(entry.choice) + ": the .tra has no transition to state " +
                     std::to_string(entry.next) + ", must have one");
  }
}

std::string name_of_rewards(std::string_view text) {
  FieldLines lines(text);
  lines.next();
  for (const std::string_view comment : lines.comments()) {
    if (comment.find("eward structure") == std::string_view::npos) continue;
    const std::size_t open = comment.find('"');
    const std::size_t close = open == std::string_view::npos ? open : comment.find('"', open + 1);
    if (close != std::string_view::npos)
      return std::string(comment.substr(open + 1, close - open - 1));
  }
  return {};
}

}  // namespace quantiplan
