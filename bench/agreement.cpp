#include "agreement.hpp"

#include <fmt/format.h>

#include "numbers/rounding_bound.hpp"

namespace quantiplan::bench {
namespace {

std::string shown(const Result& result) {
  return fmt::format("{} {} (probability {:.17g})",
                     to_text(result.certificate),
                     result.quantile ? to_text(*result.quantile) : "none",
                     result.probability ? result.probability->nearest : 0.0);
}

std::string bracket(const Result& result) {
  if (!result.quantile || !result.upper) return fmt::format("none ({})", to_text(result.status));
  return fmt::format("[{:.17g}, {:.17g}] ({})",
                     to_nearest_double(result.quantile->value()),
                     to_nearest_double(result.upper->value()),
                     to_text(result.status));
}

void require_as_many(const std::string& case_name, const Answer& one, const Answer& other) {
  if (one.results.size() == other.results.size()) return;
  throw Disagreement(fmt::format(
      "{}: {} results against {}", case_name, one.results.size(), other.results.size()));
}

Rational probability(const Result& result) {
  if (!result.probability) return 0;
  return result.probability->exact.value_or(Rational(result.probability->nearest));
}

bool within_bound(const Rational& p, const Rational& q, const RoundingBound& bound) {
  const Rational slack = (1 + bound.relative) / (1 - bound.relative);
  const Rational factor = slack * slack;
  return p <= factor * q + bound.absolute && q <= factor * p + bound.absolute;
}

template <class Holds>
void require_pairs(const std::string& case_name,
                   const Answer& one,
                   const Answer& other,
                   const Holds& holds) {
  require_as_many(case_name, one, other);
  for (std::size_t i = 0; i < one.results.size(); ++i) {
    const Result& a = one.results[i];
    const Result& b = other.results[i];
    if (holds(a, b)) continue;
    throw Disagreement(fmt::format("{}: tau {}: {} by {}, {} by {}",
                                   case_name,
                                   to_text(a.tau),
                                   bracket(a),
                                   one.engine.used,
                                   bracket(b),
                                   other.engine.used));
  }
}

}  // namespace

void require_equal(const std::string& case_name,
                   const Model& model,
                   const Answer& one,
                   const Answer& other) {
  require_as_many(case_name, one, other);
  const RoundingBound bound =
      RoundingBound::of_backward_pass(one.model.horizon, model.most_outcomes());
  for (std::size_t i = 0; i < one.results.size(); ++i) {
    const Result& a = one.results[i];
    const Result& b = other.results[i];
    const bool same = a.status == Status::solved && b.status == Status::solved && a.tau == b.tau &&
                      a.side == b.side && a.certificate == b.certificate && a.quantile &&
                      a.quantile == b.quantile && a.upper == b.upper &&
                      (a.prefer != b.prefer || within_bound(probability(a), probability(b), bound));
    if (!same) {
      throw Disagreement(fmt::format("{}: tau {}: {} by {}, {} by {}",
                                     case_name,
                                     to_text(a.tau),
                                     shown(a),
                                     one.engine.used,
                                     shown(b),
                                     other.engine.used));
    }
  }
}

void require_holding(const std::string& case_name, const Answer& one, const Answer& other) {
  require_pairs(case_name, one, other, [](const Result& a, const Result& b) {
    return a.tau == b.tau && a.side == b.side && *a.quantile <= *b.upper && *b.quantile <= *a.upper;
  });
}

void require_meeting(const std::string& case_name, const Answer& one, const Answer& other) {
  require_holding(case_name, one, other);
  require_pairs(case_name, one, other, [](const Result& a, const Result& b) {
    return a.status == Status::solved && b.status == Status::solved;
  });
}

}  // namespace quantiplan::bench
