// Answers as plain objects, and the queries that they answer.
//
// Totals and values are shown as the model counts them: where rewards are costs, `sign` is -1.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <optional>

#include "objects.hpp"
#include "quantiplan/quantiplan.hpp"

namespace quantiplan::python {

// What can be large is made when it is asked for.
struct OnRequest {
  Model model;
  int sign = 1;
  Later<Policy> policy;
  Later<Distribution> distribution;
};

nb::object handle_object(const Model& model,
                         int sign,
                         const Later<Policy>& policy,
                         const Later<Distribution>& distribution = {});

// The total that a result names, or the class, where wealth is no number.
nb::object level_object(const std::optional<Level>& level, int sign);

nb::dict result_object(const Model& model, const Answer& answer, const Result& result, int sign);

// Keys: taus and side, setting, and where they are given criterion, compare, prefer, mixed, mean_gap.
Query query_of(const nb::dict& given);
// A text as the program takes it, or (the text of a table of a utility,).
Criterion criterion_of(nb::handle given, const std::string& place);

void add_common(nb::dict& out,
                const ModelFacts& facts,
                const EngineReport& engine,
                const Work& work);

}  // namespace quantiplan::python
