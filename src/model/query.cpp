#include "quantiplan/query.hpp"

#include <algorithm>
#include <optional>
#include <set>

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

// By names; nullopt, and a problem, if one is unknown.
std::optional<std::vector<InitialStates::Drawn>> drawn_states(const Model& model,
                                                              const InitialNames& names,
                                                              Problems& problems) {
  std::vector<InitialStates::Drawn> drawn;
  std::set<State> seen;
  const auto refuse = [&](std::string message) {
    problems.add("--initial", std::move(message));
    return std::nullopt;
  };
  for (const auto& [name, probability] : names.drawn) {
    const auto state = model.find_state(name);
    if (!state)
      return refuse("unknown state " + in_quotes(name) + ", must be a state of the model" +
                    suggest_state(model, name));
    if (!seen.insert(*state).second)
      return refuse("state " + in_quotes(name) + " is given twice, must be once");
    drawn.push_back({*state, probability});
  }
  return drawn;
}

void resolve_initial(const Model& model,
                     const Setting& setting,
                     ResolvedSetting& out,
                     Problems& problems) {
  if (!setting.initial && !model.possible_initial().empty()) {
    const std::size_t count = model.possible_initial().size();
    problems.add("",
                 "found " + std::to_string(count) + " initial states, as " +
                     in_quotes(model.state_name(model.possible_initial().front())) +
                     ", expected one here: give --initial STATE");
    return;
  }
  if (!setting.initial && !model.initial()) {
    problems.add("", "no initial state: the model has none; give --initial STATE");
    return;
  }
  if (setting.initial) {
    auto drawn = drawn_states(model, *setting.initial, problems);
    if (!drawn) return;
    try {
      out.initial = InitialStates(*std::move(drawn));
    } catch (const Error& error) {
      for (const Problem& problem : error.problems()) problems.add("--initial", problem.message);
      return;
    }
  } else {
    out.initial = *model.initial();
  }
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

InitialNames parse_initial(const Model& model, const std::string& text) {
  if (model.find_state(text) || text.find(':') == std::string::npos) return text;
  InitialNames out;
  for (std::size_t begin = 0; begin <= text.size();) {
    // Up to the first comma behind a known state and a number.
    std::size_t end = begin;
    for (bool found = false; !found; ++end) {
      end = std::min(text.find(',', end), text.size());
      const std::string part = text.substr(begin, end - begin);
      const std::size_t colon = part.rfind(':');
      const auto number =
          colon == std::string::npos ? std::nullopt : Number::try_parse(part.substr(colon + 1));
      found = number && model.find_state(part.substr(0, colon));
      if (found) {
        out.drawn.emplace_back(part.substr(0, colon), number->rational());
      } else if (end == text.size()) {
        const std::string name = part.substr(0, part.find(':'));
        throw Error(ErrorCode::bad_request,
                    "--initial",
                    "found " + in_quotes(part) +
                        ", must be a state of the model, or several with their probabilities as "
                        "a:1/2,b:1/2" +
                        (model.find_state(name) ? "" : suggest_state(model, name)));
      }
    }
    begin = end;
  }
  return out;
}

std::string normalise(InitialNames& initial, const Rational& tolerance) {
  Rational sum = 0;
  for (const auto& [state, probability] : initial.drawn) {
    if (probability < 0) return "";
    sum += probability;
  }
  if (sum == 1 || abs(sum - 1) > tolerance) return "";
  for (auto& [state, probability] : initial.drawn) probability /= sum;
  return "--initial: " + normalised_sum(sum);
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
