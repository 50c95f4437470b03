// Criteria beside the quantile: whole curves, measures of a distribution, and policies compared.
#include "quantiplan/criteria.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "answers.hpp"
#include "bindings.hpp"
#include "objects.hpp"
#include "quantiplan/comparison.hpp"
#include "watched.hpp"

namespace quantiplan::python {
namespace {

using Numerals = std::vector<std::string>;

// (measure, parameter or None, lower, upper, why there is none); neither a deviation nor a utility is a cost.
nb::object measured_object(const MeasuredValue& value, int sign) {
  const bool is_wealth =
      value.measure != Measure::standard_deviation && value.measure != Measure::utility;
  const int turned = is_wealth ? sign : 1;
  nb::object lower = nb::none();
  nb::object upper = nb::none();
  if (value.value) {
    lower = total_object(value.value->lower, turned);
    upper = total_object(value.value->upper, turned);
    if (turned < 0) std::swap(lower, upper);
  }
  return nb::make_tuple(std::string(to_text(value.measure)),
                        fraction_or_none(value.parameter),
                        lower,
                        upper,
                        value.why);
}

nb::list measured_list(const std::vector<MeasuredValue>& values, int sign) {
  nb::list out;
  for (const MeasuredValue& value : values) out.append(measured_object(value, sign));
  return out;
}

nb::list measure_for_python(const DistributionHandle& d,
                            const std::string& measures,
                            const Numerals& taus,
                            const Numerals& betas,
                            const std::optional<std::string>& utility,
                            bool is_table,
                            const nb::dict& options,
                            const nb::tuple& watch) {
  MeasureQuery query;
  query.measures = parse_measures(measures, "measures");
  for (const std::string& text : taus) query.taus.push_back(rational_of(text, "tau"));
  for (const std::string& text : betas) query.betas.push_back(rational_of(text, "beta"));
  if (utility)
    query.utility =
        is_table ? parse_utility_table(*utility, "utility") : utility_of(*utility, "utility");
  return measured_list(
      watched(options_of(options),
              watch,
              [&](const Options& watching) { return measure(d.law, query, watching); }),
      d.sign);
}

nb::dict curve_for_python(const ReadModel& read,
                          const nb::dict& given,
                          const nb::dict& options,
                          const nb::tuple& watch) {
  Query query = query_of(given);
  query.criterion = parse_curve_criterion(nb::cast<std::string>(given["curve"]), "criterion");
  const Answer curve = watched(options_of(options), watch, [&](const Options& watching) {
    return criterion_curve(read.model, query, watching);
  });
  const int sign = curve.model.cost ? -1 : 1;
  nb::list results;
  for (const Result& result : curve.results) {
    nb::dict point = result_object(read.model, curve, result, sign);
    point["parameter"] = fraction(result.optimum->criterion.parameter);
    point["variance"] = value_or_none(result.optimum->variance);
    results.append(point);
  }
  nb::dict out;
  out["results"] = results;
  out["complete"] = curve.is_complete;
  out["epsilon"] = fraction_or_none(curve.epsilon);
  add_common(out, curve.model, curve.engine, curve.work);
  return out;
}

// A list of criteria, or "all".
nb::dict compare_for_python(const ReadModel& read,
                            const nb::object& asked,
                            const nb::dict& given,
                            const nb::dict& options,
                            const nb::tuple& watch) {
  const Query query = query_of(given);
  std::vector<Criterion> criteria;
  if (nb::isinstance<nb::str>(asked)) {
    criteria = compared_criteria(query.criterion);
  } else {
    for (const nb::handle each : nb::cast<nb::list>(asked))
      criteria.push_back(criterion_of(each, "criteria"));
  }
  const quantiplan::Comparison table =
      watched(options_of(options), watch, [&](const Options& watching) {
        return compare_criteria(read.model, query, criteria, watching);
      });
  const int sign = table.model.cost ? -1 : 1;
  nb::list rows;
  for (const ComparedPolicy& row : table.rows)
    rows.append(nb::make_tuple(to_text(row.criterion),
                               measured_list(row.values, sign),
                               row.why,
                               std::string(to_text(row.status)),
                               sample_object(row.sample)));
  nb::dict out;
  out["tau"] = fraction(table.tau);
  out["rows"] = rows;
  out["text"] = comparison_text(table);
  return out;
}

}  // namespace

void bind_criteria(nb::module_& module) {
  // (kind, parameter or None, text, whether it is asked for each tau)
  module.def("criterion", [](const nb::object& given, const std::string& place) {
    const Criterion criterion = criterion_of(given, place);
    criterion.validate();
    const bool has_parameter = criterion.kind == Criterion::Kind::mean_cvar ||
                               criterion.kind == Criterion::Kind::entropic ||
                               criterion.kind == Criterion::Kind::mean_variance;
    return nb::make_tuple(std::string(to_text(criterion.kind)),
                          has_parameter ? fraction(criterion.parameter) : nb::none(),
                          to_text(criterion),
                          criterion.takes_tau());
  });
  module.def("measure", &measure_for_python);
  module.def("criterion_curve", &curve_for_python);
  module.def("compare", &compare_for_python);
}

}  // namespace quantiplan::python
