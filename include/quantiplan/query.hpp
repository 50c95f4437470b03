// What is asked: which quantiles, from where, for how long.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quantiplan/criterion.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

class Structure;

// lower: min{ w : P(W <= w) >= tau }, tau in (0,1];  upper: max{ w : P(W >= w) >= 1 - tau }, tau in
// [0,1).
enum class Side { lower, upper };
enum class Sides { lower, upper, both };

// Overrides of what the model file says.
struct Setting {
  std::optional<std::uint64_t> horizon;  // kInfiniteHorizon: infinite
  std::optional<Rational> discount;
  std::optional<InitialNames> initial;
  // Names of goal states, instead of the model's; an empty list: no goal.
  std::optional<std::vector<std::string>> goal = std::nullopt;
  std::optional<bool> cost = std::nullopt;  // rewards are costs
  // What is guaranteed whatever is done: min instead of max over policies.
  bool adversarial = false;
  // A preference order of one's own instead of the model's (structure.hpp); finite horizons only.
  std::shared_ptr<Structure> structure = nullptr;
};

// A setting with every gap filled from the model. Throws Error(bad_request) if a piece is missing
// everywhere (the horizon, the initial state), out of range, or unknown to the model.
struct ResolvedSetting {
  std::uint64_t horizon = 0;
  Rational discount = 1;
  InitialStates initial;
  // An episode ends at a goal; one that never gets there is a miss. Ascending; empty: no goal.
  std::vector<State> goal = {};
  // Wealth is minus the sum of the rewards. Answers of the library are in wealth all the same;
  // reports show costs.
  bool cost = false;
  bool adversarial = false;
  // By what order policies are found and judged; null: the model's own. No file holds it: a policy
  // that was read has none, until it is set.
  std::shared_ptr<Structure> structure = nullptr;

  [[nodiscard]] bool is_infinite() const noexcept { return horizon == kInfiniteHorizon; }
  [[nodiscard]] bool is_goal(State s) const {
    return std::binary_search(goal.begin(), goal.end(), s);
  }
  // True if nothing but the horizon, the discount and the initial state is set.
  [[nodiscard]] bool is_plain() const noexcept { return goal.empty() && !cost && !adversarial; }
};
ResolvedSetting resolve(const Model& model, const Setting& setting);

// Initial states as a text: the name of one, or "a:1/2,b:1/2". Names may contain both signs. Throws
// Error(bad_request) if it is neither.
InitialNames parse_initial(const Model& model, const std::string& text);
// Divides probabilities from 0 on that sum to 1 within the tolerance, but not exactly, by their sum,
// as a ModelBuilder does with those of a model. The notice that tells of it; empty if nothing was
// done, also where the sum is wrong, which resolve() refuses.
std::string normalise(InitialNames& initial, const Rational& tolerance);

// What a policy is to be best at besides the quantile, whose promise P(W >= q) >= 1 - tau (lower
// side: >) every one of them keeps.
//
// mean: the greatest mean that was found, with a bound that no policy, randomised or not, exceeds.
// probability: the greatest P(W >= q), and among those the greatest mean.
// classes: where wealth goes by classes, the greatest probability of the next better class, with such a
// bound; then, as ties, of the class after that and so on to the best, and then of the promised class
// and those below it, downwards.
// automatic: the mean where one pass over the problem is small, else the probability.
enum class Prefer { automatic, mean, probability, classes };
std::string_view to_text(Prefer prefer);

struct Query {
  std::vector<Rational> taus;  // each in [0,1]; at least one, none for a criterion that takes none
  Sides sides = Sides::lower;
  Setting setting;
  // Also the mean of each policy, and what the expectation-optimal policy would have attained.
  bool compare = true;
  Prefer prefer = Prefer::automatic;
  // How far the mean may stay below its bound, as a part of what the promise can cost: of the
  // difference between the greatest mean of all and that of the policy with the greatest
  // probability. Absent: 1/100, and 0 in exact arithmetic or with `mixed`.
  std::optional<Rational> mean_gap = std::nullopt;
  // Also two policies and the coin between them that attain the bound of the mean.
  bool mixed = false;
  // Of another one than the quantile, sides and what is preferred besides mean nothing.
  Criterion criterion = {};
};

// The (tau, side) pairs a query asks for, in order: for `both`, lower then upper for each tau,
// leaving out the side that is undefined at tau 0 or 1. Throws Error(bad_request) if a tau is
// outside [0,1], if none is given, or if a side is asked for alone where it is undefined.
struct Question {
  Rational tau;
  Side side;
};
std::vector<Question> questions(const Query& query);

std::string_view to_text(Side side);

}  // namespace quantiplan
