#include "finite/promise/node_graph.hpp"

namespace quantiplan {
namespace {

std::uint64_t bytes_of(std::uint64_t nodes, std::uint64_t products, std::uint64_t pair) {
  return nodes * (NodeTable::kBytesPerNode + sizeof(Choice) + pair) + 4 * products;
}

}  // namespace

// 0 inside the window.
std::uint32_t NodeGraph::outside(std::uint64_t t, const Node& node) const {
  const Window& window = windows_.at(t, node.slot);
  return node.level <= window.sure ? kBelow : node.level > window.possible ? kAbove : 0;
}

std::uint32_t NodeGraph::place(std::uint64_t t, const Node& node) {
  const std::uint32_t where = outside(t, node);
  return where != 0 ? where : points_->nodes[t].insert(node);
}

std::uint32_t NodeGraph::find(std::uint64_t t, const Node& node) const {
  const std::uint32_t where = outside(t, node);
  return where != 0 ? where : points_->nodes[t].find(node);
}

bool NodeGraph::expand(const std::vector<std::int64_t>& targets,
                       std::uint64_t most_products,
                       Limits& limits,
                       std::uint64_t bytes_of_pair) {
  auto& tables = points_->nodes;
  const Model& model = stages_.model();
  tables.resize(stages_.horizon() + 1);
  children_.resize(stages_.horizon());
  std::uint64_t products = 0;
  std::uint64_t count = 0;
  for (const std::int64_t target : targets) {
    for (std::uint32_t slot = 0; slot < stages_.starts(); ++slot) place(0, {slot, target});
  }
  for (std::uint64_t t = 0; t < stages_.horizon(); ++t) {
    const Layer& layer = stages_.layer(t);
    const Layer& next_layer = stages_.layer(t + 1);
    for (std::size_t i = 0; i < tables[t].size(); ++i) {
      if (++count % 256 == 0 && limits.ended()) return false;
      const Node node = tables[t].nodes()[i];
      for (const Choice c : model.choices(layer.state(node.slot))) {
        for (const Outcome& o : model.outcomes(c)) {
          const Node child{static_cast<std::uint32_t>(next_layer.slot(o.next)),
                           stages_.next_residual(t, node.level, o)};
          children_[t].push_back(place(t + 1, child));
        }
        products += model.outcomes(c).size();
      }
      if (products > most_products || !limits.would_fit(bytes_of(count, products, bytes_of_pair)))
        return false;
    }
  }
  return true;
}

}  // namespace quantiplan
