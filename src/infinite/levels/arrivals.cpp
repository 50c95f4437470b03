#include "infinite/levels/arrivals.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "infinite/levels/whole.hpp"
#include "infinite/linear/elimination.hpp"

namespace quantiplan {
namespace {

constexpr std::uint32_t kNoChoice = BestArrivals::kNoChoice;
// Beyond them K is not computed in rationals.
constexpr std::size_t kMostExactGroups = 60;

template <class A>
using FixedSlots = std::vector<std::optional<typename A::Value>>;

double as(const Rational& value, double) { return to_nearest_double(value); }
const Rational& as(const Rational& value, const Rational&) { return value; }

// Policy iteration for K on the groups of the equations.
template <class A>
class ArrivalIteration {
 public:
  using N = typename A::Value;

  ArrivalIteration(const Moves& moves, const Equations<A>& equations, const KeptChances& kept)
      : equations_(equations), value_(equations.groups(), N(0)) {
    option_.assign(equations.groups(), Equations<A>::kNoOption);
    const MoveGraph& graph = moves.graph;
    const std::uint32_t options =
        equations.first_option(static_cast<std::uint32_t>(equations.groups()));
    for (std::uint32_t o = 0; o < options; ++o) {
      const std::uint32_t c = equations.option(o).choice;
      Rational paid = 0;
      for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i)
        paid += moves.model.probabilities().rational(moves.probability[i]) * moves.counted(i) *
                kept.chance[graph.next[i]];
      paid_.push_back(as(paid, N()));
    }
  }

  // False if the limits ended it, or doubles do not settle.
  bool run(const std::vector<bool>& is_target, const Limits& limits) {
    get_on(is_target);
    constexpr int kMostRounds = 10'000;
    for (int round = 0; round < kMostRounds; ++round) {
      if (!evaluate(limits)) return false;
      if (!improve()) return true;
    }
    return false;
  }
  [[nodiscard]] const std::vector<std::uint32_t>& options() const { return option_; }

 private:
  [[nodiscard]] bool is_open(std::uint32_t g) const { return !equations_.is_known(g); }
  [[nodiscard]] N worth(std::uint32_t o) const {
    N sum = paid_[o];
    for (std::uint64_t i = equations_.first_arc(o); i < equations_.option(o).arc_end; ++i)
      sum += equations_.arc(i).p * value_[equations_.arc(i).next];
    return sum * equations_.option(o).factor;
  }

  // First a policy that gets on: towards the targets, step by step with positive probability. Groups
  // that are nearer to them come first.
  void get_on(std::vector<bool> is_done) {
    const auto groups = static_cast<std::uint32_t>(equations_.groups());
    std::vector<std::vector<std::uint32_t>> into(groups);  // options that may lead to a group
    std::vector<std::uint32_t> owner;
    for (std::uint32_t g = 0; g < groups; ++g) {
      for (std::uint32_t o = equations_.first_option(g); o < equations_.first_option(g + 1); ++o) {
        owner.push_back(g);
        for (std::uint64_t i = equations_.first_arc(o); i < equations_.option(o).arc_end; ++i)
          into[equations_.arc(i).next].push_back(o);
      }
      if (is_done[g]) order_.push_back(g);
    }
    for (std::size_t k = 0; k < order_.size(); ++k) {
      for (const std::uint32_t o : into[order_[k]]) {
        const std::uint32_t g = owner[o];
        if (is_done[g] || !is_open(g)) continue;
        is_done[g] = true;
        option_[g] = o;
        order_.push_back(g);
      }
    }
  }

  // Smaller improvements are left in doubles: a policy that is so near is as good to compare with,
  // and what it attains is evaluated by itself.
  [[nodiscard]] bool is_better(const N& worth, const N& value) const {
    if constexpr (std::is_same_v<N, double>)
      return worth > value + 0x1p-30 * (std::abs(value) + std::abs(worth));
    else
      return worth > value;
  }
  bool improve() {
    bool any = false;
    for (std::uint32_t g = 0; g < equations_.groups(); ++g) {
      if (!is_open(g)) continue;
      N best = value_[g];
      for (std::uint32_t o = equations_.first_option(g); o < equations_.first_option(g + 1); ++o) {
        const N other = worth(o);
        if (!is_better(other, best)) continue;
        best = other;
        option_[g] = o;
        any = true;
      }
    }
    return any;
  }

  bool evaluate(const Limits& limits) {
    if constexpr (std::is_same_v<N, double>)
      return iterate(limits);
    else
      return solve(limits);
  }

  // K = f ( paid + sum p K ) of the options taken.
  bool solve(const Limits& limits) {
    const std::size_t n = equations_.groups();
    std::vector<Rational> matrix(n * n, 0);
    std::vector<Rational> right(n, 0);
    for (std::uint32_t g = 0; g < n; ++g) {
      matrix[g * n + g] = 1;
      const std::uint32_t o = option_[g];
      if (!is_open(g) || o == Equations<A>::kNoOption) continue;
      const auto& option = equations_.option(o);
      right[g] = option.factor * paid_[o];
      for (std::uint64_t i = equations_.first_arc(o); i < option.arc_end; ++i)
        matrix[g * n + equations_.arc(i).next] -= option.factor * equations_.arc(i).p;
    }
    if (!eliminate(matrix, right, [&] { return limits.ended(); })) return false;
    for (std::size_t g = 0; g < n; ++g) value_[g] = right[g];
    return true;
  }

  // Gauss-Seidel; the policy gets on, so it converges, if slowly.
  bool iterate(const Limits& limits) {
    constexpr int kMostSweeps = 100'000;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      if (limits.ended()) return false;
      double change = 0;
      double size = 0;
      for (const std::uint32_t g : order_) {
        if (!is_open(g)) continue;
        const N next = worth(option_[g]);
        change = std::max(change, std::abs(next - value_[g]));
        size = std::max(size, std::abs(next));
        value_[g] = next;
      }
      if (change <= 0x1p-45 * size) return true;
    }
    return false;
  }

  const Equations<A>& equations_;
  std::vector<N> value_;               // by group
  std::vector<std::uint32_t> option_;  // by group
  std::vector<std::uint32_t> order_;   // of groups: from the targets on
  std::vector<N> paid_;                // by option: sum p r P(s')
};

// From every slot, or every one that s0 comes to, what is fixed can be reached.
bool gets_on(const Moves& moves,
             const std::vector<std::uint32_t>& choice,
             const std::vector<bool>& is_fixed,
             Whence whence) {
  const MoveGraph& graph = moves.graph;
  const auto for_next = [&](std::uint32_t v, const auto& visit) {
    if (is_fixed[v] || choice[v] == kNoChoice) return;
    for (std::uint64_t i = graph.arc_begin[choice[v]]; i < graph.arc_begin[choice[v] + 1]; ++i)
      visit(graph.next[i]);
  };
  std::vector<bool> met(graph.nodes(), false);
  std::vector<std::uint32_t> open;
  const std::size_t starts = whence == Whence::start ? 1 : graph.nodes();
  for (std::uint32_t v = 0; v < starts; ++v) {
    open.push_back(v);
    met[v] = true;
  }
  std::vector<std::vector<std::uint32_t>> into(graph.nodes());
  for (std::size_t k = 0; k < open.size(); ++k) {
    for_next(open[k], [&](std::uint32_t next) {
      into[next].push_back(open[k]);
      if (!met[next]) open.push_back(next);
      met[next] = true;
    });
  }
  std::vector<bool> done(graph.nodes(), false);
  std::vector<std::uint32_t> reached;
  for (const std::uint32_t v : open) {
    if (is_fixed[v]) reached.push_back(v);
    done[v] = is_fixed[v];
  }
  for (std::size_t k = 0; k < reached.size(); ++k) {
    for (const std::uint32_t v : into[reached[k]]) {
      if (!done[v]) reached.push_back(v);
      done[v] = true;
    }
  }
  return reached.size() == open.size();
}

template <class A>
std::optional<BestArrivals> iterate_arrivals(const Moves& moves,
                                             const Payments& payments,
                                             const Endings& endings,
                                             const KeptChances& kept,
                                             Whence whence,
                                             Limits& limits) {
  FixedSlots<A> fixed(moves.slots());
  std::vector<bool> is_fixed(moves.slots(), false);
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    is_fixed[v] = endings.well[v] || endings.other[v] || kept.chance[v] == 0;
    if (is_fixed[v]) fixed[v] = A::zero();
  }
  const Equations<A> equations({moves, payments.row_of_arc, fixed, false, &kept.keeps});
  // Without a goal, gains end as well where nothing leads on.
  std::vector<bool> is_target(equations.groups(), false);
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    const std::uint32_t g = equations.group_of(v);
    is_target[g] = endings.well[v] || (!is_fixed[v] && equations.is_known(g));
    if (is_target[g]) is_fixed[v] = true;
  }
  ArrivalIteration<A> iteration(moves, equations, kept);
  if (!iteration.run(is_target, limits)) return std::nullopt;
  BestArrivals out;
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    const std::uint32_t g = equations.group_of(v);
    out.choice.push_back(moves.end[v] == End::none ? equations.choice(v, iteration.options()[g])
                                                   : kNoChoice);
    if (moves.end[v] != End::none || !endings.well[v]) continue;
    // Staying is the end: whatever stays will do.
    const MoveGraph& graph = moves.graph;
    for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c)
      if (endings.staying.is_inner[c]) out.choice[v] = c;
  }
  if (!gets_on(moves, out.choice, is_fixed, whence)) return std::nullopt;
  out.kept = kept;
  return out;
}

// A component of these choices with a reward in it.
bool has_paying_component(const Moves& moves,
                          const Payments& payments,
                          const std::vector<bool>& allowed) {
  const EndComponents components = end_components(moves.graph, allowed);
  for (std::uint32_t c = 0; c < moves.graph.choices(); ++c)
    if (components.is_inner[c] && !payments.is_free[c]) return true;
  return false;
}

// Gains without a goal: on to a component with a reward as probably as possible, and round in it.
std::optional<BestArrivals> gain_for_ever(const Moves& moves, Limits& limits) {
  Weights weights;
  weights.distinct.push_back(1);
  for (const NumberId reward : moves.reward)
    weights.of_arc.push_back(moves.model.rewards().rational(reward) == 0 ? 0 : 1);
  const EpochProblem problem{moves, weights, {true, Miss::none}};
  const auto base = base_of<Real>(problem, limits);
  const auto limit = base ? limit_of<Real>(problem, *base, limits) : std::nullopt;
  if (!limit) return std::nullopt;
  return BestArrivals{limit->choice, {}, true};
}

}  // namespace

std::optional<BestArrivals> best_arrivals(
    const Moves& moves, bool has_goal, bool gains, Whence whence, Limits& limits) {
  const Payments payments(moves);
  const std::vector<bool> all(moves.graph.choices(), true);
  if (!has_goal && gains && has_paying_component(moves, payments, all))
    return gain_for_ever(moves, limits);
  const Endings endings = endings_of(moves, payments, has_goal, gains);
  const bool is_certain = !has_goal && gains;
  const auto kept = is_certain
                        ? std::optional(KeptChances{std::vector<Rational>(moves.slots(), 1), all})
                        : keep_chances(moves, endings, whence, limits);
  if (!kept) return std::nullopt;
  if (has_goal && gains && has_paying_component(moves, payments, kept->keeps))
    return BestArrivals{{}, {}, false};
  if (moves.slots() <= kMostExactGroups)
    return iterate_arrivals<Exact>(moves, payments, endings, *kept, whence, limits);
  return iterate_arrivals<Real>(moves, payments, endings, *kept, whence, limits);
}

}  // namespace quantiplan
