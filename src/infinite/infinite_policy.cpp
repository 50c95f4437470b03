// The rules of a located level (level_series.hpp).
#include <utility>

#include "base/call.hpp"
#include "infinite/level_series.hpp"
#include "infinite/levels/stationary.hpp"

namespace quantiplan {

Policy infinite_policy(const std::shared_ptr<WeightedLayout>& layout,
                       const LocatedLevel& where,
                       Method method) {
  const InfiniteLayout& common = *layout->layout;
  const LaterWork later(common.options);
  Limits limits(later.options());
  Policy policy;
  policy.setting = common.setting;
  const bool by_index = !layout->weights.is_exact;
  std::optional<LostBudget> lost;
  if (common.has_budget()) lost = lost_budget(*layout, limits);
  const auto fill = [&]<class A>(A) {
    const auto complete = [](auto found) {
      if (!found) refuse_unfinished("policy");
      return *std::move(found);
    };
    const auto base = complete(base_of<A>(layout->problem, limits));
    using Place = LocatedLevel::Place;
    // Without a number that is kept there is no budget to lose.
    if (lost && (where.place == Place::base || where.place == Place::limit)) {
      policy.rules = constant_rules(common.moves, lost->choice);
    } else if (where.place == Place::base) {
      policy.rules = constant_rules(common.moves, base.choice);
    } else if (where.place == Place::limit) {
      policy.rules =
          constant_rules(common.moves, complete(limit_of<A>(layout->problem, base, limits)).choice);
    } else if (where.place == Place::above_limit) {
      const auto limit = complete(limit_of<A>(layout->problem, base, limits));
      policy.rules = constant_rules(
          common.moves, complete(choices_above_limit<A>(layout->problem, base, limit, limits)));
    } else {
      policy.rules = complete(stationary_rules<A>(
          layout->problem, base, lost ? &*lost : nullptr, where.level, by_index, limits));
    }
  };
  switch (method) {
    case Method::real:
      fill(Real{});
      break;
    case Method::exact:
      fill(Exact{});
      break;
    case Method::sure:
      fill(Sure{});
      break;
    case Method::possible:
      fill(Possible{});
      break;
  }
  if (where.place == LocatedLevel::Place::level && where.lower.is_finite()) {
    policy.target = where.lower.value();
    if (by_index) {
      // The target as the rules count it: a whole number of units, not below.
      policy.grid = PolicyGrid{layout->weights.unit, {}};
      const Rational steps = *policy.target / layout->weights.unit;
      Integer whole;
      mpz_cdiv_q(whole.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
      policy.target = Rational(whole) * layout->weights.unit;
    }
  }
  return policy;
}

}  // namespace quantiplan
