#include "check/finite/whole_needs.hpp"

#include <limits>

#include "check/common/claim_report.hpp"
#include "check/finite/index_course.hpp"
#include "check/finite/index_recursion.hpp"
#include "check/finite/mixes.hpp"

namespace quantiplan::checking {
namespace {

std::optional<IndexProblem> problem_in_units(const Model& model,
                                             const Ends& ends,
                                             const IntegerLedger& ledger,
                                             CheckLimits& limits) {
  if (ends.is_cut() || ends.event().numbers() != Event::Numbers::compared) return std::nullopt;
  PolicyGrid grid;
  grid.unit = ledger.unit();
  return IndexProblem::make(model, ends, {grid, Rounding::down, /*start=*/0}, limits);
}

// One event, under the choices that count.
template <class Choices>
class WholeNeeds {
 public:
  WholeNeeds(IndexProblem& problem, Choices& choices, CheckLimits& limits)
      : problem_(problem), choices_(choices), limits_(limits), windows_(problem, limits) {}

  // False if it cannot be computed.
  bool lay_out() { return windows_.find(choices_) == Extent::fits && !problem_.is_rounded(); }

  template <class Mix>
  std::optional<Chance> chance_in(Mix mix) {
    if (const auto decided = windows_.decided_at_start())
      return Chance::of(Bounds::of(Rational(*decided ? 1 : 0)), *decided, !*decided);
    typename Mix::Value value = mix.zero();
    if (!compute(std::move(mix), value)) return std::nullopt;
    const Ends& ends = problem_.ends();
    const Bounds bounds = bounds_of(value, ends.sums() + 1, ends.most_terms(problem_.model()));
    // Sums do not know that they are 0 or 1.
    unsigned char possible = 1;
    unsigned char certain = 0;
    if (bounds.low <= 0 && !compute(FactMix<false>(), possible)) return std::nullopt;
    if (bounds.high >= 1 && !compute(FactMix<true>(), certain)) return std::nullopt;
    return Chance::of(bounds, possible == 1, certain == 0);
  }
  [[nodiscard]] std::uint64_t places() const { return places_; }

 private:
  template <class Mix>
  bool compute(Mix mix, typename Mix::Value& value) {
    // Memory and time alone limit it: whoever solved it did as much.
    constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
    IndexRecursion<Choices, Mix> recursion(
        problem_, windows_, choices_, std::move(mix), {kAny, kAny / 8}, limits_);
    if (recursion.run(value) != Extent::fits) return false;
    places_ = std::max(places_, recursion.places());
    return true;
  }

  IndexProblem& problem_;
  Choices& choices_;
  CheckLimits& limits_;
  IndexWindows windows_;
  std::uint64_t places_ = 0;
};

// P(W' = level) is the difference between the event and its twin.
template <class Mix>
std::optional<WholeChance> policy_chance_in(const CheckCase& task,
                                            const Ends& ends,
                                            const IntegerLedger& ledger,
                                            bool asks_level) {
  const auto chance_of = [&](const Ends& of, WholeChance& found) {
    auto problem = problem_in_units(task.model, of, ledger, task.limits);
    if (!problem) return false;
    NeedCourse course(task.policy, ledger, *problem);
    WholeNeeds needs(*problem, course, task.limits);
    if (!needs.lay_out()) return false;
    auto chance = needs.chance_in(Mix(task.model));
    if (!chance) return false;
    found.chance = *std::move(chance);
    found.places = needs.places();
    return true;
  };
  WholeChance found;
  if (!chance_of(ends, found)) return std::nullopt;
  if (!asks_level) return found;
  WholeChance other;
  const Ends twin(task.model, ends.setting(), ends.event().twin());
  if (!chance_of(twin, other)) return std::nullopt;
  const bool strict = ends.event().is_strict();
  const Bounds& wide = (strict ? other : found).chance.bounds;
  const Bounds& narrow = (strict ? found : other).chance.bounds;
  if (wide.low > narrow.high) found.some_at = true;
  if (wide.is_exact() && narrow.is_exact() && wide.low == narrow.low) found.some_at = false;
  return found;
}

}  // namespace

std::optional<WholeChance> whole_chance(const CheckCase& task,
                                        const Ends& ends,
                                        const IntegerLedger& ledger) {
  const bool asks_level = !task.claim.is_threshold && !task.claim.is_bound;
  const ClaimReport report(
      task.claim, Tolerance::of_steps(ends.sums(), ends.most_terms(task.model)), task.findings);
  const auto is_settled = [&](const std::optional<WholeChance>& found) {
    return found && report.is_settled(found->chance) && (!asks_level || found->some_at);
  };
  auto found = policy_chance_in<DoubleMix>(task, ends, ledger, asks_level);
  if (found && !is_settled(found))
    found = policy_chance_in<LongMix>(task, ends, ledger, asks_level);
  return is_settled(found) ? found : std::nullopt;
}

std::optional<WholeChance> greatest_whole_chance(const CheckCase& task,
                                                 const Ends& ends,
                                                 const IntegerLedger& ledger) {
  auto problem = problem_in_units(task.model, ends, ledger, task.limits);
  if (!problem) return std::nullopt;
  AllChoices choices(task.model);
  WholeNeeds needs(*problem, choices, task.limits);
  if (!needs.lay_out()) return std::nullopt;
  const auto is_settled = [&](const std::optional<Chance>& chance) {
    return chance && task.claim.beyond_demand.is_settled_by(chance->bounds);
  };
  auto chance = needs.chance_in(DoubleMix(task.model));
  if (chance && !is_settled(chance)) chance = needs.chance_in(LongMix(task.model));
  if (!is_settled(chance)) return std::nullopt;
  return WholeChance{*chance, needs.places(), std::nullopt};
}

}  // namespace quantiplan::checking
