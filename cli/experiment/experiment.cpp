// quantiplan experiment: the paper's experiments, one command each.
#include <fmt/format.h>

#include <filesystem>

#include "arguments/arguments.hpp"
#include "commands/commands.hpp"
#include "console/console.hpp"
#include "experiment/experiment_runs.hpp"
#include "experiment/plotting.hpp"
#include "help/usage.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kExperimentExamples =
    "Examples:\n"
    "  quantiplan experiment fig3 --quick\n"
    "  quantiplan experiment fig1 --out results\n"
    "  quantiplan experiment fig2 --beyond\n";

struct Figure {
  const char* name;
  const char* help;
  bool (*run)(const ExperimentPlan&);
};
constexpr Figure kFigures[] = {{"fig1", "time against states (Garnets)", run_fig1},
                               {"fig2", "time against horizon (data centre)", run_fig2},
                               {"fig3", "two distributions (skewed Garnets)", run_fig3}};

struct ExperimentArguments {
  const Figure* figure = nullptr;
  bool quick = false;
  bool beyond = false;
  bool no_plot = false;
  bool quiet = false;
  std::string folder = "experiments";
  double limit_seconds = 20;

  void declare(CLI::App& command) {
    command.require_subcommand(1);
    const auto formatter = std::make_shared<HelpFormatter>();
    formatter->label("SUBCOMMAND", "FIGURE");
    command.formatter(formatter);
    for (const Figure& each : kFigures) {
      CLI::App* own = command.add_subcommand(each.name, each.help);
      add_help_flags(*own);
      own->group("Figures");
      own->footer(fmt::format("Examples:\n  quantiplan experiment {} --quick\n", each.name));
      own->callback([this, &each] { figure = &each; });
      own->add_flag("--quick", quick, "tiny sizes, a few seconds: to see that it works");
      own->add_flag("--beyond", beyond, "also sizes that the paper could not do");
      own->add_option("--out", folder, "folder for the tables and figures; default experiments")
          ->type_name("DIR");
      own->add_option(
             "--limit", limit_seconds, "seconds for one run of the paper's algorithm; default 20")
          ->check(CLI::PositiveNumber)
          ->type_name("S");
      own->add_flag("--no-plot", no_plot, "tables only");
      own->add_flag("-q,--quiet", quiet, "no progress, no notices");
    }
  }

  [[nodiscard]] ExitCode run() const {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) throw Error(ErrorCode::io, folder, "cannot make the folder: " + problem.message());
    const InterruptGuard guard;
    ProgressLine line(quiet);
    ExperimentPlan plan;
    plan.quick = quick;
    plan.beyond = beyond;
    plan.limit_seconds = limit_seconds;
    plan.folder = folder;
    plan.stop = InterruptGuard::flag();
    plan.report = [&](std::string_view what, std::size_t done, std::size_t all) {
      line.show({what, static_cast<double>(done) / static_cast<double>(all), std::nullopt});
    };
    const bool is_done = figure->run(plan);
    line.end();
    if (!is_done) {
      print_error(fmt::format(
          "quantiplan: interrupted; finished points are in {}, run this again to go on", folder));
      return ExitCode::ended_early;
    }
    const std::string shown = visible(folder);
    std::string text = fmt::format("{}/{}.csv\n", shown, figure->name);
    if (std::string_view(figure->name) == "fig3")
      text += fmt::format("{}/fig3-summary.csv\n", shown);
    if (!no_plot) {
      const std::string why = draw_figure(figure->name, folder);
      if (why.empty())
        text += fmt::format("{0}/{1}.svg\n{0}/{1}.png\n", shown, figure->name);
      else if (!quiet)
        print_notices({why});
    }
    print(text);
    return ExitCode::solved;
  }
};

}  // namespace

void add_experiment(CLI::App& program, Action& action) {
  add_command<ExperimentArguments>(program,
                                   action,
                                   "experiment",
                                   "The paper's experiments: tables and figures",
                                   kExperimentExamples);
}

}  // namespace quantiplan::cli
