// What model checkers are handed, and how their questions differ from ours.
//
//     goals that go on      F{"r"}>=y goal: the path may pass a goal before it has collected y
//     several starts        which of them need no answer of their own
//     the induced chain     states with residuals, as one policy meets them: a DTMC to be checked
//     the scheduler         a choice for each state, where the policy looks at nothing else
//     properties            their questions in their words
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

struct GoingOn {
  Model model;
  Setting setting;
};

// The same question where a visit of the goal does not end the episode: P(W >= y at some visit).
//
//     every goal state gets a further choice "stop", to a new state "(stopped)", which is the goal
//
// Whoever maximises stops at a visit with W >= y, and goes on otherwise; so the greatest
// probabilities and quantiles are those of the question. A finite horizon grows by the step that stops.
// With costs nothing changes: the first visit is the cheapest. Without a goal likewise.
// Throws Error(refused) for an adversary where there is a choice: it would never stop.
GoingOn go_on_at_goals(const Model& model, const Setting& setting);

// The same for one target y, also against an adversary: what is left to collect becomes part of the
// state, until nothing is.
//
//     (s, y) -> (s', max(y - r, 0)),  goal: (s, 0) with s a goal;  P(W >= y at some visit) = P(F goal)
//
// Rewards are 0 there and costs, so that the target of the question is -inf. An adversary that stays
// where nothing is earned keeps its y for ever, which is a miss, as it must be: a least fixpoint.
// Throws Error(refused) for rewards below 0 or a discount, and beyond the limits of the options.
GoingOn go_on_until(const Model& model,
                    const Setting& setting,
                    const Rational& target,
                    const Options& options = {});

// Of several states, each of which is to be the initial one: for each the position of the first of them
// that behaves alike (exact bisimulation: the same rewards with the same probabilities, to ends of the
// same kind, whatever is done). Those two have the same quantiles, probabilities and curves, so one
// answer serves both. Each is its own where that is not looked for: with Options::reduce none, where
// wealth is no sum, or where it would take too much.
std::vector<std::size_t> alike_starts(const Model& model,
                                      const std::vector<State>& starts,
                                      const Setting& setting,
                                      const Options& options = {});

// The Markov chain of a policy: from the initial state on, every state with the residual target that
// the policy looks at there (and the time, where the horizon is finite).
//
//     labels   those of the model; "met" where the episode has ended, or cannot be spoilt any more, and
//              W >= target; "lost" where W < target and nothing can mend it
//     P(F "met") is the probability of the policy's claim;  without a goal and an end of steps, where
//     rewards are never above 0, it is 1 - P(F "lost")
//
// Goals and last steps are terminal. Throws Error(refused) for mixtures, for policies that go by
// classes of wealth or discount at an infinite horizon, and beyond the limits of the options.
Model induced_chain(const Model& model, const Policy& policy, const Options& options = {});

// The policy as a scheduler, where it looks at nothing but the state.
//
//     storm          the JSON that Storm writes: [{"s": 0, "c": [{"index": 1, "prob": 1}]}], where choices
//                    are numbered through all states, and a terminal state has one (the loop that model
//                    checkers put there)
//     prism_actions  as PRISM exports strategies: (1,true)=go, the values of the state and the action;
//                    0=go where states have no values
//     prism_indices  the same by number: 0=1 is the second choice of state 0, states numbered as they are
//
// Those of PRISM may look at the time, too: (1,true),3=go is the choice after three steps; and states in
// which nothing is decided have no line. Throws Error(refused) unless each state (and time) has one choice,
// whatever the residual.
enum class SchedulerFormat { storm, prism_actions, prism_indices };
std::string scheduler_text(const Model& model,
                           const Policy& policy,
                           SchedulerFormat format = SchedulerFormat::storm);

// A question as PRISM and Storm write it. Expressions stay texts: names in them are the model's.
//
//     probability    Pmax=? [ F{"time"}<=100 "done" ]           or with a comparison instead of =?
//     quantile       quantile(min B, Pmax>0.95 [ F{"time"}<=B "done" ])
//     expectation    R{"time"}max=? [ F "done" ]   or   [ C<=10 ]
struct Property {
  enum class Kind { probability, quantile, expectation };
  enum class Direction { none, min, max };
  std::string name;  // may be empty
  std::string text;  // the whole
  Kind kind = Kind::probability;
  Direction direction = Direction::none;
  std::string comparison;   // ">", ">=", "<", "<="; empty: =?
  std::string probability;  // what it is compared with
  std::optional<std::string>
      reward;              // the structure; an empty name: the first. Absent: none is needed
  bool at_least = false;   // the reward is bounded from below
  bool is_strict = false;  // < or >, not <= or >=
  std::string bound;       // of the reward: an expression, or the variable of a quantile
  std::string steps;       // F<=k, C<=k; empty: no bound
  std::string goal;        // empty: none, only of C<=k
  Direction sought = Direction::none;  // of a quantile: the least or greatest bound; none: as fits
};

struct PropertyList {
  std::vector<Definition> constants;   // with their values
  std::vector<std::string> undefined;  // those that a user must give
  std::vector<Property> properties;
};

// `source` is shown in messages. Throws Error(bad_request), also for what is out of scope, by its name.
PropertyList parse_properties(std::string_view text, const std::string& source);

// The value of an expression without variables, over the definitions. Throws Error(bad_request).
Rational constant_value(const std::vector<Definition>& definitions,
                        const std::string& text,
                        const char* flag);

}  // namespace quantiplan
