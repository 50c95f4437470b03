// What can still happen once the last rules of a discounted policy of infinite horizon hold.
//
//     can_pay(s)      some reward other than 0 can still come
//     can_arrive(s)   a goal can still be reached
//
// By any run of the rules, so "cannot" is certain; where each rule has one run, "can" is as well.
// A state without a rule is taken to be able to do everything: the policy fails when it gets there.
// Cost: linear in the outcomes of the rules.
#pragma once

#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

class TailProspects {
 public:
  TailProspects(const Model& model, const Policy& policy);
  // The first time at which the rules looked at hold.
  [[nodiscard]] std::uint64_t from() const { return from_; }
  [[nodiscard]] bool can_pay(State s) const { return can_pay_[index(s)]; }
  [[nodiscard]] bool can_arrive(State s) const { return can_arrive_[index(s)]; }

 private:
  std::uint64_t from_;
  std::vector<bool> can_pay_;
  std::vector<bool> can_arrive_;
};

}  // namespace quantiplan
