#include <fmt/format.h>

#include "figures.hpp"
#include "heading.hpp"
#include "quantiplan/report.hpp"
#include "quoted.hpp"
#include "report_json.hpp"

namespace quantiplan {

std::string check_json(const CheckedClaim& checked) {
  const PolicyClaim& claim = checked.claim;
  ReportJson json("quantiplan-check/1");
  json.model(checked.model).key("policy").text(checked.policy).key("claim").begin_object();
  json.key("tau").text(to_text(claim.tau)).key("side").text(to_text(claim.side));
  json.key("quantile").exact(claim.quantile);
  json.value("probability", Value{claim.probability, claim.exact_probability}).key("upper");
  if (claim.upper) {
    json.exact(*claim.upper);
  } else {
    json.null();
  }
  json.end_object();
  return json.verdict(checked.report).finish();
}

std::string check_text(const CheckedClaim& checked) {
  const PolicyClaim& claim = checked.claim;
  std::string text = model_line(checked.model);
  const Value probability{claim.probability, claim.exact_probability};
  text += fmt::format("Policy {}: {} {}-quantile ",
                      quoted(checked.policy),
                      to_text(claim.side),
                      to_text(claim.tau));
  if (claim.upper) {
    const bool is_closed = *claim.upper == claim.quantile;
    text += fmt::format("{}{}, {}reached with probability at least {}\n\n",
                        is_closed ? "" : "in ",
                        bracket_figure(claim.quantile, *claim.upper),
                        is_closed ? "" : "its lower end ",
                        lower_bound_figure(probability));
  } else {
    text += fmt::format("{}, reached with probability {}\n\n",
                        wealth_figure(claim.quantile),
                        probability_figure(probability));
  }
  for (const std::string& finding : checked.report.findings)
    text += wrapped("  ", finding, kLineWidth);
  text += checked.report.passed        ? "Check passed"
          : checked.report.ended_early ? "Check not finished"
                                       : "Check FAILED";
  if (checked.report.passed && !checked.report.optimality_checked)
    text += " for the policy; whether another does better was too large to recheck";
  return text + ".\n";
}

}  // namespace quantiplan
