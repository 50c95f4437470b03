#include "policy/follower.hpp"

#include "policy/stationary_follower.hpp"
#include "policy/sum_follower.hpp"
#include "policy/wealth_follower.hpp"

namespace quantiplan {

std::unique_ptr<Follower> follower_of(const Model& model,
                                      Structure* structure,
                                      const Policy& policy) {
  if (structure != nullptr) return std::make_unique<WealthFollower>(model, *structure, policy);
  if (policy.setting.is_infinite() && policy.setting.discount == 1)
    return std::make_unique<StationaryFollower>(model, policy);
  return std::make_unique<SumFollower>(model, policy);
}

}  // namespace quantiplan
