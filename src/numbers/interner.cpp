#include "numbers/interner.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <thread>
#include <utility>

#include "base/parallel.hpp"
#include "numbers/fraction.hpp"
#include "numbers/name_source.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kNearestChunk = 1U << 15U;  // numbers

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

std::uint64_t hash(const Fraction& value) noexcept {
  return mix(static_cast<std::uint64_t>(value.numerator) +
             0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(value.denominator));
}

std::uint64_t hash(const Rational& value) noexcept {
  std::uint64_t h = static_cast<std::uint64_t>(sgn(value));
  for (mpz_srcptr part : {value.get_num_mpz_t(), value.get_den_mpz_t()}) {
    for (std::size_t i = 0; i < mpz_size(part); ++i)
      h = mix(h + mpz_getlimbn(part, static_cast<mp_size_t>(i)));
  }
  return h;
}

std::uint64_t hash(const LongFraction& value) noexcept {
  std::uint64_t h = 0;
  for (const UInt128 part : {value.numerator, value.denominator}) {
    h = mix(h + static_cast<std::uint64_t>(part));
    h += 0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(part >> 64U);
  }
  return mix(h);
}

std::uint64_t hash(std::string_view name) noexcept {
  return mix(std::hash<std::string_view>{}(name));
}

void refuse_if_too_many(std::size_t count, const char* what) {
  if (count >= IdSlots::kNone) {
    throw Error(ErrorCode::refused, "", std::string("more than 4294967295 distinct ") + what);
  }
}

// Eight characters as a number that compares as they do: most comparisons need no more.
std::uint64_t sort_key(std::string_view name) noexcept {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    key = key << 8U | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0U);
  }
  return key;
}

}  // namespace

NumberTable::Long NumberInterner::packed(const LongFraction& value) noexcept {
  const auto low = [](UInt128 part) { return static_cast<std::uint64_t>(part); };
  return {{low(value.numerator), low(value.numerator >> 64U)},
          {low(value.denominator), low(value.denominator >> 64U)}};
}

LongFraction NumberInterner::unpacked(const NumberTable::Long& value) noexcept {
  const auto joined = [](const std::uint64_t(&part)[2]) {
    return UInt128{part[1]} << 64U | part[0];
  };
  return {joined(value.numerator), joined(value.denominator)};
}

std::uint64_t NumberInterner::hash_of(const Fraction& value) noexcept { return hash(value); }
std::uint64_t NumberInterner::hash_of(const LongFraction& value) noexcept { return hash(value); }

NumberId NumberInterner::intern(const Fraction& value) { return intern(value, hash(value)); }

NumberId NumberInterner::intern(const Fraction& value, std::uint64_t h) {
  const auto found = slots_.find(h, [&](std::uint32_t id) { return table_.small_[id] == value; });
  if (found != IdSlots::kNone) return NumberId{found};
  append(h, value);
  return NumberId{static_cast<std::uint32_t>(size() - 1)};
}

NumberId NumberInterner::intern(const LongFraction& value, std::uint64_t h) {
  const auto found = slots_.find(h, [&](std::uint32_t id) {
    const Fraction& entry = table_.small_[id];
    return entry.denominator == kLong &&
           unpacked(table_.long_[static_cast<std::size_t>(entry.numerator)]) == value;
  });
  if (found != IdSlots::kNone) return NumberId{found};
  const auto position = static_cast<std::int64_t>(table_.long_.size());
  table_.long_.push_back(packed(value));
  append(h, Fraction{position, kLong});
  return NumberId{static_cast<std::uint32_t>(size() - 1)};
}

NumberId NumberInterner::intern(const Number& value) {
  if (const Fraction* small = value.small()) return intern(*small);
  Rational wide = value.rational();
  if (const auto longer = to_long_fraction(wide)) return intern(*longer, hash(*longer));
  const std::uint64_t h = hash(wide);
  const auto found = slots_.find(h, [&](std::uint32_t id) {
    const Fraction& entry = table_.small_[id];
    return entry.denominator == kWide &&
           table_.wide_[static_cast<std::size_t>(entry.numerator)] == wide;
  });
  if (found != IdSlots::kNone) return NumberId{found};
  const auto position = static_cast<std::int64_t>(table_.wide_.size());
  table_.wide_.push_back(std::move(wide));
  append(h, Fraction{position, kWide});
  return NumberId{static_cast<std::uint32_t>(size() - 1)};
}

void NumberInterner::append(std::uint64_t h, const Fraction& entry) {
  refuse_if_too_many(size(), "numbers");
  const auto id = static_cast<std::uint32_t>(size());
  table_.small_.push_back(entry);
  slots_.insert(h, id, [this](std::uint32_t old) { return hash_of(old); });
}

std::uint64_t NumberInterner::hash_of(std::uint32_t id) const {
  const Fraction& entry = table_.small_[id];
  const auto position = static_cast<std::size_t>(entry.numerator);
  if (entry.denominator == kWide) return hash(table_.wide_[position]);
  return entry.denominator == kLong ? hash(unpacked(table_.long_[position])) : hash(entry);
}

Rational NumberInterner::rational(const NumberTable& table, std::uint32_t id) {
  const Fraction& entry = table.small_[id];
  const auto position = static_cast<std::size_t>(entry.numerator);
  if (entry.denominator == kWide) return table.wide_[position];
  return entry.denominator == kLong ? to_rational(unpacked(table.long_[position]))
                                    : to_rational(entry);
}

Number NumberInterner::number(NumberId id) const {
  const Fraction& entry = table_.small_[index(id)];
  if (entry.denominator > 0) return Number(entry);
  return Number(rational(table_, static_cast<std::uint32_t>(id)));
}

std::uint64_t NumberInterner::bytes_of_growth() const noexcept {
  const auto moved = [](const auto& entries) {
    return entries.size() == entries.capacity() ? entries.size() * sizeof(entries[0]) : 0;
  };
  return moved(table_.small_) + moved(table_.long_) +
         slots_.bytes_of_growth(static_cast<std::uint32_t>(size()));
}

NumberTable NumberInterner::take() {
  slots_ = {};
  NumberTable table = std::exchange(table_, {});
  complete(table);
  return table;
}

NumberTable NumberInterner::listed(const std::vector<Number>& numbers) {
  NumberTable table;
  table.small_.reserve(numbers.size());
  for (const Number& number : numbers) table.small_.push_back(place(table, number));
  complete(table);
  return table;
}

Fraction NumberInterner::place(NumberTable& table, const Number& value) {
  if (const Fraction* small = value.small()) return *small;
  Rational wide = value.rational();
  if (const auto longer = to_long_fraction(wide)) {
    table.long_.push_back(packed(*longer));
    return {static_cast<std::int64_t>(table.long_.size() - 1), kLong};
  }
  table.wide_.push_back(std::move(wide));
  return {static_cast<std::int64_t>(table.wide_.size() - 1), kWide};
}

void NumberInterner::complete(NumberTable& table) {
  table.small_.shrink_to_fit();
  table.long_.shrink_to_fit();
  table.nearest_.resize(table.size());
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  parallel_for(threads, table.size(), kNearestChunk, [&](unsigned, std::size_t i, std::size_t end) {
    for (; i < end; ++i) {
      const Fraction& entry = table.small_[i];
      const auto position = static_cast<std::size_t>(entry.numerator);
      table.nearest_[i] = entry.denominator == kWide ? to_nearest_double(table.wide_[position])
                          : entry.denominator == kLong
                              ? to_nearest_double(unpacked(table.long_[position]))
                              : to_nearest_double(entry);
    }
  });
}

std::uint32_t NameInterner::intern(std::string_view name) {
  if (table_.source_) return table_.source_->find(name).value();
  const std::uint64_t h = hash(name);
  const auto found = slots_.find(h, [&](std::uint32_t id) { return table_[id] == name; });
  if (found != IdSlots::kNone) return found;
  refuse_if_too_many(size(), "names");
  const auto id = static_cast<std::uint32_t>(size());
  table_.characters_ += name;
  table_.begin_.push_back(table_.characters_.size());
  slots_.insert(h, id, [this](std::uint32_t old) { return hash(table_[old]); });
  return id;
}

std::uint64_t NameInterner::bytes_of_growth(std::size_t length) const noexcept {
  const std::string& characters = table_.characters_;
  const bool moves = characters.size() + length > characters.capacity();
  const bool is_full = table_.begin_.size() == table_.begin_.capacity();
  return (moves ? characters.size() : 0) +
         (is_full ? table_.begin_.size() * sizeof(std::uint64_t) : 0) +
         slots_.bytes_of_growth(static_cast<std::uint32_t>(size()));
}

std::optional<std::uint32_t> NameInterner::find(std::string_view name) const {
  if (table_.source_) return table_.source_->find(name);
  const auto found = slots_.find(hash(name), [&](std::uint32_t id) { return table_[id] == name; });
  return found == IdSlots::kNone ? std::nullopt : std::optional(found);
}

NameTable NameInterner::take() {
  slots_ = {};
  NameTable table = std::exchange(table_, {});
  if (table.source_) return table;
  table.characters_.shrink_to_fit();
  table.begin_.shrink_to_fit();
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(table.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = {sort_key(table[i]), i};
  std::sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : table[a.second] < table[b.second];
  });
  table.sorted_.reserve(keys.size());
  for (const auto& key : keys) table.sorted_.push_back(key.second);
  return table;
}

}  // namespace quantiplan
