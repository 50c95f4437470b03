// What a model keeps once however often it occurs: exact numbers and names, each with a position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/number.hpp"

namespace quantiplan {

enum class NumberId : std::uint32_t {};
constexpr std::size_t index(NumberId n) noexcept { return static_cast<std::size_t>(n); }

// Exact numbers by id: distinct values, each once.
class NumberTable {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return small_.size(); }
  [[nodiscard]] Rational rational(NumberId id) const;
  [[nodiscard]] bool is_zero(NumberId id) const noexcept { return small_[index(id)] == Fraction{}; }
  // Correctly rounded; relative error at most 2^-53 unless it underflows.
  [[nodiscard]] double nearest(NumberId id) const noexcept { return nearest_[index(id)]; }
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  friend class NumberInterner;
  // Parts of 127 bits, low words first.
  struct Long {
    std::uint64_t numerator[2];
    std::uint64_t denominator[2];
  };
  // Denominator 0: the value is wide_[numerator]; -1: it is long_[numerator].
  std::vector<Fraction> small_;
  std::vector<Long> long_;
  std::vector<Rational> wide_;
  std::vector<double> nearest_;
};

class NameSource;  // the library's own: names that are made when they are asked for

// Distinct names in one block of characters, or made when they are asked for and kept from then on.
class NameTable {
 public:
  [[nodiscard]] std::size_t size() const noexcept {
    return source_ ? names_of_source() : begin_.size() - 1;
  }
  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    if (source_) return made(i);
    return std::string_view(characters_).substr(begin_[i], begin_[i + 1] - begin_[i]);
  }
  // Position of a name, by binary search.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  friend class NameInterner;
  [[nodiscard]] std::size_t names_of_source() const noexcept;
  [[nodiscard]] std::string_view made(std::size_t i) const;

  std::shared_ptr<const NameSource> source_;
  std::string characters_;
  std::vector<std::uint64_t> begin_{0};
  std::vector<std::uint32_t> sorted_;
};

}  // namespace quantiplan
