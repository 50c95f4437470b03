// Models: from arrays, from files and texts, from generators; and back.
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <variant>

#include "bindings.hpp"
#include "objects.hpp"
#include "quantiplan/arrays.hpp"
#include "watched.hpp"

namespace quantiplan::python {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Texts = std::vector<std::string>;
// Floats mean their shortest decimals; what is no float comes as text.
using Numbers = std::variant<Array<double>, Array<float>, Array<std::int64_t>, Texts>;

// As the library takes them; texts are made numbers first, in `kept`.
NumberArray array_of(const Numbers& numbers, const char* what, std::vector<Number>& kept) {
  if (const auto* texts = std::get_if<Texts>(&numbers)) {
    kept.reserve(texts->size());
    for (const std::string& text : *texts) {
      const std::string place = std::string(what) + " " + std::to_string(kept.size());
      kept.emplace_back(rational_of(text, place.c_str()));
    }
    return std::span<const Number>(kept);
  }
  if (const auto* doubles = std::get_if<Array<double>>(&numbers))
    return std::span(doubles->data(), doubles->size());
  if (const auto* floats = std::get_if<Array<float>>(&numbers))
    return std::span(floats->data(), floats->size());
  const auto& whole = std::get<Array<std::int64_t>>(numbers);
  return std::span(whole.data(), whole.size());
}

struct Arrays {
  Array<std::uint32_t> choice_state;
  Array<std::uint32_t> choice_action;
  Array<std::int64_t> outcome_begin;  // one more than choices
  Array<std::int64_t> next;
};

void set_header(ModelBuilder& builder, const nb::dict& header) {
  for (const auto& [key, value] : header) {
    const auto name = nb::cast<std::string_view>(key);
    if (name == "name") builder.name(nb::cast<std::string>(value));
    if (name == "horizon") {
      const auto steps = nb::cast<std::int64_t>(value);
      builder.horizon(steps < 0 ? kInfiniteHorizon : static_cast<std::uint64_t>(steps));
    }
    if (name == "discount")
      builder.discount(Number(rational_of(nb::cast<std::string>(value), "--discount")));
    if (name == "initial") {
      const InitialNames initial = initial_of(value);
      if (nb::isinstance<nb::str>(value)) {
        builder.initial(initial.drawn.front().first);
      } else {
        for (const auto& [state, probability] : initial.drawn)
          builder.add_initial(state, Number(probability));
      }
    }
    if (name == "may_begin")
      for (const auto& state : nb::cast<Texts>(value)) builder.may_begin(state);
    if (name == "cost") builder.rewards_are_costs(nb::cast<bool>(value));
    if (name == "goal")
      for (const auto& state : nb::cast<Texts>(value)) builder.goal(state);
    if (name == "labels") {
      for (const auto& [label, states] : nb::cast<std::map<std::string, Texts>>(value)) {
        builder.label(label);
        for (const auto& state : states) builder.labelled(state);
      }
    }
    if (name == "tolerance")
      builder.tolerance(rational_of(nb::cast<std::string>(value), "--tolerance"));
    if (name == "round_rewards") builder.round_rewards(nb::cast<std::uint32_t>(value));
  }
}

// State names: a list, or how many there are, which are then called 0, 1, 2, ...
ReadModel build(const nb::dict& header,
                const std::variant<std::size_t, Texts>& states,
                const Texts& actions,
                const Arrays& arrays,
                const Numbers& probabilities,
                const Numbers& rewards) {
  ModelBuilder builder;
  set_header(builder, header);
  const nb::gil_scoped_release free;
  if (const auto* names = std::get_if<Texts>(&states)) {
    for (const std::string& name : *names) builder.declare_state(name);
  } else {
    for (std::size_t s = 0; s < std::get<std::size_t>(states); ++s)
      builder.declare_state(std::to_string(s));
  }
  std::vector<Number> exact_probabilities;
  std::vector<Number> exact_rewards;
  const auto span_of = [](const auto& array) { return std::span(array.data(), array.size()); };
  builder.add_choices({actions,
                       span_of(arrays.choice_state),
                       span_of(arrays.choice_action),
                       span_of(arrays.outcome_begin),
                       span_of(arrays.next),
                       array_of(probabilities, "probability", exact_probabilities),
                       array_of(rewards, "reward", exact_rewards)});
  const Rational tolerance = builder.tolerance();
  Model model = builder.build();
  return {std::move(model), builder.notices(), {}, tolerance};
}

ReadOptions read_options(const nb::dict& given) {
  ReadOptions options;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string_view>(key);
    if (name == "const")
      for (auto& [constant, text] : nb::cast<std::map<std::string, std::string>>(value))
        options.constants.push_back({constant, text});
    if (name == "reward") options.reward = nb::cast<std::string>(value);
    if (name == "tolerance")
      options.tolerance = rational_of(nb::cast<std::string>(value), "--tolerance");
    if (name == "round_rewards") options.round_rewards = nb::cast<std::uint32_t>(value);
    if (name == "memory-limit" || name == "time-limit") {
      nb::dict one;
      one[key] = value;
      const Options limits = options_of(one);
      if (name == "memory-limit") options.memory_limit_bytes = limits.memory_limit_bytes;
      if (name == "time-limit") options.time_limit_seconds = limits.time_limit_seconds;
    }
  }
  return options;
}

std::optional<Format> format_named(std::string_view name) {
  for (const FormatInfo& info : model_formats())
    if (info.name == name) return info.format;
  throw Error(ErrorCode::bad_request,
              "format",
              "found '" + std::string(name) + "', expected " + format_names("", ", ", " or "));
}

template <class T>
nb::object numpy_of(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(
      nb::ndarray<nb::numpy, const T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

// One entry for each outcome: state, action (a position among `actions`), next, probability, reward.
nb::dict outcomes_of(const ReadModel& read) {
  const Model& model = read.model;
  std::vector<std::uint32_t> state, action, next;
  std::vector<double> probability, reward;
  std::unordered_map<std::string_view, std::uint32_t> ids;
  Texts names;
  for (auto* v : {&state, &action, &next}) v->reserve(model.outcome_count());
  for (auto* v : {&probability, &reward}) v->reserve(model.outcome_count());
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{s})) {
      const auto [id, is_new] = ids.try_emplace(model.action_name(c), names.size());
      if (is_new) names.emplace_back(id->first);
      for (const Outcome& o : model.outcomes(c)) {
        state.push_back(s);
        action.push_back(id->second);
        next.push_back(static_cast<std::uint32_t>(o.next));
        probability.push_back(model.probabilities().nearest(o.probability));
        reward.push_back(model.rewards().nearest(o.reward));
      }
    }
  }
  nb::dict out;
  out["actions"] = nb::cast(names);
  out["state"] = numpy_of(std::move(state));
  out["action"] = numpy_of(std::move(action));
  out["next"] = numpy_of(std::move(next));
  out["probability"] = numpy_of(std::move(probability));
  if (model.wealth().has_numbers()) {
    out["reward"] = numpy_of(std::move(reward));
    return out;
  }
  nb::list others;
  for (const Rational position : reward) others.append(reward_object(model, position));
  out["reward"] = others;
  return out;
}

nb::dict info_of(const ReadModel& read, const nb::dict& setting, const nb::dict& options) {
  const ModelInfo info = describe(read.model, setting_of(setting), options_of(options));
  nb::dict out = facts_object(info.facts);
  if (info.facts.horizon == 0) out["horizon"] = nb::none();
  out["transitions"] = info.transitions;
  nb::dict labels;
  for (const auto& label : info.labels) labels[label.name.c_str()] = label.states;
  out["labels"] = labels;
  out["terminal_states"] = info.terminal_states;
  out["reachable_states"] = info.reachable_states;
  out["least_reward"] = fraction(info.least_reward);
  out["greatest_reward"] = fraction(info.greatest_reward);
  out["bytes"] = info.model_bytes;
  if (info.has_setting) {
    out["wealth_is_exact"] = info.wealth_is_exact;
    out["wealth_unit"] = fraction(info.wealth_unit);
    out["least_wealth"] = fraction(info.least_wealth);
    out["greatest_wealth"] = fraction(info.greatest_wealth);
    out["estimated_bytes"] = info.estimated_bytes;
  }
  return out;
}

nb::dict choices_of(const Model& model, State s) {
  nb::dict out;
  for (const Choice c : model.choices(s)) {
    nb::list outcomes;
    for (const Outcome& o : model.outcomes(c)) {
      outcomes.append(nb::make_tuple(static_cast<std::uint32_t>(o.next),
                                     fraction(model.probability(o)),
                                     reward_object(model, model.reward(o))));
    }
    const std::string_view name = model.action_name(c);
    out[nb::str(name.data(), name.size())] = outcomes;
  }
  return out;
}

nb::object horizon_object(const Model& model) {
  if (!model.horizon()) return nb::none();
  if (*model.horizon() == kInfiniteHorizon)
    return nb::float_(std::numeric_limits<double>::infinity());
  return nb::int_(*model.horizon());
}

Texts names_of(const Model& model, const std::vector<State>& states) {
  Texts names;
  names.reserve(states.size());
  for (const State s : states) names.emplace_back(model.state_name(s));
  return names;
}

void bind_model_class(nb::module_& module) {
  nb::class_<ReadModel>(module, "Model")
      .def_prop_ro("name", [](const ReadModel& r) { return r.model.name(); })
      .def_prop_ro("notices", [](const ReadModel& r) { return r.notices; })
      .def_prop_ro("horizon", [](const ReadModel& r) { return horizon_object(r.model); })
      .def_prop_ro("discount",
                   [](const ReadModel& r) { return fraction_or_none(r.model.discount()); })
      .def_prop_ro("initial",
                   [](const ReadModel& r) -> nb::object {
                     if (!r.model.initial()) return nb::none();
                     InitialNames names;
                     for (const auto& [state, probability] : *r.model.initial())
                       names.drawn.emplace_back(r.model.state_name(state), probability);
                     return initial_object(names);
                   })
      .def_prop_ro("possible_initial",
                   [](const ReadModel& r) { return names_of(r.model, r.model.possible_initial()); })
      .def_prop_ro("tolerance", [](const ReadModel& r) { return fraction(r.tolerance); })
      .def_prop_ro("goal", [](const ReadModel& r) { return names_of(r.model, r.model.goal()); })
      .def_prop_ro("labels",
                   [](const ReadModel& r) {
                     nb::dict out;
                     for (const StateLabel& label : r.model.labels())
                       out[label.name.c_str()] = nb::cast(names_of(r.model, label.states));
                     return out;
                   })
      .def_prop_ro("cost", [](const ReadModel& r) { return r.model.has_costs(); })
      .def_prop_ro("wealth", [](const ReadModel& r) { return to_text(r.model.wealth().kind); })
      .def_prop_ro("has_labels", [](const ReadModel& r) { return r.model.wealth().has_labels(); })
      .def_prop_ro("has_vectors", [](const ReadModel& r) { return r.model.wealth().has_vectors(); })
      .def_prop_ro("state_count", [](const ReadModel& r) { return r.model.state_count(); })
      .def_prop_ro("choice_count", [](const ReadModel& r) { return r.model.choice_count(); })
      .def_prop_ro("outcome_count", [](const ReadModel& r) { return r.model.outcome_count(); })
      .def("state_name",
           [](const ReadModel& r, std::size_t s) {
             if (s >= r.model.state_count()) throw nb::index_error("no such state");
             return r.model.state_name(State{static_cast<std::uint32_t>(s)});
           })
      .def("find_state",
           [](const ReadModel& r, std::string_view name) -> std::optional<std::size_t> {
             const auto state = r.model.find_state(name);
             if (!state) return std::nullopt;
             return index(*state);
           })
      .def("states_where",
           [](const ReadModel& r, const std::string& text, const char* place) {
             return names_of(r.model, states_where(r, text, place));
           })
      .def("choices",
           [](const ReadModel& r, std::size_t s) {
             if (s >= r.model.state_count()) throw nb::index_error("no such state");
             return choices_of(r.model, State{static_cast<std::uint32_t>(s)});
           })
      .def("outcomes", &outcomes_of)
      .def("info", &info_of)
      .def("text",
           [](const ReadModel& r, std::string_view format) {
             const Format wanted = *format_named(format);
             const nb::gil_scoped_release free;
             return format_model(r.model, wanted);
           })
      .def("write",
           [](const ReadModel& r,
              const std::string& path,
              const std::optional<std::string>& format) {
             std::vector<std::string> lost;
             if (format) {
               write_model(r.model, path, *format_named(*format), &lost);
             } else {
               write_model(r.model, path, &lost);
             }
             return lost;
           });
}

}  // namespace

void bind_model(nb::module_& module) {
  bind_model_class(module);
  module.def("build",
             [](const nb::dict& header,
                const std::variant<std::size_t, Texts>& states,
                const Texts& actions,
                const Array<std::uint32_t>& choice_state,
                const Array<std::uint32_t>& choice_action,
                const Array<std::int64_t>& outcome_begin,
                const Array<std::int64_t>& next,
                const Numbers& probabilities,
                const Numbers& rewards) {
               return build(header,
                            states,
                            actions,
                            {choice_state, choice_action, outcome_begin, next},
                            probabilities,
                            rewards);
             });
  module.def("read", [](const std::string& path, const nb::dict& given, const nb::tuple& watch) {
    return watched(read_options(given), watch, [&](const ReadOptions& options) {
      return read_model(path, options);
    });
  });
  module.def("parse",
             [](std::string_view text,
                std::string_view format,
                const std::string& source,
                const nb::dict& given) {
               const ReadOptions options = read_options(given);
               const Format wanted = *format_named(format);
               const nb::gil_scoped_release free;
               return parse_model(text, wanted, source, options);
             });
  module.def("generate",
             [](const std::string& domain,
                const std::vector<std::pair<std::string, std::string>>& given,
                const nb::tuple& watch) {
               std::vector<GivenParameter> parameters;
               for (const auto& [name, text] : given) parameters.push_back({name, text});
               return watched(Options{}, watch, [&](const Options& options) {
                 return ReadModel{generate(domain, parameters, options), {}, {}};
               });
             });
  module.def("domains", [] {
    nb::list out;
    for (const Domain& domain : domain_table()) {
      nb::list parameters;
      for (const DomainParameter& p : domain.parameters) {
        parameters.append(nb::make_tuple(std::string(p.name), std::string(p.help), p.usual));
      }
      out.append(nb::make_tuple(std::string(domain.name), std::string(domain.help), parameters));
    }
    return out;
  });
}

}  // namespace quantiplan::python
