#include "attitudes/rests.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "attitudes/residual_runs.hpp"
#include "attitudes/tail.hpp"
#include "base/node_table.hpp"

namespace quantiplan {
namespace {

constexpr std::uint64_t kPlacesPerTake = 1024;

}  // namespace

// The places met, and what the policy does there.
struct Rests::Met {
  const ResidualRuns& runs;
  std::vector<NodeTable> places;             // (slot, residual), by time
  std::vector<std::vector<Choice>> choices;  // beside them; meaningless where all is over
  std::uint64_t bytes = 0;

  [[nodiscard]] Node after(const Stages& stages,
                           std::uint64_t t,
                           const Node& place,
                           const Outcome& o) const {
    const auto slot = static_cast<std::uint32_t>(stages.layer(t + 1).slot(o.next));
    return {slot, runs.next_residual(t, place.level, o, slot)};
  }
};

Rests::Rests(const Stages& stages, const Policy& policy, Limits& limits)
    : stages_(stages), limits_(limits), rests_(stages.horizon() + 1), next_(stages.horizon() + 1) {
  const ResidualRuns runs(stages, policy);
  Met met{runs, {}, {}};
  try {
    go_forward(met);
    go_backward(met);
  } catch (...) {
    limits_.give_back(met.bytes + taken_);
    throw;
  }
  limits_.give_back(met.bytes);
}

Rests::~Rests() { limits_.give_back(taken_); }

void Rests::choices(std::uint64_t time, std::uint32_t node, std::vector<Choice>& out) const {
  out.clear();
  const Rest& rest = rests_[time][node];
  if (!rest.is_over) out.push_back(rest.choice);
}

void Rests::go_forward(Met& met) {
  met.places.resize(stages_.horizon() + 1);
  met.choices.resize(stages_.horizon() + 1);
  met.places[0].insert({0, met.runs.first_residual()});
  constexpr std::uint64_t kBytes =
      kPlacesPerTake * (NodeTable::kBytesPerNode + sizeof(Choice) + sizeof(std::uint32_t));
  std::uint64_t count = 0;
  for (std::uint64_t t = 0; t < stages_.horizon(); ++t) {
    for (std::size_t i = 0; i < met.places[t].size(); ++i) {
      if (count++ % kPlacesPerTake == 0) {
        limits_.take(kBytes, "the places that the policy meets");
        met.bytes += kBytes;
        if (limits_.ended()) throw WorkEnded();
      }
      const Node place = met.places[t].nodes()[i];
      Choice& c = met.choices[t].emplace_back();
      if (stages_.is_over(t, stages_.layer(t).state(place.slot))) continue;
      c = met.runs.choose(t, place.slot, place.level);
      for (const Outcome& o : stages_.model().outcomes(c))
        met.places[t + 1].insert(met.after(stages_, t, place, o));
    }
  }
}

void Rests::go_backward(const Met& met) {
  std::vector<std::uint32_t> later;  // the rest of each place of the next time
  std::u32string key;                // slot, choice, later rests
  for (std::uint64_t t = stages_.horizon() + 1; t-- > 0;) {
    std::unordered_map<std::u32string, std::uint32_t> known;
    std::vector<std::uint32_t> now;
    const auto& places = met.places[t].nodes();
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i % kPlacesPerTake == 0 && limits_.ended()) throw WorkEnded();
      const std::uint32_t slot = places[i].slot;
      Rest rest{slot, stages_.is_over(t, stages_.layer(t).state(slot)), {}, next_[t].size()};
      key.assign(1, slot);
      if (!rest.is_over) {
        rest.choice = met.choices[t][i];
        key.push_back(static_cast<char32_t>(index(rest.choice)));
        for (const Outcome& o : stages_.model().outcomes(rest.choice))
          key.push_back(later[met.places[t + 1].find(met.after(stages_, t, places[i], o))]);
      }
      const auto [at, is_new] = known.emplace(key, static_cast<std::uint32_t>(rests_[t].size()));
      if (is_new) {
        take(sizeof(Rest) + 12 * key.size() + 64);
        if (!rest.is_over) next_[t].insert(next_[t].end(), key.begin() + 2, key.end());
        rests_[t].push_back(rest);
      }
      now.push_back(at->second);
    }
    later = std::move(now);
  }
}

void Rests::take(std::uint64_t bytes) {
  static const std::string kWhat = "what is left of the policy at every place";
  limits_.take(bytes, kWhat);
  taken_ += bytes;
}

Rests::Cost Rests::cost_of_laws(const Windows& windows) const {
  Cost cost;
  double later_bytes = 0;
  std::vector<double> later(nodes(stages_.horizon()), 0);  // steps of each law
  for (std::uint64_t t = stages_.horizon(); t-- > 0;) {
    std::vector<double> now(nodes(t), 0);
    double bytes = 0;
    for (std::uint32_t node = 0; node < now.size(); ++node) {
      const Rest& rest = rests_[t][node];
      if (rest.is_over) continue;
      const auto outcomes = stages_.model().outcomes(rest.choice).size();
      for (std::size_t which = 0; which < outcomes; ++which)
        now[node] += later[next_[t][rest.first + which]] + 1;
      const Window& window = windows.at(t, rest.slot);
      now[node] = std::min(now[node], static_cast<double>(window.possible - window.least));
      bytes += static_cast<double>(sizeof(Tail)) + 16 * now[node];
      cost.multiply_adds += static_cast<double>(outcomes) * now[node];
    }
    cost.bytes = std::max(cost.bytes, bytes + later_bytes);
    later_bytes = bytes;
    later = std::move(now);
  }
  return cost;
}

}  // namespace quantiplan
