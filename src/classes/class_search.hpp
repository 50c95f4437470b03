// Which class a question is answered by: the greatest whose chance meets 1 - tau.
//
// Chances fall from class to class, so each question is a binary search; where asking for all
// classes together is cheaper, that is done first.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "classes/preference_problem.hpp"
#include "numbers/rounding_bound.hpp"

namespace quantiplan {

struct FoundClass {
  std::uint32_t position = 0;  // a class whose chance certainly meets it; 0 always does
  std::uint32_t beyond = 0;  // the least class whose chance certainly does not; m if there is none
  Value probability = Value::exactly(1);
  PreferenceMethod method = PreferenceMethod::real;
  bool ended = false;  // a limit was met before more was known
};

// The chance of one class, between bounds that are equal where it is known exactly.
struct ClassChance {
  Value low;
  Value high;
  PreferenceMethod method = PreferenceMethod::real;  // of a policy that attains `low`
};

class ClassSearch {
 public:
  // `exactly`: rationals throughout.
  ClassSearch(std::shared_ptr<PreferenceProblem> problem,
              const RoundingBound& bound,
              bool exactly,
              Limits& limits);

  // Before the first question: as many classes at once as pays for so many of them.
  void prepare(std::size_t questions);
  FoundClass find(const Question& question);
  // The chance of class k; nullopt if a limit ends it. Several are asked for together before.
  std::optional<ClassChance> chance(std::uint32_t k);
  void ask_together(const std::vector<std::uint32_t>& classes);
  // The chance of every class; nullopt if a limit ends it.
  std::optional<std::vector<Value>> all();
  [[nodiscard]] bool asked_all_at_once() const { return all_at_once_; }

 private:
  enum class Meets { no, yes, unknown };
  Meets meets(std::uint32_t k, const Question& question, PreferenceMethod& method);
  Meets settle(std::uint32_t k, const Question& question, PreferenceMethod& method);
  const Rational* exact(std::uint32_t k);
  const double* real(std::uint32_t k);
  // False if a limit ends it.
  bool ask_all();
  [[nodiscard]] std::uint32_t classes() const { return count_; }

  std::shared_ptr<PreferenceProblem> problem_;
  RoundingBound bound_;
  bool exactly_;
  Limits& limits_;
  std::uint32_t count_;
  bool all_at_once_ = false;
  std::map<std::uint32_t, double> real_;
  std::map<std::uint32_t, Rational> exact_;
};

}  // namespace quantiplan
