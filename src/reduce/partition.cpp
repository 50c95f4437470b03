#include "reduce/partition.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <numeric>

#include "base/team.hpp"

namespace quantiplan {
namespace {

// Predecessors of each slot, one for each arc.
struct Predecessors {
  std::vector<std::uint64_t> begin;
  std::vector<std::uint32_t> slot;
};

Predecessors predecessors_of(const MoveGraph& graph) {
  Predecessors out;
  out.begin.assign(graph.nodes() + 1, 0);
  for (const std::uint32_t to : graph.next) ++out.begin[to + 1];
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  out.slot.resize(graph.next.size());
  std::vector<std::uint64_t> at(out.begin.begin(), out.begin.end() - 1);
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    const std::uint64_t end = graph.arc_begin[graph.choice_begin[v + 1]];
    for (std::uint64_t i = graph.arc_begin[graph.choice_begin[v]]; i < end; ++i)
      out.slot[at[graph.next[i]]++] = v;
  }
  return out;
}

class Refinement {
 public:
  Refinement(const Moves& moves, Limits& limits)
      : moves_(moves), limits_(limits), sums_(moves), predecessors_(predecessors_of(moves.graph)) {
    const auto slots = static_cast<std::uint32_t>(moves.slots());
    signatures_.emplace_back(moves, sums_);
    member_.resize(slots);
    at_.resize(slots);
    partition_.block_of.resize(slots);
    const std::vector<std::uint32_t> way = ways_to_end();
    std::uint32_t placed = 0;
    // Ends of each kind are alike.
    for (const End end : {End::goal, End::other}) {
      const std::uint32_t begin = placed;
      for (std::uint32_t v = 0; v < slots; ++v) {
        if (moves.end[v] == end) place(v, placed++);
      }
      if (placed > begin) blocks_.push_back({begin, begin, placed});
    }
    // All others are to be looked at; as many steps from an end, they may be alike.
    std::uint32_t begin = placed;
    for (std::size_t i = 0; i < way.size(); ++i) {
      if (moves.end[way[i]] == End::none) place(way[i], placed++);
      const bool is_last = i + 1 == way.size() || steps_[way[i + 1]] != steps_[way[i]];
      if (!is_last || placed == begin) continue;
      open_[queue_of(begin)].push_back(static_cast<std::uint32_t>(blocks_.size()));
      blocks_.push_back({begin, placed, placed});
      begin = placed;
    }
    steps_ = {};
  }

  std::optional<Partition> run(std::uint64_t most_work) {
    for (;;) {
      const auto queue =
          std::ranges::find_if(open_, [](const auto& waiting) { return !waiting.empty(); });
      if (queue == open_.end()) break;
      const std::uint32_t b = queue->front();
      queue->pop_front();
      if (!split(b, most_work)) return std::nullopt;
    }
    partition_.blocks = static_cast<std::uint32_t>(blocks_.size());
    return std::move(partition_);
  }

 private:
  // Members member_[begin .. end), the ones to be looked at first.
  struct Block {
    std::uint32_t begin;
    std::uint32_t open_end;
    std::uint32_t end;
  };
  struct Signed {
    std::uint64_t hash = 0;
    std::uint32_t piece = 0;  // of the words
    std::uint32_t begin = 0;  // in it
    std::uint32_t end = 0;
    std::uint32_t slot = 0;
    std::uint32_t group = 0;
  };
  using Entry = Signatures::Entry;
  // No block has this number.
  static constexpr Entry kEndOfChoice{~std::uint64_t{0}, 0};

  void place(std::uint32_t slot, std::uint32_t position) {
    member_[position] = slot;
    at_[slot] = position;
    partition_.block_of[slot] = static_cast<std::uint32_t>(blocks_.size());
  }

  // All slots, those first that are the fewest steps away from a goal, or from any end where there is
  // no goal: states that behave alike are as many steps away.
  std::vector<std::uint32_t> ways_to_end() {
    const std::size_t slots = moves_.slots();
    const bool has_goal = std::ranges::find(moves_.end, End::goal) != moves_.end.end();
    steps_.assign(slots, kNever);
    std::vector<std::uint32_t> out;
    out.reserve(slots);
    const auto meet = [&](std::uint32_t v, std::uint32_t steps) {
      if (steps_[v] != kNever) return;
      steps_[v] = steps;
      out.push_back(v);
    };
    for (std::uint32_t v = 0; v < slots; ++v) {
      if (moves_.end[v] == (has_goal ? End::goal : End::other)) meet(v, 0);
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::uint32_t v = out[i];
      for (std::uint64_t k = predecessors_.begin[v]; k < predecessors_.begin[v + 1]; ++k) {
        if (moves_.end[predecessors_.slot[k]] == End::none)
          meet(predecessors_.slot[k], steps_[v] + 1);
      }
    }
    for (std::uint32_t v = 0; v < slots; ++v) {
      if (steps_[v] == kNever) out.push_back(v);
    }
    return out;
  }

  // Blocks whose states have many outcomes wait until all others are settled, for each look at them
  // takes long.
  [[nodiscard]] std::size_t queue_of(std::uint32_t position) const {
    const MoveGraph& graph = moves_.graph;
    const std::uint32_t slot = member_[position];
    const std::uint64_t arcs =
        graph.arc_begin[graph.choice_begin[slot + 1]] - graph.arc_begin[graph.choice_begin[slot]];
    return arcs < 16 ? 0 : arcs < 128 ? 1 : arcs < 1024 ? 2 : 3;
  }

  bool split(std::uint32_t b, std::uint64_t most_work) {
    const Block old = blocks_[b];
    const bool has_others = old.open_end < old.end;
    // One that is not open stands for all that are not.
    if (!sign(old.begin, old.open_end + (has_others ? 1 : 0), most_work)) return false;
    blocks_[b].open_end = old.begin;
    if (signed_.size() == 1) return true;
    const std::uint32_t groups = group(has_others);
    if (groups > 1) divide(b, old, groups);
    return true;
  }

  // Writes the signatures of members down, those of many by all threads.
  bool sign(std::uint32_t begin, std::uint32_t end, std::uint64_t most_work) {
    constexpr std::uint32_t kMany = 2048;
    const MoveGraph& graph = moves_.graph;
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t slot = member_[i];
      work_ += 1 + graph.arc_begin[graph.choice_begin[slot + 1]] -
               graph.arc_begin[graph.choice_begin[slot]];
    }
    if (work_ > most_work) return false;
    signed_.resize(end - begin);
    if (end - begin < kMany || limits_.threads() == 1 || !sums_.are_independent()) {
      sign(0, 0, begin, begin, end);
    } else {
      constexpr std::uint32_t kPiecesPerThread = 4;
      if (!team_) team_.emplace(limits_.threads());
      const std::uint32_t pieces = kPiecesPerThread * limits_.threads();
      const std::uint32_t size = (end - begin + pieces - 1) / pieces;
      while (signatures_.size() < limits_.threads()) signatures_.emplace_back(moves_, sums_);
      words_.resize(pieces);
      team_->run(end - begin, size, [&](unsigned worker, std::size_t first, std::size_t last) {
        const auto from = static_cast<std::uint32_t>(first);
        sign(worker, from / size, begin, begin + from, begin + static_cast<std::uint32_t>(last));
      });
    }
    return !ended_;
  }
  // By one worker, into one piece of the words; `begin` is the first of all that are signed.
  void sign(unsigned worker,
            std::uint32_t piece,
            std::uint32_t begin,
            std::uint32_t from,
            std::uint32_t to) {
    Signatures& signatures = signatures_[worker];
    std::vector<Entry>& words = words_[piece];
    words.clear();
    std::size_t next_look = kWordsPerLook;
    for (std::uint32_t i = from; i < to && !ended_; ++i) {
      signatures.compute(member_[i], partition_.block_of);
      Signed& one = signed_[i - begin];
      one = {0, piece, static_cast<std::uint32_t>(words.size()), 0, member_[i], 0};
      for (const Signatures::OfChoice& of : signatures.choices()) {
        const auto entries = signatures.entries(of);
        words.insert(words.end(), entries.begin(), entries.end());
        words.push_back(kEndOfChoice);
        one.hash = stirred(one.hash + of.hash);
      }
      one.end = static_cast<std::uint32_t>(words.size());
      if (words.size() < next_look) continue;
      next_look = words.size() + kWordsPerLook;
      if (limits_.ended()) ended_ = true;
    }
    // Of small blocks, some hundred thousand words at once.
    if (piece == 0 && (small_work_ += words.size()) >= kWordsPerLook) {
      small_work_ = 0;
      if (limits_.ended()) ended_ = true;
    }
  }

  [[nodiscard]] bool same(const Signed& a, const Signed& b) const {
    return std::equal(words_[a.piece].begin() + a.begin,
                      words_[a.piece].begin() + a.end,
                      words_[b.piece].begin() + b.begin,
                      words_[b.piece].begin() + b.end);
  }

  // Numbers what differs; with others in the block, the group of theirs is the last, and the slot
  // that stood for them is dropped. Groups are in the order of their hashes, then of their slots.
  std::uint32_t group(bool has_others) {
    const std::uint32_t other = signed_.back().slot;
    const auto less = [](const Signed& a, const Signed& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.slot < b.slot;
    };
    const auto differs = [&](const Signed& a) { return !same(a, signed_.front()); };
    if (std::none_of(signed_.begin() + 1, signed_.end(), differs)) return 1;
    std::ranges::sort(signed_, less);
    firsts_.clear();
    std::uint32_t of_others = 0;
    std::size_t run = 0;  // of equal hashes: its first group
    for (std::size_t i = 0; i < signed_.size(); ++i) {
      Signed& one = signed_[i];
      if (i > 0 && one.hash != signed_[i - 1].hash) run = firsts_.size();
      std::size_t g = run;
      while (g < firsts_.size() && !same(one, signed_[firsts_[g]])) ++g;
      if (g == firsts_.size()) firsts_.push_back(i);
      one.group = static_cast<std::uint32_t>(g);
      if (one.slot == other) of_others = one.group;
    }
    const auto groups = static_cast<std::uint32_t>(firsts_.size());
    if (!has_others) return groups;
    std::erase_if(signed_, [&](const Signed& one) { return one.slot == other; });
    for (Signed& one : signed_) {
      if (one.group == of_others)
        one.group = groups - 1;
      else if (one.group > of_others)
        --one.group;
    }
    return groups;
  }

  // The groups become blocks; the greatest keeps the number of the old one.
  void divide(std::uint32_t b, const Block& old, std::uint32_t groups) {
    std::ranges::stable_sort(signed_, {}, &Signed::group);
    std::vector<std::uint32_t> ends(groups, 0);
    for (const Signed& one : signed_) ++ends[one.group];
    std::uint32_t placed = old.begin;
    for (const Signed& one : signed_) {
      member_[placed] = one.slot;
      at_[one.slot] = placed++;
    }
    std::uint32_t end = old.begin;
    for (std::uint32_t& each : ends) each = end += each;
    ends.back() = old.end;
    std::uint32_t greatest = 0;
    const auto begin_of = [&](std::uint32_t g) { return g == 0 ? old.begin : ends[g - 1]; };
    for (std::uint32_t g = 1; g < groups; ++g) {
      if (ends[g] - begin_of(g) > ends[greatest] - begin_of(greatest)) greatest = g;
    }
    blocks_[b] = {begin_of(greatest), begin_of(greatest), ends[greatest]};
    const std::size_t first_new = blocks_.size();
    for (std::uint32_t g = 0; g < groups; ++g) {
      if (g == greatest) continue;
      for (std::uint32_t i = begin_of(g); i < ends[g]; ++i)
        partition_.block_of[member_[i]] = static_cast<std::uint32_t>(blocks_.size());
      blocks_.push_back({begin_of(g), begin_of(g), ends[g]});
    }
    for (std::size_t n = first_new; n < blocks_.size(); ++n) {
      // Opening moves members within their block: go by a copy.
      moved_.assign(member_.begin() + blocks_[n].begin, member_.begin() + blocks_[n].end);
      for (const std::uint32_t v : moved_) {
        for (std::uint64_t i = predecessors_.begin[v]; i < predecessors_.begin[v + 1]; ++i)
          open(predecessors_.slot[i]);
      }
    }
  }

  void open(std::uint32_t slot) {
    if (moves_.end[slot] != End::none) return;
    Block& block = blocks_[partition_.block_of[slot]];
    if (at_[slot] < block.open_end) return;
    // A block of one cannot be split.
    if (block.end - block.begin == 1) return;
    if (block.open_end == block.begin)
      open_[queue_of(at_[slot])].push_back(partition_.block_of[slot]);
    const std::uint32_t other = member_[block.open_end];
    std::swap(member_[block.open_end], member_[at_[slot]]);
    std::swap(at_[slot], at_[other]);
    ++block.open_end;
  }

  static constexpr std::size_t kWordsPerLook = 1 << 16;
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};

  const Moves& moves_;
  Limits& limits_;
  ProbabilitySums sums_;
  std::vector<Signatures> signatures_;  // by worker
  std::optional<Team> team_;            // once there is a block for it
  Predecessors predecessors_;
  std::vector<std::uint32_t> member_;
  std::vector<std::uint32_t> at_;  // by slot: where in member_
  std::vector<Block> blocks_;
  // Blocks with members to be looked at, first come first.
  std::array<std::deque<std::uint32_t>, 4> open_;
  std::vector<std::uint32_t> steps_;  // by slot, while it begins
  Partition partition_;
  std::uint64_t work_ = 0;
  std::size_t small_work_ = 0;  // since the last look
  std::atomic<bool> ended_ = false;
  // Of the block at hand.
  std::vector<std::vector<Entry>> words_ = std::vector<std::vector<Entry>>(1);
  std::vector<Signed> signed_;
  std::vector<std::size_t> firsts_;
  std::vector<std::uint32_t> moved_;
};

}  // namespace

std::optional<Partition> coarsest_partition(const Moves& moves,
                                            std::uint64_t most_work,
                                            Limits& limits) {
  const std::uint64_t bytes = 28 * moves.graph.next.size() + 64 * moves.slots();
  limits.take(bytes, "the blocks of states that behave alike");
  std::optional<Partition> found = Refinement(moves, limits).run(most_work);
  limits.give_back(bytes);
  return found;
}

}  // namespace quantiplan
