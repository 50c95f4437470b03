// The sections of a .drn before @model.
#include <algorithm>

#include "base/quoted.hpp"
#include "io/explicit/drn_model_reader.hpp"
#include "io/text/field_lines.hpp"

namespace quantiplan {
namespace {

std::optional<std::string_view> after(std::string_view row, std::string_view section) {
  if (!row.starts_with(section)) return std::nullopt;
  return without_blanks(row.substr(section.size()));
}

}  // namespace

void DrnModelReader::read_header() {
  while (!has_model_ && !all_.full() && next_line()) {
    if (row_.empty() || row_.starts_with("//")) continue;
    read_section();
  }
  if (all_.full()) return;
  if (!has_type_) problem("no '@type:' up to here, must be '@type: MDP' or '@type: DTMC'");
  if (!has_model_) problem("no '@model' up to here, must be there with states behind it");
}

void DrnModelReader::read_section() {
  if (const auto type = after(row_, "@type:")) {
    read_type(*type);
  } else if (const auto value_type = after(row_, "@value_type:")) {
    read_value_type(*value_type);
  } else if (row_ == "@parameters") {
    if (const std::string_view below = line_below(); !below.empty())
      problem("parameters: found " + in_quotes(below) +
              ", must be none: a parametric model has no "
              "probabilities");
  } else if (row_ == "@placeholders") {
    read_placeholders();
  } else if (row_ == "@reward_models") {
    FieldLines names(line_below());
    if (names.next()) reward_models_.assign(names.fields().begin(), names.fields().end());
  } else if (row_ == "@nr_states") {
    states_said_ = count_below();
  } else if (row_ == "@nr_choices") {
    choices_said_ = count_below();
  } else if (row_ == "@model") {
    has_model_ = true;
  } else {
    problem("found " + in_quotes(row_) +
            ", must be a section: @type:, @value_type:, @parameters, @placeholders, "
            "@reward_models, @nr_states, @nr_choices or @model");
  }
}

void DrnModelReader::read_type(std::string_view type) {
  has_type_ = true;
  const std::string known = lower_case(type);
  is_dtmc_ = known == "dtmc";
  if (is_dtmc_ || known == "mdp") return;
  const bool is_other = known == "ctmc" || known == "markov automaton" || known == "ma" ||
                        known == "pomdp" || known == "smg";
  if (!is_other) {
    problem("type: found " + in_quotes(type) + ", must be MDP or DTMC");
    return;
  }
  throw Error(ErrorCode::bad_model,
              problems_.source() + ":" + std::to_string(line_),
              "a " + std::string(type) + " is not supported, must be an MDP or a DTMC");
}

void DrnModelReader::read_value_type(std::string_view type) {
  if (type == "double" || type == "rational") return;
  const bool is_interval = type.find("interval") != std::string_view::npos;
  problem(
      "value_type: found " + in_quotes(type) + ", must be double or rational: " +
      (is_interval ? "interval MDPs and chains are not solved" : "parameters are not supported"));
}

void DrnModelReader::read_placeholders() {
  while (!without_blanks(rest_).starts_with('@') && !all_.full() && next_line()) {
    if (row_.empty() || row_.starts_with("//")) continue;
    const std::size_t colon = row_.find(':');
    const std::string_view name = without_blanks(row_.substr(0, colon));
    if (colon == std::string_view::npos || name.size() < 2 || name[0] != '$') {
      problem("placeholders: found " + in_quotes(row_) + ", must be '$name : number'");
      continue;
    }
    const auto value = number(without_blanks(row_.substr(colon + 1)), "placeholder");
    if (value && !placeholders_.emplace(name, *value).second)
      problem("placeholder " + in_quotes(name) + " is given twice, must be once");
  }
}

// The line below a section; none if another section stands there.
std::string_view DrnModelReader::line_below() {
  std::string_view ahead = rest_;
  if (without_blanks(take_line(ahead)).starts_with('@') || !next_line()) return {};
  return row_;
}

std::optional<DrnModelReader::SaidCount> DrnModelReader::count_below() {
  const std::string section(row_.substr(1));
  const std::string_view below = line_below();
  const auto count = whole_number(below);
  if (!count) {
    problem(section + ": found " + in_quotes(below) + ", must be a whole number");
    return std::nullopt;
  }
  return SaidCount{*count, line_};
}

}  // namespace quantiplan
