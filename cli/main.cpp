// The program `quantiplan`: reads the command line, runs one command, turns errors into exit codes.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>

#include "commands/commands.hpp"
#include "console/console.hpp"
#include "help/usage.hpp"
#include "launch.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kAbout =
    "Quantiplan: the policy of a Markov decision process whose total reward has the greatest\n"
    "quantile, exactly and with a certificate.";
constexpr const char* kMainExamples =
    "Examples:\n"
    "  quantiplan solve commute.json --tau 0.1\n"
    "  quantiplan threshold commute.json --target -40\n"
    "  quantiplan solve -h\n"
    "\n"
    "Exit codes: 0 solved, 1 ended early with a valid partial answer, 2 the request or the\n"
    "model is wrong or refused, 3 our fault, 4 a check failed.\n";

void declare(CLI::App& program, Action& action) {
  program.formatter(std::make_shared<HelpFormatter>());
  program.footer(kMainExamples);
  program.set_version_flag(
      "-V,--version", "quantiplan " + std::string(version()), "print the version and exit");
  add_help_flags(program);
  program.require_subcommand(1);
  add_solve(program, action);
  add_frontier(program, action);
  add_threshold(program, action);
  add_tradeoff(program, action);
  add_report(program, action);
  add_evaluate(program, action);
  add_simulate(program, action);
  add_explain(program, action);
  add_info(program, action);
  add_convert(program, action);
  add_check(program, action);
  add_generate(program, action);
  add_experiment(program, action);
  add_about(program, action);
}

ExitCode report_usage(const CLI::App& program, const CLI::ParseError& error) {
  print_error(usage_problem(program, error));
  return ExitCode::refused;
}

// A problem of a file begins with the file's name; any other with ours.
ExitCode report_error(const Error& error) {
  const bool in_file = error.code() == ErrorCode::bad_model ||
                       error.code() == ErrorCode::bad_policy || error.code() == ErrorCode::io;
  for (const Problem& problem : error.problems()) {
    const bool named = in_file && !problem.place.empty();
    print_error(fmt::format("{}{}{}{}",
                            named ? "" : "quantiplan: ",
                            problem.place,
                            problem.place.empty() ? "" : ": ",
                            problem.message));
  }
  return ExitCode::refused;
}

ExitCode run(int argc, char** argv) {
  Launch::join(argc, argv);
  CLI::App program(kAbout, "quantiplan");
  Action action;
  declare(program, action);
  try {
    program.parse(argc, argv);
  } catch (const CallForShortHelp&) {
    print(short_help(program));
    return ExitCode::solved;
  } catch (const CLI::Success& asked) {
    std::ostringstream text;
    program.exit(asked, text, text);
    print(text.str());
    return ExitCode::solved;
  } catch (const CLI::ParseError& error) {
    return report_usage(program, error);
  }
  // Of other commands rank 0 does all.
  const bool is_shared = program.got_subcommand("solve") || program.got_subcommand("frontier") ||
                         program.got_subcommand("threshold");
  if (!is_shared) Launch::leave_to_first();
  return action();
}

ExitCode report_no_memory() {
  // Piece by piece: a line that is put together would ask for memory again.
  for (const char* piece : {"quantiplan: ", kNoMemory, "\n"}) std::fputs(piece, stderr);
  return ExitCode::refused;
}
// Where rank 0 speaks for this process, it learns of it when this one leaves.
ExitCode refuse_without_memory() {
  return Launch::is_helper() ? ExitCode::refused : report_no_memory();
}

// Where there is no memory for the exception itself, std::terminate is called without one.
[[noreturn]] void on_terminate() {
  if (std::current_exception() == nullptr) std::_Exit(static_cast<int>(report_no_memory()));
  std::abort();
}
// Before other objects that live before main(): their memory may be refused, too.
[[gnu::constructor(101)]] void watch_terminate() { std::set_terminate(on_terminate); }

// The only place where exceptions end.
ExitCode run_guarded(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    return report_error(error);
  } catch (const ClosedPipe&) {
    return ExitCode::refused;
  } catch (const std::bad_alloc&) {
    return refuse_without_memory();
  } catch (const std::length_error&) {  // more than an address space holds
    return refuse_without_memory();
  } catch (const std::exception& error) {
    print_error("quantiplan: internal error: " + one_line(error.what()) + "; please report it");
  } catch (...) {
    print_error("quantiplan: internal error of unknown kind; please report it");
  }
  return ExitCode::our_fault;
}

}  // namespace
}  // namespace quantiplan::cli

int main(int argc, char** argv) {
  quantiplan::let_numbers_throw_bad_alloc();
  quantiplan::cli::prepare_console();
  try {
    return quantiplan::cli::Launch::leave(quantiplan::cli::run_guarded(argc, argv));
  } catch (const std::bad_alloc&) {  // of the words for another error
    return static_cast<int>(quantiplan::cli::report_no_memory());
  }
}
