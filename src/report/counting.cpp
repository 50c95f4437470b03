#include "report/counting.hpp"

#include <fmt/format.h>

#include "base/negative.hpp"
#include "report/figures.hpp"
#include "report/report_json.hpp"

namespace quantiplan {

Level Counting::shown(const Level& wealth) const { return is_cost_ ? wealth.negated() : wealth; }

ShownEnds Counting::ends(const Level& lower, const Level& upper) const {
  return is_cost_ ? ShownEnds{shown(upper), shown(lower)} : ShownEnds{lower, upper};
}

Value Counting::mean(const Value& mean) const { return is_cost_ ? negative_of(mean) : mean; }

QuantileOfDistribution Counting::quantile(const QuantileOfDistribution& quantile) const {
  const ShownEnds both = ends(quantile.lower, quantile.upper);
  return {quantile.tau,
          quantile.side,
          both.lower,
          both.upper,
          is_cost_ ? quantile.open_above : quantile.open_below,
          is_cost_ ? quantile.open_below : quantile.open_above};
}

std::string Counting::figure(const Level& shown) {
  return shown.is_class() ? shown.class_text() : wealth_figure(shown.total());
}

std::string Counting::json(const Level& shown) {
  const auto number = shown.number();
  return number ? total_json(*number) : string_json(shown.class_text());
}

std::string Counting::figure(const ShownEnds& ends, bool is_tie) {
  if (ends.lower == ends.upper) return figure(ends.lower);
  if (ends.lower.is_class()) return fmt::format("{} .. {}", figure(ends.lower), figure(ends.upper));
  return is_tie ? tie_figure(ends.lower, ends.upper) : bracket_figure(ends.lower, ends.upper);
}

std::string Counting::figure(const QuantileOfDistribution& shown) {
  return shown.lower.is_class() ? figure(ShownEnds{shown.lower, shown.upper})
                                : quantile_figure(shown);
}

std::string Counting::rank_figure(const Level& level) {
  return fmt::format("{} of {}", level.rank(), level.class_count());
}

std::string Counting::reach(std::string_view level) const {
  return is_cost_ ? fmt::format("P(C <= {})", level) : fmt::format("P(W >= {})", level);
}

}  // namespace quantiplan
