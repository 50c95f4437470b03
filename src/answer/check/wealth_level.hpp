// The class that a claim names, and the wealths that reach it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "quantiplan/structure.hpp"

namespace quantiplan::checking {

class WealthLevel {
 public:
  // The class of this name among those of all wealths met so far; nullopt if none of them is in it.
  static std::optional<WealthLevel> find(const Structure& structure, const std::string& text) {
    for (std::size_t i = 0; i < structure.size(); ++i) {
      const WealthId wealth{static_cast<std::uint32_t>(i)};
      if (structure.class_text(wealth) == text) return WealthLevel(structure, wealth);
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_reached_by(WealthId wealth) const {
    return structure_->order(wealth, member_) >= 0;
  }
  [[nodiscard]] bool is_exceeded_by(WealthId wealth) const {
    return structure_->order(wealth, member_) > 0;
  }
  [[nodiscard]] bool contains(WealthId wealth) const {
    return structure_->order(wealth, member_) == 0;
  }

 private:
  WealthLevel(const Structure& structure, WealthId member)
      : structure_(&structure), member_(member) {}
  const Structure* structure_;
  WealthId member_;
};

}  // namespace quantiplan::checking
