#include "classes/forward_pass.hpp"

#include "base/parallel.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kChunk = 1024;
constexpr std::size_t kNodesPerPoll = 256;

// Values of layer t from those of layer t+1, node by node; a Rule says what a value is:
//   final(class), start(), add(sum, outcome, value), draw(sum, probability, value),
//   improve(best, sum)
template <class Rule>
class Sweep {
 public:
  using Value = typename Rule::Value;
  Sweep(const Expansion& expansion,
        const Rule& rule,
        Limits& limits,
        NodeChoices* choices,
        std::size_t nodes_per_poll = kNodesPerPoll)
      : expansion_(expansion),
        rule_(rule),
        limits_(limits),
        choices_(choices),
        nodes_per_poll_(nodes_per_poll) {}

  std::optional<Value> run() {
    const std::size_t last = expansion_.layers.size() - 1;
    if (choices_ != nullptr) choices_->assign(expansion_.layers.size(), {});
    std::vector<Value> next;
    for (std::size_t t = last + 1; t-- > 0;) {
      limits_.report("backward pass",
                     static_cast<double>(last - t) / static_cast<double>(last + 1));
      const std::size_t nodes = expansion_.layers[t].size();
      std::vector<Value> here(nodes);
      if (choices_ != nullptr) (*choices_)[t].assign(nodes, 0);
      parallel_for(limits_.threads(), nodes, kChunk, [&](unsigned, std::size_t a, std::size_t b) {
        for (std::size_t i = a; i < b; ++i) {
          if (i % nodes_per_poll_ == 0 && limits_.ended()) return;
          here[i] = value(t, static_cast<std::uint32_t>(i), next);
        }
      });
      if (limits_.ended()) return std::nullopt;
      next = std::move(here);
    }
    return drawn(next);
  }

 private:
  // Of the initial states.
  Value drawn(const std::vector<Value>& first) const {
    if (first.size() == 1) return first.front();
    Value sum = rule_.start();
    for (std::size_t i = 0; i < first.size(); ++i)
      rule_.draw(sum, expansion_.initial[i].probability, first[i]);
    return sum;
  }

  Value value(std::size_t t, std::uint32_t node, const std::vector<Value>& next) const {
    const Expansion::Layer& layer = expansion_.layers[t];
    if (expansion_.is_final(t, node)) return rule_.final(expansion_.class_of(t, node));
    std::size_t arc = layer.begin[node];
    std::optional<Value> best;
    std::uint32_t position = 0;
    for (const Choice c : expansion_.model.choices(layer.state[node])) {
      Value sum = rule_.start();
      for (const Outcome& o : expansion_.model.outcomes(c))
        rule_.add(sum, o, next[layer.next[arc++]]);
      if (!best) {
        best = std::move(sum);
      } else if (rule_.improve(*best, sum) && choices_ != nullptr) {
        (*choices_)[t][node] = position;
      }
      ++position;
    }
    return *std::move(best);
  }

  const Expansion& expansion_;
  const Rule& rule_;
  Limits& limits_;
  NodeChoices* choices_;
  std::size_t nodes_per_poll_;
};

template <class Algebra>
struct OneClass {
  using Value = typename Algebra::Value;
  const NumberTable& numbers;
  std::uint32_t k;
  // Probabilities as the algebra wants them, by number.
  const std::vector<typename Algebra::Probability>& probability;

  [[nodiscard]] Value final(std::uint32_t klass) const {
    return klass >= k ? Algebra::one() : Algebra::zero();
  }
  [[nodiscard]] Value start() const { return Algebra::start(); }
  void add(Value& sum, const Outcome& o, const Value& v) const {
    Algebra::add(sum, probability[index(o.probability)], v);
  }
  static void draw(Value& sum, const Rational& p, const Value& v) {
    Algebra::add(sum, Algebra::factor(p), v);
  }
  static bool improve(Value& best, Value& sum) {
    if (!(sum > best)) return false;
    best = std::move(sum);
    return true;
  }
};

struct Lanes {
  using Value = std::array<double, kLanes>;
  const NumberTable& numbers;
  std::array<std::uint32_t, kLanes> k;

  [[nodiscard]] Value final(std::uint32_t klass) const {
    Value out;
    for (std::size_t l = 0; l < kLanes; ++l) out[l] = klass >= k[l] ? 1 : 0;
    return out;
  }
  [[nodiscard]] Value start() const { return Value{}; }
  void add(Value& sum, const Outcome& o, const Value& v) const {
    mix(sum, numbers.nearest(o.probability), v);
  }
  static void draw(Value& sum, const Rational& p, const Value& v) {
    mix(sum, to_nearest_double(p), v);
  }
  static void mix(Value& sum, double p, const Value& v) {
    for (std::size_t l = 0; l < kLanes; ++l) sum[l] += p * v[l];
  }
  static bool improve(Value& best, const Value& sum) {
    for (std::size_t l = 0; l < kLanes; ++l) best[l] = sum[l] > best[l] ? sum[l] : best[l];
    return false;
  }
};

struct Expectation {
  using Value = double;
  const NumberTable& numbers;
  std::span<const double> number;

  [[nodiscard]] Value final(std::uint32_t klass) const { return number[klass]; }
  [[nodiscard]] Value start() const { return 0; }
  void add(Value& sum, const Outcome& o, Value v) const {
    sum += numbers.nearest(o.probability) * v;
  }
  static void draw(Value& sum, const Rational& p, Value v) { sum += to_nearest_double(p) * v; }
  static bool improve(Value& best, Value sum) {
    if (!(sum > best)) return false;
    best = sum;
    return true;
  }
};

struct Promised {
  using Value = ClassWorth;
  const PromisedClass& promised;
  const ClassAim& aim;
  const std::vector<Rational>& probability;

  [[nodiscard]] Value final(std::uint32_t klass) const { return promised.at_end(klass); }
  [[nodiscard]] Value start() const { return Value(promised.size()); }
  void add(Value& sum, const Outcome& o, const Value& v) const {
    draw(sum, probability[index(o.probability)], v);
  }
  void draw(Value& sum, const Rational& p, const Value& v) const {
    for (std::size_t i = 0; i < sum.size(); ++i)
      if (v[i] != 0) sum[i] += p * v[i];
  }
  bool improve(Value& best, Value& sum) const {
    if (!promised.is_better(aim, sum, best)) return false;
    best = std::move(sum);
    return true;
  }
};

// Probabilities as the algebra wants them, by number.
template <class Algebra>
std::vector<typename Algebra::Probability> probabilities_for(const NumberTable& numbers) {
  std::vector<typename Algebra::Probability> out;
  out.reserve(numbers.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i)
    out.push_back(Algebra::probability(numbers, NumberId{i}));
  return out;
}

}  // namespace

template <class Algebra>
std::optional<typename Algebra::Value> forward_pass(const Expansion& expansion,
                                                    std::uint32_t k,
                                                    Limits& limits,
                                                    NodeChoices* choices) {
  const NumberTable& numbers = expansion.model.probabilities();
  const auto probability = probabilities_for<Algebra>(numbers);
  const OneClass<Algebra> rule{numbers, k, probability};
  return Sweep(expansion, rule, limits, choices).run();
}

template std::optional<double> forward_pass<Real>(const Expansion&,
                                                  std::uint32_t,
                                                  Limits&,
                                                  NodeChoices*);
template std::optional<Rational> forward_pass<Exact>(const Expansion&,
                                                     std::uint32_t,
                                                     Limits&,
                                                     NodeChoices*);
template std::optional<std::uint8_t> forward_pass<Sure>(const Expansion&,
                                                        std::uint32_t,
                                                        Limits&,
                                                        NodeChoices*);
template std::optional<std::uint8_t> forward_pass<Possible>(const Expansion&,
                                                            std::uint32_t,
                                                            Limits&,
                                                            NodeChoices*);

std::optional<std::vector<double>> forward_passes(const Expansion& expansion,
                                                  std::span<const std::uint32_t> classes,
                                                  Limits& limits) {
  std::vector<double> out;
  for (std::size_t first = 0; first < classes.size(); first += kLanes) {
    const std::size_t lanes = std::min(kLanes, classes.size() - first);
    Lanes rule{expansion.model.probabilities(), {}};
    for (std::size_t l = 0; l < kLanes; ++l) rule.k[l] = classes[first + std::min(l, lanes - 1)];
    const auto values = Sweep(expansion, rule, limits, nullptr).run();
    if (!values) return std::nullopt;
    out.insert(out.end(), values->begin(), values->begin() + static_cast<std::ptrdiff_t>(lanes));
  }
  return out;
}

std::optional<double> expectation_pass(const Expansion& expansion,
                                       std::span<const double> number,
                                       Limits& limits,
                                       NodeChoices* choices) {
  const Expectation rule{expansion.model.probabilities(), number};
  return Sweep(expansion, rule, limits, choices).run();
}

std::optional<ClassWorth> promised_pass(const Expansion& expansion,
                                        const PromisedClass& promised,
                                        const ClassAim& aim,
                                        Limits& limits,
                                        NodeChoices* choices) {
  const auto probability = probabilities_for<Exact>(expansion.model.probabilities());
  const Promised rule{promised, aim, probability};
  const std::size_t nodes_per_poll = 1 + kNodesPerPoll / (4 * promised.size());
  return Sweep(expansion, rule, limits, choices, nodes_per_poll).run();
}

}  // namespace quantiplan
