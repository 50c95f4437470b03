#include "promise/worth.hpp"

namespace quantiplan {

std::weak_ordering order(WorthKind kind, const Worth& a, const Worth& b) {
  const std::size_t count = kind == WorthKind::mean ? 1 : a.size();
  for (std::size_t i = objective(kind); i < count; ++i) {
    const int sign = cmp(a[i], b[i]);
    if (sign != 0) return sign > 0 ? std::weak_ordering::greater : std::weak_ordering::less;
  }
  return std::weak_ordering::equivalent;
}

void add_outcome(
    WorthKind kind, const Rational& p, const Rational& reward, const Worth& next, Worth& sum) {
  if (kind == WorthKind::mean) {
    sum[0] += p * (reward + next[0]);
    return;
  }
  sum[0] += p * next[0];
  sum[1] += p * (reward * next[0] + next[1]);
  sum[2] += p * (next[2] - 1);
}

bool is_better(const Aim& aim, WorthKind kind, const PromisedWorth& a, const PromisedWorth& b) {
  const std::size_t first = objective(kind);
  const int sign = aim.weight ? cmp(Rational(a.worth[first] + *aim.weight * a.probability),
                                    Rational(b.worth[first] + *aim.weight * b.probability))
                              : cmp(a.probability, b.probability);
  if (sign != 0) return sign > 0;
  // Equal sums of which one has the greater probability: that one, and for the same reason.
  if (aim.weight && a.probability != b.probability) return a.probability > b.probability;
  return std::is_gt(order(kind, a.worth, b.worth));
}

Prospect prospect_of(const Aim& aim, WorthKind kind, const PromisedWorth& best) {
  const Rational& worth = best.worth[objective(kind)];
  Prospect out{Value::exactly(best.probability), best.probability, worth};
  if (aim.weight) out.optimum = Rational(worth + *aim.weight * best.probability);
  return out;
}

}  // namespace quantiplan
