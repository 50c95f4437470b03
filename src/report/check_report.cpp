#include <fmt/format.h>

#include "base/quoted.hpp"
#include "quantiplan/report.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/heading.hpp"
#include "report/promise.hpp"
#include "report/report_json.hpp"

namespace quantiplan {
namespace {

Value probability_of(const PolicyClaim& claim) {
  return {claim.probability, claim.exact_probability};
}

void write_quantile_claim(ReportJson& json, const PolicyClaim& claim, const Counting& counting) {
  json.key("tau").text(to_text(claim.tau)).key("side").text(to_text(claim.side));
  json.key("quantile");
  json.raw(claim.level ? string_json(*claim.level) : total_json(counting.shown(claim.quantile)));
  json.value("probability", probability_of(claim)).key("upper");
  json.raw(claim.upper ? total_json(counting.shown(*claim.upper)) : "null");
  if (claim.mean) json.optional_value("mean", counting.mean(*claim.mean));
  if (claim.mean_bound) json.optional_value("mean_bound", counting.mean(*claim.mean_bound));
  if (claim.weight) json.key("weight").text(to_text(*claim.weight));
}

void write_threshold_claim(ReportJson& json, const PolicyClaim& claim, const Counting& counting) {
  json.key("target");
  json.raw(claim.level ? string_json(*claim.level) : total_json(counting.shown(claim.quantile)));
  json.value("probability", probability_of(claim)).key("most_probability");
  json.raw(claim.most_probability ? double_json(*claim.most_probability) : "null");
}

// "upper 0.1-quantile -40, reached with probability 1"
std::string quantile_words(const PolicyClaim& claim, const ModelFacts& facts) {
  const Counting counting(facts);
  const std::string words = fmt::format("{} {}-quantile ", to_text(claim.side), to_text(claim.tau));
  const std::string_view reached = facts.cost ? "kept to" : "reached";
  if (!claim.upper) {
    return words + fmt::format("{}, {} with probability {}",
                               claim.level ? in_quotes(*claim.level)
                                           : wealth_figure(counting.shown(claim.quantile)),
                               reached,
                               probability_figure(probability_of(claim)));
  }
  const bool is_closed = *claim.upper == claim.quantile;
  const ShownEnds ends = counting.ends(claim.quantile, *claim.upper);
  return words + fmt::format("{}{}, {}{} with probability at least {}",
                             is_closed ? "" : "in ",
                             bracket_figure(ends.lower, ends.upper),
                             is_closed    ? ""
                             : facts.cost ? "its upper end "
                                          : "its lower end ",
                             reached,
                             lower_bound_figure(probability_of(claim)));
}

// "upper 0.1-quantile 5 is guaranteed, but no more: P(W <= 5) is 1 with it". An adversary's claim
// has the probability that he keeps the total down to it.
std::string guarantee_words(const PolicyClaim& claim, const ModelFacts& facts) {
  const Counting counting(facts);
  const Total most = claim.upper.value_or(claim.quantile);
  const ShownEnds ends = counting.ends(claim.quantile, most);
  const Value probability = probability_of(claim);
  return fmt::format("{} {}-quantile {}{} is guaranteed, but no {}: P({} {}) is {} with it",
                     to_text(claim.side),
                     to_text(claim.tau),
                     most == claim.quantile ? "" : "in ",
                     bracket_figure(ends.lower, ends.upper),
                     counting.more(),
                     facts.cost ? "C >=" : "W <=",
                     wealth_figure(counting.shown(most)),
                     claim.upper ? "at least " + lower_bound_figure(probability)
                                 : probability_figure(probability));
}

// "the total is at least 12 with probability 0.3, and no policy does better"
std::string threshold_words(const PolicyClaim& claim, const ModelFacts& facts) {
  const std::string figure = wealth_figure(Counting(facts).shown(claim.quantile));
  const Value probability = probability_of(claim);
  std::string words = claim.level
                          ? fmt::format("the wealth is {} or better", in_quotes(*claim.level))
                          : event_words(facts, claim.quantile, figure);
  words += " with probability ";
  words += claim.most_probability ? "at least " + lower_bound_figure(probability)
                                  : probability_figure(probability);
  if (!claim.most_probability)
    return words +
           (facts.adversarial ? ", and no more is guaranteed" : ", and no policy does better");
  const std::string most = upper_bound_figure({*claim.most_probability, std::nullopt});
  return words + (facts.adversarial ? fmt::format(", and no more than {} is guaranteed", most)
                                    : fmt::format(", and no policy does better than {}", most));
}

bool is_in_utility(const PolicyClaim& claim) { return !claim.criterion->is_wealth(); }

ShownEnds criterion_ends(const PolicyClaim& claim, const Counting& counting) {
  const Total most = claim.upper.value_or(claim.quantile);
  if (is_in_utility(claim)) return {claim.quantile, most};
  return counting.ends(claim.quantile, most);
}

// "cvar at tau 0.5 is 1, and no policy does better"
std::string criterion_words(const PolicyClaim& claim, const ModelFacts& facts) {
  const ShownEnds ends = criterion_ends(claim, Counting(facts));
  const bool is_closed = ends.lower == ends.upper;
  return fmt::format("{}{} {}{}, and no policy does better{}",
                     to_text(*claim.criterion),
                     claim.criterion->takes_tau() ? " at tau " + to_text(claim.tau) : "",
                     is_closed ? "is " : "in ",
                     is_closed ? wealth_figure(ends.lower) : bracket_figure(ends.lower, ends.upper),
                     is_closed ? "" : " than the bracket says");
}

void write_criterion_claim(ReportJson& json, const PolicyClaim& claim, const Counting& counting) {
  const ShownEnds ends = criterion_ends(claim, counting);
  json.key("criterion").text(to_text(*claim.criterion)).key("tau");
  json.raw(claim.criterion->takes_tau() ? string_json(to_text(claim.tau)) : "null");
  json.key("value").raw(
      total_json(is_in_utility(claim) ? claim.quantile : counting.shown(claim.quantile).total()));
  json.key("bracket").raw(fmt::format("[{}, {}]", total_json(ends.lower), total_json(ends.upper)));
}

std::string claim_words(const PolicyClaim& claim, const ModelFacts& facts) {
  if (claim.kind == PolicyClaim::Kind::criterion) return criterion_words(claim, facts);
  if (claim.kind == PolicyClaim::Kind::threshold) return threshold_words(claim, facts);
  return facts.adversarial ? guarantee_words(claim, facts) : quantile_words(claim, facts);
}

}  // namespace

std::string check_json(const CheckedClaim& checked) {
  const Counting counting(checked.model);
  ReportJson json("quantiplan-check/1");
  json.model(checked.model).key("policy").text(checked.policy).key("claim").begin_object();
  if (checked.claim.kind == PolicyClaim::Kind::quantile) {
    write_quantile_claim(json, checked.claim, counting);
  } else if (checked.claim.kind == PolicyClaim::Kind::criterion) {
    write_criterion_claim(json, checked.claim, counting);
  } else {
    write_threshold_claim(json, checked.claim, counting);
  }
  json.end_object();
  return json.verdict(checked.report).finish();
}

std::string check_text(const CheckedClaim& checked) {
  const ModelFacts& facts = checked.model;
  std::string text = model_line(facts);
  text += fmt::format("Policy {}{}: {}\n\n",
                      in_quotes(checked.policy),
                      facts.adversarial ? ", the adversary's" : "",
                      claim_words(checked.claim, facts));
  for (const std::string& finding : checked.report.findings)
    text += wrapped("  ", finding, kLineWidth);
  text += checked.report.passed        ? "Check passed"
          : checked.report.ended_early ? "Check not finished"
                                       : "Check FAILED";
  if (checked.report.passed && !checked.report.optimality_checked)
    text += facts.adversarial
                ? " for the policy; whether all others keep the promise was too large to recheck"
            : checked.claim.kind == PolicyClaim::Kind::criterion
                ? " for the policy; whether another does better was not rechecked"
                : " for the policy; whether another does better was too large to recheck";
  return text + fmt::format(".{}\n", findings_note(facts));
}

}  // namespace quantiplan
