#include "finite/tradeoff/met_totals.hpp"

#include <algorithm>
#include <utility>

namespace quantiplan {
namespace {

// Words held at a time, and moved in all: some MiB, and a fraction of a second.
constexpr std::size_t kMostWords = std::size_t{1} << 18U;
constexpr std::size_t kMostMoves = std::size_t{1} << 24U;
constexpr std::uint64_t kWordBytes = 64 * kMostWords;

class Totals {
 public:
  Totals(const Stages& stages, const Windows& windows, const Interval& part, const Limits& limits)
      : stages_(stages), windows_(windows), part_(part), limits_(limits) {}

  std::optional<std::vector<std::int64_t>> run() {
    std::vector<MetLevels> met(stages_.starts());
    for (std::size_t slot = 0; slot < met.size(); ++slot)
      met[slot].add(part_.upto, useful(0, slot));
    for (std::uint64_t t = 0; t <= stages_.horizon(); ++t) {
      if (limits_.ended()) return std::nullopt;
      std::vector<MetLevels> next(t < stages_.horizon() ? stages_.layer(t + 1).size() : 0);
      for (std::size_t slot = 0; slot < met.size(); ++slot) {
        if (stages_.is_over(t, stages_.layer(t).state(slot))) {
          note(t, met[slot]);
        } else if (!spread(t, slot, met[slot], next)) {
          return std::nullopt;
        }
      }
      if (!pack(next)) return std::nullopt;
      met = std::move(next);
    }
    std::ranges::sort(totals_);
    totals_.erase(std::unique(totals_.begin(), totals_.end()), totals_.end());
    return std::move(totals_);
  }

 private:
  [[nodiscard]] std::int64_t width(std::uint64_t t) const {
    return part_.size() << stages_.scale().shift_until(t);
  }

  // Residuals from which a total of the part can still be attained.
  [[nodiscard]] Window useful(std::uint64_t t, std::size_t slot) const {
    const Window& w = windows_.at(t, slot);
    Window out;
    out.sure = w.least - 1;
    out.possible = w.possible + width(t) - 1;
    return out;
  }

  void note(std::uint64_t t, const MetLevels& met) {
    const unsigned shift = stages_.scale().shift_until(t);
    met.for_each({-1, width(t) - 1}, [&](std::int64_t y) {
      // Shifts of negative numbers round down.
      totals_.push_back(part_.upto + ((-y) >> shift));
    });
    if (totals_.size() <= kMostWords) return;
    std::ranges::sort(totals_);
    totals_.erase(std::unique(totals_.begin(), totals_.end()), totals_.end());
  }

  bool spread(std::uint64_t t,
              std::size_t slot,
              const MetLevels& met,
              std::vector<MetLevels>& next) {
    if (met.empty()) return true;
    const unsigned shift = stages_.scale().shift_after(t);
    const Window from = useful(t, slot);
    for (const Choice c : stages_.model().choices(stages_.layer(t).state(slot))) {
      for (const Outcome& o : stages_.model().outcomes(c)) {
        const std::size_t to = stages_.layer(t + 1).slot(o.next);
        moved_ += next[to].add_moved(
            met, {from.sure, from.possible}, stages_.reward_key(t, o), shift, useful(t + 1, to));
      }
      if (moved_ > kMostWords && (!pack(next) || limits_.ended())) return false;
    }
    return true;
  }

  // Joins words of the same place; false if there are too many.
  bool pack(std::vector<MetLevels>& next) {
    std::size_t held = 0;
    for (MetLevels& levels : next) held += levels.sort();
    moves_ += moved_;
    moved_ = 0;
    return held <= kMostWords && moves_ <= kMostMoves && totals_.size() <= kMostWords;
  }

  const Stages& stages_;
  const Windows& windows_;
  const Interval part_;
  const Limits& limits_;
  std::size_t moved_ = 0;  // words, since they were joined
  std::size_t moves_ = 0;  // in all
  std::vector<std::int64_t> totals_;
};

}  // namespace

std::optional<std::vector<std::int64_t>> met_totals(const Stages& stages,
                                                    const Windows& windows,
                                                    const Interval& part,
                                                    const Limits& limits) {
  if (part.empty()) return std::vector<std::int64_t>();
  if (!limits.would_fit(kWordBytes)) return std::nullopt;
  return Totals(stages, windows, part, limits).run();
}

}  // namespace quantiplan
