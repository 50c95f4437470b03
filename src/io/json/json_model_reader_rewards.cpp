// Rewards of a model file: numbers, labels or vectors, as the wealth says.
//
//     sum               the rewards of a choice and of its outcome are added
//     any other         one of the two, not both
//     left out          sum: 0; vectors: all 0; labels: none; max, min, product: a problem
#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "io/json/json_model_reader.hpp"

namespace quantiplan {
namespace {

std::string in_words(const Wealth& wealth) {
  return "the wealth '" + std::string(to_text(wealth.kind)) + "'";
}

}  // namespace

void JsonModelReader::read_reward(JsonValue found) {
  reward().is_given = true;
  const Wealth& wealth = declared_.wealth;
  if (declared_.is_damaged) return;
  if (wealth.has_numbers()) {
    if (auto value = number(found)) reward().value = *std::move(value);
    return;
  }
  if (wealth.has_vectors()) {
    const std::string wanted = "a list of " + std::to_string(wealth.components.size()) +
                               " numbers for " + in_words(wealth);
    wrong_kind(found, wanted.c_str());
    return;
  }
  if (found.kind != JsonKind::string) {
    wrong_kind(found, ("a string, a label of " + in_words(wealth)).c_str());
    return;
  }
  if (const auto position = builder_.reward(found.text)) {
    reward().value = *position;
    return;
  }
  NearestName nearest(found.text);
  for (const std::string& label : wealth.labels) nearest.offer(label);
  problem(line(),
          "reward: unknown label " + in_quotes(found.text) + ", must be one of the labels of " +
              in_words(wealth) + nearest.suggestion());
}

bool JsonModelReader::begin_vector() {
  if (declared_.is_damaged || !declared_.wealth.has_vectors()) {
    read_reward({JsonKind::list, ""});  // says what is expected
    return false;
  }
  reward().is_given = true;
  vector_.numbers.clear();
  vector_.count = 0;
  vector_.is_damaged = false;
  return true;
}

void JsonModelReader::read_component(JsonValue found) {
  ++vector_.count;
  const auto value = number(found, [] { return std::string("reward: "); });
  if (!value) {
    vector_.is_damaged = true;
  } else if (vector_.count <= declared_.wealth.components.size()) {
    vector_.numbers.push_back(value->rational());
  }
}

void JsonModelReader::finish_vector() {
  const std::size_t width = declared_.wealth.components.size();
  if (vector_.is_damaged) return;
  if (vector_.count != width) {
    problem(first_line(),
            "reward: found a list of " + std::to_string(vector_.count) + ", must be a list of " +
                std::to_string(width) + " numbers for " + in_words(declared_.wealth));
    return;
  }
  reward().value = *builder_.reward(vector_.numbers);
}

// Whether each outcome has a reward, and one only.
void JsonModelReader::check_rewards() {
  const Wealth& wealth = declared_.wealth;
  if (declared_.is_damaged || wealth.is_sum()) return;
  for (std::size_t i = 0; i < draft_.count; ++i) {
    const OutcomeDraft& outcome = draft_.outcomes[i];
    const bool has_both = outcome.reward.is_given && draft_.reward.is_given;
    const bool has_none = !outcome.reward.is_given && !draft_.reward.is_given;
    if (!has_both && !(has_none && wealth.has_numbers())) continue;
    problem(outcome.line,
            "next state " + in_quotes(outcome.to) + ": " +
                (has_both ? "both the choice and the outcome have a 'reward', must be one of them"
                          : "missing reward, must have one") +
                " for " + in_words(wealth));
    return;
  }
}

Number JsonModelReader::reward_of(const OutcomeDraft& outcome) {
  const Wealth& wealth = declared_.wealth;
  if (declared_.is_damaged) return {};
  if (wealth.is_sum()) return draft_.reward.value + outcome.reward.value;
  if (outcome.reward.is_given) return outcome.reward.value;
  if (draft_.reward.is_given) return draft_.reward.value;
  if (wealth.has_labels()) return Wealth::kNoLabel;
  if (wealth.has_numbers()) return {};  // reported as missing
  return *builder_.reward(std::vector<Rational>(wealth.components.size()));
}

}  // namespace quantiplan
