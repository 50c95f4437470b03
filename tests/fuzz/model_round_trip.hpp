// Any text either is refused with an Error or is a model that survives being written and read.
#pragma once

#include <string>
#include <string_view>

#include "agree.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "tra_texts.hpp"

namespace quantiplan {

// A format cannot hold every model: then it must say so, and nothing else.
template <typename Format>
std::optional<decltype(std::declval<Format>()())> unless_refused(const Format& format) {
  try {
    return format();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    return std::nullopt;
  }
}

// States by number: what every format keeps but CSV.
inline std::string kept_text(const Model& model) {
  std::string text;
  if (model.initial() && model.initial()->is_certain())
    text += "init " + std::to_string(index(model.initial()->only())) + "\n";
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{s})) {
      text += std::to_string(s) + ":";
      for (const Outcome& o : model.outcomes(c))
        text += " " + std::to_string(index(o.next)) + " " + to_text(model.probability(o)) + " " +
                to_text(model.reward(o)) + ",";
      text += "\n";
    }
  }
  return text;
}

inline void check_json(const Model& model) {
  const std::string json = format_model(model, Format::json);
  const Model from_json = parse_model(json, Format::json, "again").model;
  must_agree(json, format_model(from_json, Format::json), "JSON written twice");
  if (model.goal() != from_json.goal() || model.has_costs() != from_json.has_costs() ||
      model.horizon() != from_json.horizon() || model.wealth().kind != from_json.wealth().kind ||
      model.labels().size() != from_json.labels().size()) {
    must_agree(json, "", "goal, costs, horizon, wealth or labels through JSON");
  }
}

// Reading a CSV may change the order of the states, but only once.
inline void check_csv(const Model& model) {
  const std::string csv = format_model(model, Format::csv);
  const Model from_csv = parse_model(csv, Format::csv, "again").model;
  const std::string csv_again = format_model(from_csv, Format::csv);
  const Model twice = parse_model(csv_again, Format::csv, "again").model;
  must_agree(std::to_string(model.outcome_count()),
             std::to_string(from_csv.outcome_count()),
             "outcomes through CSV");
  must_agree(std::to_string(from_csv.outcome_count()),
             std::to_string(twice.outcome_count()),
             "outcomes through CSV twice");
}

inline void check_explicit(const Model& model) {
  std::vector<std::string> lost;
  const auto tra = unless_refused([&] { return format_tra_model(model, lost); });
  if (tra) {
    const Model read = read_tra_texts(*tra);
    must_agree(kept_text(model), kept_text(read), "a model and its .tra");
    must_agree(tra->transitions, format_tra_model(read, lost).transitions, ".tra twice");
  }
  const auto drn = unless_refused([&] { return format_model(model, Format::drn); });
  if (drn) {
    const Model read = parse_model(*drn, Format::drn, "again").model;
    must_agree(kept_text(model), kept_text(read), "a model and its .drn");
  }
  const auto umb = unless_refused([&] { return format_model(model, Format::umb); });
  if (umb) {
    const Model read = parse_model(*umb, Format::umb, "again").model;
    must_agree(kept_text(model), kept_text(read), "a model and its .umb");
    // The name is written for others to see, and not read.
    const std::string again = format_model(read, Format::umb);
    const Model twice = parse_model(again, Format::umb, "again").model;
    must_agree(again, format_model(twice, Format::umb), ".umb twice");
  }
}

// What `read` gives, unless it throws an Error with a sound list of problems.
template <typename Read>
void check_model(const Read& read) {
  try {
    const Model model = read();
    check_json(model);
    check_explicit(model);
    // A CSV holds neither labels nor vectors as rewards.
    if (model.wealth().has_numbers()) check_csv(model);
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

inline void check_model_text(std::string_view text, Format format) {
  check_model([&] { return parse_model(text, format, "fuzz").model; });
}

}  // namespace quantiplan
