// Positions, and rewards that are no numbers, as words.
#include "report/class_report.hpp"
#include "report/report_json.hpp"

namespace quantiplan {
namespace {

std::size_t number_of(const Total& position) { return position.value().get_num().get_ui(); }

}  // namespace

std::string class_json(const WealthClasses& classes, const Total& position) {
  if (const auto number = classes.number(number_of(position))) return total_json(*number);
  return string_json(classes.text(number_of(position)));
}

std::string class_text(const WealthClasses& classes, const Total& position) {
  return classes.text(number_of(position));
}

std::string number_or_text_json(bool is_number, const std::string& text) {
  if (is_number) {
    if (const auto number = Number::try_parse(text)) return exact_json(number->rational());
  }
  return string_json(text);
}

std::string reward_text(const Model& model, const Rational& reward) {
  const Wealth& wealth = model.wealth();
  if (wealth.has_numbers()) return to_text(reward);
  if (reward < 0) return "-";
  const std::size_t at = reward.get_num().get_ui();
  if (wealth.has_labels()) return wealth.labels[at];
  std::string text = "(";
  for (const Rational& component : wealth.vectors[at])
    text += (text.size() > 1 ? ", " : "") + to_text(component);
  return text + ")";
}

}  // namespace quantiplan
