// Models made on request: random ones, the paper's data centre, and the small classics.
//
//     Model model = generate("machine", {{"levels", "20"}, {"discount", "0.95"}});
//
// Guarantees: the same domain with the same parameters is the same model on every platform; it has
// a name, a horizon, a discount and an initial state, so that it can be solved as it is. What each
// domain means, as formulas: docs/domains.md. One table (domain_table) drives the command line's
// flags, its help, and the check of that page.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan {

// A parameter as text, by name.
struct GivenParameter {
  std::string name;
  std::string text;
};

struct DomainParameter {
  std::string_view name;   // "initial-wear" is the flag --initial-wear
  std::string_view value;  // placeholder in help: "N"
  std::string_view help;
  std::string usual;  // the value it has if it is not given, in the form that may be given
};

struct Domain {
  std::string_view name;
  std::string_view help;
  std::vector<DomainParameter> parameters;
  // What generate() calls once it knows the names to be right.
  Model (*make)(std::span<const GivenParameter> given, WorkWatch* watch);
};

std::span<const Domain> domain_table();

// Parameters that are not given have their usual values. Throws Error(bad_request): with the place
// "domain" if there is none of this name; with the place "--name" if a parameter is unknown or
// given twice, its text cannot be read, or its value lies outside its bounds. Of the options it
// reads the limits, beyond which it throws Error(refused).
Model generate(std::string_view domain,
               const std::vector<GivenParameter>& given = {},
               const Options& options = {});

}  // namespace quantiplan
