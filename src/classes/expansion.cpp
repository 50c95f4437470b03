#include "classes/expansion.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "base/node_table.hpp"
#include "quantiplan/error.hpp"
#include "wealth/updates.hpp"

namespace quantiplan {
namespace {

class Expander {
 public:
  Expander(const Model& model,
           const ResolvedSetting& setting,
           std::shared_ptr<Structure> structure,
           Limits& limits,
           std::uint64_t most_arcs)
      : horizon_(setting.horizon),
        limits_(limits),
        most_arcs_(most_arcs),
        updates_(model, *structure),
        out_{model, setting.initial, std::move(structure), {}, {}, 0, 0, 0} {
    Expansion::Layer first;
    first.state = setting.initial.states();
    first.wealth.assign(first.state.size(), out_.structure->initial());
    out_.layers.push_back(std::move(first));
  }

  bool run() {
    for (std::uint64_t t = 0; t < horizon_; ++t) {
      if (!step(t)) {
        limits_.give_back(counted_);
        return false;
      }
      // Nothing follows: the horizon is longer than every episode.
      if (out_.layers.back().size() == 0) {
        out_.layers.pop_back();
        break;
      }
      limits_.report("expansion", static_cast<double>(t + 1) / static_cast<double>(horizon_));
    }
    count(out_.layers.size() - 1, out_.layers.back());
    rank();
    return true;
  }
  Expansion take() {
    out_.bytes = counted_;
    return std::move(out_);
  }

 private:
  bool step(std::uint64_t t) {
    Expansion::Layer& here = out_.layers.back();
    NodeTable met;
    here.begin.reserve(here.size() + 1);
    here.begin.push_back(0);
    constexpr std::uint32_t kOften = 4096;
    for (std::uint32_t i = 0; i < here.size(); ++i) {
      if (i % kOften == 0) {
        if (limits_.ended()) return false;
        require_room(t, here, met.size());
      }
      for (const Choice c : out_.model.choices(here.state[i])) {
        for (const Outcome& o : out_.model.outcomes(c)) {
          const WealthId w = updates_(here.wealth[i], o.reward);
          here.next.push_back(met.insert(
              {static_cast<std::uint32_t>(index(o.next)), static_cast<std::int64_t>(index(w))}));
        }
      }
      if (out_.arcs + here.next.size() > most_arcs_) return false;
      constexpr std::size_t kMostArcs = ~std::uint32_t{0};
      if (here.next.size() > kMostArcs) refuse(t, here.size());
      here.begin.push_back(static_cast<std::uint32_t>(here.next.size()));
    }
    here.next.shrink_to_fit();
    count(t, here);
    Expansion::Layer next;
    next.state.reserve(met.size());
    next.wealth.reserve(met.size());
    for (const Node& node : met.nodes()) {
      next.state.push_back(State{node.slot});
      next.wealth.push_back(WealthId{static_cast<std::uint32_t>(node.level)});
    }
    out_.layers.push_back(std::move(next));
    return true;
  }

  static std::uint64_t bytes_of(const Expansion::Layer& layer) {
    return layer.size() * 12 + layer.next.capacity() * 4;
  }
  void count(std::uint64_t t, const Expansion::Layer& layer) {
    out_.nodes += layer.size();
    out_.arcs += layer.next.size();
    const std::uint64_t bytes = bytes_of(layer);
    if (!limits_.would_fit(bytes)) refuse(t, layer.size());
    limits_.take(bytes, "the reachable wealths");
    counted_ += bytes;
  }
  // What is being built is not counted yet; neither are values by node, 16 bytes each.
  void require_room(std::uint64_t t, const Expansion::Layer& here, std::size_t met) {
    constexpr std::uint64_t kBytesPerValue = 16;
    const std::uint64_t bytes = bytes_of(here) + met * NodeTable::kBytesPerNode + updates_.bytes() +
                                (out_.nodes + here.size() + met) * kBytesPerValue;
    if (!limits_.would_fit(bytes)) refuse(t, met);
  }
  [[noreturn]] void refuse(std::uint64_t t, std::size_t met) const {
    throw Error(
        ErrorCode::refused,
        "memory",
        "after " + std::to_string(t) + " of " + std::to_string(horizon_) + " steps " +
            std::to_string(out_.nodes + met) + " triples (time, state, wealth) and " +
            std::to_string(out_.structure->size()) +
            " levels of wealth were met, and more do not fit " + bytes_text(limits_.limit()) +
            "; expected a shorter --horizon, rewards or labels of fewer values (rounded, or "
            "merged), or a larger --memory-limit");
  }

  void rank() {
    std::vector<bool> seen(out_.structure->size(), false);
    std::vector<WealthId> finals;
    for (std::size_t t = 0; t < out_.layers.size(); ++t) {
      for (std::uint32_t i = 0; i < out_.layers[t].size(); ++i) {
        if (!out_.is_final(t, i)) continue;
        const WealthId w = out_.layers[t].wealth[i];
        if (seen[index(w)]) continue;
        seen[index(w)] = true;
        finals.push_back(w);
      }
    }
    out_.final_classes = Ranking::of(*out_.structure, std::move(finals));
  }

  std::uint64_t horizon_;
  Limits& limits_;
  std::uint64_t most_arcs_;
  Updates updates_;
  Expansion out_;
  std::uint64_t counted_ = 0;
};

}  // namespace

std::optional<Expansion> expand(const Model& model,
                                const ResolvedSetting& setting,
                                std::shared_ptr<Structure> structure,
                                Limits& limits,
                                std::uint64_t most_arcs) {
  Expander expander(model, setting, std::move(structure), limits, most_arcs);
  if (!expander.run()) return std::nullopt;
  return expander.take();
}

}  // namespace quantiplan
