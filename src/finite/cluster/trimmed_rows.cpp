#include "finite/cluster/trimmed_rows.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "finite/cluster/byte_strings.hpp"
#include "finite/cluster/slabs.hpp"

namespace quantiplan {
namespace {

struct TrimmedEnds {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// The entries of a row whose values are asked for, ascending; -1 for none.
std::array<std::int64_t, 3> entries_asked(const Span<double>& span,
                                          const TrimmedEnds& ends,
                                          bool from_below) {
  const bool is_cut = ends.last < static_cast<std::int64_t>(span.width());
  return {from_below && span.from < span.low ? 0 : -1,
          from_below && ends.first > 0 ? ends.first - 1 : -1,
          !from_below && is_cut ? ends.last : -1};
}

// How many values of each row are near 1, and how many are not near 0; nullopt if the ranks parted.
std::optional<std::vector<TrimmedEnds>> trimmed_ends(RankGroup& group,
                                                     const std::vector<Interval>& slabs,
                                                     double drop,
                                                     const DenseLayer& own,
                                                     const std::vector<Span<double>>& spans,
                                                     const RankGroup::IsOver& is_over) {
  const Interval& slab = slabs[group.rank()];
  std::vector<std::byte> counts;
  for (std::size_t slot = 0; slot < spans.size(); ++slot) {
    const Interval part = common(stored(spans[slot]), slab);
    if (part.empty()) continue;
    const double* begin = own.row(slot);
    const double* end = begin + part.size();
    const auto near_one = std::partition_point(begin, end, [&](double v) { return v >= 1 - drop; });
    const auto not_zero = std::partition_point(begin, end, [&](double v) { return v >= drop; });
    put(counts, TrimmedEnds{near_one - begin, not_zero - begin});
  }
  const auto all_counts = group.gather(std::move(counts), is_over);
  if (!all_counts) return std::nullopt;
  std::vector<TrimmedEnds> ends(spans.size());
  std::vector<ByteReader> readers(all_counts->begin(), all_counts->end());
  for (std::size_t slot = 0; slot < spans.size(); ++slot) {
    for (std::size_t q = 0; q < slabs.size(); ++q) {
      if (common(stored(spans[slot]), slabs[q]).empty()) continue;
      const auto part = readers[q].get<TrimmedEnds>();
      ends[slot].first += part.first;
      ends[slot].last += part.last;
    }
    // At least one entry stays.
    const auto width = static_cast<std::int64_t>(spans[slot].width());
    ends[slot].first = std::max<std::int64_t>(0, std::min(ends[slot].first, width - 1));
    ends[slot].last = std::max(ends[slot].last, ends[slot].first + 1);
  }
  return ends;
}

}  // namespace

bool trim_rows(RankGroup& group,
               const std::vector<Interval>& slabs,
               const PassInput<double>& input,
               const DenseLayer& own,
               std::vector<Span<double>>& spans,
               const RankGroup::IsOver& is_over) {
  const bool from_below = input.stages.scale().rounding() == Rounding::down;
  const Interval& slab = slabs[group.rank()];
  // Step 1. Where each row ends.
  const auto all_ends = trimmed_ends(group, slabs, input.drop, own, spans, is_over);
  if (!all_ends) return false;
  const std::vector<TrimmedEnds>& ends = *all_ends;
  // Step 2. The values there.
  const auto level = [&](std::size_t slot, std::int64_t entry) {
    return spans[slot].from + 1 + entry;
  };
  const auto owns = [](const Interval& levels, std::int64_t y) {
    return y > levels.above && y <= levels.upto;
  };
  std::vector<std::byte> values;
  for (std::size_t slot = 0; slot < spans.size(); ++slot) {
    if (spans[slot].width() == 0) continue;
    for (const std::int64_t entry : entries_asked(spans[slot], ends[slot], from_below)) {
      if (entry < 0 || !owns(slab, level(slot, entry))) continue;
      put(values, own.row(slot)[level(slot, entry) - own.span(slot).from - 1]);
    }
  }
  const auto all_values = group.gather(std::move(values), is_over);
  if (!all_values) return false;
  std::vector<ByteReader> readers(all_values->begin(), all_values->end());
  for (std::size_t slot = 0; slot < spans.size(); ++slot) {
    if (spans[slot].width() == 0) continue;
    const auto asked = entries_asked(spans[slot], ends[slot], from_below);
    std::array<double, 3> found{};
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (asked[i] < 0) continue;
      for (std::size_t q = 0; q < slabs.size(); ++q)
        if (owns(slabs[q], level(slot, asked[i]))) found[i] = readers[q].get<double>();
    }
    trim_span(spans[slot], ends[slot].first, ends[slot].last, from_below, [&](std::int64_t entry) {
      // The first may be asked for twice, as what all below it have, and as the last that is dropped.
      return found[entry == asked[0] ? 0 : entry == asked[1] ? 1 : 2];
    });
  }
  return true;
}

}  // namespace quantiplan
