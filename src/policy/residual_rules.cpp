#include "policy/residual_rules.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/quoted.hpp"
#include "policy/counted_sign.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

Choice choose_by_residual(const Model& model,
                          const Policy& policy,
                          std::uint64_t time,
                          State state,
                          const Rational& residual) {
  time = rule_time(policy, time);
  const auto rule = std::lower_bound(
      policy.rules.begin(),
      policy.rules.end(),
      std::pair(time, state),
      [](const PolicyRule& r, const auto& key) { return std::pair(r.time, r.state) < key; });
  const auto refuse = [&](const char* message) {
    throw Error(
        ErrorCode::bad_policy,
        "",
        "time " + std::to_string(time) + ", state " + in_quotes(model.state_name(state)) + message);
  };
  if (rule == policy.rules.end() || rule->time != time || rule->state != state)
    refuse(": no rule, the policy must have one");
  const auto run =
      std::partition_point(rule->runs.begin(), rule->runs.end(), [&](const PolicyRun& r) {
        return r.upto && residual > *r.upto;
      });
  if (run == rule->runs.end()) refuse(": no action above the last 'upto'");
  return run->choice;
}

Rational first_residual(const Policy& policy) {
  if (!policy.target) return 0;
  return policy.grid ? Rational(*policy.target / policy.grid->unit) : *policy.target;
}

Rational next_residual(const Policy& policy,
                       std::uint64_t time,
                       const Rational& residual,
                       const Rational& reward) {
  const Rational counted = counted_sign(policy.setting) * reward;
  if (!policy.grid) return (residual - counted) / policy.setting.discount;
  // gamma^t r / H_t, rounded down; then on to the step of the next time.
  const Rational steps = counted / grid_step(policy, time);
  Integer down;
  mpz_fdiv_q(down.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
  Rational next = residual - Rational(down);
  mpq_mul_2exp(next.get_mpq_t(),
               next.get_mpq_t(),
               halvings_until(*policy.grid, time + 1) - halvings_until(*policy.grid, time));
  return next;
}

Rational grid_step(const Policy& policy, std::uint64_t time) {
  const Rational& gamma = policy.setting.discount;
  Rational step;
  mpz_pow_ui(step.get_num_mpz_t(), gamma.get_den_mpz_t(), time);
  mpz_pow_ui(step.get_den_mpz_t(), gamma.get_num_mpz_t(), time);
  step *= policy.grid->unit;
  mpq_div_2exp(step.get_mpq_t(), step.get_mpq_t(), halvings_until(*policy.grid, time));
  return step;
}

unsigned long halvings_until(const PolicyGrid& grid, std::uint64_t time) {
  return static_cast<unsigned long>(std::ranges::upper_bound(grid.halved_at, time) -
                                    grid.halved_at.begin());
}

}  // namespace quantiplan
