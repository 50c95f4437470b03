// Whole curves of criteria beside the quantile: what frontier --criterion shows.
#pragma once

#include <string>
#include <string_view>

#include "quantiplan/answer.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/report.hpp"

namespace quantiplan {

// tau -> CVaR*_tau, of the criterion cvar: a result for each tau at which the optimal level changes, with 0 and 1 among
// them, so that tau CVaR* is a line between any two. From one pass.
//
// lambda -> max { E W - lambda Var W }, of mean-variance with the parameter 0: a result for each lambda at which the best
// policy changes, the first 0, with that lambda in its criterion, and the mean and variance of the policy, which is
// the best up to the next lambda; the last is for every greater one. From one pass over all levels, and one more for
// each vertex between two of them.
//
// Answer::is_complete says whether all of them are there. query.taus is not looked at. Throws as solve does.
Answer criterion_curve(const Model& model, const Query& query, const Options& options = {});

// "cvar", or "mean-variance" alone, which is that of every lambda. Throws Error(bad_request) for what is no criterion.
Criterion parse_curve_criterion(std::string_view text, const std::string& place = "--criterion");

std::string criterion_curve_text(const Answer& answer, const ReportOptions& options);
std::string criterion_curve_json(const Answer& answer);

}  // namespace quantiplan
