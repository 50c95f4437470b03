// The class that a claim names, and the wealths that reach it.
//
// Where wealth is a number the claim may write it in any way: 5/2 is 2.5. Names are compared as
// they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "check/common/check_limits.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan::checking {

class WealthLevel {
 public:
  // The class of this name among those of all wealths met so far; nullopt if none of them is in it.
  static std::optional<WealthLevel> find(const Structure& structure,
                                         const std::string& text,
                                         CheckLimits& limits);

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
