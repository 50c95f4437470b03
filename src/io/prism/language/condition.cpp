#include "io/prism/language/condition.hpp"

#include <algorithm>

#include "base/whole_text.hpp"
#include "io/prism/language/prism_parser.hpp"
#include "io/prism/language/property_parser.hpp"
#include "io/prism/language/scope.hpp"

namespace quantiplan {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_identifier(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text)
    if (!is_letter(c) && (c < '0' || c > '9')) return false;
  return true;
}

std::optional<std::int64_t> value_of(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  return number_in<std::int64_t>(text);
}

bool is_truth(std::string_view text) { return text == "true" || text == "false"; }

// Variables and labels of the states of a model, as values for compiled expressions.
class StateValues {
 public:
  explicit StateValues(const Model& model) : model_(model) {
    if (model.state_count() == 0) return;
    bool is_clear = true;  // of (x=1,x=2), what is x?
    for (const VariableText& variable : variables_of_name(model.state_name(State{0}))) {
      is_clear = is_clear && std::ranges::find(names_, variable.name) == names_.end();
      names_.emplace_back(variable.name);
      is_truth_.push_back(is_truth(variable.value));
    }
    if (!is_clear) names_.clear();
    for (std::uint32_t s = 0; s < model.state_count() && !names_.empty(); ++s) {
      if (!fits(variables_of_name(model.state_name(State{s})))) names_.clear();
    }
    values_.resize(names_.size() + model.labels().size() + 2);
  }

  void declare(prism::Scope& scope) const {
    for (std::size_t v = 0; v < names_.size(); ++v) {
      scope.add_variable(names_[v], {}, is_truth_[v] ? prism::Type::truth : prism::Type::whole);
    }
    for (const StateLabel& label : model_.labels()) scope.add_label_variable(label.name);
    scope.add_label_variable("init");
    scope.add_label_variable("deadlock");
  }

  // States must be asked for in ascending order.
  const std::int64_t* of(State s) {
    const auto variables = variables_of_name(model_.state_name(s));
    for (std::size_t v = 0; v < names_.size(); ++v) values_[v] = *value_of(variables[v].value);
    std::size_t at = names_.size();
    position_.resize(model_.labels().size());
    for (std::size_t l = 0; l < model_.labels().size(); ++l) {
      const auto& holders = model_.labels()[l].states;
      while (position_[l] < holders.size() && holders[position_[l]] < s) ++position_[l];
      values_[at++] = position_[l] < holders.size() && holders[position_[l]] == s ? 1 : 0;
    }
    const bool is_initial = model_.initial()
                                ? model_.initial()->contains(s)
                                : std::ranges::binary_search(model_.possible_initial(), s);
    values_[at++] = is_initial ? 1 : 0;
    values_[at] = model_.is_terminal(s) ? 1 : 0;
    return values_.data();
  }

 private:
  [[nodiscard]] bool fits(const std::vector<VariableText>& variables) const {
    if (variables.size() != names_.size()) return false;
    for (std::size_t v = 0; v < names_.size(); ++v) {
      if (variables[v].name != names_[v] || is_truth(variables[v].value) != is_truth_[v])
        return false;
    }
    return true;
  }

  const Model& model_;
  std::vector<std::string> names_;
  std::vector<bool> is_truth_;
  std::vector<std::int64_t> values_;
  std::vector<std::size_t> position_;  // in each label's states
};

}  // namespace

std::vector<VariableText> variables_of_name(std::string_view name) {
  if (name.size() < 2 || name.front() != '(' || name.back() != ')') return {};
  name = name.substr(1, name.size() - 2);
  std::vector<VariableText> variables;
  while (!name.empty()) {
    const std::size_t comma = std::min(name.find(','), name.size());
    const std::string_view part = name.substr(0, comma);
    const std::size_t sign = part.find('=');
    if (sign == std::string_view::npos) return {};
    const VariableText variable{part.substr(0, sign), part.substr(sign + 1)};
    if (!is_identifier(variable.name) || !value_of(variable.value)) return {};
    variables.push_back(variable);
    if (comma + 1 == name.size()) return {};  // a comma at the end
    name.remove_prefix(std::min(comma + 1, name.size()));
  }
  return variables;
}

std::vector<State> states_satisfying(const Model& model,
                                     const std::vector<Definition>& definitions,
                                     const std::string& text,
                                     const char* flag) {
  const prism::Expression expression = prism::parse_expression(text, flag);
  std::vector<prism::Formula> formulas;
  formulas.reserve(definitions.size());
  for (const Definition& definition : definitions)
    formulas.push_back({definition.name, {}, prism::parse_expression(definition.text, flag), {}});
  StateValues values(model);
  prism::Code code;
  prism::Complaints complaints(flag, prism::Complaints::Of::expression);
  prism::Scope scope(code, complaints);
  values.declare(scope);
  for (const prism::Formula& formula : formulas) scope.add(formula);
  const auto condition = scope.compile_as(prism::Type::truth, expression, "the condition");
  complaints.throw_if_any();
  std::vector<State> holders;
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    try {
      if (code.truth(*condition, values.of(State{s}))) holders.push_back(State{s});
    } catch (const prism::Fault& fault) {
      complaints.fail(fault.place,
                      "state " + std::string(model.state_name(State{s})) + ": " + fault.message);
    }
  }
  return holders;
}

Rational constant_value(const std::vector<Definition>& definitions,
                        const std::string& text,
                        const char* flag) {
  const prism::Expression expression = prism::parse_expression(text, flag);
  std::vector<prism::Formula> formulas;
  formulas.reserve(definitions.size());
  for (const Definition& definition : definitions)
    formulas.push_back({definition.name, {}, prism::parse_expression(definition.text, flag), {}});
  prism::Code code;
  prism::Complaints complaints(flag, prism::Complaints::Of::expression);
  prism::Scope scope(code, complaints);
  for (const prism::Formula& formula : formulas) scope.add(formula);
  const auto root = scope.compile_as(prism::Type::number, expression, "the number");
  complaints.throw_if_any();
  try {
    return code.number(*root, nullptr).rational();
  } catch (const prism::Fault& fault) {
    complaints.fail(fault.place, fault.message);
  }
}

PropertyList parse_properties(std::string_view text, const std::string& source) {
  return prism::parse_property_list(text, source);
}

}  // namespace quantiplan
