// Asks every query that a page shows, and puts the answers together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "base/call.hpp"
#include "base/checkpoint_folder.hpp"
#include "base/stopwatch.hpp"
#include "page/page_model.hpp"
#include "page/page_parts.hpp"
#include "page/page_prices.hpp"
#include "page/page_starts.hpp"
#include "page/page_wealth.hpp"
#include "page/shown_policy.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/page.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/tradeoff.hpp"
#include "report/heading.hpp"

namespace quantiplan {
namespace {

// On a grid totals hardly ever meet again, and a distribution is a sample in any case: of as many
// episodes as can be drawn, and as are worth the wait.
constexpr std::uint64_t kAskedEpisodes = 20'000;
constexpr std::uint64_t kOtherEpisodes = 4'000;

enum class Asked { by_user, by_page };
struct Point {
  const Result* result;
  Asked asked;
  ShownPolicy best = {};  // with the greatest probability
  ShownPolicy kept = {};  // best at something else besides; empty if there is none
};

class PageMaker {
 public:
  // `starts`: of several initial states, as JSON.
  PageMaker(const Model& model, const PageQuery& query, std::string starts, const Options& options)
      : model_(model), query_(query), options_(options), starts_json_(std::move(starts)) {}

  // What was asked for comes first: a limit, or the size of the file, may end it at any point.
  PageData make() {
    answer(Asked::by_user, query_.taus);
    trace();
    choose_states();
    bytes_ = page_model_.json.size();
    add_wealth();
    add_curve_table("One table for every tau");
    add_policies(Asked::by_user);
    find_prices();
    take_kept_from_prices();
    find_other_laws();
    attempt("More values of tau", [&] { answer(Asked::by_page, more_taus(query_.taus)); });
    add_policies(Asked::by_page);
    add_price_policies();
    add_own_tables();
    say_what_solve_left_out();
    add_counts();
    return {write(), std::move(answers_[0]), std::move(left_out_), has_ended(options_)};
  }

 private:
  // What is too large, or has no time, is left out with a word.
  template <class Make>
  bool attempt(const std::string& what, const Make& make) {
    try {
      make();
      return true;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused && error.code() != ErrorCode::bad_request) throw;
      add_once(left_out_, fmt::format("{}: {}", what, error.what()));
      return false;
    }
  }

  // One of many: the first that is refused speaks for all.
  template <class Make>
  void attempt_one(const std::string& what, const Make& make) {
    const std::size_t before = left_out_.size();
    if (attempt(what, make)) return;
    if (++refused_ > 1) left_out_.resize(before);
  }

  [[nodiscard]] Query quantile_query(std::vector<Rational> taus) const {
    Query query;
    query.taus = std::move(taus);
    query.sides = query_.sides;
    query.setting = query_.setting;
    return query;
  }

  // As `solve` does; and where its policies are best at something else besides the promise, those of
  // the greatest probability, too.
  void answer(Asked by, const std::vector<Rational>& taus) {
    const auto part = static_cast<std::size_t>(by);
    Options options = options_;
    options.check = options_.check && by == Asked::by_user;
    answers_[part] = solve(model_, quantile_query(taus), options);
    const std::vector<Result>& results = answers_[part].results;
    const bool differ = std::ranges::any_of(
        results, [](const Result& r) { return r.prefer != Prefer::probability; });
    if (differ) {
      attempt("Policies of the greatest probability", [&] {
        Query query = quantile_query(taus);
        query.prefer = Prefer::probability;
        options.check = false;
        likeliest_[part] = solve(model_, query, options);
      });
    }
    for (const Result& result : results) {
      points_.push_back({&result, by});
      choose_policies(points_.back());
    }
  }

  void choose_policies(Point& point) const {
    const Result& own = *point.result;
    const ShownPolicy shown{own.policy, own.distribution, own.probability, own.mean};
    if (own.prefer == Prefer::probability) {
      point.best = shown;
      return;
    }
    point.kept = shown;
    for (const Result& other : likeliest_[static_cast<std::size_t>(point.asked)].results) {
      // Where wealth is rounded, rounds may differ: a policy is shown with its own promise.
      if (other.tau == own.tau && other.side == own.side && other.quantile == own.quantile)
        point.best = {other.policy, other.distribution, other.probability, other.mean};
    }
  }

  void trace() {
    attempt("The curve of all promises", [&] {
      Query query = quantile_query(taus_of_curve(query_.taus, setting_.is_infinite()));
      if (!query.taus.empty()) query.sides = Sides::both;
      frontier_ = frontier(model_, query, options_);
    });
  }

  void find_prices() {
    if (answers_[0].model.adversarial) return;
    for (const Result& result : answers_[0].results) {
      attempt(fmt::format("The price of the promise, tau {}", to_text(result.tau)), [&] {
        prices_.push_back({tradeoff(model_, price_query(result, query_.setting), options_)});
      });
    }
  }

  // Last of all, and no more than their share of the file.
  void add_price_policies() {
    std::size_t left = query_.most_bytes / 4;
    for (Price& price : prices_) {
      price.tables.resize(price.curve.points.size());
      for (const std::size_t i : spread_order(price.tables.size())) {
        const TradeoffPoint& point = price.curve.points[i];
        const std::string whose = "promising " + to_text(point.level);
        attempt_one("The policy " + whose, [&] {
          auto json = point.policy ? table(whose, point.policy()) : std::nullopt;
          if (!json || json->size() > left || bytes_ + json->size() > query_.most_bytes) return;
          bytes_ += json->size();
          left -= json->size();
          price.tables[i] = *std::move(json);
        });
      }
    }
  }

  // Where `solve` leaves the best mean out for what it costs, the curve of the price has it.
  void take_kept_from_prices() {
    for (Point& point : points_) {
      if (point.kept.policy || answers_[0].engine.left_out.empty()) continue;
      point.kept = best_mean_policy(model_, prices_, *point.result, options_);
      add_policy(point, point.kept, "promise kept");
    }
  }

  void say_what_solve_left_out() {
    for (const Asked by : {Asked::by_user, Asked::by_page}) {
      const std::string& why = answers_[static_cast<std::size_t>(by)].engine.left_out;
      const char* which = by == Asked::by_user ? "The taus asked for" : "More values of tau";
      const auto lacks = [&](const Point& p) { return p.asked == by && !p.kept.policy; };
      if (!why.empty() && std::ranges::any_of(points_, lacks))
        left_out_.push_back(fmt::format("{}: {}", which, why));
    }
  }

  // Of the policy with the greatest mean, and of those best by other criteria.
  void find_other_laws() {
    if (!answers_[0].model.adversarial) {
      attempt("The expectation-optimal policy", [&] {
        expectation_.policy = [policy = expectation_policy(model_, query_.setting, options_)] {
          return policy;
        };
        const Policy policy = expectation_.policy();
        expectation_.law_json =
            law_json(is_on_grid_ ? sampled_law(model_, policy, kAskedEpisodes, options_)
                                 : evaluate(model_, policy, options_));
        put_table("The expectation-optimal policy", policy, expectation_.table_json);
      });
    }
    for (const Criterion& criterion : query_.criteria) {
      const std::string name = to_text(criterion);
      attempt("The policy that is best by " + name, [&] {
        Query query;
        if (criterion.takes_tau()) query.taus = {query_.taus.front()};
        query.setting = query_.setting;
        query.criterion = criterion;
        const Answer answer = solve(model_, query, options_);
        const Result& result = answer.results.front();
        if (!result.distribution)
          throw Error(ErrorCode::refused, name, "there is no distribution of it");
        others_.emplace_back(name, law_json(result.distribution()));
      });
    }
  }

  void choose_states() {
    std::optional<Policy> policy;
    for (const Point& point : points_) {
      const ShownPolicy& shown = point.best.policy ? point.best : point.kept;
      if (!shown.policy || policy || setting_.adversarial) continue;
      attempt("How often states are met", [&] { policy = shown.policy(); });
    }
    is_on_grid_ = policy && policy->grid;
    met_ = states_by_visits(model_, setting_, policy ? &*policy : nullptr, options_);
    page_model_ = page_model(model_, setting_, met_, query_.most_bytes / 3);
    if (page_model_.shown < page_model_.reachable)
      left_out_.push_back(
          fmt::format("States: {} of {}, those met most, are in this file; the others are left out",
                      page_model_.shown,
                      page_model_.reachable));
  }

  void add_wealth() {
    if (!answers_[0].classes) return;
    auto json = wealth_json(model_, setting_, page_model_, query_.most_bytes / 4);
    if (!json) left_out_.emplace_back("The player: its wealths are too many for this file");
    if (json && fits(json->size())) wealth_json_ = *std::move(json);
  }

  [[nodiscard]] std::optional<std::string> table(const std::string& whose, const Policy& policy) {
    std::string why;
    auto json = table_json(model_, policy, page_model_.positions, page_model_.shown, why);
    if (!json) left_out_.push_back(fmt::format("{}: no table, {}", whose, why));
    return json;
  }

  void put_table(const std::string& whose, const Policy& policy, std::string& into) {
    auto json = table(whose, policy);
    if (json && fits(json->size())) into = *std::move(json);
  }

  void add_curve_table(const std::string& whose) {
    if (!frontier_.policy || setting_.adversarial) return;
    attempt(whose, [&] { put_table(whose, frontier_.policy(), curve_table_); });
  }

  void add_policies(Asked by) {
    if (setting_.adversarial) return;
    for (Point& point : points_) {
      if (point.asked != by) continue;
      add_policy(point, point.best, "greatest probability");
      add_policy(point, point.kept, "promise kept");
    }
  }

  void add_counts() {
    if (setting_.adversarial)
      left_out_.emplace_back(
          "The policy, its distribution and the player: the policy is the adversary's");
    if (dropped_ > 0)
      left_out_.push_back(fmt::format(
          "{} tables or distributions of policies, for the size of the file", dropped_));
    if (refused_ > 1)
      left_out_.push_back(
          fmt::format("{} more tables or distributions of policies likewise", refused_ - 1));
  }

  void add_policy(const Point& point, ShownPolicy& shown, const char* which) {
    if (!shown.policy) return;
    const std::string whose = fmt::format(
        "tau {}, {} side, {}", to_text(point.result->tau), to_text(point.result->side), which);
    if (shown.law) {
      attempt_one("The distribution of " + whose, [&] {
        const std::uint64_t episodes =
            point.asked == Asked::by_user ? kAskedEpisodes : kOtherEpisodes;
        std::string json = law_json(
            is_on_grid_ ? sampled_law(model_, shown.policy(), episodes, options_) : shown.law());
        if (fits(json.size())) shown.law_json = std::move(json);
      });
    }
    const bool is_on_curve = !curve_table_.empty() && &shown == &point.best;
    if (is_on_curve && point.asked == Asked::by_page) return;
    attempt_one(whose, [&] { put_table(whose, shown.policy(), shown.table_json); });
  }

  // Where several choices keep the promise as often, the policy of one tau takes the best mean of
  // them, the table of all taus need not. The player follows the former, where there is room.
  void add_own_tables() {
    if (curve_table_.empty()) return;
    for (Point& point : points_) {
      if (!point.best.policy || !point.best.table_json.empty()) continue;
      const std::string tau = "tau " + to_text(point.result->tau);
      attempt_one(tau, [&] { put_table(tau, point.best.policy(), point.best.table_json); });
    }
  }

  bool fits(std::size_t more) {
    if (bytes_ + more > query_.most_bytes) {
      ++dropped_;
      return false;
    }
    bytes_ += more;
    return true;
  }

  [[nodiscard]] std::string write() const {
    PageJson json;
    json.begin_object().key("format").text("quantiplan-page/1");
    json.key("version").text(version()).key("command").name(query_.command);
    json.key("model");
    write_facts(answers_[0].model, json);
    if (frontier_.status != Status::not_called) {
      json.key("frontier");
      write_frontier(frontier_, json);
    }
    write_classes(answers_[0].classes, json);
    if (!starts_json_.empty()) json.key("starts").raw(starts_json_);
    json.key("points").begin_list();
    std::vector<Point> points(points_.begin(), points_.end());
    std::ranges::stable_sort(
        points, [](const Point& a, const Point& b) { return a.result->tau < b.result->tau; });
    for (const Point& point : points) {
      begin_point(*point.result,
                  answers_[static_cast<std::size_t>(point.asked)],
                  point.asked == Asked::by_user,
                  json);
      write_policy("best", point.best, json);
      write_policy("kept", point.kept, json);
      json.end_object();
    }
    json.end_list();
    if (!curve_table_.empty()) json.key("table").raw(curve_table_);
    write_policy("expectation", expectation_, json);
    json.key("criteria").begin_list();
    for (const auto& [name, law] : others_)
      json.begin_object().key("name").name(name).key("law").raw(law).end_object();
    json.end_list().key("prices").begin_list();
    for (const Price& price : prices_) write_price(price, json);
    json.end_list().key("play").raw(page_model_.json);
    if (!wealth_json_.empty()) json.key("wealth").raw(wealth_json_);
    write_engine(answers_[0], watch_.seconds(), json);
    json.key("left_out").begin_list();
    for (const std::string& what : left_out_) json.name(what);
    return json.end_list().end_object().str();
  }

  const Model& model_;
  const PageQuery& query_;
  Options options_;
  ResolvedSetting setting_ = resolve(model_, query_.setting);
  std::string starts_json_;
  Stopwatch watch_;
  std::array<Answer, 2> answers_;  // by Asked
  std::array<Answer, 2> likeliest_;
  Frontier frontier_;
  std::vector<Price> prices_;
  ShownPolicy expectation_;
  std::vector<std::pair<std::string, std::string>> others_;
  std::deque<Point> points_;
  std::vector<MetState> met_;
  PageModel page_model_;
  std::string curve_table_;
  std::string wealth_json_;
  bool is_on_grid_ = false;  // wealth is rounded, and policies go by its index
  std::size_t bytes_ = 0;
  std::size_t dropped_ = 0;  // for the size of the file
  std::size_t refused_ = 0;
  std::vector<std::string> left_out_;
};

}  // namespace

PageData page_data(const Model& model, const PageQuery& query, const Options& asked_options) {
  if (query.taus.empty())
    throw Error(ErrorCode::bad_request, "tau", "found none, expected at least one");
  refuse_checkpoints(asked_options, "a report", "a quantile, a threshold or a frontier");
  const BegunCall call(asked_options);
  if (query.starts.size() < 2) return PageMaker(model, query, {}, call.options()).make();
  PageStarts starts = page_starts(model, query, call.options());
  PageQuery own = query;
  own.setting.initial = InitialNames(model.state_name(starts.shown));
  return PageMaker(model, own, std::move(starts.json), call.options()).make();
}

}  // namespace quantiplan
