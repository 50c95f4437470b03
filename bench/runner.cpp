#include "runner.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace quantiplan::bench {

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::vector<Timed> first_runs(const std::vector<Contender>& contenders) {
  std::vector<Timed> results;
  results.reserve(contenders.size());
  for (const Contender& contender : contenders) {
    results.push_back({contender.name, std::numeric_limits<double>::infinity(), contender.run()});
  }
  return results;
}

void clock_runs(const std::vector<Contender>& contenders,
                const Effort& effort,
                std::vector<Timed>& results) {
  double spent = 0;
  for (int round = 0; round < effort.rounds && (round == 0 || spent < effort.budget_seconds);
       ++round) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const double seconds = seconds_of([&] { (void)contenders[i].run(); });
      results[i].seconds = std::min(results[i].seconds, seconds);
      spent += seconds;
    }
  }
}

std::vector<Timed> race(const std::vector<Contender>& contenders,
                        const Proof& prove,
                        const Effort& effort) {
  std::vector<Timed> results = first_runs(contenders);
  if (prove) prove(results);
  clock_runs(contenders, effort, results);
  return results;
}

}  // namespace quantiplan::bench
