#include "model/components.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

constexpr std::uint32_t kUnmet = ~std::uint32_t{0};

struct Visit {
  std::uint32_t node;
  std::uint64_t arc;  // the next one to follow
};

class Tarjan {
 public:
  explicit Tarjan(const ArcLists& arcs)
      : arcs_(arcs), order_(arcs.nodes(), kUnmet), low_(arcs.nodes()) {
    result_.of_node.assign(arcs.nodes(), kUnmet);
  }

  Components run() {
    for (std::uint32_t v = 0; v < arcs_.nodes(); ++v) {
      if (order_[v] == kUnmet) explore(v);
    }
    return std::move(result_);
  }

 private:
  void enter(std::uint32_t v) {
    order_[v] = low_[v] = met_++;
    open_.push_back(v);
    path_.push_back({v, arcs_.begin[v]});
  }

  void explore(std::uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      Visit& visit = path_.back();
      const std::uint32_t v = visit.node;
      if (visit.arc < arcs_.begin[v + 1]) {
        const std::uint32_t w = arcs_.next[visit.arc++];
        if (order_[w] == kUnmet) {
          enter(w);
        } else if (result_.of_node[w] == kUnmet) {
          low_[v] = std::min(low_[v], order_[w]);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().node] = std::min(low_[path_.back().node], low_[v]);
      if (low_[v] == order_[v]) close_component(v);
    }
  }

  void close_component(std::uint32_t root) {
    for (std::uint32_t v = kUnmet; v != root;) {
      v = open_.back();
      open_.pop_back();
      result_.of_node[v] = result_.count;
    }
    ++result_.count;
  }

  const ArcLists& arcs_;
  Components result_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> low_;
  std::uint32_t met_ = 0;
  std::vector<std::uint32_t> open_;  // met, component not closed
  std::vector<Visit> path_;
};

}  // namespace

Components strongly_connected(const ArcLists& arcs) { return Tarjan(arcs).run(); }

Members members_of(const Components& components) {
  Members members;
  members.begin.assign(components.count + 1, 0);
  for (const std::uint32_t c : components.of_node) ++members.begin[c + 1];
  for (std::uint32_t c = 0; c < components.count; ++c) members.begin[c + 1] += members.begin[c];
  members.node.resize(components.of_node.size());
  std::vector<std::uint32_t> at(members.begin.begin(), members.begin.end() - 1);
  for (std::uint32_t v = 0; v < components.of_node.size(); ++v)
    members.node[at[components.of_node[v]]++] = v;
  return members;
}

}  // namespace quantiplan
