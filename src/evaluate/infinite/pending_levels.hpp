// Mass that waits at levels yet to come, by state.
//
// Contributions are kept as they come, and those of one state added up when a level has twice as
// many as states were left the last time: memory stays within a factor of the distinct pairs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "evaluate/infinite/flow.hpp"
#include "evaluate/infinite/pace.hpp"

namespace quantiplan {

// In the order in which levels are taken.
struct LevelKey {
  std::uint32_t rank = 0;
  std::int64_t level = 0;
  friend bool operator<(const LevelKey& a, const LevelKey& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.level < b.level;
  }
};

template <class N>
class PendingLevels {
 public:
  explicit PendingLevels(MassError<N>& error) : error_(error) {}

  [[nodiscard]] bool empty() const { return levels_.empty(); }
  [[nodiscard]] std::int64_t first() const { return levels_.begin()->first.level; }
  [[nodiscard]] std::uint64_t bytes() const {
    // The last mass that came stands for all.
    constexpr std::uint64_t kPerEntry = sizeof(StateMass<N>) - sizeof(N);
    return entries_ * (kPerEntry + bytes_of_mass_);
  }

  void add(const LevelKey& key, State s, const N& mass) {
    Bucket& bucket = levels_[key];
    bucket.entries.push_back({s, mass});
    bytes_of_mass_ = bytes_of(mass);
    ++entries_;
    constexpr std::size_t kFew = 64;
    if (bucket.entries.size() >= 2 * bucket.merged + kFew) merge(bucket);
  }

  // The masses of the first level, each state once, ascending; the level is gone afterwards.
  std::vector<StateMass<N>> take_first() {
    merge(levels_.begin()->second);
    std::vector<StateMass<N>> taken = std::move(levels_.begin()->second.entries);
    entries_ -= taken.size();
    levels_.erase(levels_.begin());
    return taken;
  }

  // Of all levels together, by state.
  [[nodiscard]] std::vector<StateMass<N>> by_state() {
    Bucket all;
    for (const auto& [unused, bucket] : levels_)
      all.entries.insert(all.entries.end(), bucket.entries.begin(), bucket.entries.end());
    entries_ += all.entries.size();
    merge(all);
    entries_ -= all.entries.size();
    return std::move(all.entries);
  }

  // each(level, entry), for all of them; a state may come several times.
  template <class Each>
  void for_each(const Each& each) const {
    for (const auto& [key, bucket] : levels_) {
      for (const StateMass<N>& entry : bucket.entries) each(key.level, entry);
    }
  }

  [[nodiscard]] N sum() const {
    N sum = 0;
    for (const auto& [unused, bucket] : levels_) {
      for (const StateMass<N>& entry : bucket.entries) sum += entry.mass;
    }
    return sum;
  }

 private:
  struct Bucket {
    std::vector<StateMass<N>> entries;
    std::size_t merged = 0;  // so many were left the last time
  };

  void merge(Bucket& bucket) {
    auto& entries = bucket.entries;
    std::ranges::stable_sort(entries, {}, &StateMass<N>::state);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (kept > 0 && entries[kept - 1].state == entries[i].state) {
        entries[kept - 1].mass += entries[i].mass;
        error_.rounded(entries[kept - 1].mass, 1);
      } else {
        if (kept != i) entries[kept] = std::move(entries[i]);
        ++kept;
      }
    }
    entries_ -= entries.size() - kept;
    entries.resize(kept);
    bucket.merged = kept;
  }

  MassError<N>& error_;
  std::map<LevelKey, Bucket> levels_;
  std::uint64_t entries_ = 0;
  std::uint64_t bytes_of_mass_ = 0;
};

}  // namespace quantiplan
