// Pieces of a page's data, each as JSON: curves, distributions, promises.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "page/page_json.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"

namespace quantiplan {

// The curve, both curves of a bracket; a long one is thinned, and says so.
void write_frontier(const Frontier& frontier, PageJson& json);

// Atoms that are too many are put together, neighbours at the better of them, and it says so.
std::string law_json(const Distribution& law);

// What is promised at one tau; `is_asked`: by the user. Left open, for policies to be added.
void begin_point(const Result& result, const Answer& answer, bool is_asked, PageJson& json);

void write_facts(const ModelFacts& facts, PageJson& json);
void write_check(const CheckReport& report, PageJson& json);

}  // namespace quantiplan
