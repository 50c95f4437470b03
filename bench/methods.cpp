// The engines that bracket, each forced in turn: where rounding wealth wins, where rounding
// probabilities does, and where a search from the initial state does.
//
// Every bracket must meet the one that the engine's own choice gives.
#include <fmt/format.h>

#include <array>

#include "agreement.hpp"
#include "cases.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

struct Method {
  const char* name;
  Engine engine;
};
constexpr std::array<Method, 4> kMethods{{{"auto", Engine::automatic},
                                          {"lattice", Engine::lattice},
                                          {"search", Engine::search},
                                          {"levels", Engine::levels}}};

std::vector<Case> method_cases(bool quick) {
  std::vector<Case> cases;
  cases.push_back(real_garnet_of(quick ? 20 : 2250));
  cases.push_back(real_datacenter_of(quick ? 3 : 10, quick ? 3 : 10));
  cases.push_back(machine_of(quick ? 10 : 100));
  cases.push_back(rare_prize(quick ? 20 : 200));
  return cases;
}

std::vector<Cell> method_row(const Case& subject, const Timed& run) {
  const Result& result = run.answer.results.front();
  const Work& work = run.answer.work;
  const Rational width = result.upper->value() - result.quantile->value();
  return {subject.name,
          run.name,
          result.status == Status::solved ? Cell(Quantity{run.seconds, "s"})
                                          : Cell(std::string(to_text(result.status))),
          work.passes,
          work.multiply_adds,
          Quantity{static_cast<double>(work.peak_bytes), "B"},
          fmt::format("{:.2e}", width.get_d()),
          run.answer.engine.used};
}

}  // namespace

Section method_section(const Plan& plan) {
  Section section{
      "The methods side by side",
      "The lower 0.1-quantile to a thousandth of the range, each engine forced in turn, "
      "one thread, at most 10 seconds.",
      {"model", "engine", "best time", "passes", "multiply-adds", "peak memory", "width", "used"},
      {},
      {}};
  for (const Case& subject : method_cases(plan.quick)) {
    std::optional<Answer> automatic;
    for (const Method& method : kMethods) {
      Options options = options_of(method.engine);
      options.time_limit_seconds = plan.quick ? 1 : 10;
      const Contender run{method.name,
                          [&] { return solve(subject.model, one_tau_bare(), options); }};
      try {
        std::vector<Timed> timed = first_runs({run});
        if (!automatic) automatic = timed.front().answer;
        require_holding(subject.name, *automatic, timed.front().answer);
        if (timed.front().answer.results.front().status == Status::solved) {
          clock_runs({run}, plan.effort, timed);
        }
        section.rows.push_back(method_row(subject, timed.front()));
      } catch (const Error& error) {
        if (error.code() != ErrorCode::refused) throw;
        section.rows.push_back({subject.name,
                                std::string(method.name),
                                std::string("refused"),
                                std::uint64_t{0},
                                std::uint64_t{0},
                                std::string("-"),
                                std::string("-"),
                                std::string("-")});
      }
    }
  }
  return section;
}

}  // namespace quantiplan::bench
