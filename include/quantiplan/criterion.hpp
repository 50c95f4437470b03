// What a policy is to be best at: a quantile, or one of its neighbours.
//
//     quantile        the tau-quantile of W                                     the default
//     cvar            the mean of the worst share tau: max_y { y - E (y - W)^+ / tau }
//     mean_cvar       (1 - parameter) CVaR_tau + parameter E W                  0 < parameter <= 1
//     worst_case      the least total that can occur
//     expectation     E W
//     utility         E u(W)
//     entropic        -(1/parameter) ln E exp(-parameter W)                     parameter > 0
//     evar            sup over beta > 0 of { entropic(beta) + ln(tau) / beta }
//     mean_variance   E W - parameter Var W                                     parameter > 0
//     nested_cvar     V_k = max_a CVaR_tau( r + gamma V_{k-1} ): another criterion than cvar
//
// W is what answers count: where rewards are costs, minus the cost. All of them are maxima of linear
// functions of the distribution, so that no policy that tosses coins is better (docs/mathematics.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "quantiplan/number.hpp"
#include "quantiplan/utility.hpp"

namespace quantiplan {

struct Criterion {
  enum class Kind {
    quantile,
    cvar,
    mean_cvar,
    worst_case,
    expectation,
    utility,
    entropic,
    evar,
    mean_variance,
    nested_cvar
  };
  Kind kind = Kind::quantile;
  Rational parameter = 0;
  std::optional<Utility> utility = std::nullopt;  // of the kind utility

  // Asked for each tau.
  [[nodiscard]] bool takes_tau() const noexcept {
    return kind == Kind::quantile || kind == Kind::cvar || kind == Kind::mean_cvar ||
           kind == Kind::evar || kind == Kind::nested_cvar;
  }
  // In units of wealth: where rewards are costs, its negative is a cost.
  [[nodiscard]] bool is_wealth() const noexcept { return kind != Kind::utility; }
  // Throws Error(bad_request) if the parameter is out of range, or a utility is missing.
  void validate() const;
};

std::string_view to_text(Criterion::Kind kind);
// "cvar", "mean-cvar:0.3", "utility:exponential(0.1)".
std::string to_text(const Criterion& criterion);

// "quantile", "cvar", "mean-cvar:WEIGHT", "worst-case", "expectation", "utility:FILE" or
// "utility:NAME(parameters)", "entropic:BETA", "evar", "mean-variance:LAMBDA", "nested-cvar". Throws
// Error(bad_request), and for a file what read_utility() throws.
Criterion parse_criterion(std::string_view text, const std::string& place = "--criterion");

}  // namespace quantiplan
