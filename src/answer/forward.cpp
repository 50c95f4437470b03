#include "forward.hpp"

#include <algorithm>
#include <cmath>

#include "rounding_bound.hpp"

namespace quantiplan {
namespace {

// Probability by node, with the number of contributions each collected.
template <class N>
struct Mass {
  NodeTable table;
  std::vector<N> probability;
  std::vector<std::uint32_t> contributions;

  void add(Node node, const N& p) {
    const std::uint32_t at = table.insert(node);
    if (at == probability.size()) {
      probability.push_back(p);
      contributions.push_back(1);
    } else {
      probability[at] += p;
      ++contributions[at];
    }
  }
  [[nodiscard]] std::uint64_t most_contributions() const {
    return contributions.empty() ? 0 : *std::ranges::max_element(contributions);
  }
  // What it holds now; a rational is taken to be of moderate size.
  [[nodiscard]] std::uint64_t bytes() const {
    constexpr std::uint64_t kPerNode =
        NodeTable::kBytesPerNode + 4 + (std::is_same_v<N, double> ? sizeof(double) : 128);
    return table.size() * kPerNode;
  }
};

template <class N>
class Forward {
 public:
  Forward(const Stages& stages, const Strategy& strategy, Limits& limits, const Visit& visit)
      : stages_(stages),
        strategy_(strategy),
        limits_(limits),
        visit_(visit),
        numbers_(stages.model()) {}

  std::optional<Distribution> run() {
    Mass<N> now;
    now.add({0, 0}, N(1));
    for (std::uint64_t t = 0; t < stages_.horizon(); ++t) {
      Mass<N> next;
      for (std::size_t i = 0; i < now.table.size(); ++i) {
        if (i % 1024 == 0) {
          if (limits_.ended()) return std::nullopt;
          if (!limits_.would_fit(2 * (now.bytes() + next.bytes() + final_.bytes()))) {
            limits_.take(2 * (now.bytes() + next.bytes() + final_.bytes()), "the forward pass");
          }
        }
        step(t, now.table.nodes()[i], now.probability[i], next);
      }
      roundings_ += static_cast<unsigned long>(next.most_contributions() + 2);
      now = std::move(next);
      limits_.report("forward pass",
                     static_cast<double>(t + 1) / static_cast<double>(stages_.horizon()));
    }
    for (std::size_t i = 0; i < now.table.size(); ++i) {
      final_.add({0, now.table.nodes()[i].level}, now.probability[i]);
    }
    return collect();
  }

 private:
  void step(std::uint64_t t, Node node, const N& mass, Mass<N>& next) {
    const State s = stages_.layer(t).state(node.slot);
    if (stages_.model().is_terminal(s)) {
      final_.add({0, node.level}, mass);
      return;
    }
    const WealthKey wealth{node.level};
    const Choice choice = strategy_.choose(t, node.slot, wealth);
    if (visit_) visit_(t, node.slot, wealth, choice);
    const Layer& next_layer = stages_.layer(t + 1);
    for (const Outcome& o : stages_.model().outcomes(choice)) {
      const N p = numbers_.probability(o) * mass;
      ++products_;
      const Node to{static_cast<std::uint32_t>(next_layer.slot(o.next)),
                    node.level + stages_.reward_key(t, o)};
      next.add(to, p);
    }
  }

  Distribution collect() {
    std::vector<std::size_t> order(final_.table.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return final_.table.nodes()[i].level; });
    Distribution d;
    N mean = 0;
    for (const std::size_t i : order) {
      const WealthKey key{final_.table.nodes()[i].level};
      const N& p = final_.probability[i];
      mean += p * Arithmetics<N>::key(key.value);
      d.atoms.push_back({stages_.scale().wealth(key), value(p)});
    }
    if constexpr (std::is_same_v<N, double>) {
      // Sums of atoms add one rounding for each; a product that underflows loses less than 2^-1074.
      roundings_ += static_cast<unsigned long>(final_.most_contributions() + order.size());
      const RoundingBound bound = RoundingBound::after(roundings_, 0);
      d.relative_error = std::nextafter(to_nearest_double(bound.relative), 2.0);
      d.absolute_error = static_cast<double>(products_) * 0x1p-1074;
      d.mean.nearest = mean * to_nearest_double(stages_.scale().unit());
    } else {
      d.mean = value(mean * stages_.scale().unit());
    }
    return d;
  }

  static Value value(double p) { return {p, std::nullopt}; }
  static Value value(const Rational& p) { return {to_nearest_double(p), p}; }

  const Stages& stages_;
  const Strategy& strategy_;
  Limits& limits_;
  const Visit& visit_;
  Arithmetics<N> numbers_;
  Mass<N> final_;
  Integer roundings_ = 0;
  std::uint64_t products_ = 0;
};

}  // namespace

template <class N>
std::optional<Distribution> run_forward(const Stages& stages,
                                        const Strategy& strategy,
                                        Limits& limits,
                                        const Visit& visit) {
  return Forward<N>(stages, strategy, limits, visit).run();
}

template std::optional<Distribution> run_forward<double>(const Stages&,
                                                         const Strategy&,
                                                         Limits&,
                                                         const Visit&);
template std::optional<Distribution> run_forward<Rational>(const Stages&,
                                                           const Strategy&,
                                                           Limits&,
                                                           const Visit&);

std::optional<Distribution> distribution_of(const Stages& stages,
                                            const Strategy& strategy,
                                            Arithmetic arithmetic,
                                            Limits& limits) {
  if (arithmetic == Arithmetic::exact) return run_forward<Rational>(stages, strategy, limits);
  // A rational step costs about a hundred times a step in doubles: exact where that is unnoticed.
  constexpr std::uint64_t kFewNodes = 20'000;
  std::uint64_t nodes = 0;
  const Visit count = [&](std::uint64_t, std::size_t, WealthKey, Choice) { ++nodes; };
  auto floating = run_forward<double>(stages, strategy, limits, count);
  if (!floating || arithmetic == Arithmetic::floating || nodes > kFewNodes) return floating;
  return run_forward<Rational>(stages, strategy, limits);
}

std::optional<Policy> tabulate(const Stages& stages, const Strategy& strategy, Limits& limits) {
  struct Met {
    std::uint64_t time;
    std::size_t slot;
    WealthKey wealth;
    Choice choice;
  };
  std::vector<Met> met;
  const Visit visit = [&](std::uint64_t time, std::size_t slot, WealthKey wealth, Choice choice) {
    met.push_back({time, slot, wealth, choice});
    // Each becomes at most one run of the table, with a rational threshold.
    constexpr std::uint64_t kRunBytes = sizeof(Met) + sizeof(PolicyRun) + 64;
    if (met.size() % 4096 == 0 && !limits.would_fit(met.size() * kRunBytes)) {
      limits.take(met.size() * kRunBytes, "the policy's table (so far)");
    }
  };
  if (!run_forward<double>(stages, strategy, limits, visit)) return std::nullopt;
  // Greater wealth is a smaller residual, and rules go by ascending residual.
  std::ranges::sort(met, [](const Met& a, const Met& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.slot != b.slot) return a.slot < b.slot;
    return a.wealth > b.wealth;
  });

  Policy policy;
  policy.setting = stages.setting();
  const auto target = strategy.target();
  if (target) policy.target = stages.scale().wealth(*target);
  Rational power = 1;  // gamma^t
  std::uint64_t time = 0;
  for (const Met& m : met) {
    for (; time < m.time; ++time) power *= stages.setting().discount;
    const State s = stages.layer(m.time).state(m.slot);
    if (policy.rules.empty() || policy.rules.back().time != m.time ||
        policy.rules.back().state != s) {
      policy.rules.push_back({m.time, s, {}});
    }
    auto& runs = policy.rules.back().runs;
    if (runs.empty() || runs.back().choice != m.choice) runs.push_back({std::nullopt, m.choice});
    if (target) runs.back().upto = stages.scale().wealth(*target - m.wealth) / power;
  }
  // The last run takes all residuals above those met.
  for (PolicyRule& rule : policy.rules) rule.runs.back().upto.reset();
  return policy;
}

}  // namespace quantiplan
