// Whole curves of criteria beside the quantile: what frontier --criterion shows.
#pragma once

#include <string>

#include "quantiplan/answer.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/report.hpp"

namespace quantiplan {

// tau -> CVaR*_tau, of the criterion cvar: a result for each tau at which the optimal level changes, with 0 and 1 among
// them, so that tau CVaR* is a line between any two; where there is no finite horizon and no discount, for some taus. From
// one pass. query.taus is not looked at. Throws as solve does.
Answer criterion_curve(const Model& model, const Query& query, const Options& options = {});

std::string criterion_curve_text(const Answer& answer, const ReportOptions& options);
std::string criterion_curve_json(const Answer& answer);

}  // namespace quantiplan
