// The parameters of one domain by name, and what a domain is made of.
//
//     constexpr ParameterEntry<RiverParameters> kRiver[] = {
//         parameter<&RiverParameters::states>("states", "N", "number of states"), ...};
//     const Domain river_domain = domain_of<kRiver, river>("river", "a large reward upstream");
//
// A member pointer is all that an entry needs to know: its type decides how text is read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "domains/parameter_text.hpp"
#include "quantiplan/domains.hpp"

namespace quantiplan {

template <class Parameters>
struct ParameterEntry {
  using Owner = Parameters;
  std::string_view name;
  std::string_view value;
  std::string_view help;
  // Throws Error(bad_request, "--name", ...).
  void (*set)(Parameters&, std::string_view name, std::string_view text);
  std::string (*get)(const Parameters&);
};

template <class>
struct OwnerOf;
template <class Parameters, class Value>
struct OwnerOf<Value Parameters::*> {
  using Type = Parameters;
};

template <auto Member>
constexpr auto parameter(std::string_view name, std::string_view value, std::string_view help) {
  using Parameters = typename OwnerOf<decltype(Member)>::Type;
  return ParameterEntry<Parameters>{
      name,
      value,
      help,
      [](Parameters& into, std::string_view own_name, std::string_view text) {
        read_parameter(own_name, text, into.*Member);
      },
      [](const Parameters& from) { return parameter_text(from.*Member); }};
}

template <const auto& Table>
using ParametersOf = typename std::remove_cvref_t<decltype(Table[0])>::Owner;

// Needs parameters of the table only.
template <const auto& Table, auto Make>
Model make_by_table(std::span<const GivenParameter> given, WorkWatch* watch) {
  ParametersOf<Table> parameters;
  for (const GivenParameter& each : given) {
    for (const auto& entry : Table) {
      if (entry.name == each.name) entry.set(parameters, entry.name, each.text);
    }
  }
  return Make(parameters, watch);
}

template <const auto& Table, auto Make>
Domain domain_of(std::string_view name, std::string_view help) {
  Domain domain{name, help, {}, &make_by_table<Table, Make>};
  const ParametersOf<Table> usual;
  for (const auto& entry : Table) {
    domain.parameters.push_back({entry.name, entry.value, entry.help, entry.get(usual)});
  }
  return domain;
}

}  // namespace quantiplan
