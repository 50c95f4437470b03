// A problem, in the user's terms: what each query asks of it, whatever is behind.
//
//     quantiles   the greatest w with  max P(W >= w) > 1 - tau  (or >=)       solve
//     optima      the greatest value of another criterion                     solve
//     chances     max P(W >= w), w a number or a class                        threshold
//     curve       w -> max P(W >= w)                                          frontier
//     law         the distribution of W under a policy                        evaluate
//     tradeoff    the best mean of each promise                               tradeoff
//
// In an adversarial setting every max is a min. There are three kinds (sums over a finite horizon,
// sums over an infinite one, classes of wealth), and reductions, which are problems that put another
// in their own terms; route.hpp chooses. What is found claims nothing yet: answers.cpp alone fills
// results and claims.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/tradeoff.hpp"

namespace quantiplan {

// What a policy that was found may claim of itself.
enum class Claims { nothing, optimum, bracket };

struct FoundQuantile {
  Result result;           // its policy makes no claim
  Shared<Value> own = {};  // the policy's own P(W >= q); an adversary's P(W <= q)
  Claims claims = Claims::nothing;
  // Of another criterion: what the policy claims.
  Shared<PolicyClaim> claim = {};
};
struct FoundQuantiles {
  std::vector<FoundQuantile> results = {};
  std::optional<Rational> epsilon = {};
  std::shared_ptr<const WealthClasses> classes = nullptr;
  EngineReport engine = {};
  Work work = {};
  bool is_complete = false;  // of a whole curve
};

// Between two bounds, which are equal and exact, or bounds in their labels, too.
struct FoundChance {
  Status status = Status::not_called;
  Value low = Value::at_least(0);
  Value high = Value::at_most(1);
  Later<Policy> policy = {};  // attains `low`; an adversary's, `high`
  std::size_t position = 0;   // among classes: of the worst that is good enough, from 1
};
struct FoundChances {
  std::vector<FoundChance> chances = {};
  std::shared_ptr<const WealthClasses> classes = nullptr;
  EngineReport engine = {};
  Work work = {};
};

// Goals in the terms of a plain problem: they are terminal, and what leads there has a bonus.
struct GoalTerms {
  std::vector<bool> is_goal;  // by state
  Rational bonus;
};

// What is wanted of the policies besides the quantile.
struct Wishes {
  bool compare = true;  // with means, and what the expectation-optimal policy attains
  Prefer prefer = Prefer::automatic;
  std::optional<Rational> mean_gap = {};
  // Means, without a comparison, and as certified bounds: for whoever adds something to them.
  bool bounded_means = false;
  // What follows these totals adds up to this much more than the policies here count on: whoever
  // promises a level for the whole may reach so much less here. Bounds must hold for them, too.
  Rational slack = 0;
  bool mixed = false;                  // also a coin that attains the bound
  bool as_found = false;               // any policy that attains the quantile will do
  std::optional<GoalTerms> goal = {};  // then the goal is what counts, not the mean
};
Wishes wishes_of(const Query& query);
// Throws Error(refused) if the best mean, or the next class, is asked for where it is not searched for:
// says why.
void refuse_best_mean(const Wishes& wishes, const char* why);

// What promises are worth: of one probability at every level, or of every probability at one.
struct TradeoffQuestion {
  std::optional<Question> promise;  // absent: the curve (P, mean) at `target`
  Rational target = 0;
  std::optional<Rational> mean_gap = {};
  std::size_t most_points = 0;
  bool bounded_means = false;  // as in Wishes
  Rational slack = 0;
};

// What is asked of another criterion than the quantile.
struct CriterionQuestions {
  Criterion criterion;
  std::vector<Rational> taus;  // none, if the criterion takes none: then there is one result
  // What follows the horizon adds at least and at most this to every total.
  Rational least_more = 0;
  Rational most_more = 0;
  // The whole curve. Of cvar: the taus are found, too, at which its optimal level changes, with 0 and 1 among them. Of
  // mean-variance: a result for each lambda at which the policy changes, in its criterion, 0 first.
  bool is_whole = false;
  bool is_complete = false;  // set by who finds it: nothing lies between the points of the curve
};

class QuantileProblem {
 public:
  virtual ~QuantileProblem() = default;
  // The same problem from one of its initial states alone, whatever their probabilities; it shares with those
  // from the others what one pass finds for all. Null where nothing is shared.
  virtual std::unique_ptr<QuantileProblem> from_start(State start);
  virtual FoundQuantiles quantiles(const std::vector<Question>& asked, const Wishes& wishes) = 0;
  // The greatest value of another criterion, in Result::optimum. Refuses what it cannot do; where wealth is
  // no sum, all of them.
  virtual FoundQuantiles optima(const CriterionQuestions& asked);
  virtual FoundChances chances(const std::vector<Total>& targets) = 0;
  // Of classes, by their texts (position_of). Where wealth is a sum there are none: it refuses.
  virtual FoundChances class_chances(const std::vector<std::string>& levels);
  virtual Frontier curve(const std::vector<Question>& asked) = 0;
  virtual Distribution law(const Policy& policy) = 0;
  // Nullopt where that would be a sample.
  virtual std::optional<Distribution> computed_law(const Policy& policy) { return law(policy); }
  // The policy with the greatest expectation; an adversary's has the least. With a goal: the one
  // with the greatest P(goal), and then the greatest E[W; goal].
  virtual Policy expectation_policy() = 0;
  // Refused by all but sums over finitely many steps, or with a discount.
  virtual Tradeoff tradeoff(const TradeoffQuestion& question);
};

[[noreturn]] void refuse_criterion(const Criterion& criterion, const std::string& why);

// What is known of a quantile, or of a chance, when a call ends before anything was computed.
Result unknown_result(const ResolvedSetting& setting, const Question& question, Status status);
FoundChance unknown_chance(Status status);
// Of a call that ended early.
Status ended_status(const Options& options);
// For a call that ended before an engine was chosen.
EngineReport no_engine_report(const Options& options);
[[noreturn]] void refuse_discounted_expectation();
[[noreturn]] void refuse_adversary_expectation();
// `what` needs a mean that is finite.
[[noreturn]] void refuse_infinite_mean(const char* what);

}  // namespace quantiplan
