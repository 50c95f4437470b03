#include "objects.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <utility>

#include "structure.hpp"

namespace quantiplan::python {
namespace {

nb::object whole(const Integer& value) {
  if (value.fits_slong_p()) return nb::steal(PyLong_FromLong(value.get_si()));
  return nb::steal(PyLong_FromString(value.get_str(16).c_str(), nullptr, 16));
}

// Looked up once; never freed, for the interpreter may be gone when statics are.
const nb::object& fraction_type() {
  static const nb::object* type =
      new nb::object(nb::module_::import_("fractions").attr("Fraction"));
  return *type;
}

const char* label_of(const Value& value) {
  if (value.exact) return "exact";
  if (value.is == Value::Is::lower_bound) return "at least";
  return value.is == Value::Is::upper_bound ? "at most" : "rounded";
}

Value negated(Value value) {
  value.nearest = 0 - value.nearest;  // 0 stays 0, not -0
  if (value.exact) *value.exact = -*value.exact;
  if (value.most) {
    // Both ends change places.
    const double least = 0 - *value.most;
    value.most = value.nearest;
    value.nearest = least;
  } else if (value.is == Value::Is::lower_bound) {
    value.is = Value::Is::upper_bound;
  } else if (value.is == Value::Is::upper_bound) {
    value.is = Value::Is::lower_bound;
  }
  return value;
}

}  // namespace

nb::object fraction(const Rational& value) {
  return fraction_type()(whole(value.get_num()), whole(value.get_den()));
}

nb::object reward_object(const Model& model, const Rational& reward) {
  const Wealth& wealth = model.wealth();
  if (wealth.has_numbers()) return fraction(reward);
  if (reward < 0) return nb::none();
  const auto at = static_cast<std::size_t>(reward.get_num().get_ui());
  if (!wealth.has_vectors()) return nb::str(wealth.labels[at].c_str(), wealth.labels[at].size());
  nb::list parts;
  for (const Rational& part : wealth.vectors[at]) parts.append(fraction(part));
  return nb::tuple(parts);
}

nb::object fraction_or_none(const std::optional<Rational>& value) {
  return value ? fraction(*value) : nb::none();
}

nb::object total_object(const Total& total, int sign) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (total.kind()) {
    case Total::Kind::miss:
      return nb::str("miss");
    case Total::Kind::minus_infinity:
      return nb::float_(-sign * kInfinity);
    case Total::Kind::plus_infinity:
      return nb::float_(sign * kInfinity);
    case Total::Kind::finite:
      break;
  }
  return fraction(Rational(sign * total.value()));
}

nb::object total_or_none(const std::optional<Total>& total, int sign) {
  return total ? total_object(*total, sign) : nb::none();
}

nb::object value_object(const Value& value, int sign) {
  const Value shown = sign < 0 ? negated(value) : value;
  return nb::make_tuple(shown.nearest,
                        fraction_or_none(shown.exact),
                        label_of(shown),
                        shown.most ? nb::object(nb::float_(*shown.most)) : nb::none());
}

nb::object value_or_none(const std::optional<Value>& value, int sign) {
  return value ? value_object(*value, sign) : nb::none();
}

nb::object sample_object(const std::optional<Sample>& sample) {
  if (!sample) return nb::none();
  return nb::make_tuple(sample->episodes, sample->seed, sample->confidence, sample->band);
}

nb::object check_object(const CheckReport& report) {
  nb::dict out;
  out["passed"] = report.passed;
  out["optimality_checked"] = report.optimality_checked;
  out["findings"] = nb::cast(report.findings);
  out["ended_early"] = report.ended_early;
  out["nothing_to_check"] = report.nothing_to_check;
  return out;
}

nb::object initial_object(const InitialNames& initial) {
  if (initial.drawn.empty()) return nb::none();
  if (initial.drawn.size() == 1)
    return nb::str(initial.drawn.front().first.data(), initial.drawn.front().first.size());
  nb::dict out;
  for (const auto& [state, probability] : initial.drawn)
    out[nb::str(state.data(), state.size())] = fraction(probability);
  return out;
}

InitialNames initial_of(nb::handle given) {
  if (nb::isinstance<nb::str>(given)) return {nb::cast<std::string>(given)};
  InitialNames names;
  for (const auto& [state, probability] : nb::cast<nb::dict>(given))
    names.drawn.emplace_back(nb::cast<std::string>(state),
                             rational_of(nb::cast<std::string>(probability), "initial"));
  return names;
}

nb::dict facts_object(const ModelFacts& facts) {
  nb::dict out;
  out["name"] = facts.name;
  out["states"] = facts.states;
  out["choices"] = facts.choices;
  out["outcomes"] = facts.outcomes;
  out["horizon"] = facts.horizon == kInfiniteHorizon
                       ? nb::object(nb::float_(std::numeric_limits<double>::infinity()))
                       : nb::object(nb::int_(facts.horizon));
  out["discount"] = fraction(facts.discount);
  out["initial"] = initial_object(facts.initial);
  out["goal_states"] = facts.goal_states;
  out["cost"] = facts.cost;
  out["adversarial"] = facts.adversarial;
  out["wealth"] = std::string(to_text(facts.wealth));
  return out;
}

nb::dict work_object(const Work& work) {
  nb::dict out;
  out["seconds"] = work.seconds;
  out["backups"] = work.backups;
  out["breakpoints"] = work.breakpoints;
  out["multiply_adds"] = work.multiply_adds;
  out["passes"] = work.passes;
  out["exact_nodes"] = work.exact_nodes;
  out["levels"] = work.levels;
  out["triples"] = work.triples;
  out["peak_bytes"] = work.peak_bytes;
  return out;
}

nb::dict engine_object(const EngineReport& engine) {
  nb::dict out;
  out["given"] = engine.given;
  out["used"] = engine.used;
  out["why"] = engine.why;
  out["left_open"] = engine.left_open;
  out["left_out"] = engine.left_out;
  if (const auto& reduction = engine.reduction) {
    nb::dict to;
    to["by"] = reduction->by;
    to["states"] = reduction->states;
    to["solved_as"] = reduction->solved_as;
    out["reduction"] = to;
  }
  return out;
}

// A fraction with more digits than a text may have comes in hexadecimal ones: "#1f/a".
Rational rational_of(const std::string& text, const char* place) {
  if (text.starts_with('#')) {
    Rational value;
    if (value.set_str(text.substr(1), 16) == 0 && value.get_den() != 0) {
      value.canonicalize();
      return value;
    }
  }
  std::string why;
  if (const auto number = Number::try_parse(text, &why)) return number->rational();
  throw Error(ErrorCode::bad_request, place, why);
}

Total total_of(const std::string& text, int sign, const char* place) {
  if (text == "inf") return sign > 0 ? Total::plus_infinity() : Total::minus_infinity();
  if (text == "-inf") return sign > 0 ? Total::minus_infinity() : Total::plus_infinity();
  return Rational(sign * rational_of(text, place));
}

Options options_of(const nb::dict& given) {
  Options options;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string_view>(key);
    for (const OptionEntry& entry : option_table()) {
      if (entry.name == name) entry.set(options, nb::cast<std::string>(value));
    }
    if (name == "check") options.check = nb::cast<bool>(value);
  }
  return options;
}

Setting setting_of(const nb::dict& given) {
  Setting setting;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string_view>(key);
    if (name == "horizon") {
      const auto steps = nb::cast<std::int64_t>(value);
      setting.horizon = steps < 0 ? kInfiniteHorizon : static_cast<std::uint64_t>(steps);
    } else if (name == "discount") {
      setting.discount = rational_of(nb::cast<std::string>(value), "--discount");
    } else if (name == "initial") {
      setting.initial = initial_of(value);
    } else if (name == "goal") {
      setting.goal = nb::cast<std::vector<std::string>>(value);
    } else if (name == "cost") {
      setting.cost = nb::cast<bool>(value);
    } else if (name == "adversarial") {
      setting.adversarial = nb::cast<bool>(value);
    } else if (name == "structure") {
      setting.structure = nb::cast<StructureHandle&>(value).structure;
    }
  }
  return setting;
}

int sign_of(const Model& model, const Setting& setting) {
  return setting.cost.value_or(model.has_costs()) ? -1 : 1;
}

}  // namespace quantiplan::python
