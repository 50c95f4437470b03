#include "quantiplan/query.hpp"

#include <algorithm>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "model/setting_range.hpp"
#include "model/shown.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

void resolve_horizon(const Model& model,
                     const Setting& setting,
                     ResolvedSetting& out,
                     Problems& problems) {
  const auto steps = setting.horizon ? setting.horizon : model.horizon();
  if (!steps) {
    problems.add("", "no horizon: the model has none; give --horizon N, or --horizon infinite");
    return;
  }
  const std::string wrong = wrong_horizon(*steps);
  if (!wrong.empty()) problems.add("--horizon", wrong);
  out.horizon = *steps;
}

void resolve_discount(const Model& model,
                      const Setting& setting,
                      ResolvedSetting& out,
                      Problems& problems) {
  const auto& gamma = setting.discount ? setting.discount : model.discount();
  if (!gamma) return;
  const std::string wrong = wrong_discount(*gamma);
  if (!wrong.empty()) problems.add("--discount", wrong);
  out.discount = *gamma;
}

void resolve_initial(const Model& model,
                     const Setting& setting,
                     ResolvedSetting& out,
                     Problems& problems) {
  const auto state = setting.initial ? model.find_state(*setting.initial) : model.initial();
  if (!state) {
    if (!setting.initial) {
      problems.add("", "no initial state: the model has none; give --initial STATE");
      return;
    }
    problems.add("--initial",
                 "unknown state " + in_quotes(*setting.initial) + ", must be a state of the model" +
                     suggest_state(model, *setting.initial));
    return;
  }
  if (model.is_terminal(*state)) {
    problems.add(setting.initial ? "--initial" : "",
                 "no reachable choice: initial state " + in_quotes(model.state_name(*state)) +
                     " is terminal, must have a choice");
  }
  out.initial = *state;
}

void resolve_goal(const Model& model,
                  const Setting& setting,
                  ResolvedSetting& out,
                  Problems& problems) {
  if (!setting.goal) {
    out.goal = model.goal();
  } else {
    for (const std::string& name : *setting.goal) {
      if (const auto state = model.find_state(name)) {
        out.goal.push_back(*state);
      } else {
        problems.add("--goal",
                     "unknown state " + in_quotes(name) + ", must be a state of the model" +
                         suggest_state(model, name));
      }
    }
    std::ranges::sort(out.goal);
    out.goal.erase(std::unique(out.goal.begin(), out.goal.end()), out.goal.end());
  }
  if (!problems.any() && out.is_goal(out.initial)) {
    problems.add(setting.goal ? "--goal" : "",
                 "initial state " + in_quotes(model.state_name(out.initial)) +
                     " is a goal, must be a state from which the goal is to be reached");
  }
}

// Why tau has no such quantile, or empty.
std::string undefined_side(const Rational& tau, Side side) {
  if (side == Side::lower && tau == 0)
    return "the lower quantile is undefined at 0; give --side upper";
  if (side == Side::upper && tau == 1)
    return "the upper quantile is undefined at 1; give --side lower";
  return "";
}

}  // namespace

ResolvedSetting resolve(const Model& model, const Setting& setting) {
  ResolvedSetting out;
  Problems problems;
  resolve_horizon(model, setting, out, problems);
  resolve_discount(model, setting, out, problems);
  resolve_initial(model, setting, out, problems);
  resolve_goal(model, setting, out, problems);
  out.cost = setting.cost.value_or(model.has_costs());
  out.structure = setting.structure;
  out.adversarial = setting.adversarial;
  problems.throw_if_any(ErrorCode::bad_request);
  return out;
}

std::vector<Question> questions(const Query& query) {
  std::vector<Question> out;
  Problems problems;
  if (query.taus.empty()) problems.add("--tau", "none given, must have at least one");
  for (const Rational& tau : query.taus) {
    if (tau < 0 || tau > 1) {
      problems.add("--tau", "found " + shown(tau) + ", must be from 0 to 1");
      continue;
    }
    for (const Side side : {Side::lower, Side::upper}) {
      if (query.sides == (side == Side::lower ? Sides::upper : Sides::lower)) continue;
      const std::string undefined = undefined_side(tau, side);
      if (undefined.empty()) {
        out.push_back({tau, side});
      } else if (query.sides != Sides::both) {
        problems.add("--tau", undefined);
      }
    }
  }
  problems.throw_if_any(ErrorCode::bad_request);
  return out;
}

std::string_view to_text(Prefer prefer) {
  switch (prefer) {
    case Prefer::automatic:
      return "auto";
    case Prefer::mean:
      return "mean";
    case Prefer::probability:
      return "probability";
    case Prefer::classes:
      return "classes";
  }
  return "";
}

std::string_view to_text(Side side) { return side == Side::lower ? "lower" : "upper"; }

}  // namespace quantiplan
