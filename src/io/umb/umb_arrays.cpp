#include "io/umb/umb_arrays.hpp"

#include <algorithm>
#include <cmath>

#include "base/quoted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

using Kind = UmbType::Kind;

void UmbFiles::fail(const std::string& path, const std::string& message) const {
  throw Error(ErrorCode::bad_model, source_ + ": " + path, message);
}

std::string_view UmbFiles::whole(const std::string& path) const {
  const std::string_view* found = archive_.find(path);
  if (found == nullptr) fail(path, "is not in the archive, expected it there");
  return *found;
}

std::string_view UmbFiles::need(const std::string& path, std::uint64_t bytes) const {
  const std::string_view found = whole(path);
  if (found.size() != bytes)
    fail(path,
         "has " + std::to_string(found.size()) + " bytes, expected " + std::to_string(bytes) +
             ", as many as index.json says");
  return found;
}

UmbRanges::UmbRanges(const UmbFiles& files,
                     const std::string& path,
                     std::uint64_t count,
                     std::uint64_t end)
    : end_(end) {
  if (!files.has(path)) {
    if (count != end)
      files.fail(path,
                 "is not in the archive, which means one of each, but index.json says " +
                     std::to_string(count) + " and " + std::to_string(end));
    return;
  }
  bytes_ = files.need(path, (count + 1) * sizeof(std::uint64_t));
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i <= count; ++i) {
    files.watch().step();
    const auto at = umb_value<std::uint64_t>(*bytes_, i);
    if (at < last || at > end || (i == 0 && at != 0) || (i == count && at != end))
      files.fail(path,
                 "entry " + std::to_string(i) + " is " + std::to_string(at) +
                     ", expected ranges that ascend from 0 to " + std::to_string(end));
    last = at;
  }
}

UmbBits::UmbBits(const UmbFiles& files, const std::string& path, std::uint64_t count)
    : words_(files.need(path, (count + 63) / 64 * sizeof(std::uint64_t))) {
  if (words_.empty() || count % 64 == 0) return;
  if (umb_value<std::uint64_t>(words_, count / 64) >> (count % 64) != 0)
    files.fail(path, "has bits behind the last of " + std::to_string(count) + ", expected zeros");
}

UmbNumbers::UmbNumbers(const UmbFiles& files,
                       const std::string& path,
                       const UmbType& type,
                       std::uint64_t count)
    : bytes_(files.need(path, count * (type.bits / 8))), type_(type), place_(path), files_(&files) {
  constexpr std::size_t kSlots = 4096;  // twelve bits of a hash
  if (count > 0) met_.resize(kSlots);
}

Integer umb_integer(std::string_view little_endian, bool is_signed) {
  Integer value;
  mpz_import(value.get_mpz_t(), little_endian.size(), -1, 1, 0, 0, little_endian.data());
  const bool is_negative = is_signed && !little_endian.empty() &&
                           (static_cast<unsigned char>(little_endian.back()) & 0x80U) != 0;
  if (is_negative) value -= Integer(1) << static_cast<unsigned long>(8 * little_endian.size());
  return value;
}

Number UmbNumbers::decoded(std::uint64_t i) const {
  const std::size_t width = type_.bits / 8;
  const std::string_view bytes = bytes_.substr(i * width, width);
  switch (type_.kind) {
    case Kind::real: {
      const auto value = umb_value<double>(bytes, 0);
      if (!std::isfinite(value))
        files_->fail(place_, "value " + std::to_string(i) + " is not finite, expected a number");
      return Number::from_double(value);
    }
    case Kind::rational: {
      const Integer numerator = umb_integer(bytes.substr(0, width / 2), true);
      const Integer denominator = umb_integer(bytes.substr(width / 2), false);
      if (denominator == 0)
        files_->fail(place_,
                     "value " + std::to_string(i) + " has the denominator 0, expected a fraction");
      Rational value(numerator, denominator);
      value.canonicalize();
      return Number(value);
    }
    default:
      return Number(Rational(umb_integer(bytes, type_.kind == Kind::integer)));
  }
}

const Number& UmbNumbers::operator[](std::uint64_t i) const {
  if (bytes_.empty()) return last_;
  if (type_.bits != 64 && type_.bits != 128) return last_ = decoded(i);
  const bool is_pair = type_.bits == 128;
  const auto low = umb_value<std::uint64_t>(bytes_, is_pair ? 2 * i : i);
  const auto high = is_pair ? umb_value<std::uint64_t>(bytes_, 2 * i + 1) : 0;
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15U;
  std::uint64_t hash = (low ^ high * kMix) * kMix;
  hash = (hash ^ hash >> 29U) * kMix;
  Met& met = met_[hash >> 52U];
  if (!met.is_set || met.low != low || met.high != high) met = {low, high, true, decoded(i)};
  return met.number;
}

std::vector<std::string> umb_strings(const UmbFiles& files,
                                     const std::string& folder,
                                     std::uint64_t count) {
  const std::string path = folder + "/strings.bin";
  const std::string_view all = files.whole(path);
  files.watch().ask(all.size());
  if (!is_utf8(all)) files.fail(path, "is no UTF-8, expected text");
  const UmbRanges ranges(files, folder + "/string-mapping.bin", count, all.size());
  std::vector<std::string> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string text(all.substr(ranges.begin(i), ranges.begin(i + 1) - ranges.begin(i)));
    if (!is_utf8(text))
      files.fail(path, "text " + std::to_string(i) + " is no UTF-8, expected text");
    out.push_back(std::move(text));
  }
  return out;
}

}  // namespace quantiplan
