#include "infinite/level_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "infinite/beyond_levels.hpp"
#include "numbers/floor.hpp"

namespace quantiplan {
namespace {

// An exact answer is given where that takes some milliseconds, and a tie settled where it takes some
// ten seconds: an addition of rationals takes about a microsecond, longer for long ones.
constexpr double kCheapLevels = 5e3;
constexpr double kAffordableLevels = 1e7;

std::size_t longest_denominator(const Moves& moves) {
  std::size_t bits = 1;
  std::vector<bool> known(moves.model.probabilities().size(), false);
  for (const NumberId id : moves.probability) {
    if (known[index(id)]) continue;
    known[index(id)] = true;
    bits =
        std::max(bits, mpz_sizeinbase(moves.model.probabilities().rational(id).get_den_mpz_t(), 2));
  }
  return bits;
}

// A value with its certified error; on the graph alone, only what it decides is known.
template <class A>
Value as_value(const typename A::Value& value, double error) {
  if constexpr (std::is_same_v<A, Exact>) {
    return Value::exactly(value);
  } else if constexpr (std::is_same_v<A, Real>) {
    // A limit may leave an error without bound, which no rational holds.
    if (!std::isfinite(value) || !std::isfinite(error)) return Value::between(0, 1);
    return Value::between(std::max<Rational>(0, Rational(value) - Rational(error)),
                          std::min<Rational>(1, Rational(value) + Rational(error)));
  } else if constexpr (std::is_same_v<A, Sure>) {
    return value ? Value::exactly(1) : Value::at_most(1);
  } else {
    return value ? Value::at_least(0) : Value::exactly(0);
  }
}
template <class A>
Value as_value(const WholeValues<A>& whole, std::size_t start = 0) {
  return as_value<A>(whole.value[start], whole.error);
}
template <class A>
Value as_value(const Series<A>& series, std::uint64_t level, std::size_t start = 0) {
  return as_value<A>(series.value(level, start), series.error(level));
}

template <class A>
constexpr Method method_of() {
  if constexpr (std::is_same_v<A, Real>) return Method::real;
  if constexpr (std::is_same_v<A, Exact>) return Method::exact;
  if constexpr (std::is_same_v<A, Sure>) return Method::sure;
  return Method::possible;
}

// The level of totals y = key * unit, size = |key|: with gains the least with sigma >= size, with
// losses the greatest with sigma <= size; the last one where the levels end before. Nullopt if a
// limit was met.
template <class A>
std::optional<std::uint64_t> level_of(Series<A>& series, const Integer& size) {
  const bool gains = series.problem().event.gains;
  for (std::uint64_t level = series.first();; ++level) {
    if (!series.reach(level)) {
      if (!series.is_over() || level == series.first()) return std::nullopt;
      return level - 1;
    }
    const Integer sigma(static_cast<unsigned long>(series.sigma(level)));
    if (gains && sigma >= size) return level;
    if (!gains && sigma > size) return level - 1;
  }
}

}  // namespace

LevelSeries::LevelSeries(std::shared_ptr<WeightedLayout> layout, std::uint64_t most_work)
    : layout_(std::move(layout)), most_work_(most_work) {}
LevelSeries::~LevelSeries() = default;

template <class A>
Series<A>* LevelSeries::series(bool to_limit) {
  auto& own = [this]() -> auto& {
    if constexpr (std::is_same_v<A, Real>)
      return real_;
    else if constexpr (std::is_same_v<A, Exact>)
      return exact_;
    else if constexpr (std::is_same_v<A, Sure>)
      return sure_;
    else
      return possible_;
  }
  ();
  if (!own) {
    own = std::make_unique<Series<A>>(layout_->problem, layout_->layout->limits, most_work_);
    if (!own->prepare()) own.reset();
  }
  if (own && to_limit && !own->prepare_limit()) return nullptr;
  return own.get();
}

bool LevelSeries::exact_is_affordable(double most, std::uint64_t levels) {
  const Moves& moves = layout_->layout->moves;
  const double arcs = static_cast<double>(moves.graph.next.size());
  // Before any pass the greatest cycle is not known; all slots would be the worst case.
  const double cycle =
      real_ && real_->pass()
          ? static_cast<double>(real_->pass()->equations().greatest_cycle())
          : static_cast<double>(std::min<std::size_t>(moves.slots(), 2 * kGreatestExactCycle));
  if (cycle > static_cast<double>(kGreatestExactCycle)) return false;
  const double passes = static_cast<double>(levels) + 2;
  const double words = 1 + passes * static_cast<double>(longest_denominator(moves)) / 512;
  return (arcs + cycle * cycle * cycle / 3) * passes * words < most;
}

template <class A>
LevelSeries::Found LevelSeries::found(Series<A>& series, LocatedLevel where) const {
  Found out;
  out.method = method_of<A>();
  const Event& event = series.problem().event;
  using Place = LocatedLevel::Place;
  if (where.place == Place::level) {
    out.probability = as_value(series, where.level);
    const bool has_next = where.next_level == series.first() - 1 || where.next_level + 1 == 0 ||
                          where.next_level < series.count();
    if (has_next) {
      out.beyond =
          where.next_level + 1 == 0 ? as_value(series.base()) : as_value(series, where.next_level);
    }
  } else if (where.lower.is_miss()) {
    // Counted, a miss is the least of all, or the greatest.
    const bool best = event.miss == Miss::best;
    out.probability =
        best ? as_value(event.gains ? series.limit() : series.base()) : Value::exactly(1);
    out.beyond = best ? Value::exactly(0) : as_value(event.gains ? series.base() : series.limit());
  } else if (where.lower == Total::plus_infinity()) {
    out.probability = as_value(series.limit());
    // Beyond it there are misses, as the best, or nothing.
    out.beyond = event.miss == Miss::best ? out.probability : Value::exactly(0);
  } else {
    const bool none = event.miss == Miss::none;
    out.beyond = as_value(series.limit());
    out.probability = none || event.miss == Miss::best ? Value::exactly(1) : *out.beyond;
  }
  out.where = std::move(where);
  return out;
}

LevelSeries::Found LevelSeries::find_one(const Question& question) {
  const Arithmetic arithmetic = layout_->layout->options.arithmetic;
  const Rational theta = 1 - question.tau;
  const auto put_to = [&]<class A>(A) -> std::optional<Found> {
    Series<A>* own = series<A>(true);
    if (own == nullptr) return std::nullopt;
    return found<A>(*own, locate<A>(*own, question));
  };
  Found unknown;
  unknown.where.ended = true;
  unknown.where.place = LocatedLevel::Place::base;
  const Event& event = layout_->problem.event;
  unknown.where.lower = event.miss == Miss::worst ? Total::miss()
                        : event.gains             ? Total(0)
                                                  : Total::minus_infinity();
  unknown.where.upper = event.miss == Miss::best ? Total::miss()
                        : event.gains            ? Total::plus_infinity()
                                                 : Total(0);
  // Certainty and possibility are settled on the graph; their probabilities are computed besides.
  if (theta == 1 || theta == 0) {
    auto on_graph = theta == 1 ? put_to(Sure{}) : put_to(Possible{});
    if (!on_graph || on_graph->where.ended) return on_graph.value_or(unknown);
    if (theta == 1) {
      on_graph->probability = Value::exactly(1);
      on_graph->beyond.reset();
      return *on_graph;
    }
    on_graph->probability.reset();
    on_graph->beyond = Value::exactly(0);
    return *on_graph;
  }
  std::optional<Found> out;
  if (arithmetic != Arithmetic::exact) {
    out = put_to(Real{});
    if (!out) return unknown;
    const std::uint64_t levels = real_->count();
    const double most = out->where.is_open                    ? kAffordableLevels
                        : arithmetic == Arithmetic::automatic ? kCheapLevels
                                                              : 0;
    if (out->where.ended || !exact_is_affordable(most, levels)) return *out;
  }
  const std::optional<Found> exactly = put_to(Exact{});
  if (exactly && !exactly->where.ended) return *exactly;
  return out.value_or(exactly.value_or(unknown));
}

std::vector<LevelSeries::Found> LevelSeries::find(const std::vector<Question>& questions) {
  std::vector<Found> out;
  for (const Question& question : questions) {
    out.push_back(find_one(question));
    Found& last = out.back();
    if (last.method == Method::exact) was_exact_ = true;
    // What the graph does not say: how large the probabilities are.
    const bool missing = !last.probability || !last.beyond;
    if (!missing || last.where.ended) continue;
    if (!last.probability) {
      if (const auto known = chance(last.where.lower, false)) {
        last.probability = Value::between(known->value.least(), known->upper.greatest());
        // The policy with the greatest chance, wherever that is certainly a chance.
        if (known->method == Method::exact || known->value.nearest > 0) {
          const bool exact = known->method == Method::exact;
          if (exact || known->upper.nearest < 2 * known->value.nearest) last.method = known->method;
        }
      }
    }
    if (!last.beyond) {
      if (const auto known = chance(last.where.lower, true))
        last.beyond = Value::between(known->value.least(), known->upper.greatest());
    }
  }
  return out;
}

namespace {

// Of the counted target: between what is known of it.
template <class A>
LevelSeries::Chance chance_of(const Total& target,
                              const Value& known,
                              LocatedLevel::Place place,
                              std::uint64_t level = 0) {
  LevelSeries::Chance out;
  out.method = method_of<A>();
  out.value = known.exact ? known : Value::at_least(known.least());
  out.upper = known.exact ? known : Value::at_most(known.greatest());
  out.where.lower = out.where.upper = target;
  out.where.place = place;
  out.where.level = level;
  return out;
}

}  // namespace

// Of a target that is no number: what lies before the first level, or beyond the last. Of one initial
// state it is solved for that alone; of several, once for all.
template <class A>
std::optional<LevelSeries::Chance> LevelSeries::chance_beyond(const Total& target,
                                                              bool strictly,
                                                              std::size_t start) {
  using Place = LocatedLevel::Place;
  Limits& limits = layout_->layout->limits;
  EpochProblem problem = layout_->problem;
  problem.start_only = true;
  const bool is_one = layout_->layout->moves.starts == 1;
  const auto made = [&](const std::optional<WholeValues<A>>& whole,
                        Place place) -> std::optional<Chance> {
    if (!whole) return std::nullopt;
    return chance_of<A>(target, as_value(*whole, start), place);
  };
  switch (beyond_levels(problem.event, target, strictly)) {
    case BeyondLevels::zero:
      return chance_of<A>(target, as_value<A>(A::zero(), 0), Place::base);
    case BeyondLevels::one:
      return chance_of<A>(target, as_value<A>(A::one(), 0), Place::limit);
    case BeyondLevels::base: {
      if (is_one) return made(base_of<A>(problem, limits), Place::base);
      Series<A>* own = series<A>(false);
      return own == nullptr ? std::nullopt : made(own->base(), Place::base);
    }
    case BeyondLevels::limit: {
      if (!is_one) {
        Series<A>* own = series<A>(true);
        return own == nullptr ? std::nullopt : made(own->limit(), Place::limit);
      }
      // It refers to the base everywhere.
      const auto base = base_of<A>(layout_->problem, limits);
      if (!base) return std::nullopt;
      return made(limit_of<A>(problem, *base, limits), Place::limit);
    }
  }
  return std::nullopt;
}

template <class A>
std::optional<LevelSeries::Chance> LevelSeries::chance_in(const Total& target,
                                                          bool strictly,
                                                          std::size_t start) {
  using Place = LocatedLevel::Place;
  if (!target.is_finite()) return chance_beyond<A>(target, strictly, start);
  Series<A>* own = series<A>(false);
  if (own == nullptr) return std::nullopt;
  const bool gains = layout_->problem.event.gains;
  const Rational steps = target.value() / layout_->weights.unit;
  const Integer key = strictly ? Integer(floor_of(steps) + 1) : ceiling_of(steps);
  if (gains ? key <= 0 : key > 0)
    return chance_of<A>(target, as_value(own->base(), start), gains ? Place::level : Place::base);
  const auto level = level_of(*own, abs(key));
  if (!level) return std::nullopt;
  return chance_of<A>(target, as_value(*own, *level, start), Place::level, *level);
}

std::optional<LevelSeries::Chance> LevelSeries::chance(const Total& target,
                                                       bool strictly,
                                                       std::size_t start) {
  const Arithmetic arithmetic = layout_->layout->options.arithmetic;
  if (arithmetic == Arithmetic::exact) {
    was_exact_ = true;
    return chance_in<Exact>(target, strictly, start);
  }
  auto rough = chance_in<Real>(target, strictly, start);
  if (!rough || arithmetic == Arithmetic::floating) return rough;
  if (!exact_is_affordable(kCheapLevels, real_ ? real_->count() : 0)) return rough;
  auto exactly = chance_in<Exact>(target, strictly, start);
  if (!exactly) return rough;
  was_exact_ = true;
  return exactly;
}

std::vector<FrontierStep> LevelSeries::curve() {
  std::vector<FrontierStep> steps;
  const auto add = [&]<class A>(Series<A>& own) {
    if (own.problem().event.gains) steps.push_back({Total(0), as_value(own.base())});
    for (std::uint64_t k = own.first(); k < own.count(); ++k)
      steps.push_back({total_of(own, k), as_value(own, k)});
  };
  if (exact_ && (!real_ || exact_->count() >= real_->count())) {
    add(*exact_);
  } else if (real_) {
    add(*real_);
  }
  if (!layout_->problem.event.gains) std::ranges::reverse(steps);
  return steps;
}

void LevelSeries::add_work(Work& work) const {
  const auto add = [&](const auto& own, bool exact) {
    if (!own || !own->pass()) return;
    ++work.passes;
    work.levels += own->pass()->levels_solved();
    work.multiply_adds += own->pass()->multiply_adds();
    const auto values = own->pass()->levels_solved() * own->pass()->equations().groups();
    work.backups += values;
    work.breakpoints += values;
    if (exact) work.exact_nodes += values;
  };
  add(real_, false);
  add(exact_, true);
  add(sure_, false);
  add(possible_, false);
}

EngineReport epochs_report(const Options& options, const LevelSeries& series) {
  EngineReport report = no_engine_report(options);
  report.used = fmt::format("epochs ({})", series.was_exact() ? "exact" : "double");
  report.why = fmt::format(
      "infinite horizon without discount, so the residual target is gone through level by level; "
      "{}",
      options.arithmetic == Arithmetic::exact ? "rationals throughout, as asked"
      : series.was_exact()
          ? "small enough for rationals throughout"
          : "doubles with a certified error bound, open comparisons settled in rationals");
  report.left_open =
      options.arithmetic == Arithmetic::exact
          ? "there are more levels than it goes through; a wider --epsilon can be met without "
            "--exact"
          : "there are more levels than it goes through, or probabilities too close for doubles; "
            "--exact can tell more, or a wider --epsilon";
  return report;
}

}  // namespace quantiplan
