#include "commands/solve_arguments.hpp"

#include <fmt/format.h>

#include "quantiplan/error.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {

Prefer prefer_of(const std::string& text) {
  for (const Prefer prefer :
       {Prefer::automatic, Prefer::mean, Prefer::probability, Prefer::classes})
    if (text == to_text(prefer)) return prefer;
  throw Error(
      ErrorCode::bad_request,
      "--prefer",
      fmt::format("found '{}', expected auto, mean, probability or classes", visible(text)));
}

Rational mean_gap_of(const std::string& text) {
  Rational gap = to_number(text, "--mean-gap");
  if (gap < 0 || gap > 1)
    throw Error(ErrorCode::bad_request,
                "--mean-gap",
                fmt::format("found {}, expected a part, from 0 to 1", to_text(gap)));
  return gap;
}

void SolveArguments::declare(CLI::App& command) {
  model.declare(command);
  quantiles.declare(command, false);
  properties.declare(command);
  add_text(
      command,
      "--compare",
      compare,
      "instead: policies that are best by each criterion (all), or by some (cvar,evar), held to "
      "all measures, in one table")
      ->type_name("WHAT");
  add_text(
      command,
      "--criterion",
      criterion,
      "what is best, instead of the quantile: cvar, mean-cvar:WEIGHT, worst-case, expectation, "
      "utility:FILE, utility:NAME(parameters), entropic:BETA, evar, mean-variance:LAMBDA, "
      "nested-cvar")
      ->type_name("WHAT");
  setting.declare(command);
  setting.declare_goal_ends(command);
  engine.declare(command);
  command.add_flag(
      "--check", check, "confirm each result with code that shares nothing with the engines");
  command.add_flag("--no-comparison",
                   no_comparison,
                   "leave out means and the expectation-optimal policy, which saves some time");
  declare_wishes(command);
  output.declare(command, false);
  command.add_flag("--distribution", distribution, "show the distribution of each policy too")
      ->group("Output");
  add_text(command,
           "--policy-out",
           policy_out,
           "write the policy to FILE; {tau}, {side} and {attitude} in its name tell several apart")
      ->type_name("FILE")
      ->group("Output");
}

// What is best besides the promise, and for whom.
void SolveArguments::declare_wishes(CLI::App& command) {
  add_text(
      command,
      "--prefer",
      prefer,
      "what is best besides the promise: auto (the default: mean where a pass is small), mean, "
      "probability, or classes (where wealth is no sum: the next better class, and so on)")
      ->type_name("WHAT");
  add_text(command,
           "--mean-gap",
           mean_gap,
           "how far the mean may stay below its bound, as a part of what the promise can cost "
           "(0.01; 0 with --exact and --mixed)")
      ->type_name("PART");
  command
      .add_option("--attitude",
                  attitude,
                  "instead: compare policies by how they treat later selves, who may prefer "
                  "other quantiles: resolute, replan, subgame-perfect, recursive, within:DELTA "
                  "(DELTA: what a self may lose), or all")
      ->type_name("ATTITUDE[,...]")
      ->allow_extra_args(false);
  command.add_flag("--mixed",
                   mixed,
                   "also two policies and the coin between them that attain the best mean; "
                   "--policy-out writes these");
}

std::vector<InputFile> SolveArguments::inputs() const {
  std::vector<InputFile> all = model_inputs(model.path);
  if (criterion) add_utilities({*criterion}, "--criterion", all);
  if (compare) add_utilities(split({*compare}), "--compare", all);
  if (properties.file) {
    if (model.path == "-" && *properties.file == "-")
      throw Error(ErrorCode::bad_request, "--props", "only one of MODEL and FILE may be -");
    all.push_back({"the file of questions", *properties.file});
  }
  return all;
}

void SolveArguments::refuse_what_quantiles_have() const {
  const char* flag = quantiles.side != "lower" ? "--side"
                     : prefer                  ? "--prefer"
                     : mean_gap                ? "--mean-gap"
                     : mixed                   ? "--mixed"
                     : !attitude.empty()       ? "--attitude"
                                               : nullptr;
  if (flag == nullptr) return;
  const bool upper_tail = flag == std::string_view("--side") && criterion->ends_with("cvar");
  throw Error(
      upper_tail ? ErrorCode::refused : ErrorCode::bad_request,
      flag,
      fmt::format("found with --criterion {}, expected it with quantile only{}",
                  visible(*criterion),
                  upper_tail
                      ? ": the mean of the best share is greatest for a policy that tosses "
                        "coins, and no one policy has it; --criterion upper-cvar says what to "
                        "do instead"
                      : ""));
}

void SolveArguments::refuse_checkpoints_with(const char* others) {
  if (others != nullptr)
    throw Error(ErrorCode::bad_request,
                "--checkpoint",
                fmt::format("found with {}, expected one of them", others));
}

}  // namespace quantiplan::cli
