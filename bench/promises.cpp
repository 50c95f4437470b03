// What the best mean that keeps the promise costs, beside the greatest probability.
//
//     bare         the quantile and a policy that attains it: one plain pass
//     probability  the greatest P, then the greatest mean
//     mean         the search over weights, each pass of which carries the pair (P, mean)
#include <fmt/format.h>

#include "agreement.hpp"
#include "cases.hpp"
#include "quantiplan/solve.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

std::vector<Case> promise_cases(bool quick) {
  GarnetParameters garnet;
  garnet.states = quick ? 30 : 200;
  garnet.actions = 5;
  garnet.branching = 8;
  garnet.horizon = quick ? 4 : 12;
  garnet.greatest_reward = quick ? 20 : 100;
  garnet.reward_of = GarnetParameters::RewardOf::outcome;
  std::vector<Case> cases;
  cases.push_back(garnet_of_paper(quick ? 50 : 1000));
  cases.push_back(garnet_of(garnet));
  cases.push_back(quick ? datacenter_of(4, 6) : datacenter_of(10, 50));
  cases.push_back(machine_of(quick ? 4 : 10));
  return cases;
}

Query preferring(Query query, Prefer prefer) {
  query.prefer = prefer;
  return query;
}

// Nobody who keeps the promise has a greater mean than the bound, nor a greater probability than
// the policy that prefers it.
void require_trade(const std::string& name, const Answer& probable, const Answer& mean) {
  for (std::size_t i = 0; i < mean.results.size(); ++i) {
    const Result& best = mean.results[i];
    const Result& surest = probable.results[i];
    const bool holds = best.quantile == surest.quantile && best.mean && best.mean_bound &&
                       surest.mean && best.mean->nearest <= best.mean_bound->nearest &&
                       surest.mean->nearest <= best.mean_bound->nearest;
    if (!holds)
      throw Disagreement(fmt::format("{}: tau {}: the trade is not one", name, to_text(best.tau)));
  }
}

}  // namespace

Section promises_section(const Plan& plan) {
  Section section{"The best mean that keeps the promise",
                  "Lower quantiles with a policy each, doubles, one thread, a gap of 1 %.",
                  {"model", "taus", "prefer", "best time", "passes", "multiply-adds"},
                  {},
                  {}};
  const auto add_rows = [&](const Case& subject,
                            const char* taus,
                            const Query& query,
                            double most) {
    const Options options = options_of(Engine::automatic);
    Query bare = preferring(query, Prefer::probability);
    bare.compare = false;
    const auto with = [&](const char* name, const Query& asked) -> Contender {
      return {name, [&subject, asked, options] { return solve(subject.model, asked, options); }};
    };
    const auto runs = race(
        {with("as found", bare),
         with("probability", preferring(query, Prefer::probability)),
         with("mean", preferring(query, Prefer::mean))},
        [&](const std::vector<Timed>& all) {
          require_trade(subject.name, all[1].answer, all[2].answer);
        },
        plan.effort);
    for (const Timed& run : runs)
      section.rows.push_back({subject.name,
                              taus,
                              run.name,
                              Quantity{run.seconds, "s"},
                              run.answer.work.passes,
                              run.answer.work.multiply_adds});
    section.ratios.push_back({fmt::format("{}, {}: mean / probability", subject.name, taus),
                              runs[2].seconds / runs[1].seconds,
                              Ratio::Bound::at_most,
                              most});
    const std::uint64_t more = runs[2].answer.work.passes - runs[1].answer.work.passes;
    if (more == 0) return;
    section.ratios.push_back(
        {fmt::format("{}, {}: a pass of pairs / as found", subject.name, taus),
         (runs[2].seconds - runs[1].seconds) / static_cast<double>(more) / runs[0].seconds,
         Ratio::Bound::at_most,
         3});
  };
  for (const Case& subject : promise_cases(plan.quick)) {
    add_rows(subject, "0.1", one_tau(), 20);
    add_rows(subject, "99", ninety_nine_taus(), 80);
  }
  return section;
}

}  // namespace quantiplan::bench
