#include "page/page_starts.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "page/page_json.hpp"
#include "quantiplan/each_start.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMostRows = 400;

struct Row {
  State start{};
  Level lower;
  Level upper;
  std::optional<Value> probability;
  std::optional<Total> order;  // absent: classes that are ranked for one state alone
};

// What rows are compared by: totals, or ranks that were declared.
std::optional<Total> order_of(const Level& level, const Answer& answer) {
  if (!level.is_class()) return level.total();
  if (answer.classes->structure().declared_classes() == 0) return level.number();
  return Total(Rational(Integer(static_cast<unsigned long>(level.rank()))));
}

bool is_worse(const Row& a, const Row& b) { return a.order && b.order && *a.order < *b.order; }

// The worst and the best first, then the others in their order.
std::vector<Row> shown_rows(std::vector<Row> rows) {
  if (rows.size() <= kMostRows) return rows;
  const auto [worst, best] = std::ranges::minmax_element(rows, is_worse);
  std::vector<Row> out{*worst, *best};
  for (const Row& row : rows) {
    if (out.size() == kMostRows) break;
    if (row.start != worst->start && row.start != best->start) out.push_back(row);
  }
  return out;
}

}  // namespace

PageStarts page_starts(const Model& model, const PageQuery& query, const Options& options) {
  Query asked;
  asked.taus = query.taus;
  asked.sides = query.sides;
  asked.setting = query.setting;
  asked.compare = false;
  asked.prefer = Prefer::probability;
  Options unchecked = options;
  unchecked.check = false;
  const std::vector<Question> all = questions(asked);
  std::vector<std::vector<Row>> rows(all.size());
  solve_each(model, query.starts, asked, unchecked, [&](std::size_t i, const Answer& answer) {
    for (std::size_t k = 0; k < answer.results.size(); ++k) {
      const Result& result = answer.results[k];
      rows[k].push_back({query.starts[i],
                         *result.quantile,
                         *result.upper,
                         result.probability,
                         order_of(*result.quantile, answer)});
    }
  });
  PageStarts out;
  out.shown = std::ranges::min_element(rows.front(), is_worse)->start;
  PageJson json;
  json.begin_object().key("shown").name(model.state_name(out.shown));
  json.key("of").count(query.starts.size()).key("questions").begin_list();
  for (std::size_t k = 0; k < all.size(); ++k) {
    json.begin_object().key("tau").text(to_text(all[k].tau));
    json.key("side").text(to_text(all[k].side)).key("rows").begin_list();
    for (const Row& row : shown_rows(std::move(rows[k]))) {
      json.begin_list().name(model.state_name(row.start)).level(row.lower).level(row.upper);
      json.optional_value(row.probability).end_list();
    }
    json.end_list().end_object();
  }
  out.json = json.end_list().end_object().str();
  return out;
}

}  // namespace quantiplan
