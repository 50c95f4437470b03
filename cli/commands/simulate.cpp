// quantiplan simulate: seeded episodes of a policy.
#include "arguments/arguments.hpp"
#include "commands/commands.hpp"
#include "console/watched_call.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kSimulateExamples =
    "Examples:\n"
    "  quantiplan simulate commute.json --policy expectation --episodes 1000 --seed 7\n"
    "  quantiplan simulate commute.json --policy p.json --episodes 3 --seed 7 --trace\n";

struct SimulateArguments {
  ModelArgument model;
  PolicyArgument policy;
  SettingArguments setting;
  EngineArguments engine;
  OutputArguments output;
  std::string episodes = "1000";
  std::string seed = "1";
  bool trace = false;

  void declare(CLI::App& command) {
    model.declare(command);
    policy.declare(command);
    command.add_option("--episodes", episodes, "how many episodes to play; default 1000")
        ->type_name("N");
    command
        .add_option(
            "--seed", seed, "seed: the same one gives the same episodes everywhere; default 1")
        ->type_name("K");
    command.add_flag("--trace", trace, "show each step of each episode");
    setting.declare(command);
    engine.declare(command);
    output.declare(command, true);
  }

  [[nodiscard]] ExitCode run() const {
    Options options = engine.options();
    const std::uint64_t count =
        to_whole(episodes, "--episodes", 1, "a whole number from 1 to 2^64 - 1");
    Simulation simulation;
    simulation.seed = to_whole(seed, "--seed", 0, "a whole number from 0 to 2^64 - 1");
    simulation.trace = trace;
    simulation.policy = policy.policy;
    require_one_standard_input(model.path, policy.policy, "--policy");
    output.check_writable(policy.inputs(model));
    const ReadModel read = model.read(output.quiet, options);
    const Model& given = read.model;
    const Policy played = policy.get(read, setting, options, output.quiet);
    simulation.model = facts(given, played.setting);
    simulation.asked = count;
    const bool is_cost = played.setting.cost;
    const KeepEpisodes keep = trace         ? KeepEpisodes::steps
                              : output.json ? KeepEpisodes::order
                                            : KeepEpisodes::counts;
    simulation.played = policy.played([&] {
      return watched(options, output.quiet, is_cost, [&](const Options& watching) {
        return simulate_tally(given, played, {count, simulation.seed, keep}, watching);
      });
    });
    output.write(output.json ? simulation_json(simulation, given)
                             : simulation_text(simulation, given, output.report_options()));
    return simulation.played.episodes < count ? ExitCode::ended_early : ExitCode::solved;
  }
};

}  // namespace

void add_simulate(CLI::App& program, Action& action) {
  add_command<SimulateArguments>(
      program, action, "simulate", "Seeded episodes of a policy", kSimulateExamples);
}

}  // namespace quantiplan::cli
