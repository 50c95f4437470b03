// Wealth that is no sum: what the forward engine makes of a second and of a byte, and what the
// single pass saves where a structure has residuals.
//
// The floor of the expansion is one hash of each outcome of each triple; that of a scalar pass, one
// reading of each. Expected: triples a second do not depend on the horizon until the triples of a
// layer leave the caches, bytes a triple only on the outcomes of a choice.
#include <fmt/format.h>

#include <cmath>

#include "agreement.hpp"
#include "cases.hpp"
#include "quantiplan/solve.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

// A help desk of some states: answering quickly or carefully gives labels from worst to best, and
// moves to a busier or a quieter state.
struct DeskParameters {
  std::uint32_t states = 20;
  std::uint32_t labels = 3;
  std::uint64_t horizon = 20;
};

Model desk(const DeskParameters& p) {
  Wealth wealth;
  wealth.kind = WealthKind::counts;
  for (std::uint32_t l = 0; l < p.labels; ++l) wealth.labels.push_back(fmt::format("grade {}", l));
  ModelBuilder builder;
  builder.name("desk").horizon(p.horizon).initial("0").wealth(wealth);
  for (std::uint32_t i = 0; i < p.states; ++i) {
    for (std::uint32_t a = 0; a < 2; ++a) {
      builder.begin_choice(std::to_string(i), a == 0 ? "quickly" : "carefully");
      // Shares that add up to 1: 2 / (labels (labels + 1)) times 1 .. labels.
      const long all = static_cast<long>(p.labels) * (static_cast<long>(p.labels) + 1) / 2;
      for (std::uint32_t l = 0; l < p.labels; ++l) {
        const long share = a == 0 ? static_cast<long>(l) + 1 : static_cast<long>(p.labels - l);
        const std::uint32_t next = (i + (a == 0 ? 1 : p.states - 1) + l) % p.states;
        builder.add_outcome(
            std::to_string(next), Number(Rational(share, all)), Number(static_cast<int>(l)));
      }
    }
  }
  return builder.build();
}

Options with(Engine engine) {
  Options options;
  options.engine = engine;
  options.threads = 1;
  options.arithmetic = Arithmetic::floating;
  return options;
}

// The quantile in the user's terms: sums have totals, the rest classes.
std::string text_of(const Answer& answer) {
  const Total& quantile = *answer.results.front().quantile;
  return answer.classes ? answer.classes->text(quantile.value().get_num().get_ui())
                        : to_text(quantile);
}

// The same class with the same chance, whatever found it.
void prove_same(const std::vector<Timed>& timed) {
  const Result& first = timed.front().answer.results.front();
  for (const Timed& other : timed) {
    const Result& result = other.answer.results.front();
    const bool same = result.certificate == Certificate::exact &&
                      text_of(timed.front().answer) == text_of(other.answer) &&
                      std::abs(result.probability->nearest - first.probability->nearest) < 1e-9;
    if (!same) throw Disagreement(timed.front().name + " and " + other.name + " differ");
  }
}

struct DeskAxis {
  const char* name;
  std::vector<DeskParameters> points;
};

std::vector<DeskAxis> desk_axes(bool quick) {
  if (quick) return {{"horizon", {{5, 3, 4}}}, {"labels", {{5, 2, 4}}}};
  return {{"horizon", {{20, 3, 10}, {20, 3, 20}, {20, 3, 40}, {20, 3, 80}}},
          {"labels", {{20, 2, 16}, {20, 3, 16}, {20, 4, 16}, {20, 5, 16}}}};
}

}  // namespace

Section forward_section(const Plan& plan) {
  Section section{"Preferences: the forward engine",
                  "Counts of labels (desk, 20 states), one tau, one thread: the forward engine, "
                  "and the single pass beside it.",
                  {"grows",
                   "horizon",
                   "labels",
                   "triples",
                   "classes",
                   "best time",
                   "triples a second",
                   "bytes a triple",
                   "passes",
                   "ranked",
                   "forward / ranked"},
                  {},
                  {}};
  for (const DeskAxis& axis : desk_axes(plan.quick)) {
    for (const DeskParameters& p : axis.points) {
      const Model model = desk(p);
      const auto timed = race(
          {{"forward", [&model] { return solve(model, one_tau_bare(), with(Engine::forward)); }},
           {"ranked", [&model] { return solve(model, one_tau_bare(), with(Engine::ranked)); }}},
          prove_same,
          plan.effort);
      const Timed& forward = timed.front();
      const Work& work = forward.answer.work;
      const auto triples = static_cast<double>(work.triples);
      const double ratio = forward.seconds / timed.back().seconds;
      section.rows.push_back({std::string(axis.name),
                              p.horizon,
                              static_cast<std::uint64_t>(p.labels),
                              work.triples,
                              static_cast<std::uint64_t>(forward.answer.classes->size()),
                              Quantity{forward.seconds, "s"},
                              Quantity{triples / forward.seconds, "/s"},
                              fmt::format("{:.1f}", static_cast<double>(work.peak_bytes) / triples),
                              work.passes,
                              Quantity{timed.back().seconds, "s"},
                              fmt::format("{:.1f}", ratio)});
      if (&p == &axis.points.back())
        section.ratios.push_back(
            {fmt::format("forward / ranked, horizon {}, {} labels", p.horizon, p.labels),
             ratio,
             Ratio::Bound::at_least,
             1});
    }
  }
  return section;
}

Section structures_section(const Plan& plan) {
  Section section{
      "Preferences: sums by each engine",
      "The data centre, whose wealth is a sum: the single pass made for sums, the one "
      "for any structure with residuals, and the forward engine; one tau, one thread.",
      {"model", "steps", "ranked", "forward", "triples", "ranked / steps", "forward / ranked"},
      {},
      {}};
  const std::vector<std::pair<std::uint32_t, std::uint64_t>> sizes =
      plan.quick ? std::vector<std::pair<std::uint32_t, std::uint64_t>>{{3, 3}}
                 : std::vector<std::pair<std::uint32_t, std::uint64_t>>{{3, 10}, {5, 10}};
  for (const auto& [servers, horizon] : sizes) {
    const Case sums = datacenter_of(servers, horizon);
    const auto run = [&](Engine engine) {
      return [&sums, engine] { return solve(sums.model, one_tau_bare(), with(engine)); };
    };
    const auto timed = race({{"steps", run(Engine::steps)},
                             {"ranked", run(Engine::ranked)},
                             {"forward", run(Engine::forward)}},
                            prove_same,
                            plan.effort);
    const double of_steps = timed[1].seconds / timed[0].seconds;
    const double of_ranked = timed[2].seconds / timed[1].seconds;
    section.rows.push_back({sums.name,
                            Quantity{timed[0].seconds, "s"},
                            Quantity{timed[1].seconds, "s"},
                            Quantity{timed[2].seconds, "s"},
                            timed[2].answer.work.triples,
                            fmt::format("{:.1f}", of_steps),
                            fmt::format("{:.1f}", of_ranked)});
    section.ratios.push_back({fmt::format("forward / steps, {}", sums.name),
                              timed[2].seconds / timed[0].seconds,
                              Ratio::Bound::at_least,
                              1});
  }
  return section;
}

}  // namespace quantiplan::bench
