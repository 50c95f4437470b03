// Policies that are best by different criteria, each held to all measures: the table a decision maker wants.
//
//                      quantile   cvar   mean   worst-case  ..       columns: measures (measures.hpp)
//     quantile              ...    ...    ...
//     cvar                  ...    ...    ...                        rows: the optimum of each criterion
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/criterion.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/measures.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

struct ComparedPolicy {
  Criterion criterion;
  std::vector<MeasuredValue> values;  // as many in every row
  std::string why = {};  // there is no policy, or no law of it: then there are no values
  Status status =
      Status::solved;  // a policy that a limit ended the search for is compared as it is
  std::optional<Sample> sample = std::nullopt;  // the values are those of episodes: no certificate
};

struct Comparison {
  ModelFacts model;
  Rational tau;
  std::vector<ComparedPolicy> rows;
};

// quantile, cvar, mean-cvar:1/2, evar, nested-cvar, worst-case, expectation, entropic:0.1 and mean-variance:0.1; and
// `other`, unless it is one of them.
std::vector<Criterion> compared_criteria(const Criterion& other);

// Solves for each criterion at the first tau of the query and measures its policy's distribution at that tau. What is refused has a
// row that says why.
Comparison compare_criteria(const Model& model,
                            const Query& query,
                            const std::vector<Criterion>& criteria,
                            const Options& options = {});

std::string comparison_text(const Comparison& comparison);
std::string comparison_json(const std::vector<Comparison>& comparisons);

}  // namespace quantiplan
