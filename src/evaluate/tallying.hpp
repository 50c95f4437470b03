// Counts episodes by their totals as they are played.
//
//     memory   a total and a count for each that differs; 4 bytes an episode if their order is kept
//
// All of it is about to be reported: what that takes, text included, is asked for on the way.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/work_watch.hpp"
#include "evaluate/infinite/pace.hpp"
#include "quantiplan/episodes.hpp"

namespace quantiplan {

class Tallying {
 public:
  explicit Tallying(KeepEpisodes keep) : keep_(keep) {}

  void add(Episode&& episode) {
    const auto next = static_cast<std::uint32_t>(counts_.size());
    const auto [at, is_new] = position_.try_emplace(std::move(episode.wealth), next);
    if (is_new) {
      counts_.push_back(0);
      bytes_to_come_ += kReport * bytes_of_level(at->first);
    }
    ++counts_[at->second];
    ++out_.episodes;
    if (episode.slack > out_.slack) out_.slack = episode.slack;
    if (keep_ == KeepEpisodes::counts) return;
    out_.drawn.push_back(at->second);
    bytes_to_come_ += kTextPerEpisode;
    if (keep_ != KeepEpisodes::steps) return;
    bytes_to_come_ += kTextPerStep * episode.steps.size();
    out_.steps.push_back(std::move(episode.steps));
  }
  // What a report of what is kept will need besides.
  [[nodiscard]] std::uint64_t bytes_to_come() const { return bytes_to_come_; }

  // `levels_of(ends)` says what each stands for (Player::levels), in the same order; what is of one
  // level then becomes one entry.
  template <class LevelsOf>
  EpisodeTally finish(const LevelsOf& levels_of) {
    std::vector<Level> ends(counts_.size());
    while (!position_.empty()) {
      auto node = position_.extract(position_.begin());
      ends[node.mapped()] = std::move(node.key());
    }
    std::vector<Level> levels = levels_of(std::move(ends));
    std::vector<EpisodeTally::Entry> entries(levels.size());
    for (std::size_t at = 0; at < entries.size(); ++at)
      entries[at] = {std::move(levels[at]), counts_[at]};
    std::vector<std::uint32_t> order(entries.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return entries[a].wealth < entries[b].wealth;
    });
    std::vector<std::uint32_t> place(entries.size());
    for (const std::uint32_t at : order) {
      auto& totals = out_.totals;
      if (totals.empty() || totals.back().wealth != entries[at].wealth) {
        totals.push_back(std::move(entries[at]));
      } else {
        totals.back().count += entries[at].count;
      }
      place[at] = static_cast<std::uint32_t>(totals.size() - 1);
    }
    for (std::uint32_t& at : out_.drawn) at = place[at];
    return std::move(out_);
  }

 private:
  // A text that grows has twice the room it had, and is held in both for a moment.
  static constexpr std::uint64_t kTextPerEpisode = 3 * 40;
  static constexpr std::uint64_t kTextPerStep = 3 * 192;
  // An entry, a row of a table and a place in a histogram.
  static constexpr std::uint64_t kReport = 3;

  static std::uint64_t bytes_of_level(const Level& level) {
    constexpr std::uint64_t kEntry = 88;
    return kEntry + (!level.is_class() && level.is_finite() ? bytes_of(level.value()) : 0);
  }

  KeepEpisodes keep_;
  std::map<Level, std::uint32_t> position_;
  std::vector<std::uint64_t> counts_;  // by position
  EpisodeTally out_;
  std::uint64_t bytes_to_come_ = 0;
};

}  // namespace quantiplan
