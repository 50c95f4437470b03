#include "arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::cli {

void ModelArgument::declare(CLI::App& command) {
  command.add_option("MODEL", path, "model file (.json, .csv), or - for standard input")
      ->required()
      ->type_name("");
}

Model ModelArgument::read(bool quiet) const {
  ReadModel read = read_model(path);
  if (!quiet) print_notices(read.notices);
  return std::move(read.model);
}

void SettingArguments::declare(CLI::App& command) {
  add_text(command, "--horizon", horizon, "number of steps, instead of the model's")
      ->type_name("N");
  add_text(command, "--initial", initial, "name of the initial state, instead of the model's")
      ->type_name("STATE");
  add_text(command, "--discount", discount, "discount in (0, 1], instead of the model's")
      ->type_name("G");
}

Setting SettingArguments::setting() const {
  Setting setting;
  if (horizon) setting.horizon = to_whole(*horizon, "--horizon", 0, "a whole number of steps");
  if (discount) setting.discount = to_number(*discount, "--discount");
  setting.initial = initial;
  return setting;
}

const char* SettingArguments::given() const {
  if (horizon) return "--horizon";
  if (initial) return "--initial";
  return discount ? "--discount" : nullptr;
}

void QuantileArguments::declare(CLI::App& command, bool tau_is_required) {
  command.add_option("--tau", tau, "quantile levels in [0, 1], as decimals or fractions: 0.1,1/3")
      ->required(tau_is_required)
      ->type_name("T[,T...]")
      ->allow_extra_args(false);
  command.add_option("--side", side, "lower (the default), upper or both")->type_name("SIDE");
}

Query QuantileArguments::query(const SettingArguments& setting,
                               const std::vector<std::string>& usual) const {
  Query query;
  for (const std::string& text : tau.empty() ? usual : split(tau)) {
    const Rational level = to_number(text, "--tau");
    if (std::ranges::find(query.taus, level) == query.taus.end()) query.taus.push_back(level);
  }
  if (side == "both") {
    query.sides = Sides::both;
  } else {
    query.sides =
        to_side(side, "lower, upper or both") == Side::lower ? Sides::lower : Sides::upper;
  }
  query.setting = setting.setting();
  return query;
}

void EngineArguments::declare(CLI::App& command) {
  for (const OptionEntry& entry : option_table()) {
    const std::string flag = "--" + std::string(entry.name);
    const std::string help(entry.help);
    CLI::Option* option = nullptr;
    if (entry.value.empty()) {
      option = command.add_flag_callback(
          flag, [this, &entry] { given.emplace_back(&entry, "true"); }, help);
    } else {
      option = command.add_option_function<std::string>(
          flag,
          [this, &entry](const std::string& text) { given.emplace_back(&entry, text); },
          help);
      option->type_name(std::string(entry.value));
    }
    option->group("How it is computed");
  }
  command.add_flag("--exact", exact, "the same as --arithmetic exact")->group("How it is computed");
}

Options EngineArguments::options() const {
  Options options;
  for (const auto& [entry, text] : given) entry->set(options, text);
  if (exact) {
    if (options.arithmetic != Arithmetic::automatic && options.arithmetic != Arithmetic::exact)
      throw Error(
          ErrorCode::bad_request, "--exact", "given with another --arithmetic, expected one");
    options.arithmetic = Arithmetic::exact;
  }
  options.validate();
  return options;
}

void OutputArguments::declare(CLI::App& command, bool has_long_lists) {
  command.add_flag("--json", json, "print one JSON object instead of a table")->group("Output");
  add_text(command, "-o,--output", output, "write the report to FILE instead of standard output")
      ->type_name("FILE")
      ->group("Output");
  if (has_long_lists)
    command.add_flag("--all", all, "do not abbreviate long tables")->group("Output");
  command.add_flag("-q,--quiet", quiet, "no notices and no progress")->group("Output");
}

void OutputArguments::check_writable(const std::vector<InputFile>& inputs) const {
  if (output) require_writable(*output, "--output", inputs);
}

ReportOptions OutputArguments::report_options() const {
  ReportOptions options;
  options.unicode = console_is_unicode();
  if (all) options.most_rows = 0;
  return options;
}

void OutputArguments::write(const std::string& text) const {
  if (output.value_or("-") == "-") {
    print(text);
  } else {
    write_text(*output, text);
  }
}

void PolicyArgument::declare(CLI::App& command) {
  command
      .add_option("--policy",
                  policy,
                  "policy file, or expectation: the policy with the greatest expected total")
      ->required()
      ->type_name("FILE|expectation");
}

InputFile PolicyArgument::input() const {
  return {"the policy", policy == "expectation" ? "-" : policy};
}

Policy PolicyArgument::get(const Model& model,
                           const SettingArguments& setting,
                           const Options& options) const {
  if (policy == "expectation") return expectation_policy(model, setting.setting(), options);
  if (const char* flag = setting.given()) {
    throw Error(ErrorCode::bad_request,
                flag,
                "given together with a policy file; expected none, the file carries its own");
  }
  return read_policy(policy, model);
}

Rational to_number(const std::string& text, const char* flag) {
  std::string why;
  const std::optional<Number> number = Number::try_parse(text, &why);
  if (!number) throw Error(ErrorCode::bad_request, flag, why);
  return number->rational();
}

std::uint64_t to_whole(const std::string& text,
                       const char* flag,
                       std::uint64_t least,
                       const char* expected) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end || value < least)
    throw Error(
        ErrorCode::bad_request, flag, fmt::format("found '{}', expected {}", text, expected));
  return value;
}

Side to_side(const std::string& text, const char* expected) {
  if (text == "lower") return Side::lower;
  if (text == "upper") return Side::upper;
  throw Error(
      ErrorCode::bad_request, "--side", fmt::format("found '{}', expected {}", text, expected));
}

namespace {

std::string without_blanks_around(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

}  // namespace

std::vector<std::string> split(const std::vector<std::string>& lists) {
  std::vector<std::string> items;
  for (const std::string& list : lists) {
    std::size_t begin = 0;
    for (std::size_t comma = list.find(','); comma != std::string::npos;
         comma = list.find(',', begin)) {
      items.push_back(without_blanks_around(list.substr(begin, comma - begin)));
      begin = comma + 1;
    }
    items.push_back(without_blanks_around(list.substr(begin)));
  }
  return items;
}

const std::vector<std::string>& usual_taus() {
  static const std::vector<std::string> taus = {
      "0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99"};
  return taus;
}

CLI::Option* add_text(CLI::App& command,
                      const char* names,
                      std::optional<std::string>& into,
                      const char* help) {
  return command.add_option_function<std::string>(
      names, [&into](const std::string& text) { into = text; }, help);
}

ModelFacts facts(const Model& model, const ResolvedSetting& setting) {
  return {model.name(),
          model.state_count(),
          model.choice_count(),
          model.outcome_count(),
          setting.horizon,
          setting.discount,
          std::string(model.state_name(setting.initial))};
}

}  // namespace quantiplan::cli
