#include "oracles/markov_chain.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace quantiplan::testing {
namespace {

// Tarjan 1972. Recursive: the graphs are small.
class ComponentSearch {
 public:
  explicit ComponentSearch(const Graph& graph)
      : graph_(graph),
        number_(graph.size(), 0),
        low_(graph.size(), 0),
        open_(graph.size(), false) {}

  std::vector<std::vector<std::size_t>> run() {
    for (std::size_t n = 0; n < graph_.size(); ++n)
      if (number_[n] == 0) visit(n);
    return std::move(found_);
  }

 private:
  void visit(std::size_t n) {
    number_[n] = low_[n] = ++count_;
    stack_.push_back(n);
    open_[n] = true;
    for (const std::size_t next : graph_[n]) {
      if (number_[next] == 0) visit(next);
      if (open_[next]) low_[n] = std::min(low_[n], low_[next]);
    }
    if (low_[n] != number_[n]) return;
    std::vector<std::size_t>& component = found_.emplace_back();
    for (std::size_t member = graph_.size(); member != n;) {
      member = stack_.back();
      stack_.pop_back();
      open_[member] = false;
      component.push_back(member);
    }
  }

  const Graph& graph_;
  std::vector<std::size_t> number_, low_;
  std::vector<bool> open_;
  std::size_t count_ = 0;
  std::vector<std::size_t> stack_;
  std::vector<std::vector<std::size_t>> found_;
};

// Solves rows of (coefficients, right hand side) by Gauss and Jordan. The matrix is regular.
std::vector<Rational> solve_system(std::vector<std::vector<Rational>> rows) {
  const std::size_t n = rows.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    while (pivot < n && rows[pivot][column] == 0) ++pivot;
    if (pivot == n) throw std::logic_error("a singular system");
    std::swap(rows[pivot], rows[column]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == column || rows[i][column] == 0) continue;
      const Rational factor = rows[i][column] / rows[column][column];
      for (std::size_t j = column; j <= n; ++j) rows[i][j] -= factor * rows[column][j];
    }
  }
  std::vector<Rational> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = rows[i][n] / rows[i][i];
  return x;
}

// The unknowns of one component, those of later ones being known.
void solve_component(const Chain& chain,
                     const std::vector<std::size_t>& unknowns,
                     std::vector<Rational>& x) {
  const std::size_t n = unknowns.size();
  std::vector<std::vector<Rational>> rows(n, std::vector<Rational>(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    rows[i][i] = 1;
    for (const Arc& arc : chain[unknowns[i]]) {
      const auto at = std::find(unknowns.begin(), unknowns.end(), arc.next);
      if (at == unknowns.end()) {
        rows[i][n] += arc.probability * x[arc.next];
      } else {
        rows[i][static_cast<std::size_t>(at - unknowns.begin())] -= arc.probability;
      }
    }
  }
  const std::vector<Rational> found = solve_system(std::move(rows));
  for (std::size_t i = 0; i < n; ++i) x[unknowns[i]] = found[i];
}

}  // namespace

Graph graph_of(const Chain& chain) {
  Graph graph(chain.size());
  for (std::size_t n = 0; n < chain.size(); ++n)
    for (const Arc& arc : chain[n]) graph[n].push_back(arc.next);
  return graph;
}

std::vector<std::vector<std::size_t>> components(const Graph& graph) {
  return ComponentSearch(graph).run();
}

std::vector<std::vector<std::size_t>> bottom_components(const Graph& graph) {
  std::vector<std::vector<std::size_t>> all = components(graph);
  std::erase_if(all, [&](const std::vector<std::size_t>& component) {
    for (const std::size_t n : component)
      for (const std::size_t next : graph[n])
        if (std::find(component.begin(), component.end(), next) == component.end()) return true;
    return false;
  });
  return all;
}

void settle(const Chain& chain, const std::vector<std::size_t>& members, std::vector<Rational>& x) {
  const auto is_member = [&](std::size_t n) {
    return std::find(members.begin(), members.end(), n) != members.end();
  };
  std::vector<std::size_t> leaving;
  for (bool grows = true; grows;) {
    grows = false;
    for (const std::size_t n : members) {
      const auto leaves = [&](const Arc& arc) {
        return !is_member(arc.next) ||
               std::find(leaving.begin(), leaving.end(), arc.next) != leaving.end();
      };
      if (std::find(leaving.begin(), leaving.end(), n) != leaving.end() ||
          std::none_of(chain[n].begin(), chain[n].end(), leaves))
        continue;
      leaving.push_back(n);
      grows = true;
    }
  }
  for (const std::size_t n : members) x[n] = 0;
  if (!leaving.empty()) solve_component(chain, leaving, x);
}

std::vector<Rational> reach(const Chain& chain, const std::vector<bool>& targets) {
  std::vector<Rational> x(chain.size());
  for (std::size_t n = 0; n < chain.size(); ++n)
    if (targets[n]) x[n] = 1;
  for (std::vector<std::size_t>& component : components(graph_of(chain))) {
    std::erase_if(component, [&](std::size_t n) { return targets[n]; });
    settle(chain, component, x);
  }
  return x;
}

}  // namespace quantiplan::testing
