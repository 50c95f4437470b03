// The questions: solve, frontier, threshold, attitudes; each answer as plain objects, with what is made
// on request behind a handle.
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <utility>

#include "answers.hpp"
#include "bindings.hpp"
#include "objects.hpp"
#include "quantiplan/each_start.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/page.hpp"
#include "watched.hpp"

namespace quantiplan::python {
namespace {

// The whole, for its report.
struct AnswerHandle {
  Answer answer;
};

// Positions of states.
std::vector<State> states_of(const std::vector<std::uint32_t>& positions) {
  std::vector<State> out;
  for (const std::uint32_t s : positions) out.push_back(State{s});
  return out;
}

// What one call finds for each of several initial states, by its order.
template <class AnyAnswer, class Each>
std::vector<AnyAnswer> watched_each(const nb::dict& options,
                                    const nb::tuple& watch,
                                    const Each& each) {
  return watched(options_of(options), watch, [&](const Options& watching) {
    std::vector<AnyAnswer> out;
    each(watching, [&](std::size_t, AnyAnswer answer) { out.push_back(std::move(answer)); });
    return out;
  });
}

nb::dict answer_object(const ReadModel& read, Answer found) {
  AnswerHandle kept{std::move(found)};
  const Answer& answer = kept.answer;
  const int sign = answer.model.cost ? -1 : 1;
  nb::list results;
  for (const Result& result : answer.results)
    results.append(result_object(read.model, answer, result, sign));
  nb::dict out;
  out["results"] = results;
  out["epsilon"] = fraction_or_none(answer.epsilon);
  add_common(out, answer.model, answer.engine, answer.work);
  out["answer"] = nb::cast(std::move(kept));
  return out;
}

nb::dict solve_for_python(const ReadModel& read,
                          const nb::dict& given,
                          const nb::dict& options,
                          const nb::tuple& watch) {
  const Query query = query_of(given);
  return answer_object(read, watched(options_of(options), watch, [&](const Options& watching) {
                         return solve(read.model, query, watching);
                       }));
}

nb::list solve_each_for_python(const ReadModel& read,
                               const nb::dict& given,
                               const std::vector<std::uint32_t>& starts,
                               const nb::dict& options,
                               const nb::tuple& watch) {
  const Query query = query_of(given);
  auto found = watched_each<Answer>(options, watch, [&](const Options& watching, const auto& take) {
    solve_each(read.model, states_of(starts), query, watching, take);
  });
  nb::list out;
  for (Answer& answer : found) out.append(answer_object(read, std::move(answer)));
  return out;
}

nb::list steps_object(const std::vector<FrontierStep>& steps, int sign) {
  nb::list out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const FrontierStep& step = sign > 0 ? steps[i] : steps[steps.size() - 1 - i];
    out.append(nb::make_tuple(level_object(step.wealth, sign), value_object(step.probability)));
  }
  return out;
}

nb::dict curve_object(const ReadModel& read, const Frontier& curve) {
  const int sign = curve.model.cost && !curve.classes ? -1 : 1;
  nb::dict out;
  out["status"] = std::string(to_text(curve.status));
  out["steps"] = steps_object(curve.steps, sign);
  out["upper_steps"] = steps_object(curve.upper_steps, sign);
  out["upto"] = total_or_none(curve.upto, sign);
  out["made"] = handle_object(read.model, sign, curve.policy);
  out["epsilon"] = fraction_or_none(curve.epsilon);
  out["relative_error"] = curve.relative_error;
  nb::list quantiles;
  for (const FrontierQuantile& q : curve.quantiles) {
    nb::dict one;
    one["tau"] = fraction(q.tau);
    one["side"] = std::string(to_text(q.side));
    one["certificate"] = std::string(to_text(q.certificate));
    one["quantile"] = level_object(q.quantile, sign);
    one["other_end"] = level_object(q.upper, sign);
    quantiles.append(one);
  }
  out["quantiles"] = quantiles;
  add_common(out, curve.model, curve.engine, curve.work);
  return out;
}

nb::dict frontier_for_python(const ReadModel& read,
                             const nb::dict& given,
                             const nb::dict& options,
                             const nb::tuple& watch) {
  const Query query = query_of(given);
  return curve_object(read, watched(options_of(options), watch, [&](const Options& watching) {
                        return frontier(read.model, query, watching);
                      }));
}

nb::list frontier_each_for_python(const ReadModel& read,
                                  const nb::dict& given,
                                  const std::vector<std::uint32_t>& starts,
                                  const nb::dict& options,
                                  const nb::tuple& watch) {
  const Query query = query_of(given);
  const auto found =
      watched_each<Frontier>(options, watch, [&](const Options& watching, const auto& take) {
        frontier_each(read.model, states_of(starts), query, watching, take);
      });
  nb::list out;
  for (const Frontier& curve : found) out.append(curve_object(read, curve));
  return out;
}

ThresholdQuery threshold_query(const ReadModel& read,
                               const std::vector<std::string>& targets,
                               const std::vector<std::string>& levels,
                               const nb::dict& setting) {
  ThresholdQuery query;
  query.setting = setting_of(setting);
  const int sign = sign_of(read.model, query.setting);
  for (const std::string& text : targets) query.targets.push_back(total_of(text, sign, "target"));
  query.levels = levels;
  return query;
}

nb::dict chances_object(const ReadModel& read, const ThresholdAnswer& answer, int sign) {
  nb::list results;
  for (const ThresholdResult& result : answer.results) {
    nb::dict one;
    one["target"] = result.level ? nb::object(nb::str(result.level->c_str()))
                                 : total_object(result.target, sign);
    one["status"] = std::string(to_text(result.status));
    one["certificate"] = std::string(to_text(result.certificate));
    one["probability"] = value_or_none(result.probability);
    one["upper"] = value_or_none(result.upper);
    one["check"] = result.check ? check_object(*result.check) : nb::none();
    one["made"] = handle_object(read.model, sign, result.policy);
    results.append(one);
  }
  nb::dict out;
  out["results"] = results;
  add_common(out, answer.model, answer.engine, answer.work);
  return out;
}

nb::dict threshold_for_python(const ReadModel& read,
                              const std::vector<std::string>& targets,
                              const std::vector<std::string>& levels,
                              const nb::dict& setting,
                              const nb::dict& options,
                              const nb::tuple& watch) {
  const ThresholdQuery query = threshold_query(read, targets, levels, setting);
  const ThresholdAnswer answer = watched(options_of(options), watch, [&](const Options& watching) {
    return threshold(read.model, query, watching);
  });
  return chances_object(read, answer, sign_of(read.model, query.setting));
}

nb::list threshold_each_for_python(const ReadModel& read,
                                   const std::vector<std::string>& targets,
                                   const std::vector<std::string>& levels,
                                   const nb::dict& setting,
                                   const std::vector<std::uint32_t>& starts,
                                   const nb::dict& options,
                                   const nb::tuple& watch) {
  const ThresholdQuery query = threshold_query(read, targets, levels, setting);
  const auto found =
      watched_each<ThresholdAnswer>(options, watch, [&](const Options& watching, const auto& take) {
        threshold_each(read.model, states_of(starts), query, watching, take);
      });
  nb::list out;
  for (const ThresholdAnswer& answer : found)
    out.append(chances_object(read, answer, sign_of(read.model, query.setting)));
  return out;
}

nb::dict tradeoff_for_python(const ReadModel& read,
                             const nb::dict& given,
                             const nb::dict& setting,
                             const nb::dict& options,
                             const nb::tuple& watch) {
  TradeoffQuery query;
  query.setting = setting_of(setting);
  const int sign = sign_of(read.model, query.setting);
  const auto text = [&](const char* key) { return nb::cast<std::string>(given[key]); };
  if (given.contains("tau")) query.tau = rational_of(text("tau"), "--tau");
  if (given.contains("target"))
    query.target = Rational(sign * rational_of(text("target"), "target"));
  if (given.contains("mean_gap")) query.mean_gap = rational_of(text("mean_gap"), "--mean-gap");
  query.side = text("side") == "upper" ? Side::upper : Side::lower;
  query.most_points = nb::cast<std::size_t>(given["most_points"]);
  const Tradeoff curve = watched(options_of(options), watch, [&](const Options& watching) {
    return tradeoff(read.model, query, watching);
  });
  nb::list points;
  for (const TradeoffPoint& point : curve.points) {
    nb::dict one;
    one["level"] = total_object(point.level, sign);
    one["probability"] = value_object(point.probability);
    one["mean"] = value_object(point.mean, sign);
    one["mean_bound"] = value_object(point.mean_bound, sign);
    one["made"] = handle_object(read.model, sign, point.policy);
    points.append(one);
  }
  nb::dict out;
  out["status"] = std::string(to_text(curve.status));
  out["points"] = points;
  out["levels"] = curve.levels;
  out["above"] = value_or_none(curve.above);
  add_common(out, curve.model, curve.engine, curve.work);
  return out;
}

// Writes the page; what was left out of it.
std::vector<std::string> report_for_python(const ReadModel& read,
                                           const nb::dict& given,
                                           const std::vector<std::uint32_t>& starts,
                                           const std::vector<std::string>& criteria,
                                           const std::string& path,
                                           const nb::dict& options,
                                           const nb::tuple& watch) {
  if (!has_page()) page_html({});  // throws: says how to get it
  require_writable(path);
  const Query asked = query_of(given);
  PageQuery query{asked.taus, asked.sides, asked.setting, states_of(starts)};
  for (const std::string& text : criteria)
    query.criteria.push_back(parse_criterion(text, "criteria"));
  const PageData data = watched(options_of(options), watch, [&](const Options& watching) {
    return page_data(read.model, query, watching);
  });
  write_text(path, page_html(data));
  return data.left_out;
}

nb::dict regret_object(const Regret& regret) {
  nb::dict out;
  out["least"] = fraction(regret.least);
  out["most"] = fraction(regret.most);
  out["time"] = regret.time ? nb::object(nb::int_(*regret.time)) : nb::none();
  out["state"] = regret.state;
  return out;
}

nb::dict attitudes_for_python(const ReadModel& read,
                              const std::vector<std::string>& asked,
                              const nb::dict& given,
                              const nb::dict& options,
                              const nb::tuple& watch) {
  const Query query = query_of(given);
  std::vector<Attitude> attitude;
  for (const std::string& text : asked) {
    if (text == "all") {
      for (const Attitude& each : Attitude::all()) attitude.push_back(each);
    } else {
      attitude.push_back(Attitude::parse(text));
    }
  }
  const AttitudeAnswer answer = watched(options_of(options), watch, [&](const Options& watching) {
    return attitudes(read.model, attitude, query, watching);
  });
  const int sign = answer.model.cost ? -1 : 1;
  nb::list results;
  for (const AttitudeResult& r : answer.results) {
    nb::dict one;
    one["attitude"] = to_text(r.attitude);
    one["tau"] = fraction(r.tau);
    one["side"] = std::string(to_text(r.side));
    one["status"] = std::string(to_text(r.status));
    one["quantile"] = r.quantile ? total_object(r.quantile->lower, sign) : nb::none();
    one["other_end"] = r.quantile ? total_object(r.quantile->upper, sign) : nb::none();
    one["probability"] = value_or_none(r.probability);
    one["mean"] = value_or_none(r.mean, sign);
    one["regret"] = r.regret ? nb::object(regret_object(*r.regret)) : nb::none();
    one["nested"] = r.nested ? total_object(Total(*r.nested), sign) : nb::none();
    one["left_out"] = r.left_out;
    one["made"] = handle_object(read.model, sign, r.policy);
    results.append(one);
  }
  nb::dict out;
  out["results"] = results;
  out["slack"] = fraction(answer.slack);
  add_common(out, answer.model, answer.engine, answer.work);
  return out;
}

}  // namespace

void bind_queries(nb::module_& module) {
  nb::class_<OnRequest>(module, "OnRequest")
      .def("policy",
           [](const OnRequest& made, bool catches) -> nb::object {
             if (!made.policy) return nb::none();
             return nb::cast(PolicyHandle{made.model, made_later(catches, made.policy)});
           })
      .def("distribution", [](const OnRequest& made, bool catches) -> nb::object {
        if (!made.distribution) return nb::none();
        Distribution law = made_later(catches, made.distribution);
        return nb::cast(distribution_handle(made.model, std::move(law), made.sign));
      });
  nb::class_<AnswerHandle>(module, "Answer").def("text", [](const AnswerHandle& a) {
    ReportOptions shape;
    shape.unicode = true;
    return answer_text(a.answer, shape);
  });
  module.def("solve", &solve_for_python);
  module.def("solve_each", &solve_each_for_python);
  module.def("frontier", &frontier_for_python);
  module.def("frontier_each", &frontier_each_for_python);
  module.def("threshold", &threshold_for_python);
  module.def("threshold_each", &threshold_each_for_python);
  module.def("tradeoff", &tradeoff_for_python);
  module.def("attitudes", &attitudes_for_python);
  module.def("report", &report_for_python);
}

}  // namespace quantiplan::python
