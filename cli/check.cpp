// quantiplan check: holds a policy file to its claim, without the engines.
#include <cmath>

#include "arguments.hpp"
#include "commands.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "watched_call.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  quantiplan check commute.json policy.json\n"
    "  quantiplan check commute.json policy.json --tau 0.1 --quantile -40\n";

struct CheckArguments {
  ModelArgument model;
  std::string policy;
  std::optional<std::string> tau;
  std::optional<std::string> side;
  std::optional<std::string> quantile;
  EngineArguments engine;
  OutputArguments output;

  void declare(CLI::App& command) {
    model.declare(command);
    command.add_option("POLICY", policy, "policy file")->required()->type_name("");
    add_text(command, "--tau", tau, "level of the claim, instead of the file's")->type_name("T");
    add_text(command, "--side", side, "side of the claim, instead of the file's")
        ->type_name("lower|upper");
    add_text(command, "--quantile", quantile, "quantile of the claim, instead of the file's")
        ->type_name("W");
    engine.declare(command);
    output.declare(command, false);
  }

  // The file's claim with what the user says instead. Throws Error(bad_request) if a piece is
  // missing.
  [[nodiscard]] PolicyClaim claim_of(const Policy& read) const {
    const auto need = [&](const char* flag) {
      throw Error(ErrorCode::bad_request,
                  flag,
                  "not given, and the policy file makes no claim; expected it on the command line");
    };
    if (!read.claim && !tau) need("--tau");
    if (!read.claim && !side) need("--side");
    if (!read.claim && !quantile) need("--quantile");
    PolicyClaim claim = read.claim.value_or(PolicyClaim{});
    if (tau) claim.tau = to_number(*tau, "--tau");
    if (side) claim.side = to_side(*side);
    if (quantile) claim.quantile = to_number(*quantile, "--quantile");
    return claim;
  }

  // P(W >= quantile) as the claim's; of a policy on a grid, and for a bracket, it claims no more
  // than its tau demands.
  static void set_probability(const Model& model,
                              const Policy& read,
                              const Options& options,
                              PolicyClaim& claim) {
    if (read.grid || claim.upper) {
      claim.probability = std::nextafter(to_nearest_double(1 - claim.tau), 0.0);
      claim.exact_probability.reset();
      if (claim.upper && *claim.upper < claim.quantile) claim.upper = claim.quantile;
      return;
    }
    const Value known = evaluate(model, read, options).at_least(claim.quantile);
    claim.probability = known.nearest;
    claim.exact_probability = known.exact;
  }

  [[nodiscard]] ExitCode run() const {
    const Options options = engine.options();
    require_one_standard_input(model.path, policy, "POLICY");
    output.check_writable({{"the model", model.path}, {"the policy", policy}});
    const Model given = model.read(output.quiet);
    const Policy read = read_policy(policy, given);
    CheckedClaim checked{facts(given, read.setting), policy, claim_of(read), {}};
    checked.report = watched(options, output.quiet, [&](const Options& watching) {
      // The file's probability belongs to the file's quantile; another quantile has another.
      if (!read.claim || checked.claim.quantile != read.claim->quantile)
        set_probability(given, read, watching, checked.claim);
      return check(given, read, checked.claim, watching);
    });
    output.write(output.json ? check_json(checked) : check_text(checked));
    return exit_code(checked.report);
  }
};

}  // namespace

void add_check(CLI::App& program, Action& action) {
  add_command<CheckArguments>(
      program, action, "check", "Holds a policy file to its claim, without the engines", kExamples);
}

}  // namespace quantiplan::cli
