// Step 1: one choice after the other, checked and stored as it closes.
#include <algorithm>
#include <numeric>

#include "base/quoted.hpp"
#include "model/builder_parts.hpp"
#include "model/setting_range.hpp"
#include "model/shown.hpp"
#include "numbers/probability_sum.hpp"
#include "numbers/reward_decimals.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMostChoices = 0xFFFFFFFE;

bool is_above_one(const Number& value) {
  if (const Fraction* small = value.small()) return small->numerator > small->denominator;
  return value.rational() > 1;
}

}  // namespace

std::uint32_t ModelBuilder::Parts::use_state(std::string_view text, std::uint64_t line) {
  count_step();
  if (watch != nullptr) watch->ask_if_large(states.bytes_of_growth(text.size()));
  const std::uint32_t id = states.intern(text);
  if (id == is_declared.size()) {
    before_push(first_use);
    first_use.push_back(
        {line, static_cast<std::uint32_t>(choices.empty() ? 0 : choices.size() - 1)});
    is_declared.push_back(false);
    check_name(text, "a state", line);
  }
  return id;
}

void ModelBuilder::Parts::declare_next_state() {
  count_step();
  const auto id = static_cast<std::uint32_t>(is_declared.size());
  is_declared.push_back(true);
  before_push(declared);
  declared.push_back(id);
  // Those of one program are of one kind.
  if (id == 0) check_name(states[id], "a state", 0);
}

std::uint32_t ModelBuilder::Parts::declared_state(State position, std::uint64_t line) {
  if (index(position) < declared.size())
    return declared_in_order ? static_cast<std::uint32_t>(position) : declared[index(position)];
  reader_found_problems = true;
  choice_is_damaged = true;
  add_problem(line,
              "state number " + std::to_string(index(position)) +
                  " is not declared, must be below " + std::to_string(declared.size()));
  return declared.empty() ? use_state("?", line) : declared.front();
}

ModelBuilder::Parts::ChoiceRecord& ModelBuilder::Parts::open_choice(std::string_view action,
                                                                    std::uint64_t line) {
  close_choice();
  if (choices.size() >= kMostChoices) {
    throw Error(ErrorCode::refused, source, "more than 4294967294 choices");
  }
  choice_is_open = true;
  choice_is_damaged = false;
  choice_has_outcomes = false;
  pending.clear();
  pending_others.clear();
  count_step();
  before_push(choices);
  const std::size_t known = actions.size();
  const std::uint32_t id = actions.intern(action);
  if (actions.size() > known) check_name(action, "an action", line);
  if (line != 0 && choice_lines.empty()) choice_lines.resize(choices.size());
  if (line != 0 || !choice_lines.empty()) {
    before_push(choice_lines);
    choice_lines.push_back(line);
  }
  return choices.emplace_back(ChoiceRecord{0, id, outcomes.size()});
}

void ModelBuilder::Parts::add_outcome(std::uint32_t next,
                                      const Number& probability,
                                      const Number& reward,
                                      std::span<const Number> others,
                                      std::uint64_t line) {
  choice_has_outcomes = true;
  if (probability.sign() < 0 || is_above_one(probability)) {
    damage(line,
           "next state " + in_quotes(states[next]) + ": probability is " +
               shown(probability.rational()) + ", must be from 0 to 1");
  }
  if (!choice_is_damaged && !wealth_is_damaged && !wealth.is_sum()) {
    if (const std::string wrong = wrong_reward(wealth, reward); !wrong.empty())
      damage(line, "next state " + in_quotes(states[next]) + ": " + wrong);
  }
  if (choice_is_damaged || probability.sign() == 0) return;
  count_step();
  before_push(pending);
  if (watch != nullptr) watch->ask_if_large(numbers.bytes_of_growth());
  const auto position = static_cast<std::uint32_t>(pending.size());
  pending.push_back({next, settled_reward(reward), probability, position});
  for (std::size_t i = 0; i < other_count; ++i) {
    before_push(pending_others);
    pending_others.push_back(numbers.intern(i < others.size() ? others[i] : Number()));
  }
}

NumberId ModelBuilder::Parts::settled_reward(const Number& reward) {
  if (!wealth.has_numbers()) return numbers.intern(reward);
  if (decimals) {
    const Number round = rounded_to(reward, *decimals);
    if (round == reward) return numbers.intern(reward);
    ++rounded;
    most_rounded = std::max<Rational>(most_rounded, abs(reward.rational() - round.rational()));
    return numbers.intern(round);
  }
  const NumberId id = numbers.intern(reward);
  if (is_fine(reward)) note_fine(id);
  return id;
}

void ModelBuilder::Parts::note_fine(NumberId reward) {
  if (fine_rewards.size() < kMostFine) fine_rewards.insert(reward);
}

void ModelBuilder::Parts::close_choice() {
  if (!choice_is_open) return;
  choice_is_open = false;
  if (choice_is_damaged) return;
  if (!choice_has_outcomes) {
    damage(line_of(choices.back()), "no outcomes, must have at least one");
    return;
  }
  settle_probabilities();
  if (choice_is_damaged) return;
  merge_equal_outcomes();
  for (const PendingOutcome& o : pending) {
    count_step();
    before_push(outcomes);
    outcomes.push_back({State{o.next}, numbers.intern(o.probability), o.reward});
    for (std::size_t i = 0; i < other_count; ++i) {
      before_push(other_rewards);
      other_rewards.push_back(pending_others[o.position * other_count + i]);
    }
  }
  choices.back().outcome_end = outcomes.size();
}

void ModelBuilder::Parts::settle_probabilities() {
  ProbabilitySum sum;
  const ChoiceRecord& choice = choices.back();
  for (const PendingOutcome& o : pending) {
    count_step();
    if (sum.add(o.probability)) continue;
    damage(line_of(choice),
           "the probabilities have a common denominator of more than " +
               std::to_string(ProbabilitySum::kMostBits) + " bits, must be simpler fractions");
    return;
  }
  if (sum.is_one()) return;
  const Rational value = sum.value();
  if (abs(value - 1) > tolerance) {
    damage(line_of(choice), "probabilities sum to " + shown(value) + ", must be 1");
    return;
  }
  for (PendingOutcome& o : pending) o.probability = sum.share(o.probability);
  count_normalised(value);
}

void ModelBuilder::Parts::count_normalised(const Rational& sum) {
  ++normalised;
  if (abs(sum - 1) <= abs(worst_sum - 1)) return;
  const ChoiceRecord& choice = choices.back();
  worst_sum = sum;
  const std::string at = place(line_of(choice));
  worst_place = (at.empty() ? "" : at + ": ") + where(choice);
}

void ModelBuilder::Parts::merge_equal_outcomes() {
  const auto key = [this](std::uint32_t i) {
    return std::pair(pending[i].next, index(pending[i].reward));
  };
  const auto others = [this](std::uint32_t i) {
    return std::span(pending_others).subspan(pending[i].position * other_count, other_count);
  };
  const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
    if (key(a) != key(b)) return key(a) < key(b);
    return std::ranges::lexicographical_compare(others(a), others(b));
  };
  const auto is_equal = [&](std::uint32_t a, std::uint32_t b) {
    return key(a) == key(b) && std::ranges::equal(others(a), others(b));
  };
  bool ascend = true;  // as in arrays, where nothing is to be merged
  for (std::uint32_t i = 1; ascend && i < pending.size(); ++i) ascend = key(i - 1) < key(i);
  if (ascend) return;
  if (watch != nullptr) watch->ask_if_large(pending.size() * sizeof(std::uint32_t));
  std::vector<std::uint32_t> order(pending.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    count_step();  // one choice may have millions of outcomes
    return is_before(a, b) || (a < b && !is_before(b, a));
  });
  // The first of equals takes the probabilities of the others; those become 0 and are dropped.
  bool merged = false;
  for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
    if (!is_equal(order[i], order[first])) {
      first = i;
      continue;
    }
    Number& into = pending[order[first]].probability;
    into = into + pending[order[i]].probability;
    pending[order[i]].probability = Number();
    merged = true;
  }
  if (merged)
    std::erase_if(pending, [](const PendingOutcome& o) { return o.probability.sign() == 0; });
}

}  // namespace quantiplan
