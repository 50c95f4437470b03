#include "domains/seats.hpp"

#include <fmt/format.h>

#include "domains/parameter_checks.hpp"

namespace quantiplan {
namespace {

constexpr std::uint32_t kClasses = 4;
constexpr int kFares[kClasses] = {200, 150, 120, 80};

// Requests of each class in a hundred periods, from this many periods before departure on.
struct SeatStretch {
  std::uint32_t up_to;
  int percent[kClasses];
};
constexpr SeatStretch kStretches[] = {{4, {15, 15, 0, 0}},
                                      {11, {14, 14, 16, 16}},
                                      {18, {10, 10, 10, 10}},
                                      {25, {6, 6, 14, 14}},
                                      {30, {8, 8, 14, 14}}};

const SeatStretch& stretch_of(std::uint32_t periods) {
  const SeatStretch* found = kStretches;
  while (found->up_to < periods) ++found;
  return *found;
}

Rational percent(int value) {
  Rational share(value, 100);
  share.canonicalize();
  return share;
}

void add_acceptance(ModelBuilder& builder,
                    const SeatsParameters& p,
                    std::uint32_t periods,
                    std::uint32_t left,
                    std::uint32_t accepted) {
  const auto position = [&](std::uint32_t n, std::uint32_t c) {
    return State{n * (p.seats + 1) + c};
  };
  builder.begin_choice(position(periods, left), fmt::format("accept {}", accepted));
  int sold = 0;
  for (std::uint32_t j = 0; j < accepted; ++j) {
    const int share = stretch_of(periods).percent[j];
    sold += share;
    builder.add_outcome(position(periods - 1, left - 1), percent(share), kFares[j]);
  }
  builder.add_outcome(position(periods - 1, left), percent(100 - sold), 0);
}

}  // namespace

void SeatsParameters::validate() const {
  ParameterChecks check;
  check.whole("seats", seats, 1, 1000);
  check.whole("horizon", horizon, 1, 30);
  check.setting(horizon, discount);
  check.done();
}

Model seats(const SeatsParameters& parameters, WorkWatch* watch) {
  const SeatsParameters& p = parameters;
  p.validate();
  const auto name = [](std::uint32_t n, std::uint32_t c) {
    return fmt::format("periods={},seats={}", n, c);
  };
  ModelBuilder builder;
  builder.watched_by(watch);
  builder.name(fmt::format("seats-{}", p.seats)).horizon(p.horizon).discount(p.discount);
  const auto periods = static_cast<std::uint32_t>(p.horizon);
  builder.initial(name(periods, p.seats));
  for (std::uint32_t n = 0; n <= periods; ++n) {
    for (std::uint32_t c = 0; c <= p.seats; ++c) builder.declare_state(name(n, c));
  }
  for (std::uint32_t n = 1; n <= periods; ++n) {
    for (std::uint32_t c = 1; c <= p.seats; ++c) {
      for (std::uint32_t k = 0; k <= kClasses; ++k) add_acceptance(builder, p, n, c, k);
    }
  }
  return builder.build();
}

}  // namespace quantiplan
