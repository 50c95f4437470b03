#include "io/explicit/drn_model_reader.hpp"

#include <algorithm>

#include "base/quoted.hpp"
#include "io/explicit/drn_words.hpp"
#include "io/explicit/tra_rows.hpp"
#include "io/text/field_lines.hpp"
#include "io/text/model_formats.hpp"
#include "model/reward_choice.hpp"

namespace quantiplan {
namespace {

constexpr std::uint64_t kMostDrnStates = 0xFFFFFFFE;

// "state 0 ..." gives "0 ...".
std::optional<std::string_view> behind(std::string_view row, std::string_view keyword) {
  if (!row.starts_with(keyword)) return std::nullopt;
  const std::string_view rest = row.substr(keyword.size());
  if (!rest.empty() && rest[0] != ' ' && rest[0] != '\t') return std::nullopt;
  return without_blanks(rest);
}

std::string_view take_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest = without_blanks(rest.substr(end));
  return word;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// What Storm writes of a state's variables, "[x=1 & !b]", as "(x=1,b=false)"; empty if it is more
// than that.
std::string name_of_valuation(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return {};
  text = text.substr(1, text.size() - 2);
  std::string name;
  for (bool is_last = false; !is_last;) {
    const std::size_t end = text.find('&');
    is_last = end == std::string_view::npos;
    const std::string_view item = without_blanks(text.substr(0, end));
    text.remove_prefix(is_last ? text.size() : end + 1);
    const std::size_t equals = item.find('=');
    std::string_view variable = without_blanks(item.substr(0, equals));
    std::string_view value = "true";
    if (equals != std::string_view::npos) {
      value = without_blanks(item.substr(equals + 1));
    } else if (variable.starts_with('!')) {
      variable = without_blanks(variable.substr(1));
      value = "false";
    }
    const bool is_negative = value.starts_with('-');
    if (!is_identifier(variable) || !is_identifier(value.substr(is_negative ? 1 : 0))) return {};
    name.append(name.empty() ? "(" : ",").append(variable).append("=").append(value);
  }
  return name + ")";
}

}  // namespace

DrnModelReader::DrnModelReader(std::string_view text,
                               const std::string& source,
                               const ReadOptions& options,
                               ModelBuilder& builder)
    : rest_(text),
      options_(options),
      builder_(builder),
      problems_(all_, source),
      states_(builder, problems_) {}

std::vector<std::string> DrnModelReader::read() {
  read_header();
  all_.throw_if_any(ErrorCode::bad_model);
  chosen_ = choose_reward(
      reward_models_, options_.reward, problems_.source(), notices_, options_.all_rewards);
  if (chosen_) {
    other_rewards_ = options_.all_rewards ? reward_models_.size() - 1 : 0;
    builder_.reward_structures(reward_models_, *chosen_, options_.all_rewards);
  }
  builder_.is_chain(is_dtmc_);
  builder_.may_lack_choices();
  name_states();
  builder_.horizon(kInfiniteHorizon);
  read_states();
  check_counts();
  all_.throw_if_any(ErrorCode::bad_model);
  labels_.hand_over(builder_, names_, problems_.source(), notices_);
  states_.add_notices(notices_);
  return std::move(notices_);
}

bool DrnModelReader::next_line() {
  if (rest_.empty()) return false;
  row_ = without_blanks(take_line(rest_));
  ++line_;
  return true;
}

void DrnModelReader::name_states() {
  std::vector<std::string> names;
  NameInterner distinct;
  bool has_names = false;
  bool has_repeated_valuations = false;
  for (std::string_view text = rest_; !text.empty();) {
    std::string_view row = take_line(text);
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (behind(without_blanks(row), "state")) {
      names.push_back(std::to_string(names.size()));
      continue;
    }
    if (names.empty() || !row.starts_with("//")) continue;
    std::string name = row.starts_with(kNameComment)
                           ? std::string(row.substr(kNameComment.size()))
                           : name_of_valuation(without_blanks(row.substr(2)));
    if (name.empty()) continue;
    if (!row.starts_with(kNameComment)) {
      const std::size_t known = distinct.size();
      if (distinct.intern(name) < known) has_repeated_valuations = true;
    }
    names.back() = std::move(name);
    has_names = true;
  }
  state_count_ = names.size();
  if (state_count_ > kMostDrnStates)
    throw Error(ErrorCode::refused, problems_.source(), "more than 4294967294 states");
  if (has_repeated_valuations) {
    has_names = false;
    notices_.push_back(problems_.source() +
                       ": several states have the same variables: states are named by number");
  }
  if (has_names) names_.names = std::move(names);
  declare_states(builder_, names_, state_count_);
}

void DrnModelReader::read_states() {
  while (!all_.full() && next_line()) {
    if (row_.empty() || row_.starts_with("//")) continue;
    if (const auto state = behind(row_, "state")) {
      begin_state(*state);
    } else if (states_met_ == 0) {
      problem("found " + in_quotes(row_) + " before the first state, must be 'state 0'");
    } else if (const auto action = behind(row_, "action")) {
      begin_action(*action);
    } else {
      read_transition();
    }
  }
  end_state();
}

void DrnModelReader::begin_state(std::string_view rest) {
  end_state();
  const std::uint64_t expected = states_met_++;
  const std::string_view number = take_word(rest);
  if (whole_number(number) != expected)
    problem("found state " + in_quotes(number) + ", must be " + std::to_string(expected) +
            ": states are numbered from 0 in order");
  is_deadlock_ = false;
  state_reward_ = take_rewards(rest);
  read_labels(rest);
  states_.begin_state(State{static_cast<std::uint32_t>(expected)}, is_deadlock_);
}

void DrnModelReader::end_state() {
  if (states_met_ > 0 && !all_.any())
    states_.end_state(state_reward_.counted, state_reward_.others);
}

DrnModelReader::Rewards DrnModelReader::take_rewards(std::string_view& rest) {
  Rewards out{Number(), std::vector<Number>(other_rewards_)};
  if (!rest.starts_with('[')) return out;
  const std::size_t end = rest.find(']');
  if (end == std::string_view::npos) {
    problem("found " + in_quotes(rest) + ", must be rewards in brackets, such as [1, 0]");
    rest = {};
    return out;
  }
  std::string_view list = without_blanks(rest.substr(1, end - 1));
  rest = without_blanks(rest.substr(end + 1));
  std::size_t count = 0;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const auto value = number(without_blanks(list.substr(0, comma)), "reward");
    if (value && chosen_ == count) {
      out.counted = *value;
    } else if (value && count < reward_models_.size() && other_rewards_ > 0) {
      out.others[count < *chosen_ ? count : count - 1] = *value;
    }
    ++count;
    if (comma + 1 == list.size()) ++count;  // nothing behind the last comma: one too many
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  if (count != reward_models_.size())
    problem("found " + std::to_string(count) + (count == 1 ? " reward" : " rewards") +
            ", must be " + std::to_string(reward_models_.size()) +
            ", one for each of "
            "@reward_models");
  return out;
}

void DrnModelReader::read_labels(std::string_view rest) {
  while (!rest.empty() && !all_.full()) {
    if (rest[0] == '"') {
      const std::size_t end = rest.find('"', 1);
      if (end == std::string_view::npos || end == 1) {
        problem("label: found " + in_quotes(rest) + ", must be a name, closed by a quotation mark");
        return;
      }
      give_label(rest.substr(1, end - 1));
      rest = without_blanks(rest.substr(end + 1));
      continue;
    }
    const std::string_view word = take_word(rest);
    if (word[0] == '!' || word[0] == '{') {
      problem("found " + in_quotes(word) +
              ", must be a label: an MDP has neither rates nor "
              "observations");
      return;
    }
    give_label(word);
  }
}

void DrnModelReader::give_label(std::string_view name) {
  const State state{static_cast<std::uint32_t>(states_met_ - 1)};
  if (!labels_.give(labels_.add(name), state)) {
    problem("label " + in_quotes(name) + " is given twice, must be once");
    return;
  }
  if (name == kDeadlockLabel) is_deadlock_ = true;
}

void DrnModelReader::begin_action(std::string_view rest) {
  std::string_view name = take_word(rest);
  if (name.empty()) {
    problem("an action has no name, must be 'action NAME', or 'action " + std::string(kNoLabel) +
            "'");
    return;
  }
  if (is_dtmc_ && states_.has_choice())
    problem("state " + std::to_string(states_met_ - 1) +
            " has a second action, must have one in a DTMC");
  if (name == kNoLabel || whole_number(name) == states_.choice_count()) name = {};
  choice_reward_ = take_rewards(rest);
  if (!rest.empty()) problem("found " + in_quotes(rest) + " behind the action, must be nothing");
  states_.begin_choice(name, line_);
  ++choices_met_;
}

void DrnModelReader::read_transition() {
  const std::size_t colon = row_.find(':');
  const std::string_view target = without_blanks(row_.substr(0, colon));
  const auto next = whole_number(target);
  if (colon == std::string_view::npos || !next || *next >= state_count_) {
    problem("found " + in_quotes(row_) +
            ", must be 'state', 'action', or a transition 'next : "
            "probability' to one of the " +
            std::to_string(state_count_) + " states");
    return;
  }
  if (!states_.has_choice()) {
    if (!is_dtmc_) {
      problem("state " + std::to_string(states_met_ - 1) +
              ": a transition belongs to no action, must have an 'action' line above");
      return;
    }
    choice_reward_ = {Number(), std::vector<Number>(other_rewards_)};
    states_.begin_choice({}, line_);
    ++choices_met_;
  }
  if (const auto value = number(without_blanks(row_.substr(colon + 1)), "probability"))
    states_.add_outcome(State{static_cast<std::uint32_t>(*next)},
                        *value,
                        choice_reward_.counted,
                        choice_reward_.others,
                        line_);
}

std::optional<Number> DrnModelReader::number(std::string_view text, const char* what) {
  if (text.starts_with('$')) {
    const auto found = placeholders_.find(text);
    if (found != placeholders_.end()) return found->second;
    problem(std::string(what) + ": unknown placeholder " + in_quotes(text) +
            ", must be one of @placeholders");
    return std::nullopt;
  }
  return number_of(text, what, line_, problems_);
}

void DrnModelReader::check_counts() {
  if (all_.full()) return;
  const auto check = [&](const std::optional<SaidCount>& said,
                         std::uint64_t found,
                         const char* section,
                         const char* what) {
    if (said && said->count != found)
      problems_.add(said->line,
                    std::string(section) + " says " + std::to_string(said->count) +
                        ", but there are " + std::to_string(found) + what);
  };
  check(states_said_, states_met_, "@nr_states", " states");
  check(choices_said_, choices_met_, "@nr_choices", " choices");
}

std::vector<std::string> read_drn_model(std::string_view text,
                                        const std::string& source,
                                        const ReadOptions& options,
                                        ModelBuilder& builder) {
  return DrnModelReader(text, source, options, builder).read();
}

}  // namespace quantiplan
