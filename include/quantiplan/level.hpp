// A level of wealth as answers state it: a total, or a class of wealth with its text and rank.
//
//     totals    miss < -inf < every number < inf          (total.hpp)
//     classes   1 < 2 < ... < n, from worst to best       (WealthClasses of structure.hpp)
//
// Where wealth is a sum every level is a total; elsewhere all levels of one answer are classes of one
// list. A class equals no total; classes of different lists are equal if their texts are, but have no
// order, nor have a total and a class: to order these throws std::logic_error, as does asking a class
// for its total.
#pragma once

#include <compare>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "quantiplan/total.hpp"

namespace quantiplan {

class WealthClasses;

class Level {
 public:
  Level() = default;                                // the total 0
  Level(Total total) : total_(std::move(total)) {}  // NOLINT(google-explicit-constructor)
  Level(const Rational& value) : total_(value) {}   // NOLINT(google-explicit-constructor)
  Level(int value) : total_(value) {}               // NOLINT(google-explicit-constructor)
  // The position in the list, from 1; size() + 1 is better than every class of it.
  Level(std::shared_ptr<const WealthClasses> classes, std::size_t position)
      : classes_(std::move(classes)), position_(position) {}

  [[nodiscard]] bool is_class() const noexcept { return classes_ != nullptr; }

  // Of a total.
  [[nodiscard]] const Total& total() const;
  operator const Total&() const { return total(); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] const Rational& value() const { return total().value(); }
  [[nodiscard]] Level negated() const { return total().negated(); }
  // A class is never an infinity nor a miss.
  [[nodiscard]] bool is_finite() const noexcept { return total_.is_finite(); }
  [[nodiscard]] bool is_miss() const noexcept { return total_.is_miss(); }

  // Of a class: where it stands in its list; its rank among all classes, 1 the worst, and how many those are.
  [[nodiscard]] std::size_t position() const;
  [[nodiscard]] std::size_t rank() const;
  [[nodiscard]] std::size_t class_count() const;
  [[nodiscard]] std::string class_text() const;
  // Of both: the total, or the number that the class stands for; absent if it is none.
  [[nodiscard]] std::optional<Total> number() const;

  friend bool operator==(const Level& a, const Level& b);
  friend bool operator==(const Level& a, const Total& b) { return !a.is_class() && a.total_ == b; }
  friend bool operator==(const Level& a, const Rational& b) { return a == Total(b); }
  friend bool operator==(const Level& a, int b) { return a == Total(b); }
  friend std::weak_ordering operator<=>(const Level& a, const Level& b);
  friend std::weak_ordering operator<=>(const Level& a, const Total& b) { return a.total() <=> b; }
  friend std::weak_ordering operator<=>(const Level& a, const Rational& b) {
    return a.total() <=> Total(b);
  }
  friend std::weak_ordering operator<=>(const Level& a, int b) { return a.total() <=> Total(b); }

 private:
  Total total_;
  std::shared_ptr<const WealthClasses> classes_;
  std::size_t position_ = 0;
};

// The total as to_text(Total) writes it, or the text of the class.
std::string to_text(const Level& level);

}  // namespace quantiplan
