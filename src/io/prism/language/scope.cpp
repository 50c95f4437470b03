// Names: their declaration, the values of constants, and what is left over.
#include "io/prism/language/scope.hpp"

#include <algorithm>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "io/prism/language/prism_parser.hpp"

namespace quantiplan::prism {
namespace {

const char* type_word(Type type) {
  constexpr const char* kWords[] = {"bool", "int", "double"};
  return kWords[static_cast<std::size_t>(type)];
}

}  // namespace

void Scope::declare(const std::string& name, Meaning meaning) {
  const auto [at, is_new] = meanings_.try_emplace(name, meaning);
  if (is_new) return;
  const Place first = at->second.place;
  complaints_.add(meaning.place,
                  "the name " + in_quotes(name) + " is declared twice, first on line " +
                      std::to_string(first.line) + "; expected another name");
}

void Scope::add(const Constant& constant) {
  declare(constant.name,
          {Kind::constant, static_cast<std::uint32_t>(constants_.size()), constant.place});
  constants_.push_back({&constant});
}

void Scope::add(const Formula& formula) {
  declare(formula.name,
          {Kind::formula, static_cast<std::uint32_t>(formulas_.size()), formula.place});
  formulas_.push_back(&formula);
}

void Scope::add(const Label& label) {
  if (!labels_.try_emplace(label.name, LabelMeaning{&label, 0}).second) {
    complaints_.add(label.place,
                    "the label " + in_quotes(label.name) + " is declared twice, expected once");
  }
}

void Scope::add_variable(const std::string& name, Place place, Type type) {
  declare(name, {Kind::variable, static_cast<std::uint32_t>(variable_types_.size()), place});
  variable_types_.push_back(type);
}

void Scope::add_label_variable(const std::string& name) {
  labels_.try_emplace(name,
                      LabelMeaning{nullptr, static_cast<std::uint32_t>(variable_types_.size())});
  variable_types_.push_back(Type::truth);
}

void Scope::give_constants(const std::vector<Definition>& given) {
  Complaints flag("--const", Complaints::Of::expression);
  for (const Definition& definition : given) give(definition, flag);
  flag.throw_if_any();
  require_values();
}

void Scope::give(const Definition& definition, Complaints& flag) {
  const std::string name = "the constant " + in_quotes(definition.name);
  const auto found = meanings_.find(definition.name);
  if (found == meanings_.end() || found->second.kind != Kind::constant) {
    NearestName nearest(definition.name);
    std::string all;
    for (const ConstantState& known : constants_) {
      nearest.offer(known.constant->name);
      if (!known.constant->value) all += (all.empty() ? "" : ", ") + known.constant->name;
    }
    flag.add({},
             "unknown constant " + in_quotes(definition.name) + ", expected " +
                 (all.empty() ? "none: the program leaves no constant undefined"
                              : "one of those the program leaves undefined: " + all) +
                 nearest.suggestion());
    return;
  }
  ConstantState& state = constants_[found->second.position];
  if (state.constant->value) {
    flag.add({},
             name + " has its value in the program, on line " +
                 std::to_string(state.constant->place.line) + "; expected one without");
  } else if (state.value || state.is_damaged) {
    flag.add({}, name + " is given twice, expected once");
  } else {
    // Numbers alone: no name of the program has a meaning here.
    Scope alone(code_, flag);
    state.value = alone.value_of(*state.constant, parse_expression(definition.text, "--const"));
    state.is_damaged = !state.value;
  }
}

void Scope::require_values() {
  std::string names;
  std::string flags;
  Place first;
  std::size_t count = 0;
  for (const ConstantState& state : constants_) {
    if (state.constant->value || state.value) continue;
    if (count == 0) first = state.constant->place;
    names += (count == 0 ? "" : ", ") + state.constant->name;
    flags += (count == 0 ? "" : ",") + state.constant->name + "=...";
    ++count;
  }
  if (count == 0) return;
  complaints_.fail(
      first,
      (count == 1 ? "the constant " + names + " has" : "the constants " + names + " have") +
          " no value; give --const " + flags);
}

void Scope::check() {
  for (std::uint32_t i = 0; i < constants_.size(); ++i) evaluate(i);
  complaints_.throw_if_any();
  for (const Formula* formula : formulas_) {
    if (complaints_.any()) break;  // others would follow from it
    expand(formula->name,
           "formula " + in_quotes(formula->name),
           formula->value,
           formula->place,
           nullptr);
  }
  for (const auto& [name, meaning] : labels_) {
    if (meaning.label != nullptr && !complaints_.any())
      compile_as(Type::truth, meaning.label->condition, "a label");
  }
  complaints_.throw_if_any();
}

void Scope::evaluate(std::uint32_t position) {
  if (constants_[position].value || constants_[position].is_damaged) return;
  const Constant& constant = *constants_[position].constant;
  constants_[position].is_open = true;
  ++open_constants_;
  constants_[position].value = value_of(constant, *constant.value);
  constants_[position].is_open = false;
  --open_constants_;
  constants_[position].is_damaged = !constants_[position].value;
}

std::optional<Number> Scope::value_of(const Constant& constant, const Expression& expression) {
  const std::string what = "the constant " + in_quotes(constant.name);
  const auto compiled = compile(expression);
  if (!compiled) return std::nullopt;
  if (!serves_as(constant.type, compiled->type)) {
    complaints_.add(
        expression.place,
        what + " is declared " + type_word(constant.type) + ", found " + to_text(compiled->type));
    return std::nullopt;
  }
  return value_of(compiled->root, constant.type, expression.place, what);
}

std::optional<Number> Scope::value_of(Root root, Type type, Place place, const std::string& what) {
  if (!code_.variables(root).empty()) {
    complaints_.add(place, what + " depends on a variable, expected constants only");
    return std::nullopt;
  }
  try {
    if (type == Type::truth) return Number(code_.truth(root, nullptr) ? 1 : 0);
    return code_.number(root, nullptr);
  } catch (const Fault& fault) {
    complaints_.add(fault.place, what + ": " + fault.message);
    return std::nullopt;
  }
}

std::optional<std::uint32_t> Scope::find_variable(const std::string& name) const {
  const auto found = meanings_.find(name);
  if (found == meanings_.end() || found->second.kind != Kind::variable) return std::nullopt;
  return found->second.position;
}

std::vector<Definition> Scope::definitions() const {
  std::vector<Definition> all;
  for (const ConstantState& state : constants_) {
    const Rational value = state.value->rational();
    std::string text = value.get_num().get_str();
    if (state.constant->type == Type::truth) text = value == 0 ? "false" : "true";
    // A double stays one: with a point, or as a quotient.
    if (state.constant->type == Type::number)
      text += value.get_den() == 1 ? ".0" : "/" + value.get_den().get_str();
    all.push_back({state.constant->name, std::move(text)});
  }
  for (const Formula* formula : formulas_) all.push_back({formula->name, formula->text});
  return all;
}

std::string Scope::unknown_name(const std::string& name) const {
  NearestName nearest(name);
  std::vector<std::string_view> known;
  for (const auto& [other, meaning] : meanings_) known.push_back(other);
  std::ranges::sort(known);  // so that the suggestion is the same in every run
  for (const std::string_view other : known) nearest.offer(other);
  if (complaints_.of() == Complaints::Of::program) {
    return "unknown name " + in_quotes(name) + ", expected a variable, a constant or a formula" +
           nearest.suggestion();
  }
  if (meanings_.empty() && labels_.empty())
    return "unknown name " + in_quotes(name) + ", expected a value without names";
  for (const auto& [label, meaning] : labels_) nearest.offer(label);
  return "unknown name " + in_quotes(name) +
         ", expected a variable, a constant, a formula or a label" + nearest.suggestion();
}

}  // namespace quantiplan::prism
