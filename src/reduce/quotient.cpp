#include "reduce/quotient.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "model/components.hpp"
#include "reduce/partition.hpp"

namespace quantiplan {
namespace {

// A pass over some levels of wealth takes as long. Most partitions take 3 to 5.
constexpr std::uint64_t kMostSweeps = 32;

// By slot: an end, or from which one of `is_source` can be reached.
std::vector<bool> leads_there(const MoveGraph& graph, std::vector<bool> is_source) {
  std::vector<std::uint64_t> begin(graph.nodes() + 1, 0);
  for (const std::uint32_t to : graph.next) ++begin[to + 1];
  for (std::size_t v = 0; v < graph.nodes(); ++v) begin[v + 1] += begin[v];
  std::vector<std::uint32_t> before(graph.next.size());
  std::vector<std::uint64_t> at(begin.begin(), begin.end() - 1);
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    const std::uint64_t end = graph.arc_begin[graph.choice_begin[v + 1]];
    for (std::uint64_t i = graph.arc_begin[graph.choice_begin[v]]; i < end; ++i)
      before[at[graph.next[i]]++] = v;
  }
  std::vector<std::uint32_t> open;
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    if (is_source[v]) open.push_back(v);
  }
  while (!open.empty()) {
    const std::uint32_t v = open.back();
    open.pop_back();
    for (std::uint64_t i = begin[v]; i < begin[v + 1]; ++i) {
      if (is_source[before[i]]) continue;
      is_source[before[i]] = true;
      open.push_back(before[i]);
    }
  }
  return is_source;
}

// States from which nothing matters any more become ends. Rewards of both signs, which an infinite
// horizon does not take, are not to vanish with them.
void end_decided(const ResolvedSetting& setting, Moves& moves) {
  if (setting.is_infinite()) {
    const Signs signs = signs_of(moves);
    if (signs.gain && signs.loss) return;
  }
  const MoveGraph& graph = moves.graph;
  std::vector<bool> matters(moves.slots(), false);
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    if (!setting.goal.empty()) {
      matters[v] = moves.end[v] == End::goal;
      continue;
    }
    const std::uint64_t end = graph.arc_begin[graph.choice_begin[v + 1]];
    for (std::uint64_t i = graph.arc_begin[graph.choice_begin[v]]; i < end && !matters[v]; ++i)
      matters[v] = !moves.model.rewards().is_zero(moves.reward[i]);
  }
  matters = leads_there(graph, std::move(matters));
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    if (moves.end[v] == End::none && !matters[v]) moves.end[v] = End::other;
  }
}

// Blocks in the order of their first states, which give them their names.
struct Firsts {
  std::vector<std::uint32_t> position;  // by block
  std::vector<std::uint32_t> slot;      // by position
};

Firsts firsts_of(const Moves& moves, const Partition& partition) {
  constexpr std::uint32_t kNone = ReducedModel::kNone;
  Firsts out;
  out.position.assign(partition.blocks, kNone);
  for (const std::uint32_t v : moves.slot_of) {
    if (v == Moves::kNoSlot) continue;
    std::uint32_t& position = out.position[partition.block_of[v]];
    if (position != kNone) continue;
    position = static_cast<std::uint32_t>(out.slot.size());
    out.slot.push_back(v);
  }
  return out;
}

class Quotient {
 public:
  Quotient(const Moves& moves, const Partition& partition)
      : moves_(moves),
        partition_(partition),
        firsts_(firsts_of(moves, partition)),
        sums_(moves),
        of_first_(moves, sums_),
        of_member_(moves, sums_) {}

  // Nullopt if the blocks are none, or the limits ended it.
  std::optional<ReducedModel> make(const ResolvedSetting& setting, Limits& limits) {
    const Model& model = moves_.model;
    const double part =
        static_cast<double>(partition_.blocks) / static_cast<double>(moves_.slots());
    limits.take(8 * model.state_count() + 4 * model.choice_count() + 32 * partition_.blocks +
                    static_cast<std::uint64_t>(part * static_cast<double>(model.bytes())),
                "the model of states that behave alike");
    std::vector<std::uint32_t> state_of(model.state_count(), ReducedModel::kNone);
    for (std::size_t v = 0; v < moves_.slots(); ++v)
      state_of[index(moves_.state[v])] = firsts_.position[partition_.block_of[v]];
    std::vector<std::uint32_t> choice_of(model.choice_count(), ReducedModel::kNone);
    auto small = build(choice_of, limits);
    if (!small) return std::nullopt;
    ResolvedSetting own = reduced_setting(setting, state_of);
    return ReducedModel{*std::move(small),
                        std::move(own),
                        std::move(state_of),
                        std::move(choice_of),
                        moves_.slots()};
  }

 private:
  std::optional<Model> build(std::vector<std::uint32_t>& choice_of, const Limits& limits) {
    std::vector<State> states;
    for (const std::uint32_t v : firsts_.slot) states.push_back(moves_.state[v]);
    ModelBuilder builder;
    begin_smaller(builder, moves_.model, std::move(states));
    const Members members = members_by_position();
    std::uint32_t choices = 0;
    for (std::uint32_t position = 0; position < firsts_.slot.size(); ++position) {
      if (position % kBlocksPerLook == 0 && limits.ended()) return std::nullopt;
      const std::uint32_t first = firsts_.slot[position];
      if (moves_.end[first] != End::none) continue;
      of_first_.compute(first, partition_.block_of);
      add_choices(builder, State{position}, first, choices);
      for (std::uint32_t m = members.begin[position]; m < members.begin[position + 1]; ++m) {
        if (!set_choices(members.node[m], first, choice_of)) return std::nullopt;
      }
      choices += static_cast<std::uint32_t>(number_of_.size());
    }
    return builder.build();
  }

  [[nodiscard]] Members members_by_position() const {
    Components positions{std::vector<std::uint32_t>(moves_.slots()), partition_.blocks};
    for (std::uint32_t v = 0; v < moves_.slots(); ++v)
      positions.of_node[v] = firsts_.position[partition_.block_of[v]];
    return members_of(positions);
  }

  // Distinct choices in the order of the first member; their numbers in the order of signatures.
  void add_choices(ModelBuilder& builder, State state, std::uint32_t first, std::uint32_t number) {
    const MoveGraph& graph = moves_.graph;
    number_of_.assign(of_first_.choices().size(), ReducedModel::kNone);
    for (std::uint32_t c = graph.choice_begin[first]; c < graph.choice_begin[first + 1]; ++c) {
      const std::uint32_t position = of_first_.class_of()[c - graph.choice_begin[first]];
      if (number_of_[position] != ReducedModel::kNone) continue;
      number_of_[position] = number++;
      builder.begin_choice(state, moves_.model.action_name(moves_.choice[c]));
      outcomes_.clear();
      for (const Signatures::Entry& entry : of_first_.entries(of_first_.choices()[position])) {
        const auto block = static_cast<std::uint32_t>(entry.block_and_reward >> 32U);
        const auto reward = static_cast<std::uint32_t>(entry.block_and_reward);
        outcomes_.push_back({State{firsts_.position[block]}, reward, entry.probability});
      }
      // In an order that numbers of blocks have no part in.
      std::ranges::sort(outcomes_, {}, [](const Merged& o) { return std::pair(o.next, o.reward); });
      for (const Merged& o : outcomes_)
        builder.add_outcome(o.next, probability(o.probability), reward(o.reward));
    }
  }

  const Number& probability(std::uint64_t whole) {
    const auto [known, is_new] = probabilities_.try_emplace(whole);
    if (is_new) known->second = sums_.number(whole);
    return known->second;
  }
  const Number& reward(std::uint32_t id) {
    const auto [known, is_new] = rewards_.try_emplace(id);
    if (is_new) known->second = Number(moves_.model.rewards().rational(NumberId{id}));
    return known->second;
  }

  // What the choices of a member are, compared with those of the first, entry by entry.
  bool set_choices(std::uint32_t member,
                   std::uint32_t first,
                   std::vector<std::uint32_t>& choice_of) {
    if (member == first) {
      number_choices(of_first_, member, choice_of);
      return true;
    }
    of_member_.compute(member, partition_.block_of);
    const auto ours = of_first_.choices();
    const auto theirs = of_member_.choices();
    const bool are_alike =
        std::equal(ours.begin(),
                   ours.end(),
                   theirs.begin(),
                   theirs.end(),
                   [&](const Signatures::OfChoice& a, const Signatures::OfChoice& b) {
                     const auto of_a = of_first_.entries(a);
                     const auto of_b = of_member_.entries(b);
                     return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end());
                   });
    if (!are_alike) return false;
    number_choices(of_member_, member, choice_of);
    return true;
  }

  void number_choices(const Signatures& own,
                      std::uint32_t member,
                      std::vector<std::uint32_t>& choice_of) const {
    const std::uint32_t begin = moves_.graph.choice_begin[member];
    for (std::uint32_t k = 0; k < own.class_of().size(); ++k)
      choice_of[index(moves_.choice[begin + k])] = number_of_[own.class_of()[k]];
  }

  static constexpr std::uint32_t kBlocksPerLook = 4096;

  const Moves& moves_;
  const Partition& partition_;
  Firsts firsts_;
  ProbabilitySums sums_;
  Signatures of_first_;
  Signatures of_member_;
  struct Merged {
    State next;
    std::uint32_t reward;
    std::uint64_t probability;
  };
  std::vector<Merged> outcomes_;          // of the choice at hand
  std::vector<std::uint32_t> number_of_;  // of the block at hand: by position among its choices
  std::unordered_map<std::uint64_t, Number> probabilities_;
  std::unordered_map<std::uint32_t, Number> rewards_;
};

}  // namespace

std::optional<ReducedModel> quotient_of(const Model& model,
                                        const ResolvedSetting& setting,
                                        double least_gain,
                                        Limits& limits) {
  auto moves = Moves::lay_out(model, setting, limits);
  if (!moves) return std::nullopt;
  const auto is_goal = [](End end) { return end == End::goal; };
  if (!setting.goal.empty() && std::ranges::none_of(moves->end, is_goal)) return std::nullopt;
  if (model.wealth().is_sum() && !setting.structure) end_decided(setting, *moves);
  // A model has a choice.
  const auto is_end = [](End end) { return end != End::none; };
  if (std::ranges::all_of(moves->end, is_end)) return std::nullopt;
  const std::uint64_t sweep = moves->graph.next.size() + moves->slots();
  const auto partition = coarsest_partition(*moves, kMostSweeps * sweep, limits);
  if (!partition) return std::nullopt;
  const auto met = static_cast<double>(moves->slots());
  if (partition->blocks == moves->slots() || partition->blocks > met * (1 - least_gain))
    return std::nullopt;
  return Quotient(*moves, *partition).make(setting, limits);
}

}  // namespace quantiplan
