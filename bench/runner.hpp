// Runs contenders in turn and keeps the best time of each.
//
//     proof:   a1 b1 | clock:   a b   a b   a b          best of each column
//
// Interleaved, so that a slow spell of the machine hits all contenders alike. The first, unclocked
// run of each warms the caches and gives the answers that agreement.hpp compares. Repeats end early
// once `budget_seconds` of clocked time is spent, but each contender is clocked at least once.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "quantiplan/answer.hpp"

namespace quantiplan::bench {

struct Contender {
  std::string name;
  std::function<Answer()> run;
};

struct Timed {
  std::string name;
  double seconds = 0;  // best of the clocked runs
  Answer answer;       // of the unclocked run
};

struct Effort {
  int rounds = 3;
  double budget_seconds = 12;
};

// Called between the unclocked and the clocked runs; throws if the answers do not agree.
using Proof = std::function<void(const std::vector<Timed>&)>;

std::vector<Timed> race(const std::vector<Contender>& contenders,
                        const Proof& prove,
                        const Effort& effort);

// The two halves of a race, for a caller that may want to leave after the first: one unclocked run
// of each (seconds: infinity), then the clocked ones.
std::vector<Timed> first_runs(const std::vector<Contender>& contenders);
void clock_runs(const std::vector<Contender>& contenders,
                const Effort& effort,
                std::vector<Timed>& results);

// Wall-clock seconds of one call.
double seconds_of(const std::function<void()>& work);

}  // namespace quantiplan::bench
