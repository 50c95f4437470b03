#include "evaluate/mixture.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "numbers/directed.hpp"
#include "numbers/mean_value.hpp"

namespace quantiplan {
namespace {

// Zero is exact; what is added may not be.
void add_weighted(Value& sum, const Value& value, const Rational& weight) {
  sum.nearest += value.nearest * to_nearest_double(weight);
  if (sum.exact && value.exact)
    *sum.exact += weight * *value.exact;
  else
    sum.exact.reset();
}

void settle_nearest(Value& sum) {
  if (sum.exact) sum.nearest = to_nearest_double(*sum.exact);
}

// Some policies have no mean, or an infinite one; of some only a lower bound is known.
class MixedMean {
 public:
  void add(const Value& mean, const Rational& weight) {
    plain_ += mean.nearest * to_nearest_double(weight);
    is_exact_ = is_exact_ && mean.exact;
    is_bound_ = is_bound_ || (!mean.exact && !mean.most && mean.is == Value::Is::lower_bound);
    if (!std::isfinite(plain_)) return;
    const MeanEnds ends = ends_of(mean);
    ends_.low += weight * ends.low;
    ends_.high += weight * ends.high;
  }
  [[nodiscard]] Value value() const {
    if (!std::isfinite(plain_)) return {plain_};
    if (is_exact_) return Value::exactly(ends_.low);
    return is_bound_ ? Value::no_less_than(ends_.low) : mean_between(ends_);
  }

 private:
  double plain_ = 0;
  MeanEnds ends_;
  bool is_exact_ = true;
  bool is_bound_ = false;
};

// No better than the worst of them; that several hold at once is as sure as their errors add up to.
void add_sample(std::optional<Sample>& sum, const Sample& part, double weight) {
  if (!sum) sum = Sample{part.episodes, part.seed, 1, 0};
  sum->episodes = std::min(sum->episodes, part.episodes);
  sum->confidence -= 1 - part.confidence;
  sum->band += weight * part.band;
}

void add_rest(std::optional<RestOfDistribution>& sum,
              const RestOfDistribution& part,
              const Rational& weight) {
  if (!sum) sum = RestOfDistribution{part.from, part.to, 0};
  sum->from = std::min(sum->from, part.from);
  sum->to = std::max(sum->to, part.to);
  sum->probability = round_up(Rational(sum->probability) + weight * Rational(part.probability));
}

}  // namespace

Distribution mixed_distribution(const std::vector<std::pair<Rational, Distribution>>& parts) {
  Distribution out;
  std::map<Level, Value> atoms;
  MixedMean mean;
  for (const auto& [weight, part] : parts) {
    for (const Atom& atom : part.atoms)
      add_weighted(atoms.try_emplace(atom.wealth, Value::exactly(0)).first->second,
                   atom.probability,
                   weight);
    mean.add(part.mean, weight);
    out.relative_error = std::max(out.relative_error, part.relative_error);
    out.absolute_error += part.absolute_error;
    out.slack = std::max<Rational>(out.slack, part.slack);
    if (part.sample) add_sample(out.sample, *part.sample, to_nearest_double(weight));
    if (part.rest) add_rest(out.rest, *part.rest, weight);
  }
  out.mean = mean.value();
  bool is_exact = true;
  for (auto& [wealth, probability] : atoms) {
    settle_nearest(probability);
    is_exact = is_exact && probability.exact;
    out.atoms.push_back({wealth, probability});
  }
  // The weights, the products and their sum are rounded as well.
  if (!is_exact && !out.sample)
    out.relative_error += static_cast<double>(parts.size() + 3) * 0x1p-52;
  return out;
}

}  // namespace quantiplan
