// The class that a claim names, and the wealths that reach it.
//
// Where wealth is a number the claim may write it in any way: 5/2 is 2.5. Names are compared as
// they are. A threshold may be a level that no history ends with: a number between two classes, or a
// class that was declared only.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>

#include "check/common/check_limits.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan::checking {

class WealthLevel {
 public:
  // The class of this name among those of all wealths met so far; nullopt if none of them is in it.
  static std::optional<WealthLevel> find(const Structure& structure,
                                         const std::string& text,
                                         CheckLimits& limits);
  // A level that no wealth need be in; nullopt if wealth is no number, nor the class declared. Needs
  // a structure that has met a wealth.
  static std::optional<WealthLevel> without_member(const Structure& structure,
                                                   const Wealth& declared,
                                                   const std::string& text);

  [[nodiscard]] bool is_reached_by(WealthId wealth) const { return compare(wealth) >= 0; }
  [[nodiscard]] bool is_exceeded_by(WealthId wealth) const { return compare(wealth) > 0; }
  [[nodiscard]] bool contains(WealthId wealth) const { return compare(wealth) == 0; }

 private:
  using Mark = std::variant<WealthId, std::size_t, Total>;  // a member, its rank, its number
  WealthLevel(const Structure& structure, Mark mark)
      : structure_(&structure), mark_(std::move(mark)) {}
  [[nodiscard]] std::weak_ordering compare(WealthId wealth) const;

  const Structure* structure_;
  Mark mark_;
};

}  // namespace quantiplan::checking
