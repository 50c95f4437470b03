// Answers about another criterion than the quantile.
#pragma once

#include <string>

#include "quantiplan/answer.hpp"
#include "quantiplan/comparison.hpp"
#include "quantiplan/report.hpp"
#include "report/report_json.hpp"

namespace quantiplan {

bool is_about_criterion(const Answer& answer);
std::string criterion_text(const Answer& answer, const ReportOptions& options);

// "comparison": {..}; of nothing, null.
void write_comparison_table(ReportJson& json, const Comparison* comparison);
// "criterion", "value" and "bracket" of a result.
void write_optimum(ReportJson& json, const CriterionOptimum& optimum, const ModelFacts& facts);

}  // namespace quantiplan
