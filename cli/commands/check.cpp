// quantiplan check: holds a policy file to its claim, without the engines.
#include <fmt/format.h>

#include <cmath>

#include "arguments/arguments.hpp"
#include "commands/commands.hpp"
#include "console/watched_call.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kCheckExamples =
    "Examples:\n"
    "  quantiplan check commute.json policy.json\n"
    "  quantiplan check commute.json policy.json --tau 0.1 --quantile -40\n"
    "  quantiplan check commute.json policy.json --target -40\n";

// A quantile of the command line, which may be a miss.
Total to_level(const std::string& text, const char* flag) {
  return text == "miss" ? Total::miss() : to_total(text, flag);
}

struct CheckArguments {
  ModelArgument model;
  std::string policy;
  std::optional<std::string> tau;
  std::optional<std::string> side;
  std::optional<std::string> quantile;
  std::optional<std::string> target;
  EngineArguments engine;
  OutputArguments output;

  void declare(CLI::App& command) {
    model.declare(command);
    auto* first = command.add_option("POLICY", policy, "policy file")->type_name("");
    command.add_option("--policy", policy, "the same, as evaluate and simulate have it")
        ->type_name("FILE")
        ->excludes(first);
    add_text(command, "--tau", tau, "level of the claim, instead of the file's")->type_name("T");
    add_text(command, "--side", side, "side of the claim, instead of the file's")
        ->type_name("lower|upper");
    add_text(command,
             "--quantile",
             quantile,
             "quantile of the claim, instead of the file's; with costs, a cost; or the text of a "
             "class")
        ->type_name("W");
    add_text(command,
             "--target",
             target,
             "claim of a threshold instead: that no policy has a greater P(W >= y); with costs, "
             "P(C <= y); or the text of a class")
        ->type_name("Y");
    engine.declare(command);
    output.declare(command, false);
  }

  using Kind = PolicyClaim::Kind;

  // The first part of a claim of a quantile that is given; nullptr if there is none.
  [[nodiscard]] const char* quantile_flag() const {
    if (tau) return "--tau";
    if (side) return "--side";
    return quantile ? "--quantile" : nullptr;
  }

  // Which claim is meant: the one the user names, else the file's.
  [[nodiscard]] Kind kind_of(const Policy& read) const {
    const char* other = quantile_flag();
    if (target && other != nullptr) {
      throw Error(ErrorCode::bad_request,
                  "--target",
                  fmt::format("given together with {}, expected the claim of a threshold or that "
                              "of a quantile",
                              other));
    }
    if (target) return Kind::threshold;
    return other == nullptr && read.claim ? read.claim->kind : Kind::quantile;
  }

  // The file's claim with what the user says instead. Throws Error(bad_request) if a piece is
  // missing.
  [[nodiscard]] PolicyClaim claim_of(const Policy& read, const Wealth& wealth) const {
    const bool by_classes = !wealth.is_sum();
    const Kind kind = kind_of(read);
    if (!read.claim && !target && quantile_flag() == nullptr)
      throw Error(
          ErrorCode::bad_request,
          policy,
          "makes no claim to be held to; expected --tau, --side and --quantile, or --target");
    const bool in_file = read.claim && read.claim->kind == kind;
    const auto need = [&](const char* flag, const std::optional<std::string>& given) {
      if (in_file || given) return;
      throw Error(ErrorCode::bad_request,
                  flag,
                  fmt::format("not given, and the policy file makes no claim{}; expected it on the "
                              "command line",
                              read.claim ? " of this kind" : ""));
    };
    PolicyClaim claim = in_file ? *read.claim : PolicyClaim{};
    claim.kind = kind;
    const bool is_cost = read.setting.cost;
    if (kind == Kind::threshold) {
      if (target && by_classes) {
        claim.level = wealth.written(*target);
      } else if (target) {
        claim.quantile = to_wealth(to_total(*target, "--target"), is_cost);
      }
      return claim;
    }
    need("--tau", tau);
    need("--side", side);
    need("--quantile", quantile);
    // The bound of the mean speaks of another promise then.
    if (quantile_flag() != nullptr) {
      claim.mean_bound.reset();
      claim.weight.reset();
    }
    if (tau) claim.tau = to_chance(*tau, "--tau");
    if (side) claim.side = to_side(*side);
    if (quantile && by_classes) {
      claim.level = wealth.written(*quantile);
    } else if (quantile) {
      claim.quantile = to_wealth(to_level(*quantile, "--quantile"), is_cost);
    }
    return claim;
  }

  // The probability that belongs to the claim's level. Where it is not known to the digit, as on a
  // grid, and for a bracket, the claim of a quantile is no more than its tau demands; that of a
  // threshold, what is known of it.
  static void set_probability(const Model& model,
                              const Policy& read,
                              const Options& options,
                              PolicyClaim& claim) {
    claim.exact_probability.reset();
    claim.most_probability.reset();
    const bool is_quantile = claim.kind == Kind::quantile;
    if (is_quantile && (read.grid || claim.upper)) {
      claim_what_tau_demands(read, claim);
      return;
    }
    const Distribution own = evaluate(model, read, options);
    if (claim.level) {
      set_class_probability(model, own, claim);
    } else if (own.slack == 0 && !own.rest && !own.sample) {
      const Value known = is_quantile && read.setting.adversarial ? at_most(own, claim.quantile)
                                                                  : own.at_least(claim.quantile);
      claim.probability = known.nearest;
      claim.exact_probability = known.exact;
    } else if (is_quantile) {
      claim.upper = claim.quantile;
      claim_what_tau_demands(read, claim);
    } else {
      const ProbabilityBracket known = own.at_least_bracket(claim.quantile);
      claim.probability = std::nextafter(to_nearest_double(known.lower), 0.0);
      claim.most_probability = std::nextafter(to_nearest_double(known.upper), 1.0);
    }
  }

  // A class that the policy does not end in is claimed with what tau demands. A target need not be
  // one that it ends in, but one that can be compared with those.
  static void set_class_probability(const Model& model,
                                    const Distribution& own,
                                    PolicyClaim& claim) {
    const WealthClasses& classes = *own.classes;
    const auto k = position_of(*claim.level, classes, model.wealth());
    const bool is_met = k && *k <= classes.size() && classes.text(*k) == *claim.level;
    if (claim.kind == Kind::quantile && !is_met) {
      claim.probability = to_nearest_double(1 - claim.tau);
      return;
    }
    if (!k) refuse_unmet_class("--target", *claim.level, classes);
    const Value known = own.at_least({own.classes, *k});
    claim.probability = known.nearest;
    claim.exact_probability = known.exact;
  }

  // P(W <= quantile): what an adversary claims of a quantile. Exact where all of it is.
  static Value at_most(const Distribution& own, const Total& quantile) {
    Value sum{0, Rational(0)};
    for (const Atom& atom : own.atoms) {
      if (atom.wealth > quantile) break;
      sum.nearest += atom.probability.nearest;
      if (!atom.probability.exact) sum.exact.reset();
      if (sum.exact) *sum.exact += *atom.probability.exact;
    }
    if (sum.exact) sum.nearest = to_nearest_double(*sum.exact);
    return sum;
  }

  static void claim_what_tau_demands(const Policy& read, PolicyClaim& claim) {
    const Rational demand = read.setting.adversarial ? claim.tau : Rational(1 - claim.tau);
    claim.probability = std::nextafter(to_nearest_double(demand), 0.0);
    if (claim.upper && *claim.upper < claim.quantile) claim.upper = claim.quantile;
  }

  // The file's probability belongs to the file's level; another level has another.
  static bool is_of_file(const PolicyClaim& claim, const Policy& read) {
    return read.claim && read.claim->kind == claim.kind &&
           (claim.level ? read.claim->level == claim.level
                        : read.claim->quantile == claim.quantile);
  }

  [[nodiscard]] ExitCode run() const {
    Options options = engine.options();
    if (policy.empty())
      throw Error(ErrorCode::bad_request,
                  "check: POLICY",
                  "found none, expected one; see quantiplan check --help");
    require_one_standard_input(model.path, policy, "POLICY");
    std::vector<InputFile> inputs = model_inputs(model.path);
    inputs.push_back({"the policy", policy});
    output.check_writable(inputs);
    const Model given = model.read(output.quiet, options).model;
    const Policy read = read_policy(policy, given, options);
    CheckedClaim checked{facts(given, read.setting), policy, claim_of(read, given.wealth()), {}};
    const bool is_cost = read.setting.cost;
    checked.report = watched(options, output.quiet, is_cost, [&](const Options& watching) {
      if (!is_of_file(checked.claim, read)) set_probability(given, read, watching, checked.claim);
      return check(given, read, checked.claim, watching);
    });
    output.write(output.json ? check_json(checked) : check_text(checked));
    return exit_code(checked.report);
  }
};

}  // namespace

void add_check(CLI::App& program, Action& action) {
  add_command<CheckArguments>(program,
                              action,
                              "check",
                              "Holds a policy file to its claim, without the engines",
                              kCheckExamples);
}

}  // namespace quantiplan::cli
