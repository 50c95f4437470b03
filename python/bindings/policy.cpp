// Policies: written, read, followed, evaluated, played, checked, explained.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "objects.hpp"
#include "quantiplan/explain_report.hpp"
#include "structure.hpp"
#include "watched.hpp"

namespace quantiplan::python {
namespace {

constexpr const char* kKinds[] = {"by time", "by residual", "by index", "stationary", "by wealth"};

int sign_of(const PolicyHandle& p) { return p.policy.setting.cost ? -1 : 1; }

nb::str text_object(std::string_view text) { return nb::str(text.data(), text.size()); }

// A utility is in units of its own.
int claim_sign(const PolicyHandle& p) {
  const PolicyClaim& claim = *p.policy.claim;
  return claim.criterion && !claim.criterion->is_wealth() ? 1 : sign_of(p);
}

nb::object claim_object(const PolicyHandle& p) {
  if (!p.policy.claim) return nb::none();
  const PolicyClaim& claim = *p.policy.claim;
  nb::dict out;
  out["kind"] = claim.kind == PolicyClaim::Kind::quantile    ? "quantile"
                : claim.kind == PolicyClaim::Kind::threshold ? "threshold"
                                                             : "criterion";
  if (claim.criterion) out["criterion"] = to_text(*claim.criterion);
  out["tau"] = fraction(claim.tau);
  out["side"] = std::string(to_text(claim.side));
  out["quantile"] = claim.level ? nb::object(text_object(*claim.level))
                                : total_object(claim.quantile, claim_sign(p));
  out["probability"] = claim.probability;
  out["probability_exact"] = fraction_or_none(claim.exact_probability);
  return out;
}

// That the quantile is a miss: policies do not claim it, for nobody does worse, but that nobody does
// better can be checked.
PolicyClaim claim_of_misses(const std::string& tau, const std::string& side) {
  PolicyClaim claim;
  claim.tau = rational_of(tau, "tau");
  claim.side = side == "upper" ? Side::upper : Side::lower;
  claim.quantile = Total::miss();
  claim.set_probability(Value::exactly(1));
  return claim;
}

nb::dict tally_object(const PolicyHandle& p, const EpisodeTally& played) {
  nb::dict out;
  nb::list totals, counts, levels, drawn, steps;
  for (const auto& entry : played.totals) {
    const Level& level = entry.wealth;
    totals.append(level.is_class() ? nb::int_(level.position()) : total_object(level, sign_of(p)));
    counts.append(entry.count);
    if (level.is_class()) levels.append(text_object(level.class_text()));
  }
  for (const auto& episode : played.steps) {
    nb::list walk;
    for (const Step& step : episode) {
      walk.append(nb::make_tuple(static_cast<std::uint32_t>(step.state),
                                 text_object(p.model.action_name(step.choice)),
                                 reward_object(p.model, step.reward),
                                 static_cast<std::uint32_t>(step.next)));
    }
    steps.append(walk);
  }
  auto* kept = new std::vector<std::uint32_t>(played.drawn);
  const nb::capsule owner(
      kept, [](void* q) noexcept { delete static_cast<std::vector<std::uint32_t>*>(q); });
  out["totals"] = totals;
  out["counts"] = counts;
  out["levels"] = levels;
  out["drawn"] = nb::cast(nb::ndarray<nb::numpy, const std::uint32_t, nb::ndim<1>>(
      kept->data(), {kept->size()}, owner));
  out["steps"] = steps;
  out["episodes"] = played.episodes;
  out["slack"] = fraction(played.slack);
  return out;
}

nb::dict explanation_object(const PolicyHandle& p, const Explanation& found) {
  nb::list actions;
  const int sign = 1;
  for (const ActionOutlook& a : found.actions) {
    actions.append(nb::make_tuple(text_object(p.model.action_name(a.choice)),
                                  a.is_taken,
                                  value_object(a.probability),
                                  value_or_none(a.mean, sign)));
  }
  nb::dict out;
  out["left"] = fraction(found.left);
  out["actions"] = actions;
  out["probability"] = value_or_none(found.own_probability);
  out["mean"] = value_or_none(found.own_mean, sign);
  const auto& claim = p.policy.claim;
  const bool is_level = claim && claim->kind != PolicyClaim::Kind::criterion;
  const Total promise = is_level ? claim->quantile : Total(p.policy.target.value_or(0));
  out["sentences"] = explanation_sentences(found, p.model, promise, p.policy.setting.cost);
  return out;
}

void bind_run(nb::module_& module) {
  nb::class_<Run>(module, "Run")
      .def("copy", [](const Run& r) { return Run(r); })
      .def_prop_ro("time", [](const Run& r) { return r.time(); })
      .def_prop_ro("state", [](const Run& r) { return index(r.state()); })
      .def_prop_ro("is_over", &Run::is_over)
      .def("act",
           [](Run& r, const PolicyHandle& p, std::optional<std::uint32_t> state) {
             return text_object(p.model.action_name(state ? r.act(State{*state}) : r.act()));
           })
      .def("observe",
           [](Run& r, const std::string& reward, std::uint32_t next) {
             r.observe(rational_of(reward, "reward"), State{next});
           })
      .def("observe_label",
           [](Run& r, const std::string& label, std::uint32_t next) {
             r.observe_label(label, State{next});
           })
      .def("observe_vector",
           [](Run& r, const std::vector<std::string>& vector, std::uint32_t next) {
             std::vector<Rational> numbers;
             for (const std::string& text : vector) numbers.push_back(rational_of(text, "reward"));
             r.observe_vector(numbers, State{next});
           })
      .def_prop_ro("target", [](const Run& r) { return fraction_or_none(r.target()); })
      .def_prop_ro("wealth", &Run::wealth)
      .def("chance", [](const Run& r, const nb::dict& given, const nb::tuple& watch) {
        return value_or_none(watched(
            options_of(given), watch, [&](const Options& options) { return r.chance(options); }));
      });
}

void bind_policy_class(nb::module_& module) {
  using Handle = PolicyHandle;
  nb::class_<Handle>(module, "Policy")
      .def_prop_ro("kind",
                   [](const Handle& p) {
                     return std::string(kKinds[static_cast<int>(kind_of(p.model, p.policy))]);
                   })
      .def_prop_ro("target",
                   [](const Handle& p) -> nb::object {
                     if (!p.policy.target) return nb::none();
                     return fraction(Rational(sign_of(p) * *p.policy.target));
                   })
      .def_prop_ro("cost", [](const Handle& p) { return p.policy.setting.cost; })
      .def_prop_ro("adversarial", [](const Handle& p) { return p.policy.setting.adversarial; })
      .def_prop_ro("discount", [](const Handle& p) { return fraction(p.policy.setting.discount); })
      .def_prop_ro("rules", [](const Handle& p) { return p.policy.rules.size(); })
      .def_prop_ro("claim", &claim_object)
      .def("text",
           [](const Handle& p) {
             const nb::gil_scoped_release free;
             return format_policy(p.policy, p.model);
           })
      .def("save",
           [](const Handle& p, const std::string& path) { write_policy(p.policy, p.model, path); })
      .def("set_structure",
           [](Handle& p, const StructureHandle& s) { p.policy.setting.structure = s.structure; })
      .def("with_target",  // of a table for all targets
           [](const Handle& p, const std::string& target) {
             PolicyHandle found = p;
             found.policy.target = Rational(sign_of(p) * rational_of(target, "target"));
             return found;
           })
      .def_prop_ro("is_mixture", [](const Handle& p) { return !p.policy.mixture.empty(); })
      .def("part",
           [](const Handle& p, std::uint64_t bits) {
             return Handle{p.model, drawn_part(p.policy, bits)};
           })
      .def("initial",
           [](const Handle& p) {
             InitialNames names;
             for (const auto& [state, probability] : p.policy.setting.initial)
               names.drawn.emplace_back(p.model.state_name(state), probability);
             return initial_object(names);
           })
      .def("drawn_initial",
           [](const Handle& p, std::uint64_t bits) {
             return index(drawn_initial(p.policy.setting, bits));
           })
      .def("start",
           [](const Handle& p, std::uint32_t state) {
             return start(p.model, p.policy, State{state});
           })
      .def("evaluate",
           [](const Handle& p, const nb::dict& given, const nb::tuple& watch) {
             return distribution_handle(p.model,
                                        watched(options_of(given),
                                                watch,
                                                [&](const Options& options) {
                                                  return evaluate(p.model, p.policy, options);
                                                }),
                                        sign_of(p));
           })
      .def("simulate",
           [](const Handle& p,
              std::uint64_t episodes,
              std::uint64_t seed,
              const std::string& keep,
              const nb::dict& given,
              const nb::tuple& watch) {
             const KeepEpisodes kept = keep == "steps"   ? KeepEpisodes::steps
                                       : keep == "order" ? KeepEpisodes::order
                                                         : KeepEpisodes::counts;
             const EpisodeTally played =
                 watched(options_of(given), watch, [&](const Options& options) {
                   return simulate_tally(p.model, p.policy, {episodes, seed, kept}, options);
                 });
             return tally_object(p, played);
           })
      .def("check",
           [](const Handle& p,
              const nb::dict& given,
              const nb::tuple& watch,
              const std::optional<std::pair<std::string, std::string>>& missed) -> nb::object {
             const auto claim = p.policy.claim || !missed
                                    ? p.policy.claim
                                    : std::optional(claim_of_misses(missed->first, missed->second));
             if (!claim) return nb::none();
             return check_object(watched(options_of(given), watch, [&](const Options& options) {
               return check(p.model, p.policy, *claim, options);
             }));
           })
      .def("explain",
           [](const Handle& p,
              std::uint32_t state,
              std::uint64_t time,
              const std::string& collected,
              const nb::dict& given,
              const nb::tuple& watch) {
             const Rational wealth = rational_of(collected, "wealth");
             return explanation_object(p, watched(options_of(given), watch, [&](const Options& o) {
                                         return explain(
                                             p.model, p.policy, State{state}, time, wealth, o);
                                       }));
           });
}

}  // namespace

void bind_policy(nb::module_& module) {
  bind_run(module);
  bind_policy_class(module);
  module.def("parse_policy",
             [](const ReadModel& read, std::string_view text, const std::string& source) {
               return PolicyHandle{read.model, parse_policy(text, read.model, source)};
             });
  module.def("read_policy", [](const ReadModel& read, const std::string& path) {
    return PolicyHandle{read.model, read_policy(path, read.model)};
  });
  module.def("expectation_policy",
             [](const ReadModel& read,
                const nb::dict& setting,
                const nb::dict& given,
                const nb::tuple& watch) {
               const Setting wanted = setting_of(setting);
               return PolicyHandle{read.model,
                                   watched(options_of(given), watch, [&](const Options& options) {
                                     return expectation_policy(read.model, wanted, options);
                                   })};
             });
}

}  // namespace quantiplan::python
