// Writes one JSON object with exact number texts; the notation shared by every report.
//
//     wealth, discount   -31.89  if a finite decimal, else "1/3"; "inf", "-inf", "miss"
//                        (costs where the model's rewards are costs: no key changes)
//     tau                "0.1", always a string: a program must not read it through a double
//     probability, mean  shortest text of the nearest double; "..._exact" beside it where known;
//                        a mean may be "inf" or "-inf", and null where it is undefined
//
// Needs: keys and values in the order they shall appear. Guarantees: well-formed UTF-8 JSON.
#pragma once

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/total.hpp"
#include "report/counting.hpp"

namespace quantiplan {

// Longer exact values are left out: nobody reads them, and they can dwarf the report.
constexpr std::size_t kMostExactCharacters = 200;

// JSON text of single numbers.
std::string exact_json(const Rational& value);
std::string total_json(const Total& total);
std::string string_json(std::string_view text);
std::string double_json(double value);  // "inf" and "-inf" as strings, null if undefined
// A text that is a number where `is_number`.
std::string number_or_text_json(bool is_number, const std::string& text);
// {"wealth": -40, "probability": 1, "probability_exact": "1"} on one line; `wealth` is JSON.
std::string atom_json(std::string_view wealth, const Value& probability);
// The same of P(W >= wealth), with its bracket if the distribution leaves it open:
// {"wealth": -40, "probability": 0.8, "probability_is": "lower bound", "bracket": [0.8, 0.81]}
std::string at_least_json(const Atom& atom,
                          const Distribution& distribution,
                          const Counting& counting);
// What a printed probability is: "exact", with the exact text beside it; "rounded", the double
// nearest to it; "lower bound" or "upper bound". Empty where there is none.
std::string_view kind_of(const std::optional<Value>& probability);

class ReportJson {
 public:
  // Opens the object: {"format": format.
  explicit ReportJson(std::string_view format);

  ReportJson& key(std::string_view name);
  ReportJson& text(std::string_view value);
  ReportJson& text_or_null(std::string_view value);  // null if empty
  ReportJson& flag(bool value);
  ReportJson& count(std::uint64_t value);
  ReportJson& real(double value);
  ReportJson& exact(const Rational& value);
  ReportJson& total(const Total& value);
  ReportJson& null();
  // Well-formed JSON, written as it stands.
  ReportJson& raw(std::string_view json);
  ReportJson& begin_object();
  ReportJson& end_object();
  ReportJson& begin_list();
  ReportJson& end_list();

  // "name": 0.5, "name_exact": "1/2"
  ReportJson& value(std::string_view name, const Value& value);
  ReportJson& optional_value(std::string_view name, const std::optional<Value>& given);
  // The same with "name_is" where there is no exact text, and "name_upper" of a lower bound where an
  // upper one is known.
  ReportJson& labelled(std::string_view name, const Value& value);
  ReportJson& optional_labelled(std::string_view name, const std::optional<Value>& given);
  // "probability", "probability_exact", "probability_is"; of a lower bound "probability_upper" too,
  // where an upper one is known.
  ReportJson& probability(const std::optional<Value>& given);
  // "quantile": -40, and "rank": 3 of a class; null where there is none
  ReportJson& quantile(const std::optional<Level>& wealth, const Counting& counting);
  // "bracket": [lower, upper], as they are shown
  ReportJson& bracket(const ShownEnds& ends, const Counting& counting);
  // null for an end that a sample leaves open
  ReportJson& bracket(const QuantileOfDistribution& shown, const Counting& counting);
  // "epsilon": 0.001, or "classes": 15 where wealth goes by them; null where unknown
  ReportJson& measure(const std::optional<Rational>& epsilon, const Counting& counting);
  // "rest", "relative_error", "slack" and "sample" of the open object; of classes the second alone
  ReportJson& errors(const Distribution& distribution, const Counting& counting);
  // "name": [{"wealth": .., "probability": ..}, ..]; of the steps of a curve over classes, "rank", too
  template <class Entry>
  ReportJson& entries(std::string_view name,
                      const std::vector<Entry>& entries,
                      const Counting& counting) {
    const bool has_ranks = counting.by_class() && std::is_same_v<Entry, FrontierStep>;
    key(name).begin_list();
    for (const Entry& entry : counting.entries(entries)) {
      std::string wealth = counting.json(entry.wealth);
      if (has_ranks) wealth += R"(, "rank": )" + std::to_string(entry.wealth.rank());
      raw(atom_json(wealth, entry.probability));
    }
    return end_list();
  }
  // "status" and "certificate".
  ReportJson& outcome(Status status, Certificate certificate);
  // "model": {..}; a horizon of 0 and an empty initial state are those that nobody gave.
  ReportJson& model(const ModelFacts& facts);
  ReportJson& engine(const EngineReport& engine);
  ReportJson& work(const Work& work);
  // "passed", "optimality_checked" and "findings" of the open object.
  ReportJson& verdict(const CheckReport& report);
  // The same as an object of its own, "check", if there is one.
  ReportJson& check(const std::optional<CheckReport>& report);

  // "results_left_out", where there are any.
  ReportJson& left_out(std::size_t results);

  // Closes the object; its text with a newline.
  std::string finish();

 private:
  rapidjson::StringBuffer buffer_;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer_{buffer_};
};

}  // namespace quantiplan
