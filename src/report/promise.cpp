#include "report/promise.hpp"

#include <fmt/format.h>

#include "report/counting.hpp"

namespace quantiplan {
namespace {

bool has_goal(const ModelFacts& facts) { return facts.goal_states > 0; }
bool is_infinite(const ModelFacts& facts) { return facts.horizon == kInfiniteHorizon; }

// "with a total of at least 12", "at a cost of at most 30".
std::string goal_words(const ModelFacts& facts, std::string_view figure) {
  return facts.cost ? fmt::format("at a cost of at most {}", figure)
                    : fmt::format("with a total of at least {}", figure);
}

// "grows without bound", "falls without bound": what inf, as wealth, means.
std::string_view gain_without_end(const ModelFacts& facts) {
  return facts.cost ? "falls without bound" : "grows without bound";
}

// The same as a thing that may be possible: "a total of at least 12", "reaching the goal".
std::string thing_words(const ModelFacts& facts, const Total& wealth, std::string_view figure) {
  const std::string_view noun = Counting(facts).noun();
  if (has_goal(facts)) {
    return wealth == Total::minus_infinity()
               ? "reaching the goal"
               : fmt::format("reaching the goal {}", goal_words(facts, figure));
  }
  if (wealth == Total::plus_infinity())
    return fmt::format("a {} that {}", noun, gain_without_end(facts));
  return fmt::format("a {} of {} {}", noun, facts.cost ? "at most" : "at least", figure);
}

}  // namespace

std::string event_words(const ModelFacts& facts,
                        const Total& wealth,
                        std::string_view figure,
                        std::string_view surely) {
  const std::string blank = surely.empty() ? "" : " ";
  const std::string_view noun = Counting(facts).noun();
  if (has_goal(facts)) {
    const std::string reached = fmt::format("the goal is{}{} reached", blank, surely);
    return wealth == Total::minus_infinity()
               ? reached
               : fmt::format("{} {}", reached, goal_words(facts, figure));
  }
  if (wealth == Total::plus_infinity())
    return fmt::format("the {}{}{} {}", noun, blank, surely, gain_without_end(facts));
  return fmt::format(
      "the {} is{}{} {} {}", noun, blank, surely, facts.cost ? "at most" : "at least", figure);
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string opening(const ModelFacts& facts, std::string clause) {
  return facts.adversarial ? "Whatever is done, " + clause : capitalised(std::move(clause));
}

PromiseWords::PromiseWords(const ModelFacts& facts, const Rational& tau, Side side)
    : facts_(facts),
      theta_(1 - tau),
      side_(side),
      noun_(Counting(facts).noun()),
      more_(Counting(facts).more()) {}

std::string_view PromiseWords::surely() const {
  return is_infinite(facts_) ? "almost surely" : "surely";
}

std::string PromiseWords::condition() const {
  if (theta_ == 0) return {};
  if (theta_ == 1) return fmt::format(" {}", surely());
  return fmt::format(
      " with probability {} {}", side_ == Side::lower ? "more than" : "at least", to_text(theta_));
}

bool PromiseWords::promises_nothing(const Level& wealth) const {
  return wealth.is_miss() || (wealth == Total::minus_infinity() && !has_goal(facts_));
}

std::string PromiseWords::promise(const Total& wealth, std::string_view figure) const {
  if (theta_ == 1) return opening(facts_, event_words(facts_, wealth, figure, surely()));
  if (theta_ == 0)
    return opening(facts_, fmt::format("{} is possible", thing_words(facts_, wealth, figure)));
  return opening(facts_,
                 fmt::format("{} {}", condition().substr(1), event_words(facts_, wealth, figure)));
}

std::string PromiseWords::every_number() const {
  const std::string_view opening_words = facts_.adversarial
                                             ? "Whatever is done and whatever number is given"
                                             : "Whatever number is given";
  const std::string_view beyond = facts_.cost ? "below" : "above";
  if (theta_ == 0) return fmt::format("{}, a {} {} it is possible.", opening_words, noun_, beyond);
  return fmt::format("{},{} the {} is {} it.", opening_words, condition(), noun_, beyond);
}

std::string PromiseWords::no_more() const { return no_more_than(Total(), {}); }

std::string PromiseWords::no_more_than(const Total& wealth, std::string_view figure) const {
  if (wealth == Total::minus_infinity()) return no_bound({});
  const std::string_view almost = is_infinite(facts_) ? "almost " : "";
  if (facts_.adversarial) {
    // Not "no less than 25 is guaranteed", which says the opposite to many.
    const std::string what =
        figure.empty() ? fmt::format("no {}", more_)
                       : fmt::format("nothing {} {}", facts_.cost ? "below" : "above", figure);
    if (theta_ == 1) return fmt::format("{} is {}sure", what, almost);
    return fmt::format("{} is {}", what, theta_ == 0 ? "always possible" : "guaranteed");
  }
  const std::string more =
      figure.empty() ? std::string(more_) : fmt::format("{} than {}", more_, figure);
  if (theta_ == 1) return fmt::format("no policy is {}sure of {}", almost, more);
  if (theta_ == 0)
    return fmt::format("no policy can {} {}", facts_.cost ? "do with" : "reach", more);
  return fmt::format("no policy promises {}", more);
}

// Of a level -inf: there is no number, however bad, that could be promised instead.
std::string PromiseWords::no_bound(std::string_view condition) const {
  const std::string_view almost = is_infinite(facts_) ? "almost " : "";
  if (facts_.adversarial) {
    if (theta_ == 1) return fmt::format("no bound on the {} is {}sure", noun_, almost);
    if (theta_ == 0) return fmt::format("no bound on the {} is always possible to keep", noun_);
    return fmt::format("no bound on the {} is guaranteed{}", noun_, condition);
  }
  if (theta_ == 1) return fmt::format("no policy is {}sure of any bound on the {}", almost, noun_);
  if (theta_ == 0) return fmt::format("no policy can keep any bound on the {}", noun_);
  return fmt::format("no policy promises any bound on the {}{}", noun_, condition);
}

std::string PromiseWords::nothing(const Total& wealth) const {
  if (!wealth.is_miss()) {
    return fmt::format("{}: the quantile is {}.",
                       capitalised(no_bound(condition())),
                       to_text(Counting(facts_).shown(wealth)));
  }
  const std::string_view in_time = is_infinite(facts_) ? "" : " in time";
  std::string text;
  if (facts_.adversarial) {
    text = "It is not guaranteed that the goal ";
    text += theta_ == 1   ? fmt::format("is {} reached{}", surely(), in_time)
            : theta_ == 0 ? fmt::format("can be reached{}", in_time)
                          : fmt::format("is reached{}{}", in_time, condition());
  } else {
    text = "No policy ";
    text += theta_ == 1   ? fmt::format("{} reaches the goal{}", surely(), in_time)
            : theta_ == 0 ? fmt::format("can reach the goal{}", in_time)
                          : fmt::format("reaches the goal{}{}", in_time, condition());
  }
  return text + ": the quantile is a miss.";
}

std::string PromiseWords::supremum(std::string_view figure) const {
  const std::string_view at_goal = has_goal(facts_) ? " at the goal" : "";
  const std::string every =
      fmt::format("every {} {}", facts_.cost ? "higher" : "lower", facts_.cost ? "cost" : "total");
  if (facts_.adversarial) {
    return fmt::format(
        "The quantile is {}, a supremum: {} is {}{}{}, this one is not; "
        "`quantiplan threshold --target Y` gives the adversary's policy for one.",
        figure,
        every,
        theta_ == 0 ? "always possible" : "guaranteed",
        at_goal,
        condition());
  }
  return fmt::format(
      "The quantile is {}, a supremum that no policy attains: {} {}{}{}; "
      "`quantiplan threshold --target Y` gives the policy for one.",
      figure,
      every,
      theta_ == 0 ? "is possible" : "can be promised",
      at_goal,
      condition());
}

std::string PromiseWords::can_be_had(const Total& wealth, std::string_view figure) const {
  const bool is_goal = wealth == Total::minus_infinity() && has_goal(facts_);
  const std::string_view what = is_goal ? "the goal" : figure;
  if (facts_.adversarial)
    return fmt::format("{} is {}", what, theta_ == 0 ? "always possible" : "guaranteed");
  return fmt::format("{} {}", what, theta_ == 0 ? "is possible" : "can be promised");
}

std::string PromiseWords::open_above() const {
  return fmt::format(
      "how much {} {} is open", more_, facts_.adversarial ? "is guaranteed" : "can be promised");
}

std::string PromiseWords::open() const {
  return facts_.adversarial ? "what is guaranteed is open" : "what can be promised is open";
}

}  // namespace quantiplan
