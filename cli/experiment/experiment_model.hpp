// A generated model of an experiment, with everything that it is made from: the columns of a table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiment/experiment_table.hpp"
#include "quantiplan/domains.hpp"

namespace quantiplan::cli {

struct ExperimentModel {
  std::string_view domain;
  std::vector<GivenParameter> given;

  [[nodiscard]] Model make() const { return generate(domain, given); }
  // The value of each parameter of the domain, given or usual, as text without commas: "1;3;5".
  [[nodiscard]] Cells values() const;
  // Of one parameter.
  [[nodiscard]] std::string value(std::string_view name) const;
};

// The names of a domain's parameters, as columns: "reward_of".
Cells parameter_columns(std::string_view domain);

}  // namespace quantiplan::cli
