#include "guarantee.hpp"

#include <fmt/format.h>

#include "figures.hpp"

namespace quantiplan {
namespace {

// Sentences have more room than tables.
constexpr std::size_t kSentenceRoom = 48;

Rational theta(const Result& result) { return 1 - result.tau; }

std::string promise(const Result& result, const std::string& level) {
  const Rational probability = theta(result);
  if (probability == 1) return fmt::format("The total is surely at least {}", level);
  if (probability == 0) return fmt::format("A total of at least {} is possible", level);
  return fmt::format("With probability {} {} the total is at least {}",
                     result.side == Side::lower ? "more than" : "at least",
                     to_text(probability),
                     level);
}

// "no policy promises more" and its variants; `than` is empty or " than 12".
std::string no_more(const Result& result, const std::string& than) {
  const Rational probability = theta(result);
  if (probability == 1) return fmt::format("no policy is sure of more{}", than);
  if (probability == 0) return fmt::format("no policy can reach more{}", than);
  return fmt::format("no policy promises more{}", than);
}

}  // namespace

std::string guarantee_sentence(const Result& result) {
  if (!result.quantile) return "Nothing is known yet: the call ended too early.";
  const bool is_closed = !result.upper || *result.upper == *result.quantile;
  if (result.certificate == Certificate::bracket && !is_closed) {
    const BracketFigures ends = bracket_figures(*result.quantile, *result.upper);
    return fmt::format("{}; {}.",
                       promise(result, ends.lower),
                       no_more(result, fmt::format(" than {}", ends.upper)));
  }
  const std::string promised = promise(result, wealth_figure(*result.quantile, kSentenceRoom));
  if (result.certificate == Certificate::exact)
    return fmt::format("{}; {}.", promised, no_more(result, ""));
  if (!result.upper) return fmt::format("{}; how much more can be promised is open.", promised);
  if (is_closed) return fmt::format("{}; {}.", promised, no_more(result, ""));
  const std::string most = wealth_figure(*result.upper, kSentenceRoom);
  if (result.certificate == Certificate::tie)
    return fmt::format("{}; whether {} can be promised is too close to call, and {}.",
                       promised,
                       most,
                       no_more(result, " than that"));
  return fmt::format("{}; {}.", promised, no_more(result, fmt::format(" than {}", most)));
}

std::optional<bool> expectation_keeps_promise(const Result& result) {
  if (!result.expectation_policy || !result.quantile) return std::nullopt;
  const ExpectationComparison& other = *result.expectation_policy;
  if (other.upper) {
    // What is known of it are bounds.
    if (other.quantile && *other.quantile >= *result.quantile) return true;
    if (*other.upper < *result.quantile) return false;
    return std::nullopt;
  }
  if (other.probability.exact)
    return result.side == Side::lower ? *other.probability.exact > theta(result)
                                      : *other.probability.exact >= theta(result);
  // Its own quantile at the same tau and side reaches q exactly if it keeps the promise for q.
  if (other.quantile) return *other.quantile >= *result.quantile;
  return std::nullopt;
}

namespace {

std::string bounded_comparison(const Result& result, const std::optional<bool>& keeps) {
  const ExpectationComparison& other = *result.expectation_policy;
  const std::string probability = lower_bound_figure(other.probability);
  if (keeps && !*keeps) {
    const Rational least = other.quantile.value_or(*other.upper);
    return fmt::format("The expectation-optimal policy promises no more than {}.",
                       bracket_figures(least, *other.upper).upper);
  }
  return fmt::format("The expectation-optimal policy reaches that {}with probability at least {}.",
                     keeps ? "as well, " : "",
                     probability);
}

}  // namespace

std::string comparison_sentence(const Result& result) {
  if (!result.expectation_policy || !result.quantile) return {};
  const std::optional<bool> keeps = expectation_keeps_promise(result);
  if (result.expectation_policy->upper) return bounded_comparison(result, keeps);
  const std::string probability = probability_figure(result.expectation_policy->probability);
  if (!keeps)
    return fmt::format("The expectation-optimal policy reaches that with probability {}.",
                       probability);
  if (*keeps)
    return fmt::format("The expectation-optimal policy reaches that as well, with probability {}.",
                       probability);
  if (probability == "0") return "The expectation-optimal policy never reaches that.";
  return fmt::format("The expectation-optimal policy reaches that with probability {} only.",
                     probability);
}

std::string width_sentence(const Result& result, const std::optional<Rational>& epsilon) {
  if (result.certificate != Certificate::bracket || !result.quantile || !result.upper) return {};
  const Rational width = *result.upper - *result.quantile;
  const std::string shown = fmt::format("The bracket is {} wide", size_figure(width));
  if (!epsilon) return shown + ".";
  return fmt::format("{}; {} {:.3g}.",
                     shown,
                     width <= *epsilon ? "good enough is" : "wanted was at most",
                     to_nearest_double(*epsilon));
}

std::string status_sentence(const Result& result) {
  switch (result.status) {
    case Status::solved:
      return {};
    case Status::limit_reached:
      return "Ended early, at a limit: the optimum lies within the bracket.";
    case Status::interrupted:
      return "Ended early, interrupted: the optimum lies within the bracket.";
    case Status::not_called:
      break;
  }
  return "Not solved.";
}

}  // namespace quantiplan
