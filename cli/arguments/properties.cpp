#include "arguments/properties.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "arguments/property_report.hpp"
#include "arguments/property_run.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

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
    const PropertyAnswer answer =
        answer_property(property, constants, *read, setting, options, output.quiet);
    const PropertyReport report = report_of(property, answer.values, answer.compared);
    text += (text.empty() ? "" : "\n") + report.text;
    json += (json.empty() ? "" : ",\n") + report.json;
    for (const PropertyValue& value : answer.values)
      if (!value.is_exact && !value.low.is_finite()) code = worse(code, ExitCode::ended_early);
  }
  output.write(output.json
                   ? "{\n  \"format\": \"quantiplan-properties/1\",\n  \"properties\": [\n" + json +
                         "\n  ]\n}\n"
                   : text);
  return code;
}

}  // namespace quantiplan::cli
