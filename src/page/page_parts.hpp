// Pieces of a page's data, each as JSON: curves, distributions, promises.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "page/page_json.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// The curve, both curves of a bracket; a long one is thinned, and says so.
void write_frontier(const Frontier& frontier, PageJson& json);

// Atoms that are too many are put together, neighbours at the better of them, and it says so.
std::string law_json(const Distribution& law);

// What is promised at one tau; `is_asked`: by the user. Left open, for policies to be added.
void begin_point(const Result& result, const Answer& answer, bool is_asked, PageJson& json);

// Nine taus from 0.01 to 0.99, without those that were asked for.
std::vector<Rational> more_taus(const std::vector<Rational>& asked);

// Of the curve of all promises: at an infinite horizon it goes as far as it is asked for.
std::vector<Rational> taus_of_curve(const std::vector<Rational>& asked, bool is_infinite);

// Both sides may say the same.
void add_once(std::vector<std::string>& sentences, std::string sentence);

// The call was stopped, or its time is up.
bool has_ended(const Options& options);

// Of a policy on a grid, whose totals hardly ever meet again: a sample.
Distribution sampled_law(const Model& model,
                         const Policy& policy,
                         std::uint64_t episodes,
                         const Options& options);

void write_facts(const ModelFacts& facts, PageJson& json);
// The engine of an answer and why, and the seconds of the whole page.
void write_engine(const Answer& answer, double seconds, PageJson& json);
void write_check(const CheckReport& report, PageJson& json);

}  // namespace quantiplan
