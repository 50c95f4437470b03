#include "evaluate/infinite/undiscounted.hpp"

#include <limits>
#include <map>

#include "evaluate/infinite/flow.hpp"
#include "evaluate/infinite/pace.hpp"
#include "evaluate/infinite/pending_levels.hpp"
#include "evaluate/infinite/rational_budget.hpp"
#include "evaluate/infinite/two_numbers.hpp"

namespace quantiplan {
namespace {

constexpr double kNegligible = 1e-12;             // mass that need not be followed
constexpr std::uint64_t kMostNodes = 10'000'000;  // pairs of state and count
constexpr std::uint64_t kManyNodes = 1'000'000;   // for mass that is negligible

// Exact where nobody notices the time it takes.
constexpr std::uint64_t kFewNodes = 20'000;
constexpr std::size_t kSmallBlock = 40;
constexpr double kBudget = 2e8;

template <class N>
class Levels {
 public:
  Levels(const StationaryRules& rules, Verdicts& verdicts, Limits& limits, RationalBudget budget)
      : rules_(rules),
        limits_(limits),
        budget_(budget),
        verdicts_(verdicts),
        sign_(rules.direction() == StationaryRules::Direction::down ? -1 : 1),
        pending_(error_),
        flow_(rules, verdicts, limits, error_) {}

  // Nullopt if the limits ended it.
  std::optional<Distribution> run() {
    const InitialStates& initial = rules_.policy().setting.initial;
    for (const auto& [state, mu] : initial) {
      const N mass = as<N>(mu);
      if (!initial.is_certain()) error_.rounded(mass, 1);
      add(0, state, mass);
    }
    // Step 1: levels whose rules depend on the count.
    while (!is_done(false) && !rules_.is_settled(sign_ * pending_.first())) {
      if (!take_level(true)) return std::nullopt;
    }
    const bool all_settled = pending_.empty() || rules_.is_settled(sign_ * pending_.first());
    // Step 2: the limit of the settled chain.
    if (all_settled && !settle()) return std::nullopt;
    // Step 3: finite totals, level by level.
    while (all_settled && !is_done(true)) {
      if (!take_level(false)) return std::nullopt;
    }
    return collect(all_settled);
  }

  [[nodiscard]] std::uint64_t nodes() const { return flow_.nodes(); }
  [[nodiscard]] std::size_t largest_block() const { return flow_.largest_block(); }

 private:
  void add(std::int64_t level, State s, const N& mass) {
    if (mass == 0) return;  // a product that underflowed
    pending_.add({rules_.rank(s), level}, s, mass);
    pending_mass_ += nearest(mass);
  }

  // Mass that rules still treat by its count is followed further: where it settles, its share of
  // misses and of the mean becomes known.
  [[nodiscard]] bool is_done(bool are_settled) {
    // Atoms are copied into the distribution, levels while they are taken.
    if (pending_.empty() || flow_.nodes() > kMostNodes ||
        !limits_.would_fit(2 * (pending_.bytes() + atom_bytes_)))
      return true;
    if (pending_mass_ > 2 * kNegligible || (!are_settled && flow_.nodes() < kManyNodes))
      return false;
    // The running sum has been added to and taken from many times.
    pending_mass_ = nearest(pending_.sum());
    return pending_mass_ <= kNegligible;
  }

  // One level: what ends there is an atom, what counts goes on to other levels.
  bool take_level(bool count_all) {
    if (limits_.ended()) return false;
    const std::int64_t level = pending_.first();
    const std::vector<StateMass<N>> enters = pending_.take_first();
    for (const StateMass<N>& entry : enters) pending_mass_ -= nearest(entry.mass);
    Ended<N> ended;
    const auto leave = [&](const Outcome& o, const N& mass) {
      budget_.spend(mass);
      const std::int64_t next = rules_.after(sign_ * level, o);
      add(sign_ * next, o.next, mass);
    };
    const auto visit = [&](Choice c, const N& visits) {
      if (count_all) count_mean(c, visits);
    };
    if (!flow_.run(sign_ * level, Flow<N>::Moves::unpaid, enters, ended, leave, visit))
      return false;
    if (ended.total > 0) end_at(level, ended.total);
    // Later ones are known from the limit of the settled chain.
    if (count_all && ended.miss > 0) misses_.push_back(ended.miss);
    limits_.report("distribution", 1 - std::min(1.0, pending_mass_));
    return true;
  }

  void end_at(std::int64_t level, const N& mass) {
    const auto [at, is_new] = atoms_.try_emplace(level, 0);
    N& atom = at->second;
    atom += mass;
    constexpr std::uint64_t kNode = 64;
    if (is_new) atom_bytes_ += kNode + bytes_of(atom);
    error_.rounded(atom, 1);
  }

  bool settle() {
    const std::vector<StateMass<N>> enters = pending_.by_state();
    const auto leave = [](const Outcome&, const N&) {};
    const auto visit = [&](Choice c, const N& visits) {
      budget_.spend(visits);
      count_mean(c, visits);
      if (weighs_arrivals()) weigh(c, visits);
    };
    if (enters.empty()) return true;
    const std::int64_t k = sign_ * pending_.first();
    if (!flow_.run(k, Flow<N>::Moves::all, enters, settled_, leave, visit)) return false;
    return !weighs_arrivals() || (settled_.miss == 0 && misses_.empty()) || arrive(k);
  }

  [[nodiscard]] bool weighs_arrivals() const {
    return rules_.has_goal() && rules_.direction() != StationaryRules::Direction::both;
  }

  // What the visits to a choice count, put where it leads.
  void weigh(Choice c, const N& visits) {
    if (!rules_.pays(c)) return;
    for (const Outcome& o : rules_.model().outcomes(c)) {
      const std::int64_t counted = sign_ * rules_.counts(o);
      if (counted == 0) continue;
      const N product = visits * as<N>(rules_.model().probability(o)) * as<N>(Rational(counted));
      budget_.spend(product);
      weighed_[o.next] += product;
    }
  }

  // E[level at the goal; goal]: whatever was counted arrives with the chance of the place where it
  // was counted, so it is sent through the chain like mass. False if the limits ended it.
  bool arrive(std::int64_t k) {
    pending_.for_each([&](std::int64_t level, const StateMass<N>& entry) {
      weighed_[entry.state] += entry.mass * as<N>(Rational(level));
    });
    std::vector<StateMass<N>> enters;
    for (const auto& [state, weight] : weighed_) {
      if (weight != 0) enters.push_back({state, weight});
    }
    MassError<N> error;  // of no probability
    Flow<N> flow(rules_, verdicts_, limits_, error);
    Ended<N> ended;
    const auto spend = [&](Choice, const N& visits) { budget_.spend(visits); };
    const auto leave = [](const Outcome&, const N&) {};
    if (!flow.run(k, Flow<N>::Moves::all, enters, ended, leave, spend)) return false;
    arrived_ = ended.total;
    for (const auto& [level, mass] : atoms_) *arrived_ += mass * as<N>(Rational(level));
    return true;
  }

  void count_mean(Choice c, const N& visits) {
    if (!rules_.pays(c)) return;
    N counted = 0;
    for (const Outcome& o : rules_.model().outcomes(c)) {
      if constexpr (std::is_same_v<N, double>) {
        counted += rules_.model().probabilities().nearest(o.probability) *
                   static_cast<double>(rules_.counts(o));
      } else {
        counted += rules_.model().probability(o) * Rational(Integer(rules_.counts(o)));
      }
    }
    mean_ += visits * counted;
  }

  [[nodiscard]] Total wealth(std::int64_t level) const {
    return Rational(rules_.wealth_unit() * Rational(Integer(sign_ * level)));
  }
  [[nodiscard]] bool is_ascending() const { return sign_ * sgn(rules_.wealth_unit()) > 0; }

  Distribution collect(bool all_settled) {
    Distribution d;
    N miss = settled_.miss;
    for (const N& p : misses_) miss += p;
    if (miss > 0) d.atoms.push_back({Total::miss(), value(miss)});
    const bool has_infinite = settled_.infinite > 0;
    const Total end = is_ascending() ? Total::plus_infinity() : Total::minus_infinity();
    if (has_infinite && !is_ascending()) d.atoms.push_back({end, value(settled_.infinite)});
    const std::size_t finite_begin = d.atoms.size();
    for (const auto& [level, mass] : atoms_) d.atoms.push_back({wealth(level), value(mass)});
    if (!is_ascending())
      std::reverse(d.atoms.begin() + static_cast<std::ptrdiff_t>(finite_begin), d.atoms.end());
    if (has_infinite && is_ascending()) d.atoms.push_back({end, value(settled_.infinite)});
    bound_errors(d, miss);
    if (!pending_.empty()) d.rest = rest(all_settled, d);
    set_mean(d, all_settled, miss > 0, has_infinite);
    if (arrived_) d.goal_mean = value(N(*arrived_ * as<N>(Rational(sign_ * rules_.wealth_unit()))));
    return d;
  }

  void bound_errors(Distribution& d, const N& miss) {
    if constexpr (std::is_same_v<N, double>) {
      error_.rounded(miss, static_cast<double>(misses_.size() + 1));
      // Sums of atoms add one rounding for each.
      d.relative_error = relative_after(Integer(d.atoms.size() + 1));
      d.absolute_error = error_.bound();
    } else {
      static_cast<void>(miss);
      static_cast<void>(d);
    }
  }

  // Finite totals beyond the last level, or, where levels with rules of their own are left,
  // anything that may become of them.
  [[nodiscard]] RestOfDistribution rest(bool all_settled, const Distribution& d) const {
    RestOfDistribution rest{Total::minus_infinity(), Total::plus_infinity(), 0};
    if (rules_.direction() != StationaryRules::Direction::both)
      (is_ascending() ? rest.from : rest.to) = wealth(pending_.first());
    if (!all_settled && rules_.has_goal()) rest.from = Total::miss();
    // Of what is left, some may be a miss or infinite, which was counted; of all mass, no more is
    // left than the atoms leave.
    const double rounded_up = 1 + 0x1p-40;
    rest.probability = nearest(pending_.sum()) * rounded_up + d.absolute_error;
    if constexpr (!std::is_same_v<N, double>) {
      Rational left = 1;
      for (const Atom& atom : d.atoms) left -= *atom.probability.exact;
      rest.probability = std::min(rest.probability, left.get_d() * rounded_up);
    }
    rest.probability = std::min(rest.probability, 1.0);
    return rest;
  }

  void set_mean(Distribution& d, bool all_settled, bool has_misses, bool has_infinite) const {
    const double infinity = std::numeric_limits<double>::infinity();
    if (has_misses || !all_settled) {
      d.mean = {std::numeric_limits<double>::quiet_NaN(), std::nullopt};
    } else if (has_infinite) {
      d.mean = {is_ascending() ? infinity : -infinity, std::nullopt};
    } else if constexpr (std::is_same_v<N, double>) {
      d.mean = {mean_ * to_nearest_double(rules_.wealth_unit()), std::nullopt};
    } else {
      d.mean = value(Rational(mean_ * rules_.wealth_unit()));
    }
  }

  const StationaryRules& rules_;
  Limits& limits_;
  RationalBudget budget_;
  Verdicts& verdicts_;
  std::int64_t sign_;  // k = sign * level
  MassError<N> error_;
  PendingLevels<N> pending_;
  Flow<N> flow_;
  double pending_mass_ = 0;
  std::map<std::int64_t, N> atoms_;  // by level
  std::uint64_t atom_bytes_ = 0;
  std::vector<N> misses_;
  Ended<N> settled_;
  N mean_ = 0;                  // in units of k
  std::map<State, N> weighed_;  // levels that were counted on the way to a state, times mass
  std::optional<N> arrived_;    // E[level; goal], where some miss it
};

}  // namespace

std::optional<Distribution> undiscounted_distribution(const Model& model,
                                                      const Policy& policy,
                                                      const Options& options,
                                                      Limits& limits) {
  const StationaryRules rules(model, policy);
  Verdicts verdicts(rules);
  bool is_small = false;
  const auto run = [&]<class N>(const RationalBudget& budget) {
    Levels<N> levels(rules, verdicts, limits, budget);
    auto found = levels.run();
    is_small = levels.nodes() <= kFewNodes && levels.largest_block() <= kSmallBlock;
    return found;
  };
  return in_either(options.arithmetic, kBudget, run, [&] { return is_small; });
}

}  // namespace quantiplan
