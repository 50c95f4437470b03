// The engines against the plain method (plain_grid.hpp), at the width that it reaches.
//
// The plain method is first held to known answers: a baseline that is wrong would be no baseline.
#include <fmt/format.h>

#include "agreement.hpp"
#include "cases.hpp"
#include "plain_grid.hpp"
#include "quantiplan/solve.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

// [GWX] Example 2: one outcome in ten of a1 lets the episode go on.
Model example_2() {
  ModelBuilder builder;
  builder.horizon(10).discount(Rational(9, 10)).initial("s1");
  builder.begin_choice("s1", "a1");
  builder.add_outcome("s1", Rational(1, 10), 1).add_outcome("s2", Rational(9, 10), -1);
  builder.begin_choice("s1", "a2").add_outcome("s2", 1, 1);
  return builder.build();
}

// Quantiles that are no ties, on which doubles could go either way.
void require_sound_baseline(std::size_t points) {
  struct Known {
    Rational tau;
    Rational quantile;
  };
  const Known all[] = {{{1, 2}, 1}, {{19, 20}, {19, 10}}, {{199, 200}, {271, 100}}};
  const Model model = example_2();
  for (const Known& known : all) {
    for (const Side side : {Side::lower, Side::upper}) {
      const PlainGrid plain = plain_grid(model, {}, {known.tau, side}, points);
      const Result& found = plain.answer.results.front();
      const bool contains = *found.quantile <= known.quantile && known.quantile <= *found.upper;
      // The widths are multiples of h, computed in doubles.
      if (contains &&
          found.upper->value() - found.quantile->value() <= Rational(plain.bound * (1 + 1e-9)))
        continue;
      throw Disagreement(fmt::format("plain method, example 2, tau {}: [{}, {}], must contain {}",
                                     to_text(known.tau),
                                     found.quantile->value().get_d(),
                                     found.upper->value().get_d(),
                                     to_text(known.quantile)));
    }
  }
}

std::vector<Cell> row(const Timed& run) {
  const Result& result = run.answer.results.front();
  const Work& work = run.answer.work;
  const Rational width = result.upper->value() - result.quantile->value();
  return {run.name,
          Quantity{run.seconds, "s"},
          work.passes,
          work.multiply_adds,
          Quantity{static_cast<double>(work.peak_bytes), "B"},
          fmt::format("{:.7f}", result.quantile->value().get_d()),
          fmt::format("{:.7f}", result.upper->value().get_d()),
          fmt::format("{:.2e}", width.get_d())};
}

}  // namespace

Section plain_section(const Plan& plan) {
  const std::size_t points = plan.quick ? 2'000 : 1'000'000;
  require_sound_baseline(points);
  const Case subject = machine_of(plan.quick ? 10 : 100);
  const Question question{one_tau_bare().taus.front(), Side::lower};
  const auto plainly = [&] { return plain_grid(subject.model, {}, question, points); };
  const PlainGrid reached = plainly();
  const Result& bracket = reached.answer.results.front();

  Section section{"Against the plain method",
                  fmt::format("{}: one uniform grid of {} points, two passes, one thread; and the "
                              "engine's own choice with its width as epsilon. Lower 0.1-quantile.",
                              subject.name,
                              points),
                  {"method",
                   "best time",
                   "passes",
                   "multiply-adds",
                   "peak memory",
                   "lower end",
                   "upper end",
                   "width"},
                  {},
                  {}};
  std::vector<Contender> contenders{{"plain grid", [&] { return plainly().answer; }}};
  for (const std::uint32_t threads : {1u, 2u}) {
    Options options = options_of(Engine::automatic, threads);
    options.epsilon = Rational(bracket.upper->value() - bracket.quantile->value());
    contenders.push_back(
        {fmt::format("engine, {} thread{}", threads, threads == 1 ? "" : "s"),
         [&subject, options] { return solve(subject.model, one_tau_bare(), options); }});
  }
  const auto runs = race(
      contenders,
      [&](const std::vector<Timed>& answers) {
        for (const Timed& run : answers) {
          require_meeting(subject.name, answers.front().answer, run.answer);
        }
      },
      plan.effort);
  for (const Timed& run : runs) section.rows.push_back(row(run));
  section.ratios.push_back({fmt::format("{}: plain / engine on 2 threads", subject.name),
                            runs[0].seconds / runs[2].seconds,
                            Ratio::Bound::at_least,
                            20});
  return section;
}

}  // namespace quantiplan::bench
