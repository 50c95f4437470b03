// A problem of finite horizon with goals, costs or an adversary, as a plain one and back.
//
//     costs        r' = -r
//     adversary    r' = -r again: the least P(W >= w) is 1 - the greatest P(-W > -w)
//     goals        no choices at a goal, and a bonus M for the outcome that leads there
//
// M exceeds the range of all totals, so totals with it are above all those without: whoever
// maximises P(W' >= y) counts misses as worse than every number. For an adversary the bonus is
// -M, and misses are the best. So every engine for plain problems, its brackets and its policies
// serve these too. Totals of the plain problem are called plain, residuals of the user's counted.
#pragma once

#include <optional>

#include "base/limits.hpp"
#include "finite/solve/plain.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

class Recast {
 public:
  // `grid`: the unit of a policy's grid, on which all rewards are counted; the bonus is a multiple of
  // it, or else of the rewards' own unit. With the multiples of both it could exceed every total by
  // more than keys can hold. Limits may leave the bonus greater than it need be; null: none.
  Recast(const Model& model,
         const ResolvedSetting& setting,
         const std::optional<Rational>& grid = std::nullopt,
         const Limits* limits = nullptr);

  // The same from one of the initial states alone.
  [[nodiscard]] Recast from_start(State start) const;
  [[nodiscard]] const Model& plain_model() const noexcept { return plain_; }
  [[nodiscard]] const ResolvedSetting& plain_setting() const noexcept { return plain_setting_; }
  // The range of totals without the bonus.
  [[nodiscard]] Rational range() const { return most_ - least_; }
  [[nodiscard]] bool has_goal() const noexcept { return bonus_ != 0; }
  // What leads to a goal, in plain terms; only where there is one.
  [[nodiscard]] GoalTerms goal_terms() const;
  [[nodiscard]] bool is_adversarial() const noexcept { return setting_.adversarial; }

  // From the user's terms to plain ones.
  [[nodiscard]] Question plain(const Question& question) const;
  // W >= total is asked for, or for an adversary W < total.
  [[nodiscard]] PlainTarget plain_target(const Total& total) const;
  [[nodiscard]] Policy plain(const Policy& policy) const;
  [[nodiscard]] PolicyClaim plain(const PolicyClaim& claim) const;

  // And back.
  [[nodiscard]] Total total(const Rational& plain) const;
  [[nodiscard]] Policy policy(const Policy& plain) const;
  [[nodiscard]] Distribution distribution(const Distribution& plain) const;

 private:
  [[nodiscard]] Choice other_choice(const Model& from, const Model& to, State s, Choice c) const;
  void shift(Policy& policy, int direction) const;
  [[nodiscard]] InitialStates plain_initial() const;

  Model model_;
  ResolvedSetting setting_;
  Rational least_;  // of the totals without the bonus
  Rational most_;
  Rational bonus_ = 0;
  Model plain_;
  ResolvedSetting plain_setting_;
};

// The greatest number of which all rewards are multiples; 1 where that has thousands of digits.
Rational common_unit(const Model& model);

}  // namespace quantiplan
