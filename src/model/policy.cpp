#include "quantiplan/policy.hpp"

#include <algorithm>

#include "quantiplan/error.hpp"
#include "quoted.hpp"

namespace quantiplan {

Choice Policy::choose(const Model& model,
                      std::uint64_t time,
                      State state,
                      const Rational& residual) const {
  const auto rule = std::lower_bound(
      rules.begin(), rules.end(), std::pair(time, state), [](const PolicyRule& r, const auto& key) {
        return std::pair(r.time, r.state) < key;
      });
  const std::string where = "time " + std::to_string(time) + ", state ";
  if (rule == rules.end() || rule->time != time || rule->state != state) {
    throw Error(ErrorCode::bad_policy,
                "",
                where + quoted(model.state_name(state)) + ": no rule, the policy must have one");
  }
  const auto run =
      std::partition_point(rule->runs.begin(), rule->runs.end(), [&](const PolicyRun& r) {
        return r.upto && residual > *r.upto;
      });
  if (run == rule->runs.end()) {
    throw Error(ErrorCode::bad_policy,
                "",
                where + quoted(model.state_name(state)) + ": no action above the last 'upto'");
  }
  return run->choice;
}

}  // namespace quantiplan
