#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "answers.hpp"
#include "bindings.hpp"
#include "objects.hpp"

namespace quantiplan::python {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double double_of(const Total& total, int sign) {
  if (total.is_finite()) return sign * to_nearest_double(total.value());
  if (total.is_miss()) return std::numeric_limits<double>::quiet_NaN();
  return total.kind() == Total::Kind::plus_infinity ? sign * kInfinity : -sign * kInfinity;
}

// Position i of the arrays is this atom: costs ascend where wealth descends.
const Atom& atom_at(const DistributionHandle& d, std::size_t i) {
  return d.sign > 0 ? d.law.atoms[i] : d.law.atoms[d.law.atoms.size() - 1 - i];
}

nb::object view(const std::vector<double>& values, nb::handle owner) {
  return nb::cast(
      nb::ndarray<nb::numpy, const double, nb::ndim<1>>(values.data(), {values.size()}, owner));
}

nb::dict quantile_object(const DistributionHandle& d, const QuantileOfDistribution& q) {
  const int sign = d.sign;
  nb::dict out;
  out["tau"] = fraction(q.tau);
  out["side"] = std::string(to_text(q.side));
  out["lower"] = level_object(sign > 0 ? q.lower : q.upper, sign);
  out["upper"] = level_object(sign > 0 ? q.upper : q.lower, sign);
  out["open_below"] = sign > 0 ? q.open_below : q.open_above;
  out["open_above"] = sign > 0 ? q.open_above : q.open_below;
  return out;
}

// Of totals P(W >= w), of costs P(C <= c).
Level level_of(const DistributionHandle& d, const std::string& text) {
  if (!d.law.classes) return total_of(text, d.sign, "level");
  const auto at = position_of(text, *d.law.classes, d.model.wealth());
  if (!at)
    throw Error(ErrorCode::bad_request,
                "level",
                "found '" + text + "', expected a class of wealth by its text");
  return {d.law.classes, *at};
}

}  // namespace

DistributionHandle distribution_handle(const Model& model, Distribution law, int sign) {
  DistributionHandle d{model, std::move(law), sign, {}, {}};
  if (d.law.classes) d.sign = 1;  // classes ascend from worst to best, whatever rewards are
  for (std::size_t i = 0; i < d.law.atoms.size(); ++i) {
    const Atom& atom = atom_at(d, i);
    if (atom.wealth.is_class()) {
      const auto number = atom.wealth.number();
      d.levels.push_back(number ? double_of(*number, 1) : std::numeric_limits<double>::quiet_NaN());
    } else {
      d.levels.push_back(double_of(atom.wealth, d.sign));
    }
    d.probabilities.push_back(atom.probability.nearest);
  }
  return d;
}

void bind_distribution(nb::module_& module) {
  using Handle = DistributionHandle;
  nb::class_<Handle>(module, "Distribution")
      .def_prop_ro("levels",
                   [](nb::handle self) { return view(nb::cast<Handle&>(self).levels, self); })
      .def_prop_ro(
          "probabilities",
          [](nb::handle self) { return view(nb::cast<Handle&>(self).probabilities, self); })
      .def(
          "level_at",
          [](const Handle& d, std::size_t i) { return level_object(atom_at(d, i).wealth, d.sign); })
      .def("probability_at",
           [](const Handle& d, std::size_t i) { return value_object(atom_at(d, i).probability); })
      .def_prop_ro("classes",
                   [](const Handle& d) -> nb::object {
                     if (!d.law.classes) return nb::none();
                     nb::list out;
                     for (const Atom& atom : d.law.atoms) {
                       out.append(nb::str(atom.wealth.class_text().c_str()));
                     }
                     return out;
                   })
      .def_prop_ro("mean", [](const Handle& d) { return value_object(d.law.mean, d.sign); })
      .def_prop_ro("cost", [](const Handle& d) { return d.sign < 0; })
      .def_prop_ro("relative_error", [](const Handle& d) { return d.law.relative_error; })
      .def_prop_ro("slack", [](const Handle& d) { return fraction(d.law.slack); })
      .def_prop_ro("rest",
                   [](const Handle& d) -> nb::object {
                     if (!d.law.rest) return nb::none();
                     const auto& rest = *d.law.rest;
                     return nb::make_tuple(total_object(d.sign > 0 ? rest.from : rest.to, d.sign),
                                           total_object(d.sign > 0 ? rest.to : rest.from, d.sign),
                                           rest.probability);
                   })
      .def_prop_ro("goal_mean",
                   [](const Handle& d) { return value_or_none(d.law.goal_mean, d.sign); })
      .def_prop_ro("sample", [](const Handle& d) { return sample_object(d.law.sample); })
      .def("promise",
           [](const Handle& d, const std::string& level) {
             return value_object(d.law.at_least(level_of(d, level)));
           })
      .def("promise_bracket",
           [](const Handle& d, const std::string& level) {
             const ProbabilityBracket found = d.law.at_least_bracket(level_of(d, level));
             return nb::make_tuple(fraction(found.lower), fraction(found.upper));
           })
      .def("quantile", [](const Handle& d, const std::string& tau, bool is_upper) {
        const Rational at = rational_of(tau, "--tau");
        const Side side = is_upper ? Side::upper : Side::lower;
        Query query;
        query.taus = {at};
        query.sides = is_upper ? Sides::upper : Sides::lower;
        (void)questions(query);  // throws where there is no such quantile
        return quantile_object(d, d.law.quantile(at, side));
      });
}

}  // namespace quantiplan::python
