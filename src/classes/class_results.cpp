#include "classes/class_results.hpp"

#include <algorithm>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// "found 'gould', expected one of 'bronze', 'silver', 'gold'; did you mean 'gold'?"
[[noreturn]] void refuse_unknown_class(const std::string& level,
                                       const WealthClasses& classes,
                                       const Wealth& declared) {
  constexpr std::size_t kMostNamed = 6;
  std::vector<std::string> names = declared.classes;
  if (names.empty())
    for (std::size_t k = 1; k <= classes.size(); ++k) names.push_back(classes.text(k));
  NearestName nearest(level);
  for (const std::string& name : names) nearest.offer(name);
  std::string expected;
  // The best ones are asked for most.
  const std::size_t named = std::min(names.size(), kMostNamed);
  for (std::size_t i = names.size() - named; i < names.size(); ++i)
    expected += (expected.empty() ? "" : ", ") + in_quotes(names[i]);
  if (named < names.size())
    expected += " or one of the " + std::to_string(names.size() - named) + " classes below them";
  throw Error(ErrorCode::bad_request,
              "--target",
              "found " + in_quotes(level) + ", expected " +
                  (classes.number(1) ? "a number, or " : "") + expected + nearest.suggestion());
}

}  // namespace

FoundQuantile class_found(const Question& question,
                          const FoundClass& found,
                          const std::shared_ptr<const WealthClasses>& classes,
                          Status status) {
  FoundQuantile out{unknown_class(question, found.ended ? status : Status::solved)};
  Result& result = out.result;
  result.quantile = Level(classes, found.position + 1UL);
  result.upper = Level(classes, found.beyond);
  result.certificate = found.beyond - found.position == 1   ? Certificate::exact
                       : found.beyond - found.position == 2 ? Certificate::tie
                                                            : Certificate::bracket;
  result.probability = found.probability;
  out.own = found.probability;
  if (result.certificate == Certificate::exact) out.claims = Claims::optimum;
  return out;
}

FrontierQuantile class_quantile(const Result& result) {
  return {result.tau, result.side, result.certificate, *result.quantile, *result.upper};
}

Result unknown_class(const Question& question, Status status) {
  Result out;
  out.tau = question.tau;
  out.side = question.side;
  out.status = status;
  return out;
}

std::vector<FrontierStep> class_steps(const std::vector<Value>& chances,
                                      const std::shared_ptr<const WealthClasses>& classes,
                                      double relative_error) {
  std::vector<FrontierStep> steps;
  for (std::uint32_t k = 0; k < chances.size(); ++k) {
    const Value& here = chances[k];
    if (here.nearest <= 0 && !(here.exact && *here.exact > 0)) break;
    if (k + 1 < chances.size()) {
      const Value& next = chances[k + 1];
      const bool same = here.exact && next.exact
                            ? *here.exact == *next.exact
                            : next.nearest >= here.nearest * (1 - 2 * relative_error);
      if (same) continue;
    }
    steps.push_back({{classes, k + 1UL}, here});
  }
  return steps;
}

std::vector<std::string> as_levels(const std::vector<Total>& targets) {
  std::vector<std::string> levels;
  levels.reserve(targets.size());
  for (const Total& target : targets) levels.push_back(to_text(target));
  return levels;
}

std::vector<std::size_t> positions_of(const std::vector<std::string>& levels,
                                      const WealthClasses& classes,
                                      const Wealth& declared) {
  std::vector<std::size_t> positions;
  for (const std::string& level : levels) {
    const auto position = position_of(level, classes, declared);
    if (!position) refuse_unknown_class(level, classes, declared);
    positions.push_back(*position);
  }
  return positions;
}

void refuse_class_expectation() {
  throw Error(ErrorCode::refused,
              "expectation policy",
              "expected a finite horizon, and a wealth that is a number: this one has no "
              "expectation");
}

}  // namespace quantiplan
