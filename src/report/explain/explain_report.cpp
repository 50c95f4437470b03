// "Order 20: the promise of 216.9 is still kept with 0.87; with 'order 10' it would be 0.85."
#include "quantiplan/explain_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

#include "base/quoted.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/heading.hpp"
#include "report/report_json.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

std::string action_words(const Model& model, Choice choice) {
  return in_quotes(model.action_name(choice));
}

// Probabilities that are known exactly are compared exactly, others by their nearest doubles: it is
// only about words.
bool is_more(const Value& a, const Value& b) {
  if (a.exact && b.exact) return *a.exact > *b.exact;
  return nearest(a) > nearest(b);
}

const ActionOutlook* taken_of(const Explanation& point) {
  const auto at = std::ranges::find(point.actions, true, &ActionOutlook::is_taken);
  return at == point.actions.end() ? nullptr : &*at;
}

// Of the others, the one that keeps the promise most often.
const ActionOutlook* best_other(const Explanation& point) {
  const ActionOutlook* best = nullptr;
  for (const ActionOutlook& each : point.actions) {
    if (each.is_taken) continue;
    if (best == nullptr || is_more(each.probability, best->probability)) best = &each;
  }
  return best;
}

std::string mean_words(const std::optional<Value>& mean) {
  return mean ? ", mean " + mean_figure(*mean) : std::string();
}

// Whether a mean is better, counted as the model does.
bool has_better_mean(const ActionOutlook& a, const ActionOutlook& b, bool is_cost) {
  if (!a.mean || !b.mean) return false;
  return is_cost ? is_more(*b.mean, *a.mean) : is_more(*a.mean, *b.mean);
}

std::string why_taken(const Model& model, const Explanation& point, bool is_cost) {
  const ActionOutlook* taken = taken_of(point);
  const ActionOutlook* other = best_other(point);
  if (taken == nullptr) return {};
  if (other == nullptr) return "it is the only action here.";
  const std::string name = action_words(model, other->choice);
  if (is_more(taken->probability, other->probability))
    return "no other action keeps the promise as often.";
  const bool has_mean = has_better_mean(*taken, *other, is_cost);
  if (!is_more(other->probability, taken->probability)) {
    if (has_mean)
      return fmt::format("{} keeps the promise as often, but has the worse mean.", name);
    return fmt::format(
        "{} keeps the promise as often; what the policy was chosen for besides, or "
        "the order of the model, decides.",
        name);
  }
  return fmt::format(
      "{} would keep the promise more often, but the policy has probability to "
      "spare here{}.",
      name,
      has_mean ? ", and spends it on the better mean" : " and spends it elsewhere on its mean");
}

// What was said of the taken action holds if what is best follows; the policy may do otherwise.
std::string own_words(const Explanation& point) {
  const ActionOutlook* taken = taken_of(point);
  if (taken == nullptr || !point.own_probability) return {};
  const auto differ = [](const Value& a, const Value& b) { return is_more(a, b) || is_more(b, a); };
  const bool has_means = point.own_mean && taken->mean;
  const bool is_same = !differ(*point.own_probability, taken->probability) &&
                       !(has_means && differ(*point.own_mean, *taken->mean));
  if (is_same) return {};
  return fmt::format(
      "That is if only the promise counts from here on. Followed to its end, this policy keeps it "
      "with {}{}.",
      known_words(*point.own_probability),
      mean_words(point.own_mean));
}

std::string promise_words(const Account& account) {
  if (account.promised_class)
    return fmt::format("a wealth of {} or better", in_quotes(*account.promised_class, 80));
  if (!account.promise) return {};
  const Counting counting(account.model);
  return fmt::format("a {} of {} {}",
                     counting.noun(),
                     counting.is_cost() ? "at most" : "at least",
                     wealth_figure(counting.shown(*account.promise)));
}

std::string point_text(const Account& account, const Model& model) {
  const Explanation& point = *account.point;
  const bool is_cost = account.model.cost;
  std::string text = fmt::format("\nTime {} in {}, with {} {} so far: {} {}.\n",
                                 point.time,
                                 in_quotes(model.state_name(point.state)),
                                 wealth_figure(point.collected),
                                 is_cost ? "spent" : "collected",
                                 wealth_figure(point.left),
                                 is_cost ? "may still be spent" : "is still to be collected");
  const auto sentences = explanation_sentences(point, model, *account.promise, is_cost);
  for (std::size_t i = 0; i + 1 < sentences.size(); ++i)
    text += wrapped("  ", sentences[i], kLineWidth);
  return text + '\n' + wrapped("Why: ", sentences.back(), kLineWidth);
}

// "below 40", "from 40 to below 55", "from 55"; of costs "up to 40", "above 40 up to 55", "above 55".
std::string range_words(const ActionRange& range, bool is_cost) {
  if (!range.wealths.empty()) {
    std::string names;
    for (const std::string& wealth : range.wealths)
      names += (names.empty() ? "" : ", ") + in_quotes(wealth);
    return names;
  }
  if (!range.from && !range.to) return "always";
  const auto figure = [](const Rational& bound) { return wealth_figure(bound); };
  if (!range.from) return (is_cost ? "up to " : "below ") + figure(*range.to);
  if (!range.to) return (is_cost ? "above " : "from ") + figure(*range.from);
  return fmt::format("{} {} {} {}",
                     is_cost ? "above" : "from",
                     figure(*range.from),
                     is_cost ? "up to" : "to below",
                     figure(*range.to));
}

std::string more_than(std::size_t shown, std::size_t all) {
  return all > shown ? fmt::format("... {} more{}\n", all - shown, kMoreHint) : std::string();
}

std::string ranges_text(const Account& account, const Model& model, const ReportOptions& options) {
  const bool is_cost = account.model.cost;
  std::string text = fmt::format("\n{}, by {} until then:\n",
                                 in_quotes(model.state_name(*account.state)),
                                 account.model.wealth != WealthKind::sum ? "the wealth"
                                 : is_cost                               ? "what has been spent"
                                           : "what has been collected");
  if (account.times.empty()) return text + "  The policy never comes there.\n";
  // Times in a row at which the same is done are told together.
  struct Line {
    std::uint64_t from;
    std::uint64_t to;
    std::string sentence;
  };
  std::vector<Line> lines;
  for (const Account::AtTime& at : account.times) {
    std::string sentence;
    const bool names_wealths = !at.ranges.front().wealths.empty();
    for (const ActionRange& range : at.ranges)
      sentence += fmt::format(
          "{}{}: {}",
          sentence.empty() ? "" : "; ",
          names_wealths && range.wealths.empty() ? "otherwise" : range_words(range, is_cost),
          action_words(model, range.choice));
    if (!lines.empty() && lines.back().sentence == sentence && lines.back().to + 1 == at.time) {
      lines.back().to = at.time;
    } else {
      lines.push_back({at.time, at.time, std::move(sentence)});
    }
  }
  const bool is_stationary =
      account.model.horizon == kInfiniteHorizon && account.model.discount == 1;
  const std::size_t most = options.most_rows == 0 ? lines.size() : options.most_rows;
  for (const Line& line : std::span(lines).first(std::min(most, lines.size()))) {
    const std::string head = is_stationary ? std::string("  ")
                             : line.from == line.to
                                 ? fmt::format("  time {}: ", line.from)
                                 : fmt::format("  times {} to {}: ", line.from, line.to);
    text += wrapped(head, line.sentence + ".", kLineWidth);
  }
  return text + more_than(most, lines.size());
}

std::string share_figure(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %",
                     whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string summary_text(const Account& account, const Model& model, const ReportOptions& options) {
  const PolicySummary& summary = *account.summary;
  std::string text = fmt::format("\nIn {}, seed {}, {}:\n\n",
                                 count_figure(summary.episodes, "episode", "episodes"),
                                 summary.seed,
                                 count_figure(summary.steps, "step", "steps"));
  TextTable actions({{"action", Align::left}, {"of the steps"}});
  for (const PolicySummary::OfAction& each : summary.actions)
    actions.add({in_quotes(each.action), share_figure(each.taken, summary.steps)});
  text += actions.text(options.most_rows, kMoreHint) + '\n';
  const std::size_t most = options.most_rows == 0 ? summary.states.size() : 10;
  TextTable states({{"state met most", Align::left}, {"of the steps"}, {"mostly", Align::left}});
  for (const PolicySummary::OfState& each :
       std::span(summary.states).first(std::min(most, summary.states.size())))
    states.add({in_quotes(model.state_name(each.state)),
                share_figure(each.met, summary.steps),
                action_words(model, each.most)});
  text += states.text() + more_than(most, summary.states.size());
  if (!summary.is_compared) return text;
  std::vector<PolicySummary::OfState> differing;
  std::uint64_t steps = 0;
  for (const PolicySummary::OfState& each : summary.states) {
    if (each.differs > 0) differing.push_back(each);
    steps += each.differs;
  }
  text += '\n';
  if (differing.empty())
    return text + "In all of these steps it does what the expectation-optimal policy does.\n";
  text +=
      fmt::format("It differs from the expectation-optimal policy in {} of the steps, most in\n\n",
                  share_figure(steps, summary.steps));
  std::ranges::stable_sort(differing, std::greater(), &PolicySummary::OfState::differs);
  TextTable others({{"state", Align::left},
                    {"of the steps"},
                    {"this policy", Align::left},
                    {"expectation-optimal", Align::left}});
  for (const PolicySummary::OfState& each :
       std::span(differing).first(std::min(most, differing.size())))
    others.add({in_quotes(model.state_name(each.state)),
                share_figure(each.differs, summary.steps),
                action_words(model, *each.own_then),
                action_words(model, *each.other_then)});
  return text + others.text() + more_than(most, differing.size());
}

void write_bound(ReportJson& json, const char* name, const std::optional<Rational>& bound) {
  json.key(name);
  if (bound) {
    json.exact(*bound);
  } else {
    json.null();
  }
}

void write_point(ReportJson& json, const Explanation& point, const Model& model) {
  json.key("time").count(point.time);
  json.key("state").text(model.state_name(point.state));
  json.key("collected").exact(point.collected).key("left").exact(point.left);
  json.key("actions").begin_list();
  for (const ActionOutlook& each : point.actions) {
    json.begin_object().key("action").text(model.action_name(each.choice));
    json.key("taken").raw(each.is_taken ? "true" : "false");
    json.probability(each.probability).optional_labelled("mean", each.mean).end_object();
  }
  json.end_list().key("policy_goes_on");
  if (point.own_probability) {
    json.begin_object().probability(point.own_probability);
    json.optional_value("mean", point.own_mean).end_object();
  } else {
    json.null();
  }
}

void write_ranges(ReportJson& json, const Account& account, const Model& model) {
  json.key("state").text(model.state_name(*account.state));
  json.key("times").begin_list();
  for (const Account::AtTime& at : account.times) {
    json.begin_object().key("time").count(at.time).key("ranges").begin_list();
    for (const ActionRange& range : at.ranges) {
      json.begin_object();
      write_bound(json, "from", range.from);
      write_bound(json, "to", range.to);
      if (!range.wealths.empty()) {
        json.key("wealths").begin_list();
        for (const std::string& wealth : range.wealths) json.text(wealth);
        json.end_list();
      }
      json.key("action").text(model.action_name(range.choice)).end_object();
    }
    json.end_list().end_object();
  }
  json.end_list();
}

void write_summary(ReportJson& json, const PolicySummary& summary, const Model& model) {
  json.key("episodes").count(summary.episodes).key("seed").count(summary.seed);
  json.key("steps").count(summary.steps).key("actions").begin_list();
  for (const PolicySummary::OfAction& each : summary.actions)
    json.begin_object().key("action").text(each.action).key("steps").count(each.taken).end_object();
  json.end_list().key("states").begin_list();
  for (const PolicySummary::OfState& each : summary.states) {
    json.begin_object().key("state").text(model.state_name(each.state));
    json.key("steps").count(each.met).key("action").text(model.action_name(each.most));
    json.key("differs");
    if (summary.is_compared) {
      json.count(each.differs);
    } else {
      json.null();
    }
    json.key("expectation_action");
    if (each.other_then) {
      json.text(model.action_name(*each.other_then));
    } else {
      json.null();
    }
    json.end_object();
  }
  json.end_list();
}

}  // namespace

std::vector<std::string> explanation_sentences(const Explanation& point,
                                               const Model& model,
                                               const Total& promise,
                                               bool is_cost) {
  std::vector<std::string> out;
  if (const ActionOutlook* taken = taken_of(point))
    out.push_back(fmt::format("{}: the promise of {} is still kept with {}{}.",
                              action_words(model, taken->choice),
                              wealth_figure(is_cost ? promise.negated() : promise),
                              known_words(taken->probability),
                              mean_words(taken->mean)));
  for (const ActionOutlook& each : point.actions) {
    if (each.is_taken) continue;
    out.push_back(fmt::format("With {} it would be {}{}.",
                              action_words(model, each.choice),
                              known_words(each.probability),
                              mean_words(each.mean)));
  }
  if (std::string own = own_words(point); !own.empty()) out.push_back(std::move(own));
  out.push_back(why_taken(model, point, is_cost));
  return out;
}

std::string account_text(const Account& account, const Model& model, const ReportOptions& options) {
  std::string text = model_line(account.model);
  const std::string promise = promise_words(account);
  text += fmt::format(
      "Policy {}{}{}\n", in_quotes(account.policy), promise.empty() ? "" : ", made for ", promise);
  if (account.no_more_than) {
    const Counting counting(account.model);
    text += wrapped("",
                    fmt::format("The search for it ended early; no policy promises {} than {}.",
                                counting.more(),
                                Counting::figure(counting.shown(*account.no_more_than))),
                    kLineWidth);
  }
  if (account.point) text += point_text(account, model);
  if (account.state) text += ranges_text(account, model, options);
  if (account.summary) text += summary_text(account, model, options);
  if (account.grid_unit && !account.summary)
    text += '\n' + wrapped("",
                           fmt::format("The policy counts in steps of {} and less, rounded: in an "
                                       "episode it may turn a few steps earlier or later.",
                                       size_figure(*account.grid_unit)),
                           kLineWidth);
  return text;
}

std::string account_json(const Account& account, const Model& model) {
  ReportJson json("quantiplan-explanation/1");
  json.model(account.model).key("policy").text(account.policy);
  json.key("promise");
  if (account.promise) {
    json.total(Counting(account.model).shown(*account.promise));
  } else if (account.promised_class) {
    json.text(*account.promised_class);
  } else {
    json.null();
  }
  json.key("no_more_than");
  if (account.no_more_than) {
    json.raw(Counting::json(Counting(account.model).shown(*account.no_more_than)));
  } else {
    json.null();
  }
  write_bound(json, "grid_unit", account.grid_unit);
  if (account.point) write_point(json, *account.point, model);
  if (account.state) write_ranges(json, account, model);
  if (account.summary) write_summary(json, *account.summary, model);
  return json.finish();
}

}  // namespace quantiplan
