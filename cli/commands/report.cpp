// quantiplan report: a page to look at an answer in a browser.
#include <fmt/format.h>

#include "arguments/arguments.hpp"
#include "commands/commands.hpp"
#include "console/watched_call.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/page.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kReportExamples =
    "Examples:\n"
    "  quantiplan report commute.json\n"
    "  quantiplan report commute.json --tau 0.05,0.1 --side both --out commute.html\n"
    "  quantiplan report trip.json --tau 0.1 --criterion cvar,evar\n"
    "  quantiplan report commute.json --data -o -\n";

// As one types it: quoted where a shell would take a word apart.
std::string shell_word(const std::string& word) {
  const bool is_plain = !word.empty() && word.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_-./,:=+@%") == std::string::npos;
  if (is_plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

struct ReportArguments {
  ModelArgument model;
  QuantileArguments quantiles;
  SettingArguments setting;
  EngineArguments engine;
  std::vector<std::string> criteria;
  std::string out = "report.html";
  bool no_check = false;
  bool data = false;
  bool quiet = false;
  const CLI::App* command = nullptr;

  void declare(CLI::App& app) {
    command = &app;
    model.declare(app);
    quantiles.declare(app, false);
    app.add_option(
           "--criterion",
           criteria,
           "also the distributions of policies that are best by these, at the first tau: cvar, "
           "evar, utility:FILE and others, as for solve")
        ->type_name("WHAT[,...]")
        ->allow_extra_args(false);
    setting.declare(app);
    engine.declare(app);
    app.add_flag("--no-check", no_check, "leave out the independent check of the answers");
    app.add_option("-o,--out", out, "the page, report.html unless named; - for standard output")
        ->type_name("FILE")
        ->group("Output");
    app.add_flag("--data", data, "write the data of the page, as JSON, instead of the page")
        ->group("Output");
    app.add_flag("-q,--quiet", quiet, "no progress, no notices")->group("Output");
  }

  [[nodiscard]] std::string command_line() const {
    std::string line = "quantiplan report";
    for (const CLI::Option* option : command->get_options()) {
      if (option->count() == 0) continue;
      const std::string flag = option->get_positional() ? "" : " " + option->get_name();
      if (option->get_items_expected_max() == 0) line += flag;
      for (const std::string& value : option->results())
        if (option->get_items_expected_max() != 0) line += flag + " " + shell_word(value);
    }
    return line;
  }

  [[nodiscard]] ExitCode run() const {
    Options options = engine.options();
    options.check = !no_check;
    const Query asked = quantiles.query(setting, {"0.1"});
    PageQuery query{asked.taus, asked.sides, asked.setting};
    std::vector<InputFile> inputs = model_inputs(model.path);
    add_utilities(split(criteria), "--criterion", inputs);
    for (const std::string& text : split(criteria))
      query.criteria.push_back(parse_criterion(text, "--criterion"));
    query.command = command_line();
    if (!data && !has_page()) page_html({});  // throws: says how to get it
    require_writable(out, "--out", inputs);
    const ReadModel read = model.read(quiet, options);
    setting.add_states(read, query.setting, quiet, /*may_be_several=*/true);
    query.starts = setting.starts(read, query.setting);
    const bool is_cost = has_costs(read.model, query.setting);
    const PageData found = watched(options, quiet, is_cost, [&](const Options& watching) {
      return page_data(read.model, query, watching);
    });
    write_output(out, data ? found.json + "\n" : page_html(found));
    if (!quiet) {
      for (const std::string& what : found.left_out)
        print_error(fmt::format("quantiplan: report: left out: {}", what));
      if (out != "-") print(fmt::format("Written to {}\n", visible(out)));
    }
    ExitCode code = found.ended_early ? ExitCode::ended_early : ExitCode::solved;
    for (const Result& result : found.answer.results) {
      if (result.status != Status::solved) code = worse(code, ExitCode::ended_early);
      if (result.check) code = worse(code, exit_code(*result.check));
    }
    return code;
  }
};

}  // namespace

void add_report(CLI::App& program, Action& action) {
  add_command<ReportArguments>(
      program, action, "report", "A page to see and play with the answer", kReportExamples);
}

}  // namespace quantiplan::cli
