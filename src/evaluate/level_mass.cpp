#include "evaluate/level_mass.hpp"

#include <algorithm>
#include <limits>

namespace quantiplan {

void LevelMass::settle(std::size_t slot) {
  MassRow& row = rows[slot];
  std::size_t begin = 0;
  std::size_t end = row.mass.size();
  while (begin < end && row.mass[begin] == 0) ++begin;
  while (end > begin && row.mass[end - 1] == 0) --end;
  // Rows that hardly shrink stay where they are.
  if (begin > 0) {
    row.mass.erase(row.mass.begin(), row.mass.begin() + static_cast<std::ptrdiff_t>(begin));
    row.first += static_cast<std::int64_t>(begin);
  }
  row.mass.resize(end - begin);
  std::uint64_t count = 0;
  double lowest = 1;
  for (const double p : row.mass) {
    count += p > 0 ? 1 : 0;
    lowest = p > 0 && p < lowest ? p : lowest;
  }
  met[slot] = count;
  least[slot] = lowest;
}

std::uint64_t LevelMass::nodes() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : met) sum += each;
  return sum;
}

std::uint64_t LevelMass::cells() const {
  std::uint64_t sum = 0;
  for (const MassRow& row : rows) sum += row.mass.size();
  return sum;
}

std::uint64_t LevelMass::bytes() const {
  std::uint64_t sum = rows.size() * (sizeof(MassRow) + sizeof(std::uint64_t) + sizeof(double));
  for (const MassRow& row : rows) sum += row.mass.capacity() * sizeof(double);
  return sum;
}

std::optional<LevelMass> spread_out(const NodeMass<double>& nodes, std::size_t slots) {
  struct Range {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
  };
  std::vector<Range> ranges(slots);
  for (const Node& node : nodes.table.nodes()) {
    Range& range = ranges[node.slot];
    range.first = std::min(range.first, node.level);
    range.last = std::max(range.last, node.level);
  }
  // Levels fit 62 bits; their number may not.
  std::uint64_t cells = 0;
  for (const Range& range : ranges) {
    if (range.last < range.first) continue;
    cells += static_cast<std::uint64_t>(range.last - range.first) + 1;
    if (!fills(nodes.size(), cells)) return std::nullopt;
  }
  LevelMass out(slots);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const Range& range = ranges[slot];
    if (range.last < range.first) continue;
    out.rows[slot].first = range.first;
    out.rows[slot].mass.resize(static_cast<std::size_t>(range.last - range.first) + 1);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node node = nodes.node(i);
    *out.rows[node.slot].at(node.level) = std::max(nodes.probability[i], kLeastMass);
  }
  for (std::size_t slot = 0; slot < slots; ++slot) out.settle(slot);
  return out;
}

NodeMass<double> collected(const LevelMass& levels) {
  NodeMass<double> out;
  for (std::size_t slot = 0; slot < levels.rows.size(); ++slot) {
    const MassRow& row = levels.rows[slot];
    for (std::int64_t level = row.first; level <= row.last() && !row.empty(); ++level)
      if (*row.at(level) > 0) out.add({static_cast<std::uint32_t>(slot), level}, *row.at(level));
  }
  return out;
}

}  // namespace quantiplan
