#include "report/guarantee.hpp"

#include <fmt/format.h>

#include "base/quoted.hpp"
#include "quantiplan/number.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/promise.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kNothingKnown = "Nothing is known yet: the call ended too early.";

// Sentences have more room than tables.
constexpr std::size_t kSentenceRoom = 48;

Rational theta(const Result& result) { return 1 - result.tau; }

// A level by itself, not as an end of a bracket.
std::string level_figure(const Total& wealth, const ModelFacts& facts) {
  return wealth_figure(Counting(facts).shown(wealth), kSentenceRoom);
}

// The ends of a bracket by what they mean: the level that is had, and the most there can be.
struct LevelFigures {
  std::string had;
  std::string most;
};
LevelFigures level_figures(const Total& had, const Total& most, const ModelFacts& facts) {
  const ShownEnds ends = Counting(facts).ends(had, most);
  BracketFigures figures = bracket_figures(ends.lower, ends.upper);
  if (facts.cost) return {std::move(figures.upper), std::move(figures.lower)};
  return {std::move(figures.lower), std::move(figures.upper)};
}

// False if the probability at the quantile is known not to be what tau and side ask for.
bool is_reached(const Result& result) {
  if (!result.probability || !result.probability->exact) return true;
  const Rational& reached = *result.probability->exact;
  return result.side == Side::lower ? reached > theta(result) : reached >= theta(result);
}

std::string exact_sentence(const Result& result, const ModelFacts& facts) {
  const PromiseWords words(facts, result.tau, result.side);
  const Total& level = *result.quantile;
  const std::string figure = level_figure(level, facts);
  if (!result.attained) return words.supremum(figure);
  if (words.promises_nothing(level)) return words.nothing(level);
  if (level == Total::plus_infinity() && !is_reached(result)) return words.every_number();
  const std::string promised = words.promise(level, figure);
  if (level == Total::plus_infinity()) return promised + '.';  // there is no more
  if (level == Total::minus_infinity())
    return fmt::format("{}; {}.", promised, words.no_more_than(level, figure));
  return fmt::format("{}; {}.", promised, words.no_more());
}

std::string bracket_sentence(const Result& result, const ModelFacts& facts) {
  const PromiseWords words(facts, result.tau, result.side);
  const Total most = result.upper.value_or(Total::plus_infinity());
  const bool is_open = most == Total::plus_infinity();
  const LevelFigures figures = level_figures(*result.quantile, most, facts);
  if (words.promises_nothing(*result.quantile)) {
    const std::string open = capitalised(words.open());
    return is_open ? open + '.'
                   : fmt::format("{}; {}.", open, words.no_more_than(most, figures.most));
  }
  return fmt::format("{}; {}.",
                     words.promise(*result.quantile, figures.had),
                     is_open ? words.open_above() : words.no_more_than(most, figures.most));
}

// One of two levels, which are not rounded: "that" is what is meant.
std::string tie_sentence(const Result& result, const ModelFacts& facts) {
  const PromiseWords words(facts, result.tau, result.side);
  const Total& most = *result.upper;
  const std::string better = words.can_be_had(most, level_figure(most, facts));
  const std::string limit =
      most == Total::plus_infinity() ? std::string() : ", and " + words.no_more_than(most, "that");
  if (words.promises_nothing(*result.quantile)) {
    const Total shown = Counting(facts).shown(*result.quantile);
    return fmt::format("Whether {}{} is too close to call{}; if not, the quantile is {}.",
                       better,
                       words.condition(),
                       limit,
                       shown.is_miss() ? "a miss" : to_text(shown));
  }
  return fmt::format("{}; whether {} is too close to call{}.",
                     words.promise(*result.quantile, level_figure(*result.quantile, facts)),
                     better,
                     limit);
}

// Numbers speak for themselves.
std::string class_words(const Level& level) {
  std::string text = Counting::figure(level);
  return level.number() ? text : in_quotes(text, 80);
}

}  // namespace

std::string class_sentence(const Result& result, const Answer& answer) {
  if (!result.quantile) return std::string(kNothingKnown);
  const Counting counting(answer.model, answer.classes.get());
  const std::string level = class_words(*result.quantile);
  const PromiseWords words(answer.model, result.tau, result.side);
  std::string text =
      theta(result) == 1 ? fmt::format("The wealth is{} {} or better", words.condition(), level)
      : theta(result) == 0
          ? fmt::format("A wealth of {} or better is possible", level)
          : fmt::format(
                "{} the wealth is {} or better", capitalised(words.condition().substr(1)), level);
  const Level upper = result.upper.value_or(*result.quantile);
  if (upper == *result.quantile) return text + "; no policy promises more.";
  return text + fmt::format("; whether one promises more, up to {}, is {}.",
                            class_words(upper),
                            result.status == Status::solved ? "too close to call" : "open");
}

std::string guarantee_sentence(const Result& result, const ModelFacts& facts) {
  if (!result.quantile) return std::string(kNothingKnown);
  if (result.certificate == Certificate::none) {
    return fmt::format("The answer is {}, and nothing certifies it: it may be wrong by any amount.",
                       level_figure(*result.quantile, facts));
  }
  const bool is_closed = result.upper && *result.upper == *result.quantile;
  if (result.certificate == Certificate::exact || is_closed) return exact_sentence(result, facts);
  return result.certificate == Certificate::tie && result.upper ? tie_sentence(result, facts)
                                                                : bracket_sentence(result, facts);
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

constexpr std::string_view kOther = "The expectation-optimal policy";

// A total is reached, a cost is kept to.
std::string_view reaches(const ModelFacts& facts) {
  return facts.cost ? "keeps to that" : "reaches that";
}

std::string bounded_comparison(const Result& result,
                               const ModelFacts& facts,
                               const std::optional<bool>& keeps) {
  const ExpectationComparison& other = *result.expectation_policy;
  if (keeps && !*keeps) {
    const Level& most = *other.upper;
    if (most.is_class())
      return fmt::format("{} promises nothing better than {}.", kOther, class_words(most));
    if (most.is_miss()) return fmt::format("{} does not promise the goal.", kOther);
    if (most == Total::minus_infinity())
      return fmt::format("{} promises no bound on the {}.", kOther, Counting(facts).noun());
    return fmt::format("{} promises {} {}.",
                       kOther,
                       facts.cost ? "nothing below" : "no more than",
                       level_figures(other.quantile.value_or(most).total(), most, facts).most);
  }
  return fmt::format("{} {} {}with probability {}.",
                     kOther,
                     reaches(facts),
                     keeps ? "as well, " : "",
                     known_words(other.probability));
}

}  // namespace

std::string comparison_sentence(const Result& result, const ModelFacts& facts) {
  if (!result.expectation_policy || !result.quantile || !result.attained) return {};
  if (result.certificate == Certificate::none) return {};
  // Nothing promised is nothing to compare with, nor is what lies beyond all numbers.
  if (*result.quantile == Total::plus_infinity()) return {};
  if (PromiseWords(facts, result.tau, result.side).promises_nothing(*result.quantile)) return {};
  // Nor is +inf, where it is every number that is promised.
  if (*result.quantile == Total::plus_infinity() && !is_reached(result)) return {};
  const std::optional<bool> keeps = expectation_keeps_promise(result);
  if (result.expectation_policy->upper) return bounded_comparison(result, facts, keeps);
  const std::string probability = known_words(result.expectation_policy->probability);
  if (keeps && !*keeps && probability == "0") {
    return fmt::format("{} never {}.", kOther, reaches(facts));
  }
  return fmt::format("{} {} {}with probability {}{}.",
                     kOther,
                     reaches(facts),
                     keeps && *keeps ? "as well, " : "",
                     probability,
                     keeps && !*keeps ? " only" : "");
}

std::string mean_sentence(const Result& result, const ModelFacts& facts) {
  if (!result.mean_bound) return {};
  const Counting counting(facts, nullptr);
  const Value bound = counting.mean(*result.mean_bound);
  if (!result.mean)
    return fmt::format("No policy that keeps the promise has a mean{} of {} than {}.",
                       facts.cost ? " cost" : "",
                       facts.cost ? "less" : "more",
                       mean_bound_figure(bound, facts.cost));
  const Value mean = counting.mean(*result.mean);
  if (mean.exact && bound.exact && *mean.exact == *bound.exact)
    return fmt::format("Its mean {} {}; no policy that keeps the promise has a {} one.",
                       facts.cost ? "cost is" : "is",
                       mean_figure(mean),
                       facts.cost ? "lesser" : "greater");
  const std::string figure = mean_figure(mean);
  const bool is_bound = !mean.exact && !mean.most && mean.is != Value::Is::rounded;
  return fmt::format("Its mean {}{} {}{}; no policy that keeps the promise has {} than {}.",
                     facts.cost ? "cost " : "",
                     figure.front() == '[' ? "lies in" : "is",
                     !is_bound    ? ""
                     : facts.cost ? "at most "
                                  : "at least ",
                     figure,
                     facts.cost ? "less" : "more",
                     mean_bound_figure(bound, facts.cost));
}

std::string next_class_sentence(const Result& result) {
  if (!result.next_class) return {};
  const NextClass& next = *result.next_class;
  const std::string reached = fmt::format("It reaches {} or better with probability {}",
                                          class_words(next.level),
                                          known_words(next.probability));
  if (next.probability.exact == next.bound.exact)
    return reached + "; no policy that keeps the promise has a greater one.";
  return fmt::format("{}; no policy that keeps the promise does so with more than {}.",
                     reached,
                     upper_bound_figure(next.bound));
}

namespace {

bool is_sure(const Value& probability) { return probability.exact && *probability.exact == 1; }

// "with probability 0.9 (mean cost then 12.5)"
std::string goal_words(const Value& probability,
                       const std::optional<Value>& mean,
                       const ModelFacts& facts) {
  std::string reached = fmt::format("with probability {}", known_words(probability));
  // Where all arrive it is the mean, which the table has.
  if (!mean || is_sure(probability) || probability.nearest <= 0) return reached;
  Value average{mean->nearest / probability.nearest};
  if (mean->exact && probability.exact) average = Value::exactly(*mean->exact / *probability.exact);
  const Counting counting(facts);
  return fmt::format(
      "{} (mean {} then {})", reached, counting.noun(), mean_figure(counting.mean(average)));
}

}  // namespace

std::string goal_sentence(const Result& result, const ModelFacts& facts) {
  // Of a miss, any policy may have been taken.
  if (!result.goal_probability || !result.quantile || result.quantile->is_miss()) return {};
  const auto& other = result.expectation_policy;
  const bool both = other && other->goal_probability;
  if (both && is_sure(*result.goal_probability) && is_sure(*other->goal_probability))
    return "This policy and the expectation-optimal one reach the goal with probability 1.";
  std::string text = fmt::format("{} reaches the goal {}",
                                 facts.adversarial ? "The adversary's policy" : "This policy",
                                 goal_words(*result.goal_probability, result.goal_mean, facts));
  if (both)
    text += fmt::format("; the expectation-optimal one {}",
                        goal_words(*other->goal_probability, other->goal_mean, facts));
  if (result.goal_probability_bound)
    text += fmt::format(". No policy that keeps the promise reaches it with more than {}",
                        upper_bound_figure(*result.goal_probability_bound));
  return text + '.';
}

std::string mixed_sentence(const Result& result, const ModelFacts& facts) {
  if (!result.mixed || !result.quantile) return {};
  const Mixed& mixed = *result.mixed;
  if (mixed.coin == 1) {
    const auto& bound = result.mean_bound;
    const bool is_best =
        bound && (mixed.mean.exact && bound->exact ? *mixed.mean.exact == *bound->exact
                                                   : mixed.mean.nearest >= bound->nearest);
    return is_best ? "No coin between two policies has a better mean."
                   : "No coin between two policies was found that has a better mean than the first "
                     "alone.";
  }
  const Counting counting(facts, nullptr);
  const Value mean = counting.mean(mixed.mean);
  const bool is_strict = result.side == Side::lower;
  return fmt::format(
      "A coin between two policies, {} for the first, keeps the promise with {} {} {} and the "
      "mean{} {}{}.",
      probability_figure(Value::exactly(mixed.coin)),
      counting.reach(Counting::figure(counting.shown(*result.quantile))),
      is_strict ? "more than" : "at least",
      probability_figure(Value::exactly(1 - result.tau)),
      facts.cost ? " cost" : "",
      mean_figure(mean.exact ? Value{mean.nearest} : mean),
      is_strict ? ", at most a millionth of the difference between their means "
                  "below the bound"
                : "");
}

std::string width_sentence(const Result& result, const std::optional<Rational>& epsilon) {
  if (result.certificate != Certificate::bracket || !result.quantile || !result.upper) return {};
  if (result.quantile->is_class()) return {};
  const bool is_finite = result.quantile->is_finite() && result.upper->is_finite();
  const Rational width =
      is_finite ? Rational(result.upper->value() - result.quantile->value()) : Rational(0);
  const auto words = [&](int digits) {
    return is_finite ? fmt::format("The bracket is {} wide", size_figure(width, digits))
                     : std::string("An end of the bracket is no number");
  };
  if (!epsilon) return words(2) + ".";
  const bool is_good = is_finite && width <= *epsilon;
  // Rounded up alike where two digits would make it look too wide.
  constexpr int kMore = 3;
  if (is_good && Number::parse(size_figure(width)).rational() > *epsilon)
    return fmt::format("{}; good enough is {}.", words(kMore), size_figure(*epsilon, kMore));
  return fmt::format("{}; {} {:.3g}{}.",
                     words(2),
                     is_good ? "good enough is" : "wanted was at most",
                     to_nearest_double(*epsilon),
                     is_finite ? "" : " between its ends");
}

std::string status_sentence(Status status, std::string_view what, const EngineReport& engine) {
  switch (status) {
    case Status::solved:
      return {};
    case Status::limit_reached:
      return fmt::format("Ended early, at a limit: {} lies within the bracket.", what);
    case Status::interrupted:
      return fmt::format("Ended early, interrupted: {} lies within the bracket.", what);
    case Status::unsettled:
      return fmt::format("{} lies within the bracket, and no limit was met{}{}.",
                         capitalised(std::string(what)),
                         engine.left_open.empty() ? "" : ": ",
                         engine.left_open);
    case Status::not_called:
      break;
  }
  return "Not solved.";
}

std::string status_sentence(const Result& result, const Answer& answer) {
  return status_sentence(result.status,
                         answer.model.adversarial ? "what is guaranteed" : "the optimum",
                         answer.engine);
}

}  // namespace quantiplan
