// The paper's own way at the infinite horizon, as the engine `paper`: functional iteration until little
// changes. No certificate, and no policy that one could rely on; for comparison only.
#pragma once

#include <memory>
#include <vector>

#include "infinite/layout.hpp"
#include "problem/quantile_problem.hpp"

namespace quantiplan {

// Throws Error(refused) where the iteration never ends, or rewards have no unit.
void answer_as_the_paper(const std::shared_ptr<InfiniteLayout>& layout,
                         const std::vector<Question>& asked,
                         FoundQuantiles& answer);

}  // namespace quantiplan
