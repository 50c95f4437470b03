// What a policy does, as a whole: by wealth, on average, as a chain, as a scheduler; and goals that go on.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "objects.hpp"
#include "quantiplan/explain.hpp"
#include "quantiplan/model_checkers.hpp"
#include "watched.hpp"

namespace quantiplan::python {
namespace {

nb::object action_object(const Model& model, std::optional<Choice> choice) {
  return choice ? nb::object(nb::cast(std::string(model.action_name(*choice))))
                : nb::object(nb::none());
}

nb::list ranges_of(const PolicyHandle& p, std::uint32_t state, std::uint64_t time) {
  nb::list out;
  for (const ActionRange& range : action_ranges(p.model, p.policy, State{state}, time)) {
    out.append(nb::make_tuple(action_object(p.model, range.choice),
                              fraction_or_none(range.from),
                              fraction_or_none(range.to),
                              range.wealths));
  }
  return out;
}

nb::dict summary_object(const PolicyHandle& p, const PolicySummary& found) {
  nb::list actions, states;
  for (const auto& each : found.actions) actions.append(nb::make_tuple(each.action, each.taken));
  for (const auto& each : found.states) {
    states.append(nb::make_tuple(index(each.state),
                                 each.met,
                                 each.differs,
                                 action_object(p.model, each.most),
                                 action_object(p.model, each.own_then),
                                 action_object(p.model, each.other_then)));
  }
  nb::dict out;
  out["episodes"] = found.episodes;
  out["seed"] = found.seed;
  out["steps"] = found.steps;
  out["actions"] = actions;
  out["states"] = states;
  out["is_compared"] = found.is_compared;
  return out;
}

SchedulerFormat scheduler_format(const std::string& name) {
  if (name == "storm") return SchedulerFormat::storm;
  if (name == "prism-actions") return SchedulerFormat::prism_actions;
  if (name == "prism-indices") return SchedulerFormat::prism_indices;
  throw Error(ErrorCode::bad_request,
              "format",
              "found '" + name + "', expected storm, prism-actions or prism-indices");
}

// The model, its goal, and its horizon if that has changed.
nb::tuple going_on(const ReadModel& read, const nb::dict& given) {
  GoingOn found = go_on_at_goals(read.model, setting_of(given));
  ReadModel made{std::move(found.model)};
  made.tolerance = read.tolerance;
  return nb::make_tuple(std::move(made), found.setting.goal, found.setting.horizon);
}

}  // namespace

void bind_accounts(nb::module_& module) {
  using Handle = PolicyHandle;
  module.def("action_ranges", &ranges_of);
  module.def("summary",
             [](const Handle& p,
                std::uint64_t episodes,
                std::uint64_t seed,
                const nb::dict& given,
                const nb::tuple& watch) {
               return summary_object(p,
                                     watched(options_of(given), watch, [&](const Options& options) {
                                       return summarise(p.model, p.policy, episodes, seed, options);
                                     }));
             });
  module.def("chain", [](const Handle& p, const nb::dict& given, const nb::tuple& watch) {
    return watched(options_of(given), watch, [&](const Options& options) {
      return ReadModel{induced_chain(p.model, p.policy, options)};
    });
  });
  module.def("scheduler", [](const Handle& p, const std::string& format) {
    return scheduler_text(p.model, p.policy, scheduler_format(format));
  });
  module.def("going_on", &going_on);
}

}  // namespace quantiplan::python
