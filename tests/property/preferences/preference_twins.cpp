#include "preferences/preference_twins.hpp"

#include <fmt/format.h>

#include "harness/comparisons.hpp"

namespace quantiplan::testing {

void require_twins(const Answer& one,
                   const Answer& other,
                   const std::string& what,
                   const Renamed& renamed) {
  require(one.results.size() == other.results.size(), what + ": not as many answers");
  for (std::size_t i = 0; i < one.results.size(); ++i) {
    const Result& a = one.results[i];
    const Result& b = other.results[i];
    const std::string where = place(what, a.tau, a.side);
    std::string text = to_text(*a.quantile);
    if (const auto at = renamed.find(text); at != renamed.end()) text = at->second;
    const std::string found = to_text(*b.quantile);
    require(text == found, fmt::format("{}{}, its twin {}", where, text, found));
    require(a.certificate == Certificate::exact && b.certificate == Certificate::exact,
            where + "not exact");
    require(a.tau == b.tau && a.side == b.side, where + "another question");
    const Rational near(1, 1'000'000'000'000);
    require(abs(Rational(a.probability->nearest) - Rational(b.probability->nearest)) <= near,
            where + "probability " + shown(a.probability->nearest) + ", its twin " +
                shown(b.probability->nearest));
    if (a.probability->exact && b.probability->exact)
      require(*a.probability->exact == *b.probability->exact, where + "another exact probability");
  }
}

}  // namespace quantiplan::testing
