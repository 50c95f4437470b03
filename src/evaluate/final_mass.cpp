#include "evaluate/final_mass.hpp"

#include <algorithm>

namespace quantiplan {

void FinalMass::add(std::int64_t level, double mass) {
  if (!array_.empty() && covers(level))
    add_to_array(level, mass);
  else
    nodes_.add({0, level}, std::max(mass, kLeastMass));
}

void FinalMass::add(const MassRow& row, std::uint64_t met, unsigned shift) {
  if (row.empty()) return;
  const std::int64_t step = std::int64_t{1} << shift;
  const bool in_array = cover(row.first * step, row.last() * step, met);
  std::int64_t level = row.first * step;
  for (const double mass : row.mass) {
    if (mass > 0 && in_array) add_to_array(level, mass);
    if (mass > 0 && !in_array) add(level, mass);
    level += step;
  }
}

void FinalMass::add_to_array(std::int64_t level, double mass) {
  *array_.at(level) += std::max(mass, kLeastMass);
  ++contributions_[static_cast<std::size_t>(level - array_.first)];
}

bool FinalMass::cover(std::int64_t first, std::int64_t last, std::uint64_t met) {
  if (!array_.empty() && first >= array_.first && last <= array_.last()) {
    met_ += met;
    return true;
  }
  // What must be moved is moved rarely: an array that grows takes half as much again on that side.
  const bool is_new = array_.empty();
  std::int64_t begin = is_new ? first : std::min(first, array_.first);
  std::int64_t end = is_new ? last : std::max(last, array_.last());
  if (!fills(met_ + met, static_cast<std::uint64_t>(end - begin) + 1)) return false;
  if (!is_new) {
    const std::int64_t more = (end - begin) / 2;
    if (begin < array_.first) begin -= more;
    if (end > array_.last()) end += more;
  }
  MassRow grown{begin, std::vector<double>(static_cast<std::size_t>(end - begin) + 1)};
  std::vector<std::uint32_t> counts(grown.mass.size());
  if (!is_new) {
    const std::ptrdiff_t offset = array_.first - begin;
    std::ranges::copy(array_.mass, grown.mass.begin() + offset);
    std::ranges::copy(contributions_, counts.begin() + offset);
  }
  array_ = std::move(grown);
  contributions_ = std::move(counts);
  met_ += met;
  return true;
}

std::uint64_t FinalMass::bytes() const {
  constexpr std::uint64_t kPerCell = sizeof(double) + sizeof(std::uint32_t);
  return 2 * nodes_.bytes() + array_.mass.capacity() * kPerCell;
}

std::vector<FinalMass::Entry> FinalMass::entries() {
  // What came to the table before the array covered it.
  std::vector<std::size_t> apart;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::int64_t level = nodes_.node(i).level;
    if (array_.empty() || !covers(level)) {
      apart.push_back(i);
      continue;
    }
    *array_.at(level) += nodes_.probability[i];
    contributions_[static_cast<std::size_t>(level - array_.first)] += nodes_.contributions[i];
  }
  std::ranges::sort(apart, {}, [&](std::size_t i) { return nodes_.node(i).level; });
  std::vector<Entry> out;
  const auto put = [&](std::size_t i) {
    out.push_back({nodes_.node(i).level, nodes_.probability[i]});
    most_additions_ = std::max<std::uint64_t>(most_additions_, nodes_.contributions[i]);
  };
  std::size_t next = 0;
  for (; next < apart.size() && nodes_.node(apart[next]).level < array_.first; ++next)
    put(apart[next]);
  for (std::size_t i = 0; i < array_.mass.size(); ++i) {
    if (array_.mass[i] == 0) continue;
    out.push_back({array_.first + static_cast<std::int64_t>(i), array_.mass[i]});
    most_additions_ = std::max<std::uint64_t>(most_additions_, contributions_[i]);
  }
  for (; next < apart.size(); ++next) put(apart[next]);
  return out;
}

}  // namespace quantiplan
