// CVaR by the pass with another terminal function: every tau at once, beside the quantile's pass, and beside the
// decomposition over risk levels that papers have.
//
//     quantile     the lower 0.1-quantile and its policy, one plain pass
//     cvar         CVaR of the worst tenth and its policy
//     99 taus      CVaR of 0.01 .. 0.99, from one pass
//     one by one   the same in 99 calls
//
// Proved before a clock starts: all at once are, end for end, what the calls one by one give; the policies have these
// CVaRs by their own laws; and none exceeds the quantile of the same tau.
#include <fmt/format.h>

#include <cmath>

#include "agreement.hpp"
#include "cases.hpp"
#include "quantiplan/measures.hpp"
#include "quantiplan/solve.hpp"
#include "risk_levels.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

Case outcome_garnet(std::uint32_t states, std::uint64_t horizon, std::uint32_t greatest) {
  GarnetParameters p;
  p.states = states;
  p.actions = 5;
  p.branching = 8;
  p.horizon = horizon;
  p.greatest_reward = greatest;
  p.reward_of = GarnetParameters::RewardOf::outcome;
  return garnet_of(p);
}

std::vector<Case> criteria_cases(bool quick) {
  std::vector<Case> cases;
  cases.push_back(garnet_of_paper(quick ? 50 : 1000));
  cases.push_back(quick ? outcome_garnet(30, 4, 20) : outcome_garnet(200, 12, 100));
  cases.push_back(quick ? datacenter_of(4, 6) : datacenter_of(10, 50));
  cases.push_back(machine_of(quick ? 40 : 100));
  return cases;
}

Query of_cvar(Query query) {
  query.criterion = {Criterion::Kind::cvar};
  query.compare = false;
  return query;
}

// With the epsilon of the quantile, where both are brackets.
Answer ask(const Case& subject, const Query& query) {
  return solve(subject.model, query, options_of(Engine::automatic));
}

Answer one_by_one(const Case& subject) {
  Answer all;
  for (const Rational& tau : ninety_nine_taus().taus) {
    Query query = of_cvar({});
    query.taus = {tau};
    Answer one = ask(subject, query);
    all.work.passes += one.work.passes;
    all.work.multiply_adds += one.work.multiply_adds;
    all.results.push_back(std::move(one.results.front()));
  }
  return all;
}

[[noreturn]] void differ(const Case& subject, const Result& result, const char* what) {
  throw Disagreement(fmt::format("{}: CVaR at {}: {}", subject.name, to_text(result.tau), what));
}

void require_own(const Case& subject, const Result& result) {
  MeasureQuery asked;
  asked.measures = {Measure::cvar};
  asked.taus = {result.tau};
  const auto own = measure(result.distribution(), asked).front().value;
  if (!own || own->upper < result.optimum->lower || own->lower > result.optimum->upper)
    differ(subject, result, "not that of its policy");
}

void require_cvar(const Case& subject, const std::vector<Timed>& runs) {
  const Result& quantile = runs[0].answer.results.front();
  const std::vector<Result>& all = runs[2].answer.results;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CriterionOptimum& found = *all[i].optimum;
    const CriterionOptimum& single = *runs[3].answer.results[i].optimum;
    // Brackets of several taus go on until the last of them is narrow.
    const bool is_exact = runs[2].answer.epsilon == std::nullopt;
    const bool agree = is_exact ? found.lower == single.lower && found.upper == single.upper
                                : found.lower <= single.upper && single.lower <= found.upper;
    if (!agree) differ(subject, all[i], "another one of all at once than by itself");
    if (all[i].status != Status::solved) differ(subject, all[i], "not solved");
    if (all[i].tau != quantile.tau) continue;
    require_own(subject, all[i]);
    if (found.lower > quantile.upper.value_or(*quantile.quantile))
      differ(subject, all[i], "more than the quantile");
  }
}

void add_model(const Case& subject, const Effort& effort, Section& section) {
  const std::vector<Contender> contenders{
      {"quantile", [&] { return ask(subject, one_tau_bare()); }},
      {"cvar", [&] { return ask(subject, of_cvar(one_tau())); }},
      {"cvar, 99 taus", [&] { return ask(subject, of_cvar(ninety_nine_taus())); }},
      {"cvar, one by one", [&] { return one_by_one(subject); }}};
  std::vector<Timed> runs = first_runs(contenders);
  require_cvar(subject, runs);
  runs[3].seconds = seconds_of([&] { (void)one_by_one(subject); });
  // Fractions of a second need more rounds, and the 99 calls need none.
  std::vector<Timed> three(runs.begin(), runs.begin() + 3);
  clock_runs({contenders.begin(), contenders.begin() + 3},
             {4 * effort.rounds, effort.budget_seconds},
             three);
  std::ranges::copy(three, runs.begin());
  for (const Timed& run : runs)
    section.rows.push_back({subject.name,
                            run.name,
                            Quantity{run.seconds, "s"},
                            run.answer.work.passes,
                            run.answer.work.multiply_adds,
                            Quantity{static_cast<double>(run.answer.work.peak_bytes), "B"}});
  const auto ratio = [&](const char* name, double value, Ratio::Bound bound, double expected) {
    section.ratios.push_back({fmt::format("{}: {}", subject.name, name), value, bound, expected});
  };
  ratio("99 taus / one", runs[2].seconds / runs[1].seconds, Ratio::Bound::at_most, 1.2);
  ratio("cvar / quantile", runs[1].seconds / runs[0].seconds, Ratio::Bound::at_most, 2.5);
  ratio("one by one / 99 taus", runs[3].seconds / runs[2].seconds, Ratio::Bound::none, 0);
}

double greatest_total(const Result& result) {
  return to_nearest_double(result.optimum->upper.value());
}

// How far the decomposition is off: what it takes the optimum to be, and what its policy has.
void add_levels(const Case& subject, int levels, const Answer& truth, Section& section) {
  const std::vector<Rational> taus = ninety_nine_taus().taus;
  RiskLevels found;
  const double seconds = seconds_of([&] { found = by_risk_levels(subject.model, taus, levels); });
  double most = 0;
  for (std::size_t i = 0; i < taus.size(); ++i) {
    const double off = found.values[i] - greatest_total(truth.results[i]);
    // It is never below the optimum, but for the rounding of its own doubles.
    if (off < -1e-6 * (1 + std::abs(found.values[i])))
      differ(subject, truth.results[i], "more than what the risk levels bound it by");
    most = std::max(most, off);
  }
  const Rational tau = one_tau().taus.front();
  const double optimum = greatest_total(truth.results[9]);
  const auto own = attained_by_risk_levels(subject.model, tau, levels);
  const auto shown = [](double value) { return fmt::format("{:.4g}", value); };
  section.rows.push_back({subject.name,
                          fmt::format("{} risk levels", levels),
                          Quantity{seconds, "s"},
                          found.pieces,
                          shown(most),
                          shown(found.values[9]),
                          own ? shown(*own) : std::string("too many places"),
                          own ? shown(optimum - *own) : std::string("-")});
}

}  // namespace

Section criteria_section(const Plan& plan) {
  Section section{"CVaR from the same pass",
                  "CVaR and its policy, doubles, one thread: of one tau, of 99 at once and one by "
                  "one, beside the quantile and its policy.",
                  {"model", "what", "best time", "passes", "multiply-adds", "peak memory"},
                  {},
                  {}};
  for (const Case& subject : criteria_cases(plan.quick)) add_model(subject, plan.effort, section);
  return section;
}

Section risk_levels_section(const Plan& plan) {
  Section section{"CVaR by risk levels",
                  "99 taus by the decomposition over risk levels, interpolated, on finer and finer "
                  "grids; too high: the greatest excess of its values over the optimum. Attained: "
                  "CVaR at 0.1 of its policy, by its own law.",
                  {"model",
                   "method",
                   "time",
                   "pieces, or multiply-adds",
                   "too high by",
                   "value at 0.1",
                   "attained at 0.1",
                   "lost"},
                  {},
                  {}};
  std::vector<Case> cases;
  cases.push_back(outcome_garnet(30, plan.quick ? 3 : 4, 20));
  cases.push_back(plan.quick ? datacenter_of(3, 3) : datacenter_of(5, 6));
  for (const Case& subject : cases) {
    const auto run = [&] { return ask(subject, of_cvar(ninety_nine_taus())); };
    const Answer truth = run();
    require_own(subject, truth.results[9]);
    const double seconds = seconds_of([&] { (void)run(); });
    const std::string optimum = fmt::format("{:.4g}", greatest_total(truth.results[9]));
    section.rows.push_back({subject.name,
                            std::string("one pass"),
                            Quantity{seconds, "s"},
                            truth.work.multiply_adds,
                            std::string("0"),
                            optimum,
                            optimum,
                            std::string("0")});
    for (const int levels : {20, 100, 500})
      if (levels == 20 || !plan.quick) add_levels(subject, levels, truth, section);
  }
  return section;
}

}  // namespace quantiplan::bench
