#include "classes/prepended.hpp"

#include <algorithm>
#include <limits>

#include "base/memory.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Prepended::Prepended(const Model& model, Structure& structure, Limits& limits)
    : model_(model), structure_(structure), limits_(limits), columns_(model) {}

bool Prepended::fill(const std::vector<bool>& met, const RankedTime& next, bool ends) {
  next_ = &next;
  width_ = next.level.size();
  const std::uint64_t bytes = columns_.size() * width_ * sizeof(std::uint32_t) + structure_.bytes();
  limits_.give_back(held_);
  held_ = 0;
  if (!limits_.would_fit(bytes)) {
    throw Error(
        ErrorCode::refused,
        "memory",
        std::to_string(width_) + " levels of wealth were met, " +
            std::to_string(structure_.size()) + " different wealths in all, and " +
            std::to_string(columns_.size()) + " rewards; together they do not fit " +
            bytes_text(limits_.limit()) +
            "; expected a shorter --horizon, rewards or labels of fewer values (rounded, or "
            "merged), or a larger --memory-limit");
  }
  limits_.take(bytes, "the levels of wealth");
  held_ = bytes;
  table_.assign(columns_.size() * width_, kAbsent);
  met_.clear();
  for (std::uint32_t i = 0; i < met.size(); ++i) {
    if (!met[i]) continue;
    for (const Choice c : model_.choices(State{i})) {
      if (limits_.ended()) return false;
      for (const Outcome& o : model_.outcomes(c)) {
        std::uint32_t* row = table_.data() + columns_[o.reward] * width_;
        for (auto j = next.begin[index(o.next)]; j < next.begin[index(o.next) + 1]; ++j) {
          const std::uint32_t level = next.position[j];
          if (row[level] != kAbsent) continue;
          const WealthId w = structure_.update(next.level[level], o.reward);
          row[level] = static_cast<std::uint32_t>(index(w));
          met_.push_back(w);
        }
      }
    }
  }
  sort(ends);
  return true;
}

void Prepended::sort(bool ends) {
  const WealthId nothing = structure_.initial();
  if (ends) met_.push_back(nothing);
  std::ranges::sort(met_);
  met_.erase(std::unique(met_.begin(), met_.end()), met_.end());
  std::ranges::sort(met_, [&](WealthId a, WealthId b) {
    const auto order = structure_.order(a, b);
    return order != 0 ? order < 0 : a < b;
  });
  if (position_of_.size() < structure_.size()) position_of_.resize(structure_.size(), kAbsent);
  levels_.clear();
  for (const WealthId w : met_) {
    if (levels_.empty() || structure_.order(levels_.back(), w) != 0) levels_.push_back(w);
    position_of_[index(w)] = static_cast<std::uint32_t>(levels_.size() - 1);
  }
  for (std::uint32_t& entry : table_) {
    if (entry != kAbsent) entry = position_of_[entry];
  }
  if (ends) ended_ = position_of_[index(nothing)];
}

std::vector<std::uint32_t> Prepended::positions(std::uint32_t state,
                                                std::vector<std::uint8_t>& mark) const {
  std::vector<std::uint32_t> out;
  if (model_.is_terminal(State{state})) {
    out.push_back(ended_);
    return out;
  }
  for (const Choice c : model_.choices(State{state})) {
    for (const Outcome& o : model_.outcomes(c)) {
      for (auto j = next_->begin[index(o.next)]; j < next_->begin[index(o.next) + 1]; ++j) {
        const std::uint32_t position = at(o.reward, next_->position[j]);
        if (mark[position] != 0) continue;
        mark[position] = 1;
        out.push_back(position);
      }
    }
  }
  for (const std::uint32_t position : out) mark[position] = 0;
  std::ranges::sort(out);
  return out;
}

}  // namespace quantiplan
