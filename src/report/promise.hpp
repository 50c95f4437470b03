// The words for what a level means, in every setting: rewards or costs, a goal or none, an
// adversary or none.
//
//     P(W >= 12) >  0.9    "With probability more than 0.9 the total is at least 12"
//     P(C <= 30) >= 0.9    "With probability at least 0.9 the goal is reached at a cost of at most 30"
//     theta = 1            "The total is surely at least 12"; infinite horizon: "almost surely"
//     theta = 0            "A total of at least 12 is possible"
//     adversarial          "Whatever is done, with probability ..."
//
// Levels are wealth; `figure` is how one is shown, as a cost where rewards are costs. Two levels
// promise nothing: a miss, and -inf where there is no goal. With a goal, -inf promises just that.
#pragma once

#include <string>
#include <string_view>

#include "quantiplan/answer.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan {

// "the total is at least 12", "the goal is reached"; `surely` goes before the adjective.
std::string event_words(const ModelFacts& facts,
                        const Total& wealth,
                        std::string_view figure,
                        std::string_view surely = {});

// "Whatever is done, the total ..." in an adversarial setting, else "The total ...".
std::string opening(const ModelFacts& facts, std::string clause);
std::string capitalised(std::string text);

// What is promised, and what is not, with the probability that a tau and a side demand.
class PromiseWords {
 public:
  PromiseWords(const ModelFacts& facts, const Rational& tau, Side side);

  [[nodiscard]] bool promises_nothing(const Level& wealth) const;
  // "With probability more than 0.9 the total is at least 12". Needs a level that promises
  // something.
  [[nodiscard]] std::string promise(const Total& wealth, std::string_view figure) const;
  // The sentence of +inf where it is not reached often enough, but every number is: the quantile of
  // a total that ends almost surely, and has no bound.
  [[nodiscard]] std::string every_number() const;
  // "no policy promises more", and "... than 12" where a level is given that is less than inf.
  [[nodiscard]] std::string no_more() const;
  [[nodiscard]] std::string no_more_than(const Total& wealth, std::string_view figure) const;
  // The sentence of an optimum that promises nothing.
  [[nodiscard]] std::string nothing(const Total& wealth) const;
  // The sentence of an optimum that no policy attains.
  [[nodiscard]] std::string supremum(std::string_view figure) const;
  // "12 can be promised", "12 is guaranteed", "the goal can be promised".
  [[nodiscard]] std::string can_be_had(const Total& wealth, std::string_view figure) const;
  // " with probability more than 0.9", " surely", or nothing where it need only be possible.
  [[nodiscard]] std::string condition() const;
  // "how much more can be promised is open"
  [[nodiscard]] std::string open_above() const;
  // "what can be promised is open"
  [[nodiscard]] std::string open() const;

 private:
  [[nodiscard]] std::string_view surely() const;
  [[nodiscard]] std::string no_bound(std::string_view condition) const;

  const ModelFacts& facts_;
  Rational theta_;
  Side side_;
  std::string_view noun_;  // "total" or "cost"
  std::string_view more_;  // "more" or "less"
};

}  // namespace quantiplan
