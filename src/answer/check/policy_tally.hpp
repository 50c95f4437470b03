// Where the policy's wealth falls against the claimed quantile q, by a forward pass.
//
//     mass_0(s0, 0) = 1      mass_{t+1}(s', w + gamma^t r) += mass_t(s, w) * p     for the action
//     taken above = P(W > q),  at = P(W = q),  below = P(W < q)
//
// One layer of time is kept at once, as a list sorted by (state, wealth); equal places are added.
// Cost: O(n b log(n b)) per layer of n places.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check_clock.hpp"
#include "rule_book.hpp"
#include "wealth_ledger.hpp"

namespace quantiplan::checking {

template <class Probability>
struct Tally {
  Probability above;
  Probability at;
  // Facts about the graph, free of rounding: is there a history of positive probability?
  bool some_above = false;
  bool some_at = false;
  bool some_below = false;
  std::uint64_t places = 0;          // (time, state, wealth) met
  std::optional<std::string> fault;  // the policy has no rule where it needs one
  bool ended = false;                // out of time: nothing else here counts
};

template <class Wealth, class Probability>
struct Place {
  State state;
  Wealth wealth;
  Probability mass;
};

// Sorts by (state, wealth) and adds the masses of equal places.
template <class Wealth, class Probability>
void merge_places(std::vector<Place<Wealth, Probability>>& places) {
  using P = Place<Wealth, Probability>;
  std::stable_sort(places.begin(), places.end(), [](const P& a, const P& b) {
    return a.state != b.state ? a.state < b.state : a.wealth < b.wealth;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (kept > 0 && places[kept - 1].state == places[i].state &&
        places[kept - 1].wealth == places[i].wealth) {
      places[kept - 1].mass += places[i].mass;
    } else {
      if (kept != i) places[kept] = std::move(places[i]);
      ++kept;
    }
  }
  places.erase(places.begin() + static_cast<std::ptrdiff_t>(kept), places.end());
}

template <class Ledger, class Probabilities>
class ForwardPass {
 public:
  using Wealth = typename Ledger::Wealth;
  using Probability = typename Probabilities::Probability;

  ForwardPass(const Model& model,
              const Policy& policy,
              const Rational& quantile,
              Ledger& ledger,
              CheckClock& clock)
      : model_(model),
        policy_(policy),
        ledger_(ledger),
        threshold_(ledger, quantile),
        probabilities_(model),
        rules_(policy),
        clock_(clock) {
    tally_.above = probabilities_.zero();
    tally_.at = probabilities_.zero();
  }

  Tally<Probability> run() {
    layer_.push_back({policy_.setting.initial, ledger_.zero(), probabilities_.one()});
    for (std::uint64_t time = 0; !layer_.empty() && !tally_.fault && !tally_.ended; ++time) {
      tally_.places += layer_.size();
      next_.clear();
      for (std::size_t i = 0; i < layer_.size(); ++i) advance(time, i);
      merge_places(next_);
      layer_.swap(next_);
    }
    return std::move(tally_);
  }

 private:
  void advance(std::uint64_t time, std::size_t i) {
    tally_.ended = tally_.ended || clock_.ended();
    if (tally_.fault || tally_.ended) return;
    const Place<Wealth, Probability>& place = layer_[i];
    if (time == policy_.setting.horizon || model_.is_terminal(place.state)) {
      finish(place);
      return;
    }
    if (i == 0 || layer_[i - 1].state != place.state || !rule_)
      rule_ = rules_.rule(ledger_, time, place.state);
    if (!rule_) {
      tally_.fault = "The policy reaches " + describe_place(model_, time, place.state) +
                     " and has no rule for it.";
      return;
    }
    for (const Outcome& o : model_.outcomes(rule_->decide(place.wealth)))
      next_.push_back({o.next,
                       Wealth(place.wealth + ledger_.reward(time, o.reward)),
                       Probability(place.mass * probabilities_.of(o))});
  }

  void finish(const Place<Wealth, Probability>& place) {
    if (threshold_.equals(place.wealth)) {
      tally_.at += place.mass;
      tally_.some_at = true;
    } else if (threshold_.exceeds(place.wealth)) {
      tally_.above += place.mass;
      tally_.some_above = true;
    } else {
      tally_.some_below = true;
    }
  }

  const Model& model_;
  const Policy& policy_;
  Ledger& ledger_;
  Threshold<Ledger> threshold_;
  Probabilities probabilities_;
  RuleBook rules_;
  CheckClock& clock_;
  Tally<Probability> tally_;
  std::vector<Place<Wealth, Probability>> layer_;
  std::vector<Place<Wealth, Probability>> next_;
  std::optional<WealthRule<Wealth>> rule_;
};

}  // namespace quantiplan::checking
