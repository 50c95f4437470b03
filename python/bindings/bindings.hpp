// The parts of the extension module, each with what it adds to it.
//
// The module is private to the package: arguments are plain and positional, and python/quantiplan
// makes them what a user meets.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "quantiplan/quantiplan.hpp"

namespace quantiplan::python {

// A policy with the model that it is for.
struct PolicyHandle {
  Model model;
  Policy policy;
};

// What is known of a distribution, in arrays that Python may look at while it holds the object.
// Ascending as the model counts.
// Where wealth goes by classes, levels are their numbers, or not a number where they have none.
struct DistributionHandle {
  Model model;
  Distribution law;
  int sign = 1;
  std::vector<double> levels;
  std::vector<double> probabilities;
};
DistributionHandle distribution_handle(const Model& model, Distribution law, int sign);

void bind_errors(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_criteria(nanobind::module_& module);
void bind_queries(nanobind::module_& module);
void bind_policy(nanobind::module_& module);
void bind_accounts(nanobind::module_& module);
void bind_distribution(nanobind::module_& module);

}  // namespace quantiplan::python
