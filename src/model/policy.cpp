#include "quantiplan/policy.hpp"

#include <algorithm>

#include "base/quoted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

Choice Policy::choose(const Model& model,
                      std::uint64_t time,
                      State state,
                      const Rational& residual) const {
  // Without end, rules hold at all times, or from the time of the cut on.
  if (setting.is_infinite()) time = std::min(time, truncated_at.value_or(0));
  const auto rule = std::lower_bound(
      rules.begin(), rules.end(), std::pair(time, state), [](const PolicyRule& r, const auto& key) {
        return std::pair(r.time, r.state) < key;
      });
  const std::string where = "time " + std::to_string(time) + ", state ";
  if (rule == rules.end() || rule->time != time || rule->state != state) {
    throw Error(ErrorCode::bad_policy,
                "",
                where + in_quotes(model.state_name(state)) + ": no rule, the policy must have one");
  }
  const auto run =
      std::partition_point(rule->runs.begin(), rule->runs.end(), [&](const PolicyRun& r) {
        return r.upto && residual > *r.upto;
      });
  if (run == rule->runs.end()) {
    throw Error(ErrorCode::bad_policy,
                "",
                where + in_quotes(model.state_name(state)) + ": no action above the last 'upto'");
  }
  return run->choice;
}

Rational Policy::first_residual() const {
  if (!target) return 0;
  return grid ? Rational(*target / grid->unit) : *target;
}

Rational Policy::next_residual(std::uint64_t time,
                               const Rational& residual,
                               const Rational& reward) const {
  // As the policy counts: costs are negative, and an adversary counts the negative.
  const Rational counted = setting.cost == setting.adversarial ? reward : Rational(-reward);
  if (!grid) return (residual - counted) / setting.discount;
  // gamma^t r / H_t, rounded down; then on to the step of the next time.
  const auto halvings_until = [&](std::uint64_t t) {
    return static_cast<unsigned long>(std::ranges::upper_bound(grid->halved_at, t) -
                                      grid->halved_at.begin());
  };
  const unsigned long halvings = halvings_until(time);
  Rational power;
  mpz_pow_ui(power.get_num_mpz_t(), setting.discount.get_num_mpz_t(), time);
  mpz_pow_ui(power.get_den_mpz_t(), setting.discount.get_den_mpz_t(), time);
  Rational steps = power * counted / grid->unit;
  mpq_mul_2exp(steps.get_mpq_t(), steps.get_mpq_t(), halvings);
  Integer down;
  mpz_fdiv_q(down.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
  Rational next = residual - Rational(down);
  mpq_mul_2exp(next.get_mpq_t(), next.get_mpq_t(), halvings_until(time + 1) - halvings);
  return next;
}

}  // namespace quantiplan
