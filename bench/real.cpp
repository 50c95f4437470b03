// Certified brackets against the paper's algorithm on its two families with real rewards, at equal
// precision, one thread each.
//
// Sizes grow until the baseline does not end within its time; the last that it ends is held against
// the bound. The baseline must be the paper's: no more targets than ceil(log2(range / epsilon))
// + 1.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <optional>

#include "agreement.hpp"
#include "cases.hpp"
#include "quantiplan/solve.hpp"
#include "returns.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

struct Family {
  std::string name;
  std::vector<std::function<Case()>> sizes;  // ascending
  std::optional<Rational> epsilon;           // absent: a thousandth of the range
};

std::vector<Family> families(bool quick) {
  const auto garnet = [](std::uint32_t states) { return [=] { return real_garnet_of(states); }; };
  const auto centre = [](std::uint32_t servers, std::uint64_t horizon) {
    return [=] { return real_datacenter_of(servers, horizon); };
  };
  const Rational thousandth(1, 1000);
  if (quick) {
    return {{"garnet", {garnet(20), garnet(40)}, thousandth},
            {"data centre n=4", {centre(4, 2), centre(4, 3)}, std::nullopt}};
  }
  std::vector<Family> all{{"garnet", {}, thousandth}};
  for (const std::uint32_t states : {250u, 750u, 1250u, 1750u, 2250u}) {
    all.back().sizes.emplace_back(garnet(states));
  }
  for (const std::uint32_t servers : {20u, 30u, 40u}) {
    all.push_back({fmt::format("data centre n={}", servers), {}, std::nullopt});
    for (const std::uint64_t horizon : {2u, 3u, 4u, 5u, 6u, 8u, 10u}) {
      all.back().sizes.emplace_back(centre(servers, horizon));
    }
  }
  return all;
}

// A thousandth of the range where the family names none.
Rational epsilon_of(const Case& subject, const Family& family) {
  if (family.epsilon) return *family.epsilon;
  return Rational(attainable_returns(subject.model).from_initial.width() / 1000);
}

void require_few_targets(const Case& subject, const Family& family, const Answer& paper) {
  const double range = attainable_returns(subject.model).from_initial.width();
  const double ratio = family.epsilon ? range / family.epsilon->get_d() : 1000;
  const double most = std::ceil(std::log2(ratio)) + 1;
  if (static_cast<double>(paper.work.passes) <= most) return;
  throw Disagreement(fmt::format("{}: the baseline tried {} targets, must be at most {}",
                                 subject.name,
                                 paper.work.passes,
                                 most));
}

std::vector<Cell> real_row(const Case& subject, const Timed& run) {
  const Work& work = run.answer.work;
  const Result& result = run.answer.results.front();
  const bool ended = result.status == Status::solved;
  const Rational width = result.upper->value() - result.quantile->value();
  return {subject.name,
          run.name,
          ended ? Cell(Quantity{run.seconds, "s"}) : Cell(std::string("not ended")),
          work.passes,
          work.backups,
          work.breakpoints,
          work.multiply_adds,
          Quantity{static_cast<double>(work.peak_bytes), "B"},
          fmt::format("{:.2e}", width.get_d())};
}

// Rows of one size; the ratio, or nothing if the baseline did not end.
std::optional<double> compare(const Case& subject,
                              const Family& family,
                              const Plan& plan,
                              Section& section) {
  const auto contender = [&](const char* name, Engine engine, double seconds) -> Contender {
    Options options = options_of(engine);
    options.epsilon = epsilon_of(subject, family);
    options.time_limit_seconds = seconds;
    return {name, [&subject, options] { return solve(subject.model, one_tau_bare(), options); }};
  };
  const std::vector<Contender> both{contender("auto", Engine::automatic, 0),
                                    contender("paper", Engine::paper, plan.quick ? 2 : 30)};
  std::vector<Timed> runs = first_runs(both);
  const bool ended = runs[1].answer.results.front().status == Status::solved;
  if (ended) {
    require_meeting(subject.name, runs[0].answer, runs[1].answer);
    require_few_targets(subject, family, runs[1].answer);
    clock_runs(both, plan.effort, runs);
  } else {
    std::vector<Timed> ours{runs[0]};
    clock_runs({both[0]}, plan.effort, ours);
    runs[0] = ours[0];
  }
  for (const Timed& run : runs) section.rows.push_back(real_row(subject, run));
  if (!ended) return std::nullopt;
  return runs[1].seconds / runs[0].seconds;
}

}  // namespace

Section real_section(const Plan& plan) {
  Section section{"Real rewards, against the paper's algorithm",
                  "The lower 0.1-quantile to epsilon, with its policy. Sizes grow until the "
                  "baseline does not end within 30 seconds.",
                  {"model",
                   "engine",
                   "best time",
                   "passes",
                   "backups",
                   "breakpoints",
                   "multiply-adds",
                   "peak memory",
                   "width"},
                  {},
                  {}};
  for (const Family& family : families(plan.quick)) {
    std::optional<Ratio> largest;
    for (const auto& make : family.sizes) {
      const Case subject = make();
      const std::optional<double> ratio = compare(subject, family, plan, section);
      if (!ratio) break;
      largest =
          Ratio{fmt::format("{}: paper / auto", subject.name), *ratio, Ratio::Bound::at_least, 100};
    }
    if (!largest) throw Disagreement(family.name + ": the baseline ended at no size");
    section.ratios.push_back(*largest);
  }
  return section;
}

}  // namespace quantiplan::bench
