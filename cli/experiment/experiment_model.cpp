#include "experiment/experiment_model.hpp"

#include <algorithm>

namespace quantiplan::cli {
namespace {

const Domain& domain_named(std::string_view name) {
  return *std::ranges::find(domain_table(), name, &Domain::name);
}

std::string value_of(const ExperimentModel& model, const DomainParameter& parameter) {
  const auto found = std::ranges::find(model.given, parameter.name, &GivenParameter::name);
  std::string text = found == model.given.end() ? parameter.usual : found->text;
  std::ranges::replace(text, ',', ';');
  return text;
}

}  // namespace

Cells ExperimentModel::values() const {
  Cells cells;
  for (const DomainParameter& parameter : domain_named(domain).parameters)
    cells.push_back(value_of(*this, parameter));
  return cells;
}

std::string ExperimentModel::value(std::string_view name) const {
  return value_of(
      *this, *std::ranges::find(domain_named(domain).parameters, name, &DomainParameter::name));
}

Cells parameter_columns(std::string_view domain) {
  Cells columns;
  for (const DomainParameter& parameter : domain_named(domain).parameters) {
    std::string& name = columns.emplace_back(parameter.name);
    std::ranges::replace(name, '-', '_');
  }
  return columns;
}

}  // namespace quantiplan::cli
