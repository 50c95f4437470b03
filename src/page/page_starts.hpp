// Several initial states on a page: what is promised from each, and which of them the page is about.
//
//     the worst of the first question, whose promise holds wherever one begins
#pragma once

#include <string>

#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/page.hpp"

namespace quantiplan {

struct PageStarts {
  State shown{};  // which one the rest of the page is about
  std::string
      json;  // {"shown": name, "of": count, "questions": [{tau, side, rows: [[name, quantile, upper, chance]]}]}
};

// Of PageQuery::starts, two at least. Rows beyond some hundred are left out but for the best and the worst.
PageStarts page_starts(const Model& model, const PageQuery& query, const Options& options);

}  // namespace quantiplan
