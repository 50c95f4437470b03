// Any text either is refused with an Error or is a model that survives being written and read.
#pragma once

#include <string>
#include <string_view>

#include "agree.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {

inline void check_model_text(std::string_view text, Format format) {
  try {
    const Model model = parse_model(text, format, "fuzz").model;
    const std::string json = format_model(model, Format::json);
    const Model from_json = parse_model(json, Format::json, "again").model;
    must_agree(json, format_model(from_json, Format::json), "JSON written twice");
    if (model.goal() != from_json.goal() || model.has_costs() != from_json.has_costs() ||
        model.horizon() != from_json.horizon() || model.wealth().kind != from_json.wealth().kind) {
      must_agree(json, "", "goal, costs, horizon or wealth through JSON");
    }
    // A CSV holds neither labels nor vectors.
    if (!model.wealth().has_numbers()) return;
    const std::string csv = format_model(model, Format::csv);
    must_agree(csv, format_model(from_json, Format::csv), "CSV of a model and of its JSON");
    // Reading a CSV may change the order of the states, but only once.
    const Model from_csv = parse_model(csv, Format::csv, "again").model;
    const std::string csv_again = format_model(from_csv, Format::csv);
    const Model twice = parse_model(csv_again, Format::csv, "again").model;
    must_agree(std::to_string(model.outcome_count()),
               std::to_string(from_csv.outcome_count()),
               "outcomes through CSV");
    must_agree(std::to_string(from_csv.outcome_count()),
               std::to_string(twice.outcome_count()),
               "outcomes through CSV twice");
  } catch (const Error& error) {
    if (error.problems().empty() || error.problems().size() > Problems::kMost) std::abort();
    // Our own output is always readable: only the input may be at fault, or a number too long to
    // write.
    for (const Problem& problem : error.problems()) {
      if (problem.place.starts_with("again")) {
        must_agree("", error.what(), "our own output was refused");
      }
    }
  }
}

}  // namespace quantiplan
