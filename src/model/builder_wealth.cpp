// What rewards mean: the wealth structure, the positions of labels and vectors, and their checks.
#include "base/quoted.hpp"
#include "model/builder_parts.hpp"
#include "model/setting_range.hpp"
#include "model/shown.hpp"

namespace quantiplan {

ModelBuilder& ModelBuilder::wealth(Wealth wealth, std::uint64_t line) {
  std::string wrong = wealth.problem();
  if (wrong.empty() && (parts_->choice_has_outcomes || !parts_->outcomes.empty()))
    wrong = "must be said before the first outcome";
  if (!wrong.empty()) {
    parts_->wealth_is_damaged = true;
    parts_->add_problem(line, "wealth: " + wrong);
    return *this;
  }
  parts_->reward_labels = {};
  for (const std::string& label : wealth.labels) parts_->reward_labels.intern(label);
  parts_->vectors.clear();
  for (std::uint32_t i = 0; i < wealth.vectors.size(); ++i)
    parts_->vectors.emplace(wealth.vectors[i], i);
  parts_->wealth = std::move(wealth);
  return *this;
}

std::optional<Number> ModelBuilder::reward(std::string_view label) const {
  const auto found = parts_->reward_labels.find(label);
  if (!parts_->wealth.has_labels() || !found) return std::nullopt;
  return Number(std::int64_t{*found});
}

std::optional<Number> ModelBuilder::reward(const std::vector<Rational>& vector) {
  Wealth& wealth = parts_->wealth;
  if (!wealth.has_vectors() || vector.size() != wealth.components.size()) return std::nullopt;
  const auto [at, is_new] =
      parts_->vectors.try_emplace(vector, static_cast<std::uint32_t>(wealth.vectors.size()));
  if (is_new) wealth.vectors.push_back(vector);
  return Number(std::int64_t{at->second});
}

std::string wrong_reward(const Wealth& wealth, const Number& reward) {
  if (wealth.kind == WealthKind::product && reward.sign() <= 0)
    return "reward is " + shown(reward.rational()) + ", must be above 0 in a product";
  if (wealth.has_numbers()) return {};
  const std::size_t count = wealth.has_vectors() ? wealth.vectors.size() : wealth.labels.size();
  const std::int64_t least = wealth.has_vectors() ? 0 : Wealth::kNoLabel;
  const Fraction* small = reward.small();
  if (small != nullptr && small->denominator == 1 && small->numerator >= least &&
      small->numerator < static_cast<std::int64_t>(count)) {
    return {};
  }
  return "reward is " + shown(reward.rational()) + ", must be the position of one of the " +
         std::to_string(count) + (wealth.has_vectors() ? " vectors" : " labels") +
         " of the wealth '" + std::string(to_text(wealth.kind)) + "'";
}

}  // namespace quantiplan
