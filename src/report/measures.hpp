// Measures of a distribution as reports show them: by tau, and the others one a line.
#pragma once

#include <string>
#include <vector>

#include "quantiplan/measures.hpp"
#include "report/counting.hpp"
#include "report/report_json.hpp"

namespace quantiplan {

// Six digits where they are certain, "[a, b]" where they are not; a measure without a value has "-". Costs
// where rewards are costs, but for utilities and deviations, which are what they are.
std::string measure_figure(const MeasuredValue& value, const Counting& counting);

// Tables, an empty line behind each; quantiles have one of their own. Nothing where no measure has a value.
std::string measures_text(const std::vector<MeasuredValue>& values,
                          const std::string& utility,
                          const Counting& counting);
// "[-57, -57]": exactly where both ends are one and short, else outward to doubles.
std::string measured_ends_json(const ShownEnds& ends);
// "measures": [{"measure": "cvar", "tau": "0.1", "value": -57, "is_exact": true, "bracket": [-57, -57]}, ..]
// Of a sample: "is_exact": false, "is_estimate": true, and no bracket but that of quantiles.
void measures_json(ReportJson& json,
                   const std::vector<MeasuredValue>& values,
                   const std::string& utility,
                   const Counting& counting,
                   bool is_sample);

}  // namespace quantiplan
