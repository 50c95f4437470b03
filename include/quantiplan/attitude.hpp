// Attitudes to the future self: policies that keep, or do not keep, what was planned at the start.
//
// The quantile criterion is dynamically inconsistent: who has come half the way may prefer another
// policy for the rest than the one that was best from the start. With k steps to go from s, let
// q_k(s) be the greatest tau-quantile of what is still to be collected, by any policy.
//
//     resolute         the policy that is best from the start, to its end: what solve() returns if
//                      probability is preferred
//     replan           at each step the first choice of a policy with the quantile q_k(s)
//     subgame-perfect  the choice with the best quantile, given what later selves will do
//     recursive        V_k(s) = max_a Q_tau( r + gamma V_{k-1}(s') ), the nested quantile
//     within:DELTA     resolute among choices whose own quantile is at least q_k(s) - DELTA
//
// Ties: replan takes the greatest P(at least q_k(s)), then, as the two after it among equals at
// once, the greatest mean of what that attitude itself will collect, then the order of the model.
// Those of `within` go to the greatest expectation of an allowed rest.
// Worked by hand: docs/mathematics.md#attitudes-to-the-future-self. Source: [GWX], discussion of
// consequentialist, resolute and sophisticated resolute choice.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

class Attitude {
 public:
  enum class Kind { resolute, replan, subgame_perfect, recursive, within };

  static Attitude resolute() { return Attitude(Kind::resolute); }
  static Attitude replan() { return Attitude(Kind::replan); }
  static Attitude subgame_perfect() { return Attitude(Kind::subgame_perfect); }
  static Attitude recursive() { return Attitude(Kind::recursive); }
  // What every self may lose of its own best quantile, in its own units; absent: anything. Throws
  // Error(bad_request) if it is negative.
  static Attitude within(std::optional<Rational> delta);
  // "replan", "within:1/2", "within:inf"; throws Error(bad_request, "--attitude", ...).
  static Attitude parse(std::string_view text);
  // One of each kind, in the order above; DELTA is 0.
  static std::vector<Attitude> all();

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] const std::optional<Rational>& delta() const noexcept { return delta_; }
  friend bool operator==(const Attitude&, const Attitude&) = default;

 private:
  explicit Attitude(Kind kind) : kind_(kind) {}
  Kind kind_;
  std::optional<Rational> delta_ = std::nullopt;  // of `within`
};
// As parse() reads it.
std::string to_text(const Attitude& attitude);

// The greatest regret of a later self: q_k(s) less the quantile that the policy leaves it, over all
// (time >= 1, state, residual) that the policy meets with positive probability, in units of that
// self (one who comes at time t counts a reward r as r, not as gamma^t r). Never negative.
struct Regret {
  Rational least;
  Rational most;  // equal where it is known exactly; wealth that is rounded leaves a bracket
  // Where `least` was found: the first such time, and the state's name; absent where it is 0.
  std::optional<std::uint64_t> time = std::nullopt;
  std::string state = {};
};

struct AttitudeResult {
  Attitude attitude;
  Rational tau;
  Side side = Side::lower;
  // solved; or what ended the call before this one was found.
  Status status = Status::not_called;
  // What the first self gets: the policy, evaluated as any other.
  std::optional<QuantileOfDistribution> quantile = std::nullopt;
  std::optional<Value> probability = std::nullopt;  // P(W >= quantile->lower)
  std::optional<Value> mean = std::nullopt;
  std::optional<Regret> regret = std::nullopt;
  std::optional<Rational> nested = std::nullopt;  // recursive: V_T(s0), in wealth
  std::string left_out = {};                      // why something is absent; empty: nothing is
  // Of (time, state) alone but for resolute and within, which carry a residual target. Claims
  // nothing, but for resolute where its quantile is known exactly.
  Later<Policy> policy = {};
};

struct AttitudeAnswer {
  ModelFacts model;
  // Question by question, each with all attitudes.
  std::vector<AttitudeResult> results;
  // Wealth was rounded down to decide, by this much in a whole episode at most; 0: all levels are
  // exact.
  Rational slack = 0;
  EngineReport engine;
  Work work;
};

// Sums over a finite horizon, with or without a discount or costs. Throws Error(refused) for other
// problems, saying why; a time limit or a stop gives what was found by then.
AttitudeAnswer attitudes(const Model& model,
                         const std::vector<Attitude>& asked,
                         const Query& query,
                         const Options& options = {});

// One row for each result.
std::string attitudes_text(const AttitudeAnswer& answer);
std::string attitudes_json(const AttitudeAnswer& answer);

}  // namespace quantiplan
