#include "reduce/chains.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "infinite/levels/moves.hpp"
#include "infinite/levels/weights.hpp"
#include "numbers/interner.hpp"

namespace quantiplan {
namespace {

// Where a slot leads in the end, and what is collected on the way: the number of a sum.
struct WayOn {
  std::uint32_t slot;
  std::uint32_t sum;
};

// Distinct sums of rewards, few of them; the first is 0.
class RewardSums {
 public:
  explicit RewardSums(const NumberTable& rewards) : rewards_(rewards) { sums_.intern(Number()); }
  [[nodiscard]] std::size_t size() const { return sums_.size(); }
  [[nodiscard]] Number number(std::uint32_t sum) const { return sums_.number(NumberId{sum}); }
  // That of a reward and a sum.
  std::uint32_t add(NumberId reward, std::uint32_t sum) {
    const auto [known, is_new] = known_.try_emplace(std::uint64_t{index(reward)} << 32U | sum);
    if (is_new) {
      const Number total = Number(rewards_.rational(reward)) + number(sum);
      known->second = static_cast<std::uint32_t>(index(sums_.intern(total)));
    }
    return known->second;
  }

 private:
  const NumberTable& rewards_;
  NumberInterner sums_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // by reward and sum
};

class Chains {
 public:
  explicit Chains(const Moves& moves)
      : moves_(moves),
        kind_(moves.slots(), Kind::unknown),
        end_(moves.slots()),
        collected_(moves.slots(), 0),
        sums_(moves.model.rewards()) {
    for (std::uint32_t v = 0; v < moves.slots(); ++v) follow(v);
  }

  [[nodiscard]] std::size_t passed_over() const { return passed_over_; }
  [[nodiscard]] bool is_kept(std::uint32_t slot) const { return kind_[slot] == Kind::kept; }
  // Itself, of a slot that is kept.
  [[nodiscard]] WayOn from(std::uint32_t slot) const {
    if (is_kept(slot)) return {slot, 0};
    return {end_[slot], collected_[slot]};
  }
  [[nodiscard]] RewardSums& sums() { return sums_; }

 private:
  enum class Kind : std::uint8_t { unknown, on_the_way, kept, passed };

  [[nodiscard]] bool has_one_way(std::uint32_t v) const {
    const MoveGraph& graph = moves_.graph;
    if (v < moves_.starts || moves_.end[v] != End::none) return false;
    const std::uint32_t c = graph.choice_begin[v];
    return graph.choice_begin[v + 1] - c == 1 && graph.arc_begin[c + 1] - graph.arc_begin[c] == 1;
  }
  [[nodiscard]] std::uint64_t arc(std::uint32_t v) const {
    return moves_.graph.arc_begin[moves_.graph.choice_begin[v]];
  }

  void follow(std::uint32_t v) {
    way_.clear();
    while (kind_[v] == Kind::unknown && has_one_way(v)) {
      kind_[v] = Kind::on_the_way;
      way_.push_back(v);
      v = moves_.graph.next[arc(v)];
    }
    if (kind_[v] == Kind::unknown) kind_[v] = Kind::kept;
    // Back on the way itself: a cycle, which is kept.
    if (kind_[v] == Kind::on_the_way) {
      while (way_.back() != v) {
        kind_[way_.back()] = Kind::kept;
        way_.pop_back();
      }
      kind_[v] = Kind::kept;
      way_.pop_back();
    }
    while (!way_.empty()) {
      const std::uint32_t passed = way_.back();
      way_.pop_back();
      const std::uint64_t i = arc(passed);
      const WayOn on = from(moves_.graph.next[i]);
      end_[passed] = on.slot;
      collected_[passed] = sums_.add(moves_.reward[i], on.sum);
      kind_[passed] = Kind::passed;
      ++passed_over_;
    }
  }

  const Moves& moves_;
  std::vector<Kind> kind_;
  std::vector<std::uint32_t> end_;
  std::vector<std::uint32_t> collected_;
  RewardSums sums_;
  std::vector<std::uint32_t> way_;
  std::size_t passed_over_ = 0;
};

// Rewards beyond this many units are left alone: levels are counted in 64-bit integers.
bool stay_small(const RewardSums& sums, const Rational& unit) {
  const Rational most = unit * Rational(Integer(1) << 48U);
  for (std::uint32_t sum = 0; sum < sums.size(); ++sum) {
    if (abs(sums.number(sum).rational()) > most) return false;
  }
  return true;
}

ReducedModel shortened_model(const Moves& moves, Chains& chains, const ResolvedSetting& setting) {
  const Model& model = moves.model;
  std::vector<std::uint32_t> state_of(model.state_count(), ReducedModel::kNone);
  std::vector<std::uint32_t> choice_of(model.choice_count(), ReducedModel::kNone);
  std::vector<State> states;
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    const std::uint32_t v = moves.slot_of[s];
    if (v == Moves::kNoSlot || !chains.is_kept(v)) continue;
    state_of[s] = static_cast<std::uint32_t>(states.size());
    states.push_back(State{s});
  }
  ModelBuilder builder;
  begin_smaller(builder, model, std::move(states));
  std::vector<std::optional<Number>> probabilities(model.probabilities().size());
  const auto probability = [&](NumberId id) -> const Number& {
    std::optional<Number>& known = probabilities[index(id)];
    if (!known) known.emplace(model.probabilities().rational(id));
    return *known;
  };
  std::uint32_t choices = 0;
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    if (state_of[s] == ReducedModel::kNone || moves.end[moves.slot_of[s]] != End::none) continue;
    for (const Choice c : model.choices(State{s})) {
      choice_of[index(c)] = choices++;
      builder.begin_choice(State{state_of[s]}, model.action_name(c));
      for (const Outcome& o : model.outcomes(c)) {
        const WayOn on = chains.from(moves.slot_of[index(o.next)]);
        builder.add_outcome(State{state_of[index(moves.state[on.slot])]},
                            probability(o.probability),
                            chains.sums().number(chains.sums().add(o.reward, on.sum)));
      }
    }
  }
  ResolvedSetting own = reduced_setting(setting, state_of);
  return {
      builder.build(), std::move(own), std::move(state_of), std::move(choice_of), moves.slots()};
}

}  // namespace

std::optional<ReducedModel> without_chains(const Model& model,
                                           const ResolvedSetting& setting,
                                           Limits& limits) {
  const auto moves = Moves::lay_out(model, setting, limits);
  if (!moves || limits.ended()) return std::nullopt;
  const auto is_goal = [](End end) { return end == End::goal; };
  if (!setting.goal.empty() && std::ranges::none_of(moves->end, is_goal)) return std::nullopt;
  const auto weights = exact_weights(*moves);
  const Signs signs = signs_of(*moves);
  if (!weights || (signs.gain && signs.loss)) return std::nullopt;
  limits.take(48 * moves->slots(), "the states with one way on");
  Chains chains(*moves);
  if (chains.passed_over() == 0 || limits.ended() || !stay_small(chains.sums(), weights->unit))
    return std::nullopt;
  limits.take(8 * model.state_count() + 4 * model.choice_count() + model.bytes(),
              "the model without states that have one way on");
  return shortened_model(*moves, chains, setting);
}

ReducedModel composed(const ReducedModel& first, ReducedModel second) {
  const auto chained = [](const std::vector<std::uint32_t>& one,
                          const std::vector<std::uint32_t>& two) {
    std::vector<std::uint32_t> out(one.size(), ReducedModel::kNone);
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (one[i] != ReducedModel::kNone) out[i] = two[one[i]];
    }
    return out;
  };
  second.state_of = chained(first.state_of, second.state_of);
  second.choice_of = chained(first.choice_of, second.choice_of);
  second.states_met = first.states_met;
  return second;
}

}  // namespace quantiplan
