// The names "0", "1", ..., "n - 1": of states that a format knows by number alone. Nothing is stored.
#pragma once

#include <charconv>
#include <memory>

#include "numbers/name_source.hpp"

namespace quantiplan {

class NumberedNames final : public NameSource {
 public:
  explicit NumberedNames(std::uint32_t count) : count_(count) {}

  [[nodiscard]] std::uint32_t size() const noexcept override { return count_; }
  [[nodiscard]] std::string name(std::uint32_t i) const override { return std::to_string(i); }
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const override {
    std::uint32_t i = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), i);
    const bool is_number = error == std::errc() && end == name.data() + name.size();
    // "007" is no name.
    const bool is_plain = is_number && (name.size() == 1 || name.front() != '0');
    return is_plain && i < count_ ? std::optional(i) : std::nullopt;
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return sizeof(*this); }

 private:
  std::uint32_t count_;
};

}  // namespace quantiplan
