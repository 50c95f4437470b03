// How a history is judged, once more: from the words of wealth.hpp, with nothing of src/wealth.
//
// A wealth is a list of numbers here, whatever it is made of:
//
//     max, min           nothing met: (), else (r)
//     sum, product, weighted counts      (w)
//     lexicographic      the sums           counts   how often each label was met
//     automaton, table   (node)
//
// and its merit is a list of numbers, compared from left to right: more is better. Of counts, worst
// first, that is fewest of the worst, then of the next ..., and of the best as many as can be; best
// first, most of the best, then of the next ..., and of the worst as few as can be.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "quantiplan/number.hpp"
#include "quantiplan/wealth.hpp"

namespace quantiplan::testing {

using Holding = std::vector<Rational>;

class Judge {
 public:
  explicit Judge(const Wealth& declared) : declared_(declared) {}

  [[nodiscard]] Holding start() const;
  // `reward` as models hold it: the number itself, or a position in labels or in vectors.
  [[nodiscard]] Holding after(const Holding& wealth, const Rational& reward) const;
  [[nodiscard]] std::vector<Rational> merit(const Holding& wealth) const;
  [[nodiscard]] std::string text(const Holding& wealth) const;
  [[nodiscard]] std::string class_text(const Holding& wealth) const;
  // Where there is one, and it is finite.
  [[nodiscard]] std::optional<Rational> number(const Holding& wealth) const;
  // From 1; absent where classes are those that are met.
  [[nodiscard]] std::optional<std::size_t> declared_rank(const Holding& wealth) const;

 private:
  [[nodiscard]] std::string counts_text(const Holding& wealth) const;
  const Wealth& declared_;
};

}  // namespace quantiplan::testing
