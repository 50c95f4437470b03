#include "arguments/properties.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "arguments/property_report.hpp"
#include "console/watched_call.hpp"
#include "quantiplan/model_checkers.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

using Direction = Property::Direction;

[[noreturn]] void out_of_scope(const Property& property, const std::string& why) {
  throw Error(ErrorCode::refused, "--prop", fmt::format("{}: {}", visible(property.text), why));
}

class PropertyRun {
 public:
  PropertyRun(const Property& property,
              const std::vector<Definition>& constants,
              const ReadModel& read,
              const SettingArguments& setting,
              const Options& options,
              bool quiet)
      : property_(property),
        read_(read),
        options_(options),
        quiet_(quiet),
        definitions_(read.definitions) {
    for (const Definition& each : constants) {
      if (std::ranges::find(definitions_, each.name, &Definition::name) == definitions_.end())
        definitions_.push_back(each);
    }
    setting_ = setting.setting();
    setting.add_states(read, setting_, quiet_, /*may_be_several=*/true);
    starts_ = setting.starts(read, setting_);
    if (property.direction == Direction::none && !read.model.is_chain())
      out_of_scope(property,
                   "found neither min nor max, expected one of them: the model has choices");
    setting_.adversarial = property.direction == Direction::min;
  }

  std::vector<PropertyValue> values() {
    std::vector<PropertyValue> out;
    if (starts_.empty()) {
      out.push_back(value());
      return out;
    }
    const std::vector<std::size_t> first = alike();
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      setting_.initial = InitialNames(read_.model.state_name(starts_[i]));
      out.push_back(first[i] < i ? PropertyValue(out[first[i]]) : value());
      out.back().state = read_.model.state_name(starts_[i]);
    }
    return out;
  }

  [[nodiscard]] Rational number(const std::string& text) const {
    return constant_value(definitions_, text, "--prop");
  }

 private:
  PropertyValue value() {
    if (property_.kind == Property::Kind::expectation) return expectation();
    Setting setting = setting_;
    setting.cost = !property_.at_least;
    if (!set_goal(setting)) {
      // Nobody reaches what there is not.
      const bool is_quantile = property_.kind == Property::Kind::quantile;
      return is_quantile ? no_bound() : certain(Total(0));
    }
    set_steps(setting);
    Model model = read_.model;
    if (property_.at_least && property_.kind == Property::Kind::probability &&
        property_.direction == Direction::min && !read_.model.is_chain()) {
      GoingOn going = go_on_until(model, setting, number(property_.bound), options_);
      return goal_chance(going.model, going.setting);
    }
    if (property_.at_least) {
      GoingOn going = go_on_at_goals(model, setting);
      model = std::move(going.model);
      setting = std::move(going.setting);
    }
    return property_.kind == Property::Kind::quantile ? quantile(model, setting)
                                                      : probability(model, setting);
  }

  // Which initial states have their answer from others. Goals that go on are no ends.
  [[nodiscard]] std::vector<std::size_t> alike() const {
    Setting setting = setting_;
    Options options = options_;
    const bool has_goal = !property_.goal.empty() && set_goal(setting);
    if (property_.at_least) options.reduce = Reduce::none;
    if (!has_goal) setting.goal.emplace();
    return alike_starts(read_.model, starts_, setting, options);
  }

  static PropertyValue certain(const Total& value) {
    return {{}, value, value, true, value.is_finite() ? to_text(value) : ""};
  }

  // The least of no bounds, or the greatest.
  [[nodiscard]] PropertyValue no_bound() const {
    return certain(property_.at_least ? Total::minus_infinity() : Total::plus_infinity());
  }

  // False if no state satisfies the condition.
  bool set_goal(Setting& setting) const {
    if (!goal_) {
      ReadModel named = read_;
      named.definitions = definitions_;
      goal_.emplace();
      for (const State s : states_where(named, property_.goal, "--prop"))
        goal_->emplace_back(read_.model.state_name(s));
    }
    setting.goal = goal_;
    return !goal_->empty();
  }

  void set_steps(Setting& setting) const {
    setting.horizon = kInfiniteHorizon;
    if (property_.steps.empty()) return;
    const Rational steps = number(property_.steps);
    if (steps < 0 || steps.get_den() != 1 || steps > 1000000000)
      out_of_scope(property_,
                   "found a bound of " + to_text(steps) + " steps, expected a whole number");
    setting.horizon = steps.get_num().get_ui();
  }

  PropertyValue probability(const Model& model, const Setting& setting) const {
    if (setting.horizon == 0u) return at_once(setting);
    if (property_.bound.empty()) return goal_chance(model, setting);
    const Rational bound = number(property_.bound);
    return chance(model, setting, Total(property_.at_least ? bound : Rational(-bound)));
  }

  [[nodiscard]] PropertyValue goal_chance(const Model& model, const Setting& setting) const {
    return chance(model, setting, Total::minus_infinity());
  }

  [[nodiscard]] PropertyValue chance(const Model& model,
                                     const Setting& setting,
                                     const Total& target) const {
    ThresholdQuery query;
    query.setting = setting;
    query.targets.push_back(target);
    const ThresholdAnswer answer = watched(options_, quiet_, false, [&](const Options& watching) {
      return threshold(model, query, watching);
    });
    const ThresholdResult& result = answer.results.front();
    if (!result.probability)
      throw Error(ErrorCode::refused, "--prop", "a limit was met before anything was known");
    const Value& low = *result.probability;
    const auto total = [](const Value& v) {
      return Total(v.exact ? *v.exact : Rational(v.nearest));
    };
    PropertyValue out{{}, total(low), total(low), !result.upper.has_value(), ""};
    if (result.upper) out.high = total(*result.upper);
    if (low.exact) out.exact = to_text(*low.exact);
    return out;
  }

  // No step at all: whoever is there is there.
  [[nodiscard]] PropertyValue at_once(const Setting& setting) const {
    Setting one = setting;
    one.horizon = 1;
    const ResolvedSetting resolved = resolve(read_.model, one);
    Rational sum = 0;
    for (const auto& [state, probability] : resolved.initial)
      if (resolved.is_goal(state)) sum += probability;
    return certain(Total(sum));
  }

  PropertyValue quantile(const Model& model, const Setting& setting) const {
    const bool is_ours = (property_.comparison == ">" || property_.comparison == ">=") &&
                         property_.at_least == (property_.sought == Direction::max);
    if (!is_ours)
      out_of_scope(property_,
                   "expected quantile(min B, P>p [F{\"r\"}<=B ...]) or quantile(max B, P>p "
                   "[F{\"r\"}>=B ...]), with > or >=: other quantiles are out of scope");
    const Rational p = number(property_.probability);
    if (p < 0 || p > 1)
      out_of_scope(property_, "found the probability " + to_text(p) + ", expected one from 0 to 1");
    const bool is_strict = property_.comparison == ">";
    // P > 1 never holds, P >= 0 always.
    if (is_strict && p == 1) return no_bound();
    if (!is_strict && p == 0)
      return certain(property_.at_least ? Total::plus_infinity() : Total(0));
    Query query;
    query.setting = setting;
    query.taus = {Rational(1 - p)};
    query.sides = is_strict ? Sides::lower : Sides::upper;
    query.compare = false;
    query.prefer = Prefer::probability;
    const Answer answer = watched(options_, quiet_, false, [&](const Options& watching) {
      return solve(model, query, watching);
    });
    const Result& result = answer.results.front();
    const auto shown = [&](const Total& t) {
      if (t == Total::miss()) return no_bound().low;
      return property_.at_least ? t : t.negated();
    };
    PropertyValue out{{}, shown(*result.quantile), shown(*result.quantile), true, ""};
    if (result.upper && *result.upper != *result.quantile) {
      out.is_exact = false;
      (property_.at_least ? out.high : out.low) = shown(*result.upper);
    }
    if (out.is_exact && out.low.is_finite()) out.exact = to_text(out.low);
    return out;
  }

  // R{"r"} [C<=k]; and R{"r"} [F goal], which is infinite where the goal may be missed: the least, or
  // that of a chain.
  PropertyValue expectation() {
    Setting setting = setting_;
    setting.adversarial = false;
    const bool to_goal = !property_.goal.empty();
    const bool is_cost = to_goal || property_.direction == Direction::min;
    setting.cost = is_cost;
    set_steps(setting);
    if (setting.horizon == 0U) return certain(Total(0));
    if (!to_goal) {
      setting.goal.emplace();
    } else if (!set_goal(setting)) {
      return certain(Total::plus_infinity());
    } else if (property_.direction == Direction::max && !read_.model.is_chain()) {
      out_of_scope(
          property_,
          "the greatest expected reward to a goal is out of scope; expected Rmin, a chain, "
          "or C<=k");
    }
    Query query;
    query.setting = setting;
    query.criterion.kind = Criterion::Kind::expectation;
    query.compare = false;
    const Answer answer = watched(options_, quiet_, false, [&](const Options& watching) {
      return solve(read_.model, query, watching);
    });
    const Result& result = answer.results.front();
    const auto shown = [&](const Total& t) { return is_cost ? t.negated() : t; };
    PropertyValue out{{}, shown(result.optimum->lower), shown(result.optimum->upper), true, ""};
    if (is_cost) std::swap(out.low, out.high);
    out.is_exact = out.low == out.high;
    if (out.is_exact && out.low.is_finite()) out.exact = to_text(out.low);
    return out;
  }

  const Property& property_;
  const ReadModel& read_;
  const Options& options_;
  bool quiet_;
  std::vector<Definition> definitions_;
  Setting setting_;
  std::vector<State> starts_;
  mutable std::optional<std::vector<std::string>> goal_;  // once it was asked for
};

PropertyList properties_of(const PropertyArguments& asked) {
  if (!asked.file) return parse_properties(*asked.property, "--prop");
  PropertyList list = parse_properties(read_text(*asked.file), *asked.file);
  if (!asked.property) return list;
  const auto named = std::ranges::find(list.properties, *asked.property, &Property::name);
  if (named != list.properties.end()) {
    list.properties = {Property(*named)};
    return list;
  }
  PropertyList own = parse_properties(*asked.property, "--prop");
  list.properties = own.properties;
  return list;
}

}  // namespace

void PropertyArguments::declare(CLI::App& command) {
  add_text(
      command,
      "--prop",
      property,
      "instead: a question in the language of the model checkers, as 'Pmax=? [F{\"time\"}<=9 "
      "\"done\"]' or 'quantile(min B, Pmax>0.9 [F{\"time\"}<=B \"done\"])'; or the name of one of "
      "--props")
      ->type_name("PROPERTY");
  add_text(
      command, "--props", file, "a file of such questions, with names: all, or the one of --prop")
      ->type_name("FILE");
}

ExitCode run_properties(const PropertyArguments& asked,
                        const ModelArgument& model,
                        const SettingArguments& setting,
                        Options options,
                        const OutputArguments& output) {
  const PropertyList list = properties_of(asked);
  if (list.properties.empty())
    throw Error(ErrorCode::bad_request, "--props", "found no property, expected one at least");
  std::string text;
  std::string json;
  std::optional<ReadModel> read;
  std::optional<std::string> reward_read;
  ExitCode code = ExitCode::solved;
  // Constants that only the properties have are not the model's.
  ModelArgument own = model;
  std::vector<Definition> constants = list.constants;
  std::vector<Definition> given = definitions_of(model.constants);
  for (const std::string& name : list.undefined) {
    const auto found = std::ranges::find(given, name, &Definition::name);
    if (found == given.end())
      throw Error(ErrorCode::bad_request,
                  "--const",
                  fmt::format("the constant '{}' of the properties has no value, expected {}=...",
                              visible(name),
                              visible(name)));
    constants.push_back({name, "(" + found->text + ")"});
    given.erase(found);
  }
  own.constants.clear();
  for (const Definition& each : given) own.constants.push_back(each.name + "=" + each.text);
  for (const Property& property : list.properties) {
    const std::optional<std::string> wanted =
        property.reward && !property.reward->empty() ? property.reward : model.reward;
    if (!read || reward_read != wanted) {
      own.reward = wanted;
      read = own.read(output.quiet || wanted == std::nullopt, options);
      reward_read = wanted;
    }
    const TimeTaken taken(options);
    PropertyRun run(property, constants, *read, setting, options, output.quiet);
    const std::vector<PropertyValue> values = run.values();
    const bool compares = !property.comparison.empty() && property.kind != Property::Kind::quantile;
    const PropertyReport report =
        report_of(property,
                  values,
                  compares ? std::optional(run.number(property.probability)) : std::nullopt);
    text += (text.empty() ? "" : "\n") + report.text;
    json += (json.empty() ? "" : ",\n") + report.json;
    for (const PropertyValue& value : values)
      if (!value.is_exact && !value.low.is_finite()) code = worse(code, ExitCode::ended_early);
  }
  output.write(output.json
                   ? "{\n  \"format\": \"quantiplan-properties/1\",\n  \"properties\": [\n" + json +
                         "\n  ]\n}\n"
                   : text);
  return code;
}

}  // namespace quantiplan::cli
