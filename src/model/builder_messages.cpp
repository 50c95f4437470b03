// How the builder speaks: "store.json:17" and "state 'idle', choice 'wait': what was found".
#include <algorithm>

#include "base/quoted.hpp"
#include "model/builder_parts.hpp"
#include "model/setting_range.hpp"
#include "model/shown.hpp"
#include "numbers/reward_decimals.hpp"

namespace quantiplan {
namespace {

// Of the rewards that leave no unit, one notice shows so many.
constexpr std::size_t kShownRewards = 3;

std::string choices_text(std::uint64_t count) {
  return count == 1 ? "1 choice" : std::to_string(count) + " choices";
}

}  // namespace

std::string ModelBuilder::Parts::place(std::uint64_t line) const {
  if (line == 0) return source;
  if (source.empty()) return "line " + std::to_string(line);
  return source + ":" + std::to_string(line);
}

std::string ModelBuilder::Parts::where(const ChoiceRecord& choice) const {
  return "state " + in_quotes(states[choice.state]) + ", choice " +
         in_quotes(actions[choice.action]) + ": ";
}

void ModelBuilder::Parts::add_problem(std::uint64_t line, std::string message) {
  if (problems.size() == Problems::kMost) {
    more_problems = true;
    return;
  }
  problems.push_back({line, std::move(message)});
}

void ModelBuilder::Parts::damage(std::uint64_t line, std::string message) {
  choice_is_damaged = true;
  add_problem(line, where(choices.back()) + std::move(message));
}

void ModelBuilder::Parts::write_notices() {
  const std::string from = source.empty() ? "" : source + ": ";
  if (normalised == 1) {
    notices.push_back(worst_place + "probabilities sum to " + shown(worst_sum) +
                      ", normalised to 1");
  } else if (normalised > 1) {
    notices.push_back(from + "the probabilities of " + choices_text(normalised) +
                      " were normalised to 1; the farthest off: " + worst_place + "sum " +
                      shown(worst_sum));
  }
  if (initial_sum) {
    const std::string at = place(initial.front().state.line);
    notices.push_back((at.empty() ? "" : at + ": ") + "initial: " + normalised_sum(*initial_sum));
  }
  if (rounded > 0) {
    notices.push_back(from + "the rewards of " + std::to_string(rounded) +
                      (rounded == 1 ? " outcome" : " outcomes") + " were rounded to " +
                      std::to_string(*decimals) + " decimals, by " + shown(most_rounded) +
                      " at most");
  }
  const bool has_unit = !wealth.is_sum() || (discount && *discount != 1);
  if (fine_rewards.empty() || has_unit) return;
  std::string list;
  std::size_t count = 0;
  for (const NumberId id : fine_rewards) {
    if (count++ == kShownRewards) break;
    list += (list.empty() ? "" : ", ") + shown(numbers.number(id).rational());
  }
  const bool is_one = fine_rewards.size() == 1;
  notices.push_back(
      from + (fine_rewards.size() == kMostFine ? "at least " : "") +
      std::to_string(fine_rewards.size()) + (is_one ? " reward has" : " rewards have") +
      " more than 9 decimals (" + list + (fine_rewards.size() > kShownRewards ? ", ..." : "") +
      "): " + (is_one ? "it leaves" : "they leave") +
      " no common unit of wealth, which may turn an exact answer into a bracket; rounding " +
      (is_one ? "it" : "them") + " helps (--round-rewards 6)");
}

void ModelBuilder::Parts::check_name(std::string_view text, const char* what, std::uint64_t line) {
  if (text.empty()) {
    reader_found_problems = true;  // another name was meant, which is unknown now
    add_problem(line, std::string(what) + " name is empty, must have at least one character");
  } else if (text.find('\0') != std::string_view::npos) {
    add_problem(line, std::string(what) + " name " + in_quotes(text) + " contains a NUL character");
  }
}

void ModelBuilder::Parts::throw_problems() {
  std::stable_sort(problems.begin(),
                   problems.end(),
                   [](const LinedProblem& a, const LinedProblem& b) { return a.line < b.line; });
  std::vector<Problem> all;
  for (LinedProblem& p : problems) all.push_back({place(p.line), std::move(p.message)});
  if (more_problems) all.back().message += " (further problems not shown)";
  if (!all.empty()) throw Error(ErrorCode::bad_model, std::move(all));
}

}  // namespace quantiplan
