#include "report/counting.hpp"

#include <fmt/format.h>

#include "report/figures.hpp"
#include "report/report_json.hpp"

namespace quantiplan {
namespace {

std::size_t number_of(const Total& position) { return position.value().get_num().get_ui(); }

}  // namespace

Total Counting::shown(const Total& wealth) const { return is_cost_ ? wealth.negated() : wealth; }

ShownEnds Counting::ends(const Total& lower, const Total& upper) const {
  return is_cost_ ? ShownEnds{shown(upper), shown(lower)} : ShownEnds{lower, upper};
}

Value Counting::mean(const Value& mean) const {
  if (!is_cost_) return mean;
  Value cost{-mean.nearest, std::nullopt, mean.is};
  if (mean.exact) cost.exact = -*mean.exact;
  if (mean.is == Value::Is::lower_bound) cost.is = Value::Is::upper_bound;
  if (mean.is == Value::Is::upper_bound) cost.is = Value::Is::lower_bound;
  return cost;
}

QuantileOfDistribution Counting::quantile(const QuantileOfDistribution& quantile) const {
  const ShownEnds both = ends(quantile.lower, quantile.upper);
  return {quantile.tau,
          quantile.side,
          both.lower,
          both.upper,
          is_cost_ ? quantile.open_above : quantile.open_below,
          is_cost_ ? quantile.open_below : quantile.open_above};
}

std::string Counting::figure(const Total& shown) const {
  return classes_ != nullptr ? classes_->text(number_of(shown)) : wealth_figure(shown);
}

bool Counting::is_number(const Total& shown) const {
  return classes_ == nullptr || classes_->number(number_of(shown)).has_value();
}

std::string Counting::json(const Total& shown) const {
  if (classes_ == nullptr) return total_json(shown);
  if (const auto number = classes_->number(number_of(shown))) return total_json(*number);
  return string_json(classes_->text(number_of(shown)));
}

std::string Counting::figure(const ShownEnds& ends, bool is_tie) const {
  if (ends.lower == ends.upper) return figure(ends.lower);
  if (classes_ != nullptr) return fmt::format("{} .. {}", figure(ends.lower), figure(ends.upper));
  return is_tie ? tie_figure(ends.lower, ends.upper) : bracket_figure(ends.lower, ends.upper);
}

std::string Counting::figure(const QuantileOfDistribution& shown) const {
  return classes_ != nullptr ? figure(ShownEnds{shown.lower, shown.upper}) : quantile_figure(shown);
}

std::size_t Counting::rank(const Total& position) const {
  return classes_->rank(number_of(position));
}

std::string Counting::rank_figure(const Total& position) const {
  return fmt::format("{} of {}", rank(position), classes_->count());
}

std::string Counting::reach(std::string_view level) const {
  return is_cost_ ? fmt::format("P(C <= {})", level) : fmt::format("P(W >= {})", level);
}

}  // namespace quantiplan
