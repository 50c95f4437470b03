#include "arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::cli {
namespace {

Error unexpected(const std::string& text, const char* flag, const char* expected) {
  return {ErrorCode::bad_request, flag, fmt::format("found '{}', expected {}", text, expected)};
}

}  // namespace

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
  add_text(command, "--horizon", horizon, "number of steps, or infinite, instead of the model's")
      ->type_name("N|infinite");
  add_text(command, "--initial", initial, "name of the initial state, instead of the model's")
      ->type_name("STATE");
  add_text(command, "--discount", discount, "discount in (0, 1], instead of the model's")
      ->type_name("G");
  command
      .add_option_function<std::vector<std::string>>(
          "--goal",
          [this](const std::vector<std::string>& lists) { goal = lists; },
          "states at which an episode ends, and which it must reach to count, instead of the "
          "model's; '' for none")
      ->type_name("STATE[,STATE...]")
      ->allow_extra_args(false);
  command.add_flag(
      "--cost", cost, "rewards are costs: the answer is the least cost, and every total a cost");
  command.add_flag("--adversarial",
                   adversarial,
                   "what is guaranteed whatever is done: the least of all policies, "
                   "not the greatest");
}

Setting SettingArguments::setting() const {
  Setting setting;
  constexpr const char* kExpected = "a whole number of steps, or infinite";
  if (horizon == "infinite") {
    setting.horizon = kInfiniteHorizon;
  } else if (horizon) {
    setting.horizon = to_whole(*horizon, "--horizon", 0, kExpected);
    // That many steps are not the same as no end.
    if (setting.horizon == kInfiniteHorizon) throw unexpected(*horizon, "--horizon", kExpected);
  }
  if (discount) setting.discount = to_number(*discount, "--discount");
  setting.initial = initial;
  if (cost) setting.cost = true;
  setting.adversarial = adversarial;
  return setting;
}

void SettingArguments::add_goal(const Model& model, Setting& setting) const {
  if (!goal) return;
  setting.goal.emplace();
  for (const std::string& list : *goal) {
    if (list.empty()) continue;
    for (std::string& name : split_names(list, model)) setting.goal->push_back(std::move(name));
  }
}

const char* SettingArguments::given() const {
  if (horizon) return "--horizon";
  if (initial) return "--initial";
  if (discount) return "--discount";
  if (goal) return "--goal";
  if (cost) return "--cost";
  return adversarial ? "--adversarial" : nullptr;
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
  if (policy == "expectation") {
    Setting wanted = setting.setting();
    setting.add_goal(model, wanted);
    return expectation_policy(model, wanted, options);
  }
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

Total to_total(const std::string& text, const char* flag) {
  if (text == "inf") return Total::plus_infinity();
  if (text == "-inf") return Total::minus_infinity();
  return to_number(text, flag);
}

Total to_wealth(const Total& given, bool is_cost) { return is_cost ? given.negated() : given; }

bool has_costs(const Model& model, const Setting& setting) {
  return setting.cost.value_or(model.has_costs());
}

std::uint64_t to_whole(const std::string& text,
                       const char* flag,
                       std::uint64_t least,
                       const char* expected) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end || value < least)
    throw unexpected(text, flag, expected);
  return value;
}

Side to_side(const std::string& text, const char* expected) {
  if (text == "lower") return Side::lower;
  if (text == "upper") return Side::upper;
  throw unexpected(text, "--side", expected);
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

namespace {

std::string joined(const std::vector<std::string>& parts, std::size_t begin, std::size_t end) {
  std::string text = parts[begin];
  for (std::size_t i = begin + 1; i < end; ++i) text += ',' + parts[i];
  return without_blanks_around(text);
}

// The end of the longest name that begins at a part; `begin` if none does.
std::size_t name_end(const std::vector<std::string>& parts, std::size_t begin, const Model& model) {
  std::size_t end = parts.size();
  while (end > begin && !model.find_state(joined(parts, begin, end))) --end;
  return end;
}

}  // namespace

std::vector<std::string> split_names(const std::string& list, const Model& model) {
  std::vector<std::string> parts(1);
  for (const char c : list) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < parts.size();) {
    std::size_t end = name_end(parts, begin, model);
    // What is unknown is shown whole, up to where a known name begins.
    if (end == begin)
      while (++end < parts.size() && name_end(parts, end, model) == end) continue;
    names.push_back(joined(parts, begin, end));
    begin = end;
  }
  return names;
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
          std::string(model.state_name(setting.initial)),
          setting.goal.size(),
          setting.cost,
          setting.adversarial,
          model.wealth().kind};
}

}  // namespace quantiplan::cli
