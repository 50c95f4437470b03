// Which structure a model declares.
#include "wealth/automaton.hpp"
#include "wealth/counted_labels.hpp"
#include "wealth/extreme.hpp"
#include "wealth/lexicographic.hpp"
#include "wealth/multiplied.hpp"
#include "wealth/summed.hpp"

namespace quantiplan {

std::shared_ptr<Structure> structure_of(const Model& model) {
  const Wealth& wealth = model.wealth();
  switch (wealth.kind) {
    case WealthKind::max:
      return make_structure(model, Extreme{true});
    case WealthKind::min:
      return make_structure(model, Extreme{false});
    case WealthKind::product:
      return make_structure(model, Multiplied{});
    case WealthKind::lexicographic:
      return make_structure(model, Lexicographic{wealth.components});
    case WealthKind::counts:
      return make_structure(model, CountedLabels{wealth.labels, wealth.best_first});
    case WealthKind::weighted_counts:
      return make_structure(model, Summed{wealth.weights});
    case WealthKind::automaton:
    case WealthKind::table:
      return make_structure(model, Automaton{wealth});
    case WealthKind::sum:
      break;
  }
  return make_structure(model, Summed{});
}

}  // namespace quantiplan
