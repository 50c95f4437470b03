#include "check/tampering.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "harness/harness.hpp"
#include "policy/residual_rules.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

class List {
 public:
  explicit List(const Policy& policy) : policy_(policy) {}
  template <class Change>
  void add(std::string what, const Change& change) {
    Tampered made{std::move(what), policy_};
    change(made.policy);
    all_.push_back(std::move(made));
  }
  std::vector<Tampered> take() { return std::move(all_); }

 private:
  const Policy& policy_;
  std::vector<Tampered> all_;
};

void tamper_with_run(const Model& model,
                     const Policy& policy,
                     std::size_t i,
                     std::size_t j,
                     const Rational& step,
                     List& list) {
  const PolicyRun& run = policy.rules[i].runs[j];
  const std::string which = "rule " + std::to_string(i) + ", run " + std::to_string(j) + ": ";
  for (const Choice other : model.choices(policy.rules[i].state)) {
    if (other == run.choice) continue;
    list.add(which + "another action", [&](Policy& p) { p.rules[i].runs[j].choice = other; });
  }
  if (policy.rules[i].runs.size() == 1) return;
  list.add(which + "dropped", [&](Policy& p) {
    auto& runs = p.rules[i].runs;
    runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(j));
    runs.back().upto.reset();
    runs.back().wealths.clear();
  });
  if (j + 1 == policy.rules[i].runs.size()) return;
  list.add(which + "exchanged with the next",
           [&](Policy& p) { std::swap(p.rules[i].runs[j].choice, p.rules[i].runs[j + 1].choice); });
  if (run.upto) {
    for (const int sign : {-1, 1})
      list.add(which + "its bound moved",
               [&](Policy& p) { *p.rules[i].runs[j].upto += sign * step; });
  }
  if (run.wealths.size() > 1)
    list.add(which + "a wealth lost", [&](Policy& p) { p.rules[i].runs[j].wealths.pop_back(); });
}

}  // namespace

std::vector<Tampered> tampered_rules(const Model& model,
                                     const Policy& policy,
                                     const Rational& unit) {
  List list(policy);
  const Rational step = policy.grid ? Rational(1) : unit;
  for (std::size_t i = 0; i < policy.rules.size(); ++i) {
    list.add("rule " + std::to_string(i) + " dropped",
             [&](Policy& p) { p.rules.erase(p.rules.begin() + static_cast<std::ptrdiff_t>(i)); });
    for (std::size_t j = 0; j < policy.rules[i].runs.size(); ++j)
      tamper_with_run(model, policy, i, j, step, list);
  }
  if (policy.target) {
    const Rational moved = policy.grid ? policy.grid->unit : unit;
    list.add("target negated", [&](Policy& p) { *p.target = -*p.target; });
    list.add("target raised", [&](Policy& p) { *p.target += moved; });
    list.add("target lowered", [&](Policy& p) { *p.target -= moved; });
  }
  return list.take();
}

std::vector<Tampered> tampered_claims(const Policy& policy, const Rational& unit) {
  List list(policy);
  const PolicyClaim& claim = *policy.claim;
  if (claim.kind == PolicyClaim::Kind::quantile) {
    list.add("tau halved", [](Policy& p) { p.claim->tau /= 2; });
    list.add("tau raised", [](Policy& p) { p.claim->tau = (1 + p.claim->tau) / 2; });
    list.add("the other side", [](Policy& p) {
      p.claim->side = p.claim->side == Side::lower ? Side::upper : Side::lower;
    });
  }
  const auto move_total = [&](const std::string& name, const auto& total_of) {
    PolicyClaim copy = claim;
    if (!total_of(copy).is_finite()) return;
    for (const int sign : {-1, 1})
      list.add(name + " moved", [&](Policy& p) {
        Total& total = total_of(*p.claim);
        total = Rational(total.value() + sign * unit);
      });
    list.add(name + " negated", [&](Policy& p) {
      Total& total = total_of(*p.claim);
      total = total.negated();
    });
  };
  if (!claim.level) move_total("quantile", [](PolicyClaim& c) -> Total& { return c.quantile; });
  if (claim.upper) move_total("upper end", [](PolicyClaim& c) -> Total& { return *c.upper; });
  list.add("a higher probability", [](Policy& p) {
    p.claim->probability = p.claim->probability * 0.5 + 0.5;
    p.claim->exact_probability.reset();
  });
  list.add("a lower probability", [](Policy& p) {
    p.claim->probability *= 0.75;
    p.claim->exact_probability.reset();
  });
  if (claim.exact_probability)
    list.add("an exact probability a little higher",
             [](Policy& p) { *p.claim->exact_probability += Rational(0x1p-300); });
  if (claim.exact_probability) {
    // Of a bracket both are lower bounds.
    for (const double towards : {2.0, -1.0}) {
      if (towards < 0 && claim.upper) continue;
      list.add("a double beside the exact probability", [towards](Policy& p) {
        p.claim->probability = std::nextafter(p.claim->probability, towards);
      });
    }
  }
  if (claim.mean)
    list.add("a higher mean", [](Policy& p) {
      p.claim->mean = Value{p.claim->mean->nearest + 1};
      if (p.claim->mean_bound) p.claim->mean_bound = Value{p.claim->mean_bound->nearest + 1};
    });
  return list.take();
}

bool has_rules_everywhere(const Model& model, const Policy& policy, std::size_t most) {
  const auto is_end = [&](State s) {
    return model.is_terminal(s) || std::ranges::binary_search(policy.setting.goal, s);
  };
  const std::uint64_t end = policy.truncated_at.value_or(policy.setting.horizon);
  using Place = std::pair<State, Rational>;
  std::set<Place> layer{{policy.setting.initial.only(), first_residual(policy)}};
  std::size_t places = 0;
  for (std::uint64_t time = 0; time < end; ++time) {
    std::set<Place> next;
    for (const auto& [state, residual] : layer) {
      if (is_end(state)) continue;
      if (++places > most) return true;
      try {
        for (const Outcome& o :
             model.outcomes(choose_by_residual(model, policy, time, state, residual)))
          next.emplace(o.next, next_residual(policy, time, residual, model.reward(o)));
      } catch (const Error&) {
        return false;
      }
    }
    layer = std::move(next);
  }
  if (!policy.truncated_at) return true;
  std::set<State> met;
  std::vector<State> open;
  open.reserve(layer.size());
  for (const auto& [state, residual] : layer) open.push_back(state);
  while (!open.empty()) {
    const State s = open.back();
    open.pop_back();
    if (is_end(s) || !met.insert(s).second) continue;
    const auto rule = std::ranges::find_if(policy.rules, [&](const PolicyRule& r) {
      return r.time == *policy.truncated_at && r.state == s;
    });
    if (rule == policy.rules.end()) return false;
    for (const PolicyRun& run : rule->runs)
      for (const Outcome& o : model.outcomes(run.choice)) open.push_back(o.next);
  }
  return true;
}

void require_runs(const Model& model, const Policy& policy, const std::string& where) {
  try {
    static_cast<void>(evaluate(model, policy));
    static_cast<void>(simulate(model, policy, {3, 1}));
  } catch (const Error& error) {
    require(error.code() != ErrorCode::bad_policy,
            where + " passed the check and cannot be run: " + error.what());
  }
}

}  // namespace quantiplan::testing
