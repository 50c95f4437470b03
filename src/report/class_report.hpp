// Reports of wealth that goes by classes: levels in the user's own words, with their ranks.
//
// Answers hold positions among the classes; a report shows the number where the class is one, else
// its text, and "rank" is its place among all classes, 1 the worst.
#pragma once

#include <string>

#include "quantiplan/model.hpp"
#include "quantiplan/report.hpp"

namespace quantiplan {

// Sums do, too, where an engine of other structures was asked for.
template <class Report>
bool goes_by_classes(const Report& report) {
  if constexpr (requires { report.classes; }) {
    if (report.classes) return true;
  }
  return report.model.wealth != WealthKind::sum;
}

std::string class_answer_json(const Answer& answer, const ReportOptions& options);
std::string class_answer_text(const Answer& answer, const ReportOptions& options);
std::string class_frontier_json(const Frontier& frontier);
std::string class_frontier_text(const Frontier& frontier, const ReportOptions& options);
std::string class_evaluation_json(const Evaluation& evaluation);
std::string class_evaluation_text(const Evaluation& evaluation, const ReportOptions& options);
std::string class_simulation_json(const Simulation& simulation, const Model& model);
std::string class_simulation_text(const Simulation& simulation,
                                  const Model& model,
                                  const ReportOptions& options);

// A position as it is shown: in JSON the number or the quoted text, in text the text alone.
std::string class_json(const WealthClasses& classes, const Total& position);
std::string class_text(const WealthClasses& classes, const Total& position);
// A text that is a number where `is_number`, as JSON.
std::string number_or_text_json(bool is_number, const std::string& text);
// The reward of a step: a number, a label, or a vector "(1, 35)"; "-" where there is no label.
std::string reward_text(const Model& model, const Rational& reward);

}  // namespace quantiplan
