// The arrays of a UMB: views of the archive's files, whose lengths were checked before.
//
//     ranges   n + 1 uint64: range i is [at(i), at(i + 1)); absent: [i, i + 1)
//     numbers  double, rational, int or uint, little-endian; absent: 0
//     bits     64-bit words, bit i = word[i / 64] >> (i % 64) & 1; absent: false
//
// Access costs some nanoseconds; a double's exact number is looked up among those met before.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_watch.hpp"
#include "io/umb/tar_archive.hpp"
#include "io/umb/umb_index.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

static_assert(std::endian::native == std::endian::little, "arrays are read as they lie");

template <class Value>
Value umb_value(std::string_view bytes, std::uint64_t i) {
  Value value;
  std::memcpy(&value, bytes.data() + i * sizeof(Value), sizeof(Value));
  return value;
}

// The files of one archive, each asked for with the length it must have.
class UmbFiles {
 public:
  UmbFiles(const TarArchive& archive, const std::string& source, WorkWatch& watch)
      : archive_(archive), source_(source), watch_(watch) {}

  [[nodiscard]] bool has(const std::string& path) const { return archive_.find(path) != nullptr; }
  // Throws Error(bad_model) unless it is there and has this many bytes.
  [[nodiscard]] std::string_view need(const std::string& path, std::uint64_t bytes) const;
  [[nodiscard]] std::string_view whole(const std::string& path) const;
  [[noreturn]] void fail(const std::string& path, const std::string& message) const;
  // An array may be as long as a sparse file pretends to be.
  [[nodiscard]] WorkWatch& watch() const { return watch_; }

 private:
  const TarArchive& archive_;
  const std::string& source_;
  WorkWatch& watch_;
};

class UmbRanges {
 public:
  // Of `count` ranges that together are 0 .. end; throws Error(bad_model) unless they ascend to it.
  UmbRanges(const UmbFiles& files, const std::string& path, std::uint64_t count, std::uint64_t end);
  // Never beyond the end, whatever another process may have written since.
  [[nodiscard]] std::uint64_t begin(std::uint64_t i) const {
    return bytes_ ? std::min(umb_value<std::uint64_t>(*bytes_, i), end_) : i;
  }

 private:
  std::optional<std::string_view> bytes_;
  std::uint64_t end_;
};

class UmbBits {
 public:
  UmbBits() = default;
  UmbBits(const UmbFiles& files, const std::string& path, std::uint64_t count);
  [[nodiscard]] bool operator[](std::uint64_t i) const {
    return !words_.empty() && (umb_value<std::uint64_t>(words_, i / 64) >> (i % 64) & 1U) != 0;
  }

 private:
  std::string_view words_;
};

class UmbNumbers {
 public:
  UmbNumbers() = default;  // every value is 0
  UmbNumbers(const UmbFiles& files,
             const std::string& path,
             const UmbType& type,
             std::uint64_t count);
  // Throws Error(bad_model) where a double is not finite or a denominator is 0.
  [[nodiscard]] const Number& operator[](std::uint64_t i) const;
  [[nodiscard]] bool is_absent() const { return bytes_.empty(); }

 private:
  [[nodiscard]] Number decoded(std::uint64_t i) const;

  std::string_view bytes_;
  UmbType type_;
  std::string place_;
  const UmbFiles* files_ = nullptr;
  // By a hash of its bits: the number that was met last.
  struct Met {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool is_set = false;
    Number number;
  };
  mutable std::vector<Met> met_;
  mutable Number last_;
};

// Two's complement numbers of any length, in bits from the least significant on.
Integer umb_integer(std::string_view little_endian, bool is_signed);

// Names in one block of characters, cut by ranges.
std::vector<std::string> umb_strings(const UmbFiles& files,
                                     const std::string& folder,
                                     std::uint64_t count);

}  // namespace quantiplan
