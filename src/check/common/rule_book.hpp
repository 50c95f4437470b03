// The policy as the checker reads it: well formed, and searchable by (time, state, wealth so far).
//
//     y_0 = target,  y_{t+1} = (y_t - r')/gamma    so in time-0 units  gamma^t * y_t = target - W'
//     a run decides if y_t <= upto, that is if  W' >= target - gamma^t * upto
//
// Hence each rule becomes a list of least wealths, falling from run to run; the first that the
// wealth reaches decides, and the last run takes the rest. Rules are by time, or the same at all
// times (infinite horizon), or the same from a time on (truncated_at).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/common/wealth_ledger.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

// Of one kind: more of them help nobody.
inline constexpr std::size_t kMostFindings = 10;

// What is wrong with the policy by itself: its setting, its grid, and rules that are out of order,
// without runs, with falling thresholds, or with actions their state does not have. At most ten
// sentences.
std::vector<std::string> malformed(const Model& model, const Policy& policy);

// Of the rules alone, for any wealth: `wrong_run(rule, i)` is empty if nothing is wrong with a run's
// thresholds, or whatever else it goes by.
using WrongRun = std::function<std::string(const PolicyRule&, std::size_t)>;
std::vector<std::string> wrong_rules(const Model& model,
                                     const Policy& policy,
                                     const WrongRun& wrong_run);

// Rules that hold at all times.
bool is_stationary(const Policy& policy);

// "time 3, state 'home'"; of a stationary policy "state 'home'".
std::string describe_place(const Model& model, std::uint64_t time, State state);
std::string describe_place(const Model& model,
                           const Policy& policy,
                           std::uint64_t time,
                           State state);

// One rule with its thresholds as wealth.
template <class Wealth>
struct WealthRule {
  std::vector<Wealth> least;  // run i decides at wealth >= least[i]; one shorter than choices
  std::vector<Choice> choices;

  [[nodiscard]] Choice decide(const Wealth& wealth) const {
    const auto first = std::partition_point(
        least.begin(), least.end(), [&](const Wealth& bound) { return wealth < bound; });
    return choices[static_cast<std::size_t>(first - least.begin())];
  }
};

// Needs a policy that is not malformed.
class RuleBook {
 public:
  explicit RuleBook(const Policy& policy) : policy_(policy) {}

  // nullptr if there is no rule that holds at this time and state.
  [[nodiscard]] const PolicyRule* find(std::uint64_t time, State state) const;
  // nullopt if there is no rule for this time and state.
  template <class Ledger>
  std::optional<WealthRule<typename Ledger::Wealth>> rule(const Ledger& ledger,
                                                          std::uint64_t time,
                                                          State state) {
    const PolicyRule* found = find(time, state);
    if (found == nullptr) return std::nullopt;
    WealthRule<typename Ledger::Wealth> result;
    for (const PolicyRun& run : found->runs) {
      if (run.upto) {
        move_power(power_, power_time_, time, policy_.setting.discount);
        result.least.push_back(ledger.at_least(*policy_.target - power_ * *run.upto));
      }
      result.choices.push_back(run.choice);
    }
    return result;
  }

 private:
  const Policy& policy_;
  Rational power_ = 1;
  std::uint64_t power_time_ = 0;
};

}  // namespace quantiplan::checking
