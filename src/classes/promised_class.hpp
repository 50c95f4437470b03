// What a policy is worth besides its promise P(class >= k) >= theta: expectations, the most wanted
// first. Classes are counted from 0, the worst of m.
//
//     mean      E,                                        then the promise, P(class >= k)
//     classes   P(class >= k + 1), ..., P(class >= m - 1), then the promise, P(class >= k),
//               then P(class >= k - 1), ..., P(class >= 1)
//
// The first is what the search over weights maximises (promise/promise_search.hpp). The best class has
// none above it: then it is the class below, and the promise comes next. All are expectations of what
// an episode ends with, and mixing keeps the lexicographic order of vectors: whoever takes the best
// choice at every node has the best policy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "promise/aim.hpp"

namespace quantiplan {

using ClassWorth = std::vector<Rational>;

// An aim of the search over weights, whose ties go to the promise and then down the list; or the list
// by itself, as it stands.
struct ClassAim {
  Aim aim;
  bool in_order = false;
};

class PromisedClass {
 public:
  // `number`: of each class.
  static PromisedClass for_mean(std::uint32_t k, std::vector<Rational> number);
  // Nullopt if every other class is certain, or there is none.
  static std::optional<PromisedClass> for_classes(std::uint32_t k, std::uint32_t classes);

  [[nodiscard]] std::size_t size() const noexcept { return rungs_.size(); }
  // The class whose probability is maximised; of a mean there is none.
  [[nodiscard]] std::uint32_t next_class() const { return rungs_.front(); }
  // Of an episode that ends in a class.
  [[nodiscard]] ClassWorth at_end(std::uint32_t klass) const;
  [[nodiscard]] bool is_better(const ClassAim& aim, const ClassWorth& a, const ClassWorth& b) const;
  [[nodiscard]] Prospect prospect(const Aim& aim, const ClassWorth& worth) const;

 private:
  PromisedClass() = default;

  std::vector<std::uint32_t>
      rungs_;                     // the classes whose probabilities count; the mean's is not used
  std::size_t promise_ = 1;       // where P(class >= k) stands
  std::vector<Rational> number_;  // of each class; empty: classes alone count
};

}  // namespace quantiplan
